package parquet

import (
	"fmt"

	"github.com/apache/arrow-go/v18/parquet/file"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// shredder takes values of a type apart into the columns that the file has of them.
type shredder interface {
	// add appends value i of v.
	add(v vector.Values, i int, at level) error
	// absent appends that there is no value.
	absent(at level)
}

// level is what Parquet keeps beside a value: how many of the things on the path to it that may be absent are there (def), and which of the lists on that
// path goes on with it (rep; 0: a row begins).
type level struct{ rep, def int16 }

// enter steps into value i of v if it is not NULL, which only one that is optional can be.
func enter(s shredder, optional bool, v vector.Values, i int, at level) (in level, ok bool, err error) {
	switch null := v.IsNull(i); {
	case !optional && null:
		return at, false, errNullValue
	case null:
		s.absent(at)
		return at, false, nil
	case optional:
		at.def++
	}
	return at, true, nil
}

var errNullValue = fault.Errorf(fault.Data, "there is a NULL where the type is NOT NULL")

// shreddedLeaf is a shredder of values without parts, which are one column of the file.
type shreddedLeaf interface {
	shredder
	// flush hands what was added to the file.
	flush(to file.ColumnChunkWriter) error
	// size is about how many bytes wait for it.
	size() int64
}

// shred is a shreddedLeaf of one of Parquet's physical types.
type shred[T any] struct {
	optional         bool
	levels, repeated bool // whether the file has levels of it
	defs, reps       []int16
	values           []T
	width            int64 // bytes of a value, or of its length
	value            func(s *shred[T], v vector.Values, i int) T
	write            func(to file.ColumnChunkWriter, values []T, defs, reps []int16) error
	bytes            []byte // of values that are bytes and not the batch's
	text             int64  // bytes of values that are the batch's
}

func (s *shred[T]) add(v vector.Values, i int, at level) error {
	at, ok, err := enter(s, s.optional, v, i, at)
	if !ok {
		return err
	}
	s.mark(at)
	s.values = append(s.values, s.value(s, v, i))
	return nil
}

func (s *shred[T]) absent(at level) { s.mark(at) }

// addAll appends values of a column that is in no other, as add would one by one.
func (s *shred[T]) addAll(v *vector.Vector, rows vector.Rows) error {
	for k := range rows.Count() {
		i := rows.At(k)
		null := v.IsNull(i)
		switch {
		case !s.optional && null:
			return errNullValue
		case null:
			s.defs = append(s.defs, 0)
			continue
		case s.optional:
			s.defs = append(s.defs, 1)
		}
		s.values = append(s.values, s.value(s, v, i))
	}
	return nil
}

func (s *shred[T]) mark(at level) {
	if s.levels {
		s.defs = append(s.defs, at.def)
	}
	if s.repeated {
		s.reps = append(s.reps, at.rep)
	}
}

func (s *shred[T]) flush(to file.ColumnChunkWriter) error {
	err := s.write(to, s.values, s.defs, s.reps)
	s.values, s.defs, s.reps, s.bytes, s.text = s.values[:0], s.defs[:0], s.reps[:0], s.bytes[:0], 0
	return err
}

func (s *shred[T]) size() int64 {
	return s.width*int64(len(s.values)) + int64(len(s.bytes)) + s.text + int64(len(s.defs)+len(s.reps))/8
}

// listShredder is a shredder of an ARRAY.
type listShredder struct {
	optional bool
	elem     types.Type
	rep      int16 // of elements behind the first
	elems    shredder
}

func (l *listShredder) add(v vector.Values, i int, at level) error {
	at, ok, err := enter(l, l.optional, v, i, at)
	if !ok {
		return err
	}
	elems := nested.ReadArray(v.Bytes(i), vector.KindOf(l.elem))
	if elems.Len() == 0 {
		l.elems.absent(at)
	}
	for k, at := 0, (level{at.rep, at.def + 1}); k < elems.Len(); k, at.rep = k+1, l.rep {
		if err := l.elems.add(elems, k, at); err != nil {
			return err
		}
	}
	return nil
}

func (l *listShredder) absent(at level) { l.elems.absent(at) }

// mapShredder is a shredder of a MAP or MULTISET.
type mapShredder struct {
	t            types.Type
	optional     bool
	rep          int16 // of entries behind the first
	keys, values shredder
}

func (m *mapShredder) add(v vector.Values, i int, at level) error {
	at, ok, err := enter(m, m.optional, v, i, at)
	if !ok {
		return err
	}
	key, value := entryTypes(m.t)
	keys, values := nested.ReadMap(v.Bytes(i), vector.KindOf(key), vector.KindOf(value))
	if keys.Len() == 0 {
		m.absent(at)
	}
	for k, at := 0, (level{at.rep, at.def + 1}); k < keys.Len(); k, at.rep = k+1, m.rep {
		if keys.IsNull(k) {
			return fault.Errorf(fault.Data, "a %s has a key that is NULL, which Parquet cannot hold", m.t.Nullable())
		}
		if err := m.keys.add(keys, k, at); err != nil {
			return err
		}
		if err := m.values.add(values, k, at); err != nil {
			return err
		}
	}
	return nil
}

func (m *mapShredder) absent(at level) {
	m.keys.absent(at)
	m.values.absent(at)
}

// rowShredder is a shredder of a ROW.
type rowShredder struct {
	optional bool
	fields   []shredder
}

func (s *rowShredder) add(v vector.Values, i int, at level) error {
	at, ok, err := enter(s, s.optional, v, i, at)
	if !ok {
		return err
	}
	row := nested.ReadRow(v.Bytes(i), len(s.fields))
	for k, f := range s.fields {
		if err := f.add(row, k, at); err != nil {
			return err
		}
	}
	return nil
}

func (s *rowShredder) absent(at level) {
	for _, f := range s.fields {
		f.absent(at)
	}
}

// shredders makes them for types, in the order in which a file has its columns.
type shredders struct{ leaves []shreddedLeaf }

// of makes a shredder of t, which stands within so many lists and has so many things on its path that may be absent.
func (all *shredders) of(t types.Type, optional bool, within level) shredder {
	if optional {
		within.def++
	}
	inner := level{within.rep + 1, within.def + 1}
	switch t.Kind {
	case types.Array:
		return &listShredder{optional, t.Elem(), inner.rep, all.of(t.Elem(), !t.Elem().NotNull, inner)}
	case types.Map, types.Multiset:
		key, value := entryTypes(t)
		m := &mapShredder{t: t, optional: optional, rep: inner.rep}
		m.keys = all.of(key, false, inner)
		m.values = all.of(value, !value.NotNull, inner)
		return m
	case types.Row:
		s := &rowShredder{optional: optional}
		for _, f := range t.Fields() {
			s.fields = append(s.fields, all.of(f.Type, !f.Type.NotNull, within))
		}
		return s
	}
	leaf := newShred(t, optional, within)
	if leaf == nil {
		panic(fmt.Sprintf("tidemark bug: nothing shreds a %s", t))
	}
	all.leaves = append(all.leaves, leaf)
	return leaf
}
