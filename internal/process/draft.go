package process

import (
	"github.com/tidemark-sql/tidemark/internal/int128"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Draft is a row that is being written. What it is given is copied. Columns that are not set are NULL. It is used again for the next row of its stream.
type Draft struct {
	out *outlet
	// EventTime is when it happened, microseconds; watermark.NoTime, as in the beginning, stands for that of its parent.
	EventTime int64
	// Parented says that whoever writes has seen to what the row is made of, which is not the row or timer at hand.
	Parented bool
	slots    []slot
	buf      []byte
}

// slot is a value of a draft: whole numbers, booleans, doubles as bits are in i; of bytes it says where they are in buf.
type slot struct {
	set      bool
	i        int64
	f        float64
	wide     int128.Int
	from, to int
}

func (d *Draft) reset() {
	clear(d.slots)
	d.buf, d.EventTime, d.Parented = d.buf[:0], watermark.NoTime, false
}

// Columns are those of the stream.
func (d *Draft) Columns() types.Schema { return d.out.spec.Columns }

// SetNull makes column i NULL.
func (d *Draft) SetNull(i int) { d.slots[i] = slot{} }

// SetBool sets a BOOLEAN column.
func (d *Draft) SetBool(i int, v bool) {
	s := slot{set: true}
	if v {
		s.i = 1
	}
	d.slots[i] = s
}

// SetInt sets a column whose values are int64, see vector.KindOf.
func (d *Draft) SetInt(i int, v int64) { d.slots[i] = slot{set: true, i: v} }

// SetWide sets a DECIMAL column to its digits, which fit.
func (d *Draft) SetWide(i int, digits int128.Int) {
	if d.out.kinds[i] == vector.Int128 {
		d.slots[i] = slot{set: true, wide: digits}
		return
	}
	v, _ := digits.Int64()
	d.SetInt(i, v)
}

// SetFloat sets a column of doubles.
func (d *Draft) SetFloat(i int, v float64) { d.slots[i] = slot{set: true, f: v} }

// SetString sets a column of strings.
func (d *Draft) SetString(i int, v string) {
	from := len(d.buf)
	d.buf = append(d.buf, v...)
	d.slots[i] = slot{set: true, from: from, to: len(d.buf)}
}

// SetBytes sets a column whose values are bytes.
func (d *Draft) SetBytes(i int, v []byte) {
	from := len(d.buf)
	d.buf = append(d.buf, v...)
	d.slots[i] = slot{set: true, from: from, to: len(d.buf)}
}

// Copy sets column i to column j of v, which is of the same layout.
func (d *Draft) Copy(i int, v *Values, j int) {
	c, row := v.Cols[j], v.Row
	if c.IsNull(row) {
		d.SetNull(i)
		return
	}
	switch c.Kind {
	case vector.Bool:
		d.SetBool(i, c.Bool(row))
	case vector.Int64:
		d.SetInt(i, c.Int(row))
	case vector.Int128:
		d.SetWide(i, c.Wide(row))
	case vector.Float64:
		d.SetFloat(i, c.Float(row))
	case vector.Bytes:
		d.SetBytes(i, c.Bytes(row))
	}
}

// Has reports whether column i has a value.
func (d *Draft) Has(i int) bool { return d.slots[i].set }

// outlet gathers the rows of a stream.
type outlet struct {
	spec     *Output
	kinds    []vector.Kind
	memory   *vector.Pool
	arena    *vector.Arena // nil while there is no row
	builders []*vector.Builder
	n, bytes int
	places   []Place
	draft    Draft
}

func newOutlet(spec *Output, memory *vector.Pool) *outlet {
	o := &outlet{spec: spec, memory: memory}
	for _, c := range spec.Columns {
		o.kinds = append(o.kinds, vector.KindOf(c.Type))
	}
	o.draft = Draft{out: o, slots: make([]slot, len(o.kinds))}
	o.draft.reset()
	return o
}

// add makes a row of the draft.
func (o *outlet) add(event, system int64) {
	if o.arena == nil {
		o.arena = o.memory.Get()
		o.builders = o.builders[:0]
		for _, k := range o.kinds {
			o.builders = append(o.builders, vector.NewBuilder(o.arena, k, 64))
		}
	}
	for i, b := range o.builders {
		switch i {
		case o.spec.EventTime:
			appendTime(b, event)
			continue
		case o.spec.SystemTime:
			appendTime(b, system)
			continue
		}
		s := &o.draft.slots[i]
		switch {
		case !s.set:
			b.AppendNull()
			continue
		case o.kinds[i] == vector.Bool:
			b.AppendBool(s.i != 0)
		case o.kinds[i] == vector.Int64:
			b.AppendInt(s.i)
		case o.kinds[i] == vector.Int128:
			b.AppendWide(s.wide)
		case o.kinds[i] == vector.Float64:
			b.AppendFloat(s.f)
		case o.kinds[i] == vector.Bytes:
			b.AppendBytes(o.draft.buf[s.from:s.to])
		}
	}
	o.n++
	o.bytes += len(o.draft.buf)
}

func appendTime(b *vector.Builder, t int64) {
	if t == watermark.NoTime {
		b.AppendNull()
		return
	}
	b.AppendInt(t)
}

// full reports whether what was gathered should leave.
func (o *outlet) full() bool { return o.n >= outletRows || o.bytes >= outletBytes }

// How many rows, and bytes of strings, an outlet gathers at most, or a few more.
const (
	outletRows  = 4096
	outletBytes = 4 << 20
)

// cut hands over what was gathered, with its memory.
func (o *outlet) cut() (vector.Batch, []Place) {
	b := vector.Batch{N: o.n, Arena: o.arena, Cols: o.arena.Columns(len(o.builders))}
	for i, c := range o.builders {
		b.Cols[i] = c.Done()
	}
	places := o.places
	o.arena, o.n, o.bytes, o.places = nil, 0, 0, nil
	return b, places
}
