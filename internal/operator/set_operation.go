package operator

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// SetOperationSpec describes INTERSECT or EXCEPT.
type SetOperationSpec struct {
	// Times is how often a row is in the result that is l times on the left and r times on the right. A change of l or r by one changes it by one at most.
	Times func(l, r int64) int64
	// Sides says for each input of the fragment whether its rows are left (0) or right (1).
	Sides []int
	Kinds []vector.Kind
	// TTL is how long a row is kept on a side where it does not come or go any more, in microseconds; 0 is for ever.
	TTL int64
	// Updates says that results may take back earlier ones.
	Updates bool
	Memory  *vector.Pool
}

// SetOperation counts how often each row is there on either side.
type SetOperation struct {
	spec   SetOperationSpec
	rows   state.Keys
	count  [2][]int64 // by side and row
	live   int        // rows that are on a side
	life   [2]lifetimes
	counts dataflow.Counts
	ids    []uint32
}

// NewSetOperation makes the operator.
func NewSetOperation(spec SetOperationSpec) *SetOperation {
	l := lifetimes{ttl: spec.TTL}
	return &SetOperation{spec: spec, rows: state.NewKeys(spec.Kinds), life: [2]lifetimes{l, l}}
}

// SetNow implements dataflow.Clocked.
func (s *SetOperation) SetNow(now int64) { s.life[0].now, s.life[1].now = now, now }

// Counts implements dataflow.Counted.
func (s *SetOperation) Counts() *dataflow.Counts { return &s.counts }

// Advance implements dataflow.Operator.
func (s *SetOperation) Advance(p dataflow.Progress, out dataflow.Output) error { return out.Advance(p) }

// Process implements dataflow.Operator.
func (s *SetOperation) Process(b *dataflow.Batch, out dataflow.Output) error {
	n := int64(b.Rows().Count())
	s.counts.In.Add(n)
	s.counts.Absorbed.Add(n)
	oneZero(b.Cols)
	err := b.Segments(
		func(lo, hi int) error { return s.absorb(b, stretch(b, lo, hi), out) },
		onward(out))
	b.Release()
	s.life[0].sweep(int(n), len(s.count[0]), s.expire)
	s.compact()
	return err
}

// absorb counts rows and emits those that change the result.
func (s *SetOperation) absorb(b *dataflow.Batch, rows vector.Rows, out dataflow.Output) error {
	n := rows.Count()
	s.ids = extended(s.ids[:0], n)
	s.rows.Find(&state.Input{Cols: b.Cols, Rows: rows, Hashes: b.Hashes}, s.ids)
	for side := range s.count {
		s.count[side] = extended(s.count[side], s.rows.Len())
		s.life[side].grow(s.rows.Len())
	}
	changed, ops := b.Arena.Sel(n)[:0], make([]vector.Op, 0, n)
	side := s.spec.Sides[b.Input]
	for k, id := range s.ids {
		row := int32(rows.At(k))
		s.expire(id)
		before := s.times(id)
		s.change(side, id, takesBack(b.Ops, row))
		switch after := s.times(id); {
		case after > before:
			changed, ops = append(changed, row), append(ops, vector.Insert)
		case after < before:
			changed, ops = append(changed, row), append(ops, vector.Delete)
		}
	}
	if len(changed) == 0 {
		return nil
	}
	a := s.spec.Memory.Get()
	part := &dataflow.Batch{Batch: vector.Batch{N: len(changed), Arena: a}, Released: b.Released, Rank: b.Rank}
	part.Cols = a.Columns(len(b.Cols))
	for i, c := range b.Cols {
		part.Cols[i] = c.Take(a, changed)
	}
	if s.spec.Updates {
		part.Ops = ops
	}
	if b.Order != nil {
		part.Order = make([]dataflow.Order, len(changed))
		for i, row := range changed {
			part.Order[i] = b.Order[row]
		}
	}
	s.counts.Out.Add(int64(len(changed)))
	return out.Emit(part)
}

func (s *SetOperation) times(id uint32) int64 { return s.spec.Times(s.count[0][id], s.count[1][id]) }

func (s *SetOperation) there(id uint32) bool { return s.count[0][id]+s.count[1][id] > 0 }

// expire forgets a row on the sides where its time is over.
func (s *SetOperation) expire(id uint32) {
	if s.spec.TTL == 0 || !s.there(id) {
		return
	}
	for side := range s.count {
		if s.count[side][id] > 0 && s.life[side].expired(id) {
			s.count[side][id] = 0
		}
	}
	if !s.there(id) {
		s.live--
	}
}

func (s *SetOperation) change(side int, id uint32, takesBack bool) {
	was := s.there(id)
	s.life[side].write(id)
	count := &s.count[side][id]
	switch {
	case !takesBack:
		*count++
	case *count > 0:
		*count--
	}
	if is := s.there(id); is && !was {
		s.live++
	} else if was && !is {
		s.live--
	}
}

// compact forgets the rows that are on neither side.
func (s *SetOperation) compact() {
	if !state.Crowded(s.rows.Len(), s.rows.Len()-s.live) {
		return
	}
	rows, old := state.Compact(s.rows, s.there)
	var count [2][]int64
	for side := range count {
		for _, was := range old {
			count[side] = append(count[side], s.count[side][was])
		}
		s.life[side].compact(old)
	}
	s.rows, s.count = rows, count
}
