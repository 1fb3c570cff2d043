package operator

import (
	"cmp"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/spill"
)

// turns is the order in which the groups of a slice were seen first, for one of which some groups were ever cold: their numbers do not tell it any more, and results leave in it.
type turns struct {
	of   []uint64 // by hot group
	next uint64
}

// append appends turns to a snapshot.
func (t *turns) append(dst []byte) []byte {
	if t == nil {
		return append(dst, 0)
	}
	dst = appendInt64(append(dst, 1), int64(t.next))
	for _, turn := range t.of {
		dst = appendInt64(dst, int64(turn))
	}
	return dst
}

// turns reads the turns of some groups from a snapshot.
func (d *decoder) turns(groups int64) *turns {
	if d.oneOf(0, 1) == 0 {
		return nil
	}
	t := &turns{next: uint64(d.int64())}
	for range groups {
		t.of = append(t.of, uint64(d.int64()))
		if d.err != nil {
			break
		}
	}
	return t
}

// at is the turn of group i of a snapshot.
func (t *turns) at(i int) uint64 {
	if t == nil {
		return uint64(i)
	}
	return t.of[i]
}

// add gives the next group a turn that it had elsewhere.
func (t *turns) add(turn uint64) {
	t.of = append(t.of, turn)
	t.next = max(t.next, turn+1)
}

// number gives the groups their turns, if their numbers told them so far.
func (s *slice) number() {
	if s.turns != nil {
		return
	}
	n := s.keys.Len()
	s.turns = &turns{of: make([]uint64, n), next: uint64(n)}
	for id := range s.turns.of {
		s.turns.of[id] = uint64(id)
	}
}

// turnOf is the turn of a hot group.
func (s *slice) turnOf(id uint32) uint64 {
	if s.turns == nil {
		return uint64(id)
	}
	return s.turns.of[id]
}

// pickTurns is the turns of some groups.
func pickTurns(of []uint64, ids []uint32) []uint64 {
	picked := make([]uint64, len(ids))
	for k, id := range ids {
		picked[k] = of[id]
	}
	return picked
}

// RestoreRecord implements dataflow.Spilling.
func (w *WindowAggregate) RestoreRecord(r spill.Record) error {
	span, key, ok := cutSliceName(r.Key)
	d := &decoder{src: r.Value}
	turn := d.turn()
	s := w.slices[span]
	if s == nil || s.turns == nil || !ok {
		d.fail("a group on the disk is of no slice")
		return d.err
	}
	had := s.keys.Len()
	id, rest, err := s.keys.Decode(key)
	if err != nil {
		return err
	}
	if d.once(int(id) == had); len(rest) > 0 {
		d.fail("something is behind a key")
	}
	if d.err == nil {
		s.turns.of = append(s.turns.of, turn)
		d.accumulators(s.accs, id)
	}
	return d.end()
}

// Restored implements dataflow.Spilling.
func (w *WindowAggregate) Restored() error {
	if w.cold != nil {
		return w.makeRoom()
	}
	for _, s := range w.slices {
		if s.turns != nil {
			w.unify(s)
		}
	}
	return nil
}

// unify numbers the groups of a slice, all of which are hot, in their turn.
func (w *WindowAggregate) unify(s *slice) {
	order := make([]uint32, s.keys.Len())
	for id := range order {
		order[id] = uint32(id)
	}
	slices.SortStableFunc(order, func(a, b uint32) int { return cmp.Compare(s.turns.of[a], s.turns.of[b]) })
	fresh := w.emptySlice()
	var key []byte
	for _, id := range order {
		key = s.keys.Encode(key[:0], id)
		if _, _, err := fresh.keys.Decode(key); err != nil {
			panic("tidemark bug: a key does not survive its encoding: " + err.Error())
		}
	}
	for i, a := range s.accs {
		a.Grow(len(order))
		fresh.accs[i] = moved(a, fresh.accs[i], order)
	}
	s.keys, s.accs, s.turns = fresh.keys, fresh.accs, nil
}
