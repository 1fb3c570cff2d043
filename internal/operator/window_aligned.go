package operator

import (
	"cmp"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/window"
)

// Aligned frames rows by their time: TUMBLE, HOP and CUMULATE. Windows of a TIMESTAMP_LTZ follow the local time of Zone, and
// Zone is nil for a TIMESTAMP.
type Aligned struct {
	Spec window.Spec
	Time int // input column
	Zone *window.Zone
	// Adjusts counts a late row once, in the first slice of the earliest window that is open; of TUMBLE and HOP. YDB: ADJUST.
	Adjusts bool
}

func (a *Aligned) deadline(x window.Window) int64 {
	if a.Zone != nil {
		return a.Zone.Deadline(x.End)
	}
	return x.End
}

func (a *Aligned) assign(w *WindowAggregate, b *dataflow.Batch, lo, hi int) error {
	times, rows := b.Cols[a.Time], b.Rows()
	mask := times.Mask()
	var s *slice
	for k := lo; k < hi; k++ {
		row := rows.At(k)
		if times.IsNull(row) {
			return errNullTime
		}
		t := times.Ints[row&mask]
		late := a.Adjusts && w.frontier.Late(t)
		if late {
			t = int64(w.frontier)
		}
		local := t
		if a.Zone != nil {
			local = a.Zone.ToLocal(local)
		}
		if late {
			local = a.Spec.Window(a.Spec.FirstEnd(a.Spec.SliceEnd(local))).Start
		}
		if s == nil || local >= s.span.End || local < s.span.Start {
			if s = a.find(w, local); s == nil {
				a.refuse(w, times.Ints[row&mask], local)
				continue
			}
		}
		s.rows = append(s.rows, int32(row))
	}
	return nil
}

// find is the slice that a row is added to, or nil if it belongs nowhere. A CUMULATE slice whose windows have partly fired has gone into
// the first slice of its outer window; see fireCumulate.
func (a *Aligned) find(w *WindowAggregate, local int64) *slice {
	end := a.Spec.SliceEnd(local)
	last := a.Spec.LastEnd(end)
	if a.Spec.FirstEnd(end) > last || w.complete(window.Window{End: last}) {
		return nil
	}
	span := window.Window{Start: end - a.Spec.SlideWidth(), End: end}
	if a.Spec.Kind == window.Cumulate && w.complete(window.Window{End: end}) {
		span = a.shared(end)
	}
	return w.slice(span)
}

// refuse counts a row at t that find turned away: late for its last window, or in a gap between HOP windows.
func (a *Aligned) refuse(w *WindowAggregate, t, local int64) {
	end := a.Spec.SliceEnd(local)
	last := a.Spec.LastEnd(end)
	if a.Spec.FirstEnd(end) > last {
		w.counts.Filtered.Add(1)
		return
	}
	w.drop(t, a.deadline(window.Window{End: last}))
}

// shared is the slice into which a CUMULATE merges those that have fired. It spans no time, so that no row matches it by chance.
func (a *Aligned) shared(end int64) window.Window {
	start := a.Spec.Window(end).Start
	return window.Window{Start: start, End: start}
}

func (a *Aligned) schedule(w *WindowAggregate, s *slice) {
	end := s.span.End
	if s.span.Start == end { // a shared slice
		end += a.Spec.SlideWidth()
	}
	last := a.Spec.LastEnd(end)
	for e := a.Spec.FirstEnd(end); e <= last; e = a.Spec.Next(e) {
		if !w.complete(window.Window{End: e}) {
			w.queue(a.Spec.Window(e))
			return
		}
	}
}

func (a *Aligned) fire(w *WindowAggregate, x window.Window) error {
	switch a.Spec.Kind {
	case window.Tumble:
		return w.finish(x)
	case window.Hop:
		return a.fireHop(w, x)
	default:
		return a.fireCumulate(w, x)
	}
}

// fireHop merges the slices of x. Flink 2.3: the next window is looked at only if this one held rows; a slice that it starts is
// scheduled on its own.
func (a *Aligned) fireHop(w *WindowAggregate, x window.Window) error {
	w.occupied = a.occupied(w, x, w.occupied[:0])
	isLast := func(s *slice) bool { return a.Spec.LastEnd(s.span.End) <= x.End }
	cold := w.tooMany(w.occupied) || !allHot(w.occupied...)
	if cold {
		if err := w.fireCold(x, coldFiring{slices: w.occupied, takes: isLast}); err != nil {
			return err
		}
	} else {
		if w.scratch == nil {
			w.scratch = w.newSlice()
		}
		w.scratch.reset()
		for _, s := range w.occupied {
			w.merge(w.scratch, s)
		}
	}
	for _, s := range w.occupied {
		if isLast(s) {
			w.discard(s.span)
		} else {
			w.queue(a.Spec.Window(a.Spec.Next(x.End)))
		}
	}
	if cold {
		return nil
	}
	return w.emit(x, w.scratch)
}

// occupied appends the slices of x that there are to dst, in their order. A window can have very many slices of which few hold rows.
func (a *Aligned) occupied(w *WindowAggregate, x window.Window, dst []*slice) []*slice {
	width := a.Spec.SlideWidth()
	if (x.End-x.Start)/width <= int64(len(w.slices)) {
		for end := x.Start + width; end <= x.End; end += width {
			if s := w.slices[window.Window{Start: end - width, End: end}]; s != nil {
				dst = append(dst, s)
			}
		}
		return dst
	}
	for span, s := range w.slices {
		if x.Start <= span.Start && span.End <= x.End {
			dst = append(dst, s)
		}
	}
	slices.SortFunc(dst, func(s, t *slice) int { return cmp.Compare(s.span.End, t.span.End) })
	return dst
}

// fireCumulate moves the slice that ends with x into the shared one and emits that. Flink 2.3: once there are rows, every further
// step of the outer window gives a result, with or without new rows.
func (a *Aligned) fireCumulate(w *WindowAggregate, x window.Window) error {
	span := window.Window{Start: x.End - a.Spec.SlideWidth(), End: x.End}
	shared, s := w.slice(a.shared(x.End)), w.slices[span]
	last := x.End == a.Spec.LastEnd(x.End)
	if !last {
		w.queue(a.Spec.Window(a.Spec.Next(x.End)))
	}
	var err error
	if allHot(shared, s) {
		if s != nil {
			w.merge(shared, s)
		}
		err = w.emit(x, shared)
	} else {
		err = w.fireCumulateCold(x, shared, s, last)
	}
	if err != nil {
		return err
	}
	if s != nil {
		w.discard(span)
	}
	if last {
		w.discard(shared.span)
	}
	return nil
}
