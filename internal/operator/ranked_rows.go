package operator

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/tidwall/btree"
)

// ranked is a row with its place.
type ranked struct {
	order []byte // as state.AppendOrder writes it
	came  int64  // decides between rows with the same order
	row   []byte // as state.AppendRow writes it
	key   string // by which rows replace each other, if they do
}

// newRanked copies order and row into memory of their own, a single piece.
func newRanked(order, row []byte, came int64) *ranked {
	both := make([]byte, len(order)+len(row))
	n := copy(both, order)
	copy(both[n:], row)
	return &ranked{order: both[:n:n], came: came, row: both[n:]}
}

func (r *ranked) less(s *ranked) bool { return r.compare(s) < 0 }

func (r *ranked) compare(s *ranked) int {
	return cmp.Or(bytes.Compare(r.order, s.order), cmp.Compare(r.came, s.came))
}

// manyRanked is how many rows a slice holds before they move into a tree.
const manyRanked = 256

// rankedRows is rows in their order: few in a slice, many in a tree. Most partitions have few.
type rankedRows struct {
	few  []*ranked
	many *btree.BTreeG[*ranked] // nil while there are few
}

func (l *rankedRows) len() int {
	if l.many != nil {
		return l.many.Len()
	}
	return len(l.few)
}

// at is the row with so many before it; nil if there is none.
func (l *rankedRows) at(i int) *ranked {
	if l.many != nil {
		r, _ := l.many.GetAt(i)
		return r
	}
	if i >= len(l.few) {
		return nil
	}
	return l.few[i]
}

func (l *rankedRows) last() *ranked { return l.at(l.len() - 1) }

func (l *rankedRows) add(r *ranked) {
	if l.many == nil && len(l.few) == manyRanked {
		l.many = btree.NewBTreeGOptions((*ranked).less, btree.Options{NoLocks: true})
		for _, old := range l.few {
			l.many.Load(old)
		}
		l.few = nil
	}
	if l.many != nil {
		l.many.Set(r)
		return
	}
	at, _ := slices.BinarySearchFunc(l.few, r, (*ranked).compare)
	l.few = slices.Insert(l.few, at, r)
}

func (l *rankedRows) remove(r *ranked) {
	if l.many != nil {
		l.many.Delete(r)
		return
	}
	if at, ok := slices.BinarySearchFunc(l.few, r, (*ranked).compare); ok {
		l.few = slices.Delete(l.few, at, at+1)
	}
}

// from visits the rows that are not before r, in order, until visit returns false.
func (l *rankedRows) from(r *ranked, visit func(*ranked) bool) {
	if l.many != nil {
		l.many.Ascend(r, visit)
		return
	}
	at, _ := slices.BinarySearchFunc(l.few, r, (*ranked).compare)
	for _, x := range l.few[at:] {
		if !visit(x) {
			return
		}
	}
}

// all visits all rows in order.
func (l *rankedRows) all(visit func(*ranked) bool) {
	if l.many != nil {
		l.many.Scan(visit)
		return
	}
	for _, r := range l.few {
		if !visit(r) {
			return
		}
	}
}

// rank is how many rows stand before r, or most if they are as many or more.
func (l *rankedRows) rank(r *ranked, most int) int {
	lo, hi := 0, min(l.len(), most)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if l.at(mid).less(r) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}
