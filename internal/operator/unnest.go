package operator

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Unnest emits a row for every element of a collection of each row: its columns, those of the element, and the element's position.
type Unnest struct {
	spec   UnnestSpec
	counts dataflow.Counts

	elements elements
	// Rows of the batch to be emitted next: the input rows they come from, the positions of their elements, and the marks among them.
	sources   []int32
	positions []int64
	bytes     int // of the strings of sources
	marks     []watermark.Mark
	arena     *vector.Arena
}

// UnnestSpec says what an Unnest does. It owns Env.
type UnnestSpec struct {
	// Collection is an ARRAY, MAP or MULTISET.
	Collection expr.Expr
	// Outer keeps a row whose collection is empty or NULL.
	Outer      bool
	Ordinality bool
	Env        *function.Env
	Memory     *vector.Pool
}

// NewUnnest makes the operator.
func NewUnnest(spec UnnestSpec) *Unnest {
	return &Unnest{spec: spec, elements: newElements(spec.Collection.Type())}
}

// Counts implements dataflow.Counted.
func (u *Unnest) Counts() *dataflow.Counts { return &u.counts }

// SetNow implements dataflow.Clocked.
func (u *Unnest) SetNow(now int64) { u.spec.Env.Now = now }

// Process implements dataflow.Operator. A row can have very many elements, so results leave in batches of emitRows.
func (u *Unnest) Process(b *dataflow.Batch, out dataflow.Output) error {
	collections, err := Evaluate([]expr.Expr{u.spec.Collection}, &b.Batch, u.spec.Env)
	if err != nil {
		return again(err, b, func(b *dataflow.Batch) error { return u.Process(b, out) })
	}
	u.counts.In.Add(int64(b.Rows().Count()))
	u.begin()
	err = b.Segments(
		func(lo, hi int) error { return u.unnest(b, collections[0], lo, hi, out) },
		func(f watermark.Frontier) error {
			u.marks = append(u.marks, watermark.Mark{Row: int32(len(u.sources)), F: f})
			return nil
		})
	if err == nil {
		err = u.flush(b, out)
	}
	if u.arena != nil {
		u.arena.Release()
		u.arena = nil
	}
	b.Release()
	return err
}

func (u *Unnest) begin() {
	u.sources, u.positions, u.marks = u.sources[:0], u.positions[:0], nil
	u.bytes = 0
	u.arena = u.spec.Memory.Get()
	u.elements.begin(u.arena)
}

func (u *Unnest) unnest(b *dataflow.Batch, collection *vector.Vector, lo, hi int, out dataflow.Output) error {
	rows := b.Rows()
	for k := lo; k < hi; k++ {
		row := rows.At(k)
		n, size := 0, vector.StringBytes(b.Cols, row)
		if !collection.IsNull(row) {
			n = u.elements.read(collection.Bytes(row))
		}
		if n == 0 && !u.spec.Outer {
			u.counts.Filtered.Add(1)
		}
		if n == 0 && u.spec.Outer {
			u.elements.appendNull()
			if err := u.add(b, row, 0, size, out); err != nil {
				return err
			}
		}
		for e := range n {
			u.elements.append(e)
			if err := u.add(b, row, int64(e+1), size, out); err != nil {
				return err
			}
		}
	}
	return nil
}

// add makes a row of what was appended to the elements; the strings of its source have size bytes.
func (u *Unnest) add(b *dataflow.Batch, row int, position int64, size int, out dataflow.Output) error {
	u.sources, u.positions = append(u.sources, int32(row)), append(u.positions, position)
	if u.bytes += size; len(u.sources) < emitRows && u.bytes < emitBytes {
		return nil
	}
	if err := u.flush(b, out); err != nil {
		return err
	}
	u.begin()
	return nil
}

// flush emits the rows and marks so far.
func (u *Unnest) flush(b *dataflow.Batch, out dataflow.Output) error {
	n := len(u.sources)
	if n == 0 {
		for _, m := range u.marks {
			if err := out.Advance(dataflow.Progress{Frontier: m.F, Active: true}); err != nil {
				return err
			}
		}
		return nil
	}
	a := u.arena
	part := &dataflow.Batch{Batch: vector.Batch{N: n, Arena: a, Cols: u.columns(b)}, Marks: u.marks, Released: b.Released, Rank: b.Rank}
	if b.Ops != nil {
		part.Ops = make([]vector.Op, n)
		for i, row := range u.sources {
			part.Ops[i] = b.Ops[row]
		}
	}
	if b.Order != nil {
		part.Order = make([]dataflow.Order, n)
		for i, row := range u.sources {
			part.Order[i] = b.Order[row]
		}
	}
	u.counts.Out.Add(int64(n))
	u.arena = nil
	return out.Emit(part)
}

func (u *Unnest) columns(b *dataflow.Batch) []*vector.Vector {
	var cols []*vector.Vector
	for _, c := range b.Cols {
		cols = append(cols, c.Take(u.arena, u.sources))
	}
	cols = append(cols, u.elements.columns(u.arena)...)
	if !u.spec.Ordinality {
		return cols
	}
	position := u.arena.Flat(vector.Int64, len(u.positions))
	copy(position.Ints, u.positions)
	if u.spec.Outer {
		position.Valid = u.arena.AllValid(len(u.positions))
		for i, p := range u.positions {
			if p == 0 {
				position.Valid.Clear(i)
			}
		}
	}
	return append(cols, position)
}

// Advance implements dataflow.Operator.
func (u *Unnest) Advance(p dataflow.Progress, out dataflow.Output) error {
	return out.Advance(p)
}

// elements reads collections and collects the columns of their elements.
type elements struct {
	kinds         []vector.Kind // of an element, or of key and value
	fields        []types.Field // of elements that are rows, else nil
	isMap, counts bool          // a MAP, a MULTISET
	arrays        [2]nested.Array
	expanded      []int32 // of a MULTISET: which element each of its occurrences is
	builders      []*vector.Builder
}

func newElements(t types.Type) elements {
	switch t.Kind {
	case types.Map:
		return elements{isMap: true, kinds: []vector.Kind{vector.KindOf(t.Key()), vector.KindOf(t.Elem())}}
	case types.Multiset, types.Array:
		e := elements{counts: t.Kind == types.Multiset, kinds: []vector.Kind{vector.KindOf(t.Elem())}}
		if t.Elem().Kind == types.Row {
			e.fields = t.Elem().Fields()
		}
		return e
	}
	panic("tidemark bug: UNNEST of " + t.String())
}

func (e *elements) begin(a *vector.Arena) {
	e.builders = e.builders[:0]
	for _, k := range e.kinds {
		e.builders = append(e.builders, vector.NewBuilder(a, k, emitRows))
	}
}

// read takes a collection and tells how many elements it has.
func (e *elements) read(collection []byte) int {
	switch {
	case e.isMap:
		e.arrays[0], e.arrays[1] = nested.ReadMap(collection, e.kinds[0], e.kinds[1])
	case e.counts:
		e.arrays[0], e.arrays[1] = nested.ReadMap(collection, e.kinds[0], vector.Int64)
		e.expanded = e.expanded[:0]
		for i := range e.arrays[0].Len() {
			for range e.arrays[1].Int(i) {
				e.expanded = append(e.expanded, int32(i))
			}
		}
		return len(e.expanded)
	default:
		e.arrays[0] = nested.ReadArray(collection, e.kinds[0])
	}
	return e.arrays[0].Len()
}

// append appends element i of the collection that was read last.
func (e *elements) append(i int) {
	if e.counts {
		i = int(e.expanded[i])
	}
	for c, b := range e.builders {
		b.AppendFrom(&e.arrays[c], i)
	}
}

func (e *elements) appendNull() {
	for _, b := range e.builders {
		b.AppendNull()
	}
}

// columns are those of what was appended.
func (e *elements) columns(a *vector.Arena) []*vector.Vector {
	if e.fields == nil {
		cols := make([]*vector.Vector, len(e.builders))
		for c, b := range e.builders {
			cols[c] = b.Done()
		}
		return cols
	}
	rows := e.builders[0].Done()
	cols := make([]*vector.Vector, len(e.fields))
	for f, field := range e.fields {
		cols[f] = nested.Field(a, rows, f, len(e.fields), vector.KindOf(field.Type), vector.All(rows.Len()), rows.Len())
	}
	return cols
}
