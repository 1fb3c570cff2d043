package operator

import "github.com/tidemark-sql/tidemark/internal/window"

// push adds x to the binary heap h.
func push[T any](h []T, x T, before func(a, b T) bool) []T {
	h = append(h, x)
	for i := len(h) - 1; i > 0; {
		up := (i - 1) / 2
		if !before(h[i], h[up]) {
			break
		}
		h[i], h[up] = h[up], h[i]
		i = up
	}
	return h
}

// pop takes the first item off the binary heap h.
func pop[T any](h []T, before func(a, b T) bool) (top T, rest []T) {
	top = h[0]
	n := len(h) - 1
	h[0] = h[n]
	h = h[:n]
	for i := 0; ; {
		least := i
		for c := 2*i + 1; c <= 2*i+2 && c < n; c++ {
			if before(h[c], h[least]) {
				least = c
			}
		}
		if least == i {
			return top, h
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
}

// windowHeap is windows by end, then start: the order in which they fire.
type windowHeap []window.Window

func endsBefore(a, b window.Window) bool {
	return a.End < b.End || a.End == b.End && a.Start < b.Start
}

func (h *windowHeap) push(x window.Window) { *h = push(*h, x, endsBefore) }

func (h *windowHeap) pop() window.Window {
	top, rest := pop(*h, endsBefore)
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

func (h *sessionHeap) push(d due) { *h = push(*h, d, isDueBefore) }

func (h *sessionHeap) pop() due {
	top, rest := pop(*h, isDueBefore)
	*h = rest
	return top
}
