package operator

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// ExpandSpec describes what makes grouping sets of rows. The output columns are those of the input, the keys, and the number of the set.
type ExpandSpec struct {
	Keys []int // input columns
	// Sets say of each key whether it is in the set, IDs are the numbers of the sets.
	Sets [][]bool
	IDs  []int64
	// Level is the place in dataflow.Order of the results of the last operator before that makes several of a row, 0 if there is none: the sets are numbered within them.
	Level  int
	Memory *vector.Pool
}

// Expand sends every row once for each grouping set, with NULL for the keys that the set lacks.
type Expand struct {
	spec   ExpandSpec
	counts dataflow.Counts
}

// NewExpand makes the operator.
func NewExpand(spec ExpandSpec) *Expand { return &Expand{spec: spec} }

// Counts implements dataflow.Counted.
func (e *Expand) Counts() *dataflow.Counts { return &e.counts }

// Advance implements dataflow.Operator.
func (e *Expand) Advance(p dataflow.Progress, out dataflow.Output) error { return out.Advance(p) }

// Process implements dataflow.Operator. Results leave in batches of about emitRows.
func (e *Expand) Process(b *dataflow.Batch, out dataflow.Output) error {
	e.counts.In.Add(int64(b.Rows().Count()))
	most := max(emitRows/len(e.spec.Sets), 1)
	err := b.Segments(
		func(lo, hi int) error {
			for ; lo < hi; lo += most {
				if err := e.expand(b, lo, min(lo+most, hi), out); err != nil {
					return err
				}
			}
			return nil
		},
		onward(out))
	b.Release()
	return err
}

// expand sends what becomes of the rows lo..hi-1 of b's selection.
func (e *Expand) expand(b *dataflow.Batch, lo, hi int, out dataflow.Output) error {
	sets := len(e.spec.Sets)
	a := e.spec.Memory.Get()
	rows, n := b.Rows(), (hi-lo)*sets
	from := a.Sel(n)
	for k := range hi - lo {
		for s := range sets {
			from[k*sets+s] = int32(rows.At(lo + k))
		}
	}
	part := &dataflow.Batch{Batch: vector.Batch{N: n, Arena: a}, Released: b.Released, Rank: b.Rank}
	if hi-lo == 1 {
		part.Cols = e.columns(a, b, from)
	} else if !a.Within(emitBytes, func() { part.Cols = e.columns(a, b, from) }) {
		a.Release()
		half := lo + (hi-lo)/2
		if err := e.expand(b, lo, half, out); err != nil {
			return err
		}
		return e.expand(b, half, hi, out)
	}
	if b.Ops != nil {
		part.Ops = make([]vector.Op, n)
		for i, row := range from {
			part.Ops[i] = b.Ops[row]
		}
	}
	if b.Order != nil {
		part.Order = make([]dataflow.Order, n)
		for i, row := range from {
			part.Order[i] = b.Order[row]
			sub := &part.Order[i].Sub[e.spec.Level]
			*sub = *sub*uint32(sets) + uint32(i%sets)
		}
	}
	e.counts.Out.Add(int64(n))
	return out.Emit(part)
}

func (e *Expand) columns(a *vector.Arena, b *dataflow.Batch, from []int32) []*vector.Vector {
	cols := a.Columns(len(b.Cols) + len(e.spec.Keys) + 1)
	for i, c := range b.Cols {
		cols[i] = c.Take(a, from)
	}
	for i, k := range e.spec.Keys {
		cols[len(b.Cols)+i] = e.key(a, b.Cols[k], i, from)
	}
	id := a.Flat(vector.Int64, len(from))
	for i := range from {
		id.Ints[i] = e.spec.IDs[i%len(e.spec.IDs)]
	}
	cols[len(cols)-1] = id
	return cols
}

// key is the i-th key in the rows named, NULL where the set lacks it.
func (e *Expand) key(a *vector.Arena, c *vector.Vector, i int, from []int32) *vector.Vector {
	flat := a.Flat(c.Kind, len(from))
	places := a.Sel(len(from))
	for k := range places {
		places[k] = int32(k)
	}
	flat.Put(a, places, c.Take(a, from))
	sets := len(e.spec.Sets)
	for s, set := range e.spec.Sets {
		if set[i] {
			continue
		}
		if flat.Valid == nil {
			flat.Valid = a.AllValid(len(from))
		}
		for k := s; k < len(from); k += sets {
			flat.Valid.Clear(k)
			flat.Zero(k)
		}
	}
	return flat
}
