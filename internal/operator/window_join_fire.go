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
	matched []bool // by right row
}

// key joins the rows of one key.
func (f *windowFire) key(key uint32, out dataflow.Output) error {
	left, right := &f.at.sides[0], &f.at.sides[1]
	for id := left.first[key]; id != 0; {
		f.pairs.reset()
		from := id
		for ; id != 0 && len(f.pairs.left) < joinMatches; id = left.next[id-1] {
			f.meet(id-1, right.first[key])
		}
		if err := f.pairs.sift(f.spec.Condition, f.spec.Env, f.spec.Memory, f.held); err != nil {
			return err
		}
		at := 0
		for ; from != id; from = left.next[from-1] {
			at = f.settle(from-1, at)
			if err := f.sendIfFull(out); err != nil {
				return err
			}
		}
	}
	if !f.outer(1) {
		return nil
	}
	for id := right.first[key]; id != 0; id = right.next[id-1] {
		if !f.matched[id-1] {
			f.results.add(1, id-1, -1)
		}
		if err := f.sendIfFull(out); err != nil {
			return err
		}
	}
	return nil
}

// meet notes a left row with the right rows from number first-1 on, which have its key; of a row that only asks whether there is one, with the first.
func (f *windowFire) meet(row, first int32) {
	if nullAmong(f.held[0], f.spec.Keys[0], int(row)) {
		return
	}
	for id := first; id != 0; id = f.at.sides[1].next[id-1] {
		f.pairs.add(0, row, id-1)
		if f.spec.Kind >= SemiJoin && f.spec.Condition == nil {
			return
		}
	}
}

// settle makes the results of a left row from its matches, which stand in pairs from place at on, and returns the place behind them.
func (f *windowFire) settle(row int32, at int) int {
	from := at
	for at < len(f.pairs.left) && f.pairs.left[at] == row {
		at++
	}
	switch found := at > from; f.spec.Kind {
	case SemiJoin, AntiJoin:
		if found == (f.spec.Kind == SemiJoin) {
			f.results.add(0, row, -1)
		}
	default:
		for _, match := range f.pairs.right[from:at] {
			f.matched[match] = true
			f.results.add(0, row, match)
		}
		if !found && f.outer(0) {
			f.results.add(0, row, -1)
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
	return err
}
