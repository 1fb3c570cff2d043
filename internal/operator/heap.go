package operator

import (
	"github.com/tidemark-sql/tidemark/internal/heap"
	"github.com/tidemark-sql/tidemark/internal/window"
)

// windowHeap is windows by end, then start: the order in which they fire.
type windowHeap []window.Window

func endsBefore(a, b window.Window) bool {
	return a.End < b.End || a.End == b.End && a.Start < b.Start
}

func (h *windowHeap) push(x window.Window) { *h = heap.Push(*h, x, endsBefore) }

func (h *windowHeap) pop() window.Window {
	top, rest := heap.Pop(*h, endsBefore)
	*h = rest
	return top
}

// due says that a session ends at end, or ended there before it grew.
type due struct {
	end int64
	id  int32
}

// sessionHeap is what is due, the earliest first.
type sessionHeap []due

func isDueBefore(a, b due) bool { return a.end < b.end || a.end == b.end && a.id < b.id }

func (h *sessionHeap) push(d due) { *h = heap.Push(*h, d, isDueBefore) }

func (h *sessionHeap) pop() due {
	top, rest := heap.Pop(*h, isDueBefore)
	*h = rest
	return top
}
