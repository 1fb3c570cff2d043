package runtime

import (
	"cmp"

	"github.com/tidemark-sql/tidemark/internal/heap"
	"github.com/tidemark-sql/tidemark/watermark"
)

// replayQueue finds the split of a replay that is read next: the one with the least frontier; of equals the one of which least was read, so
// that the first of many is not read far ahead before anything is known of the others; of equals the first. It is a heap whose entries may be
// out of date. Frontiers and offsets never fall, so an entry can only be too far in front, and is put right when it gets there.
type replayQueue struct {
	splits []*split
	heap   []replayEntry
	aside  []int // splits that wait for their wake-up time
}

type replayEntry struct {
	frontier watermark.Frontier
	offset   int64
	split    int // index into splits
}

func (e replayEntry) before(f replayEntry) bool {
	return cmp.Or(cmp.Compare(e.frontier, f.frontier), cmp.Compare(e.offset, f.offset), cmp.Compare(e.split, f.split)) < 0
}

func (q *replayQueue) entry(i int) replayEntry {
	return replayEntry{q.splits[i].frontier, q.splits[i].Offset(), i}
}

func (q *replayQueue) fill(splits []*split) {
	q.splits = splits
	for i, s := range splits {
		if !s.done {
			q.push(q.entry(i))
		}
	}
}

// next takes out the split to be read; put gives it back.
func (q *replayQueue) next() (split int, ok bool) {
	for len(q.heap) > 0 {
		top := q.pop()
		if now := q.entry(top.split); now != top {
			q.push(now)
			continue
		}
		return top.split, true
	}
	return 0, false
}

// put brings back a split that was asked. One that gave nothing stays out until its time has come.
func (q *replayQueue) put(i int, gave bool) {
	switch s := q.splits[i]; {
	case s.done:
	case !gave:
		q.aside = append(q.aside, i)
	default:
		q.push(q.entry(i))
	}
}

// restock brings back the splits whose time has come.
func (q *replayQueue) restock(now int64) {
	waiting := q.aside[:0]
	for _, i := range q.aside {
		if s := q.splits[i]; s.wake <= now {
			q.push(q.entry(i))
		} else {
			waiting = append(waiting, i)
		}
	}
	q.aside = waiting
}

func (q *replayQueue) push(e replayEntry) { q.heap = heap.Push(q.heap, e, replayEntry.before) }

func (q *replayQueue) pop() (top replayEntry) {
	top, q.heap = heap.Pop(q.heap, replayEntry.before)
	return top
}
