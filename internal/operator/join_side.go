package operator

import (
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// joinSide is the rows of one side of a Join: each different row once, with how often it is there, chained by join key in the order in which they came. Numbers in
// chains are one more than that of the row, 0 is the end.
type joinSide struct {
	kinds []vector.Kind
	rows  state.Keys
	// By row.
	count   []int64
	matched []int64 // rows of the other side that match it, each counted as often as it is there
	key     []uint32
	next    []uint32
	prev    []uint32
	// By join key.
	first, last []uint32
	live        int       // rows that are there
	life        lifetimes // of rows
}

func newJoinSide(kinds []vector.Kind, life lifetimes) joinSide {
	return joinSide{kinds: kinds, rows: state.NewKeys(kinds), life: life}
}

func (s *joinSide) growKeys(n int) {
	s.first, s.last = extended(s.first, n), extended(s.last, n)
}

// growRows makes room for rows that were just numbered, and notes their join keys.
func (s *joinSide) growRows(keys, rows []uint32) {
	n := s.rows.Len()
	s.count, s.matched = extended(s.count, n), extended(s.matched, n)
	s.key, s.next, s.prev = extended(s.key, n), extended(s.next, n), extended(s.prev, n)
	s.life.grow(n)
	for k, id := range rows {
		s.key[id] = keys[k]
	}
}

// add puts one more of a row into the chain of its key.
func (s *joinSide) add(key, id uint32) {
	s.expire(id)
	s.life.write(id)
	s.count[id]++
	if s.count[id] > 1 {
		return
	}
	s.live++
	s.next[id], s.prev[id] = 0, s.last[key]
	if s.last[key] == 0 {
		s.first[key] = id + 1
	} else {
		s.next[s.last[key]-1] = id + 1
	}
	s.last[key] = id + 1
}

// remove takes one of a row away, and reports whether it was there.
func (s *joinSide) remove(key, id uint32) bool {
	s.expire(id)
	if s.count[id] == 0 {
		return false
	}
	s.life.write(id)
	s.count[id]--
	if s.count[id] == 0 {
		s.unlink(key, id)
	}
	return true
}

// expire forgets a row whose time is over, however often it is there, and reports whether it did.
func (s *joinSide) expire(id uint32) bool {
	if s.life.ttl == 0 || s.count[id] == 0 || !s.life.expired(id) {
		return false
	}
	s.count[id] = 0
	s.unlink(s.key[id], id)
	return true
}

// expireAll forgets all rows whose time is over.
func (s *joinSide) expireAll() {
	if s.life.ttl > 0 {
		for id := range uint32(len(s.count)) {
			s.expire(id)
		}
	}
}

// unlink takes a row that is not there any more out of the chain of its key.
func (s *joinSide) unlink(key, id uint32) {
	s.live--
	before, behind := s.prev[id], s.next[id]
	if before == 0 {
		s.first[key] = behind
	} else {
		s.next[before-1] = behind
	}
	if behind == 0 {
		s.last[key] = before
	} else {
		s.prev[behind-1] = before
	}
}

// total is how many rows these are, each as often as it is there.
func (s *joinSide) total(rows []uint32) int64 {
	n := int64(0)
	for _, id := range rows {
		n += s.count[id]
	}
	return n
}

// each visits the rows of a join key in order.
func (s *joinSide) each(key uint32, visit func(id uint32)) {
	for id := s.first[key]; id != 0; id = s.next[id-1] {
		visit(id - 1)
	}
}

// compact forgets the rows that are not there any more, and join keys that neither side has.
func (j *Join) compact() {
	crowded := false
	for s := range j.sides {
		side := &j.sides[s]
		crowded = crowded || state.Crowded(side.rows.Len(), side.rows.Len()-side.live)
	}
	if !crowded {
		return
	}
	keys, oldKeys := state.Compact(j.keys, func(id uint32) bool { return j.sides[0].first[id] != 0 || j.sides[1].first[id] != 0 })
	for s := range j.sides {
		old := j.sides[s]
		side := newJoinSide(old.kinds, lifetimes{ttl: old.life.ttl, now: old.life.now})
		var oldRows []uint32
		side.rows, oldRows = state.Compact(old.rows, func(id uint32) bool { return old.count[id] > 0 })
		number := make([]uint32, old.rows.Len())
		for id, was := range oldRows {
			number[was] = uint32(id)
		}
		side.growKeys(len(oldKeys))
		side.growRows(nil, nil)
		for key, was := range oldKeys {
			old.each(was, func(row uint32) {
				id := number[row]
				side.add(uint32(key), id)
				side.count[id], side.matched[id], side.key[id] = old.count[row], old.matched[row], uint32(key)
				if old.life.ttl > 0 {
					side.life.written[id] = old.life.written[row]
				}
			})
		}
		j.sides[s] = side
	}
	j.keys = keys
}
