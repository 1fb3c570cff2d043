package spill

import "sync/atomic"

// Budget is the memory that the operators of a statement have together for state, in bytes. It divides itself: who holds much when there is too little gives way.
//
// What operators hold counts twice, for tables grow by doubling, and what is given up is garbage for a while. Indexes of what is on disk come first: they cannot give way.
type Budget struct {
	limit  int64
	shares int64
	held   atomic.Int64
	index  atomic.Int64
}

// NewBudget makes a budget of limit bytes.
func NewBudget(limit int64) *Budget { return &Budget{limit: limit} }

// Share is the part of one more operator. All are made before the first is used.
func (b *Budget) Share() *Share {
	b.shares++
	return &Share{budget: b}
}

// leastPart of a limit is for what operators hold, however much is on disk.
const leastPart = 8

func (b *Budget) room() int64 {
	return max((b.limit-b.index.Load())/2, b.limit/leastPart)
}

// Share is what one operator holds. It belongs to one goroutine.
type Share struct {
	budget      *Budget
	held, index int64
}

// Hold says how many bytes the operator holds in its tables now, and in the index of what is on disk, and reports whether it has to give up the former: there is too little room for
// all, and it holds no less than the average.
func (s *Share) Hold(held, index int64) bool {
	b := s.budget
	if index != s.index {
		b.index.Add(index - s.index)
	}
	all := b.held.Add(held - s.held)
	s.held, s.index = held, index
	return all > b.room() && held > 0 && held*b.shares >= all
}
