package operator

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// About what things take that are kept one by one.
const (
	sessionBytes = 64  // a session, its place in the index and in the queue
	rankedBytes  = 112 // a ranked row beside what is in it
	versionBytes = 16
	eventBytes   = 32  // an entry of a heap of rows
	matchBytes   = 256 // a partial match
	windowBytes  = 256 // a window with nothing in it
)

// bytesOf is what accumulators hold.
func bytesOf(accs []function.Accumulator) (n int64) {
	for _, a := range accs {
		n += int64(a.Bytes())
	}
	return n
}

// bytes is what the rows take, those that are gone and still in memory too.
func (h *heldRows) bytes() int64 {
	if h.n == 0 {
		return 0
	}
	return (&vector.Batch{Cols: h.columns(), N: h.n}).Footprint()
}

func (l *lifetimes) bytes() int64 { return 8 * int64(len(l.written)) }

// Size implements dataflow.Sized.
func (g *GroupAggregate) Size() dataflow.Size {
	return dataflow.Size{Groups: int64(g.live + g.cold.len()), Bytes: g.keys.Bytes() + bytesOf(g.accs) + 8*int64(len(g.rows)) + g.life.bytes()}
}

// Size implements dataflow.Sized.
func (w *WindowAggregate) Size() (n dataflow.Size) {
	for _, s := range w.slices {
		n.Add(dataflow.Size{Groups: int64(s.keys.Len()), Bytes: windowBytes + s.keys.Bytes() + bytesOf(s.accs)})
	}
	if w.cold != nil {
		n.Groups += int64(w.cold.table.Len())
	}
	return n
}

// Size implements dataflow.Sized.
func (s *SessionAggregate) Size() dataflow.Size {
	return dataflow.Size{Groups: int64(s.live + s.cold.len()), Bytes: s.keys.Bytes() + bytesOf(s.accs) + sessionBytes*int64(s.live)}
}

// Size implements dataflow.Sized.
func (z *Normalize) Size() dataflow.Size {
	return dataflow.Size{Groups: int64(z.live), Bytes: z.keys.Bytes() + z.rows.Bytes() + 4*int64(len(z.last)+len(z.uses)) + z.life.bytes()}
}

// Size implements dataflow.Sized. What is left of rows once they have left is a group.
func (o *Over) Size() dataflow.Size {
	n := dataflow.Size{Groups: int64(o.keys.Len()), Rows: int64(len(o.waiting))}
	for i := range o.parts {
		n.Rows += int64(len(o.parts[i].frame))
	}
	n.Bytes = o.keys.Bytes() + bytesOf(o.accs) + o.held.bytes() + eventBytes*int64(len(o.parts)) + eventBytes*n.Rows + o.life.bytes()
	return n
}

// Size implements dataflow.Sized.
func (t *TopN) Size() dataflow.Size {
	n := dataflow.Size{Groups: int64(t.live), Bytes: t.keys.Bytes() + t.life.bytes()}
	var rows rankedSizes
	for i := range t.parts {
		rows.look(&t.parts[i].rows)
	}
	n.Add(rows.total())
	return n
}

// rankedSizes adds up ranked rows, of which the first of each so many are looked at.
type rankedSizes struct{ rows, looked, bytes int64 }

func (s *rankedSizes) look(r *rankedRows) {
	n := int64(r.len())
	if n == 0 {
		return
	}
	s.rows += n
	first := r.at(0)
	s.looked++
	s.bytes += int64(len(first.order) + len(first.row) + len(first.key))
}

func (s *rankedSizes) total() dataflow.Size {
	return dataflow.Size{Rows: s.rows, Bytes: s.rows * (rankedBytes + s.bytes/max(s.looked, 1))}
}

// Size implements dataflow.Sized.
func (w *WindowTopN) Size() (n dataflow.Size) {
	var rows rankedSizes
	for _, x := range w.windows {
		n.Bytes += windowBytes + x.keys.Bytes()
		for i := range x.parts {
			if x.parts[i].len() > 0 {
				n.Groups++
				rows.look(&x.parts[i])
			}
		}
	}
	n.Add(rows.total())
	return n
}

// Size implements dataflow.Sized.
func (j *Join) Size() dataflow.Size {
	n := dataflow.Size{Bytes: j.keys.Bytes()}
	for i := range j.sides {
		s := &j.sides[i]
		n.Rows += int64(s.live)
		n.Bytes += s.rows.Bytes() + 8*int64(len(s.count)+len(s.matched)) + 4*int64(len(s.key)+len(s.next)+len(s.prev)+len(s.first)+len(s.last)) + s.life.bytes()
	}
	return n
}

// Size implements dataflow.Sized. Versions are groups.
func (j *TemporalJoin) Size() dataflow.Size {
	n := dataflow.Size{Rows: int64(len(j.waiting)), Bytes: j.keys.Bytes() + j.held[0].bytes() + j.held[1].bytes()}
	for _, versions := range j.versions {
		n.Groups += int64(len(versions))
	}
	n.Bytes += versionBytes*n.Groups + eventBytes*n.Rows
	return n
}

// Size implements dataflow.Sized.
func (s *SetOperation) Size() dataflow.Size {
	return dataflow.Size{Rows: int64(s.live), Bytes: s.rows.Bytes() + 8*int64(len(s.count[0])+len(s.count[1])) + s.life[0].bytes() + s.life[1].bytes()}
}

// Size implements dataflow.Sized.
func (e *AtEnd) Size() dataflow.Size {
	return dataflow.Size{Rows: int64(e.live), Bytes: e.rows.Bytes() + 8*int64(len(e.times))}
}

// Size implements dataflow.Sized.
func (s *Sort) Size() dataflow.Size {
	n := dataflow.Size{Rows: int64(len(s.waiting)), Bytes: eventBytes * int64(len(s.waiting))}
	if s.n > 0 {
		n.Bytes += (&vector.Batch{Cols: s.columns(), N: s.n}).Footprint()
	}
	return n
}

// Size implements dataflow.Sized.
func (j *IntervalJoin) Size() dataflow.Size {
	return dataflow.Size{Rows: int64(len(j.due)), Bytes: j.keys.Bytes() + j.sides[0].held.bytes() + j.sides[1].held.bytes() + 2*eventBytes*int64(len(j.due))}
}

// Size implements dataflow.Sized. Groups are the keys of each window.
func (w *WindowJoin) Size() (n dataflow.Size) {
	for _, x := range w.windows {
		size := dataflow.Size{Groups: int64(x.keys.Len()), Bytes: windowBytes + x.keys.Bytes()}
		for i := range x.sides {
			held := &x.sides[i].held
			size.Add(dataflow.Size{Rows: int64(held.n), Bytes: held.bytes() + 4*int64(held.n+2*x.keys.Len())})
		}
		n.Add(size)
	}
	return n
}

// Size implements dataflow.Sized. Partial matches are groups, and rows those that wait and those that may still be of a match.
func (m *Match) Size() dataflow.Size {
	n := dataflow.Size{Rows: int64(m.held.n), Bytes: m.keys.Bytes() + m.held.bytes() + 16*int64(len(m.can)) + eventBytes*int64(len(m.waiting))}
	for i := range m.parts {
		n.Groups += int64(len(m.parts[i].Partial))
	}
	n.Bytes += matchBytes * n.Groups
	return n
}
