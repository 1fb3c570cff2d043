package oracle

import (
	"cmp"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// stream is what flows between two nodes: rows and frontiers in one order. A node is a function from streams to a stream.
type stream []event

// event is a row, or else a frontier.
type event struct {
	// seq is the arrival at a source that set the event off. It orders the events of different streams.
	seq int
	row Row // nil: a frontier
	// op is the change that a row stands for.
	op vector.Op
	// frontier is the new frontier, of a row the deadline that released it, Unset if it passed as it came.
	frontier watermark.Frontier
}

// takesBack reports whether a row undoes an earlier one.
func (e event) takesBack() bool { return e.op == vector.UpdateBefore || e.op == vector.Delete }

// rise appends frontier f if it is above everything before it.
func (s *stream) rise(seq int, f watermark.Frontier) {
	if f > s.frontier() {
		*s = append(*s, event{seq: seq, frontier: f})
	}
}

// frontier is the last one in s.
func (s stream) frontier() watermark.Frontier {
	for _, e := range slices.Backward(s) {
		if e.row == nil {
			return e.frontier
		}
	}
	return watermark.Unset
}

// union merges streams by arrival. Its frontier is the least of theirs.
func union(inputs []stream) stream {
	type tagged struct {
		event
		input int
	}
	var all []tagged
	for i, s := range inputs {
		for _, e := range s {
			all = append(all, tagged{e, i})
		}
	}
	slices.SortStableFunc(all, func(a, b tagged) int { return cmp.Compare(a.seq, b.seq) })

	frontiers := make([]watermark.Frontier, len(inputs))
	for i := range frontiers {
		frontiers[i] = watermark.Unset
	}
	var out stream
	for _, e := range all {
		if e.row != nil {
			out = append(out, e.event)
			continue
		}
		frontiers[e.input] = e.frontier
		out.rise(e.seq, slices.Min(frontiers))
	}
	return out
}
