package operator

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/window"
	"github.com/tidemark-sql/tidemark/watermark"
)

// windowFire is a window whose rows are being joined.
type windowFire struct {
	*WindowJoin
	at      *joinedWindow
	span    window.Window
	held    [2][]*vector.Vector
	main    int    // the side row by row of which results leave
	matched []bool // by row of the other side
}

// key joins the rows of one key.
func (f *windowFire) key(key uint32, out dataflow.Output) error {
	main, other := &f.at.sides[f.main], &f.at.sides[1-f.main]
	for id := main.first[key]; id != 0; {
		f.pairs.reset()
		from := id
		for ; id != 0 && len(f.pairs.left) < joinMatches; id = main.next[id-1] {
			f.meet(id-1, other.first[key])
		}
		if err := f.pairs.sift(f.spec.Condition, f.spec.Env, f.spec.Memory, f.held); err != nil {
			return err
		}
		at := 0
		for ; from != id; from = main.next[from-1] {
			at = f.settle(from-1, at)
			if err := f.sendIfFull(out); err != nil {
				return err
			}
		}
	}
	if !f.spec.Kind.outer(1 - f.main) {
		return nil
	}
	for id := other.first[key]; id != 0; id = other.next[id-1] {
		if !f.matched[id-1] {
			f.results.add(1-f.main, id-1, -1)
		}
		if err := f.sendIfFull(out); err != nil {
			return err
		}
	}
	return nil
}

// meet notes a row of the main side with the rows of the other one from number first-1 on, which have its key; if it only matters whether there is one, with the first.
func (f *windowFire) meet(row, first int32) {
	if nullAmong(f.held[f.main], f.spec.Keys[f.main], int(row)) {
		return
	}
	for id := first; id != 0; id = f.at.sides[1-f.main].next[id-1] {
		f.pairs.add(f.main, row, id-1)
		if f.spec.Kind >= SemiJoin && f.spec.Condition == nil {
			return
		}
	}
}

// settle makes the results of a row of the main side from its matches, which stand in pairs from place at on, and returns the place behind them.
func (f *windowFire) settle(row int32, at int) int {
	from := at
	for at < len(f.pairs.left) && f.pairs.of(f.main)[at] == row {
		at++
	}
	switch found := at > from; f.spec.Kind {
	case SemiJoin, AntiJoin:
		if found == (f.spec.Kind == SemiJoin) {
			f.results.add(0, row, -1)
		}
	default:
		for _, match := range f.pairs.of(1 - f.main)[from:at] {
			f.matched[match] = true
			f.results.add(f.main, row, match)
		}
		if !found && f.spec.Kind.outer(f.main) {
			f.results.add(f.main, row, -1)
		}
	}
	return at
}

func (f *windowFire) sendIfFull(out dataflow.Output) error {
	if len(f.results.left) < emitRows {
		return nil
	}
	return f.send(out)
}

// send emits the results that have been gathered.
func (f *windowFire) send(out dataflow.Output) error {
	n := len(f.results.left)
	err := f.chunks.each(f.spec.Memory, n, func(a *vector.Arena, lo, hi int) *dataflow.Batch {
		b := &dataflow.Batch{Batch: vector.Batch{N: hi - lo, Arena: a}, Released: watermark.Frontier(f.spec.Windows[0].deadline(f.span)), Rank: [2]int64{f.span.End, f.span.Start}}
		if f.spec.Kind >= SemiJoin {
			b.Cols = takeOrNull(a, f.held[0], f.results.left[lo:hi])
		} else {
			b.Cols = f.results.columns(a, f.held, lo, hi)
		}
		return b
	}, out.Emit)
	f.results.reset()
	f.counts.Out.Add(int64(n))
	f.tellWindow(f.span, f.spec.Windows[0].deadline, n)
	return err
}
