package operator

import "github.com/tidemark-sql/tidemark/internal/dataflow"

// Size implements dataflow.Sized.
func (g *GroupAggregate) Size() dataflow.Size {
	return dataflow.Size{Groups: int64(g.live + g.cold.len())}
}

// Size implements dataflow.Sized.
func (w *WindowAggregate) Size() (n dataflow.Size) {
	for _, s := range w.slices {
		n.Groups += int64(s.keys.Len())
	}
	if w.cold != nil {
		n.Groups += int64(w.cold.table.Len())
	}
	return n
}

// Size implements dataflow.Sized.
func (s *SessionAggregate) Size() dataflow.Size {
	return dataflow.Size{Groups: int64(s.live + s.cold.len())}
}

// Size implements dataflow.Sized.
func (z *Normalize) Size() dataflow.Size { return dataflow.Size{Groups: int64(z.live)} }

// Size implements dataflow.Sized. What is left of rows once they have left is a group.
func (o *Over) Size() dataflow.Size {
	n := dataflow.Size{Groups: int64(o.keys.Len()), Rows: int64(len(o.waiting))}
	for i := range o.parts {
		n.Rows += int64(len(o.parts[i].frame))
	}
	return n
}

// Size implements dataflow.Sized.
func (t *TopN) Size() dataflow.Size {
	n := dataflow.Size{Groups: int64(t.live)}
	for i := range t.parts {
		n.Rows += int64(t.parts[i].rows.len())
	}
	return n
}

// Size implements dataflow.Sized.
func (w *WindowTopN) Size() (n dataflow.Size) {
	for _, x := range w.windows {
		for i := range x.parts {
			if rows := x.parts[i].len(); rows > 0 {
				n.Add(dataflow.Size{Groups: 1, Rows: int64(rows)})
			}
		}
	}
	return n
}

// Size implements dataflow.Sized.
func (j *Join) Size() dataflow.Size {
	return dataflow.Size{Rows: int64(j.sides[0].live + j.sides[1].live)}
}

// Size implements dataflow.Sized. Versions are groups.
func (j *TemporalJoin) Size() dataflow.Size {
	n := dataflow.Size{Rows: int64(len(j.waiting))}
	for _, versions := range j.versions {
		n.Groups += int64(len(versions))
	}
	return n
}

// Size implements dataflow.Sized.
func (s *SetOperation) Size() dataflow.Size { return dataflow.Size{Rows: int64(s.live)} }

// Size implements dataflow.Sized.
func (e *AtEnd) Size() dataflow.Size { return dataflow.Size{Rows: int64(e.live)} }

// Size implements dataflow.Sized.
func (s *Sort) Size() dataflow.Size { return dataflow.Size{Rows: int64(len(s.waiting))} }

// Size implements dataflow.Sized.
func (j *IntervalJoin) Size() dataflow.Size { return dataflow.Size{Rows: int64(len(j.due))} }

// Size implements dataflow.Sized. Groups are the keys of each window.
func (w *WindowJoin) Size() (n dataflow.Size) {
	for _, x := range w.windows {
		n.Add(dataflow.Size{Groups: int64(x.keys.Len()), Rows: int64(x.sides[0].held.n + x.sides[1].held.n)})
	}
	return n
}

// Size implements dataflow.Sized. Partial matches are groups, and rows those that wait and those that may still be of a match.
func (m *Match) Size() dataflow.Size {
	n := dataflow.Size{Rows: int64(m.held.n)}
	for i := range m.parts {
		n.Groups += int64(len(m.parts[i].Partial))
	}
	return n
}
