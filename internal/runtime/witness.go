package runtime

import "github.com/tidemark-sql/tidemark/watermark"

// Witness is shown what the watermark core of a source is shown, in the same order, so that it can ask what another core would have made of it. It is called in turn: it needs no lock
// against itself, and it holds up whoever has the turn next. Slices are the caller's.
type Witness interface {
	// Turned says that a split is active, stalled or finished from now on. Active is said of the splits that there are at the start, of those that join, each with the next number or
	// that of a finished one, and of one that was stalled.
	Turned(split int, name string, to watermark.Status, now int64)
	// Read has rows of a split as watermark.Core.ObserveValues takes them; values is nil without a dimension. found is what the core said of them, its row numbers beginning with 0.
	Read(split int, times []int64, values []int32, found *watermark.Observed, now int64)
	// Ticked says that the clock has come to now. Before, it was set back by setBack; and for the last stalled of that time nothing could be read of any split. Both are microseconds.
	Ticked(stalled, setBack, now int64)
}

// turned tells the witness of a source, if there is one, what became of a split.
func (s *source) turned(x *split, to watermark.Status, now int64) {
	if s.witness != nil {
		s.witness.Turned(x.number, x.Name(), to, now)
	}
}
