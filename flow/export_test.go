package flow

import (
	"time"

	"github.com/tidemark-sql/tidemark/internal/process"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// HarnessOf runs the computation that make makes, wired as spec says.
func HarnessOf(spec process.Spec, parameters string, make func() Computation) (*Harness, error) {
	var text []byte
	if parameters != "" {
		text = []byte(parameters)
	}
	maker := Computations{"f": make}.makers()["f"]
	spec.New = func() (process.Function, error) { return maker(&spec, text) }
	return newHarness(&spec)
}

// Drive shows a harness a batch of messages of two columns of text again and again, each time with later times, and with a watermark behind every so many. What is written is thrown away.
type Drive struct {
	h    *Harness
	cols []*vector.Vector
	sel  []int32
	at   time.Time
}

// NewDrive makes a Drive; row says what the i-th message is. They are a millisecond apart.
func NewDrive(h *Harness, rows int, from time.Time, row func(i int) (string, string)) *Drive {
	a := h.memory.Get()
	first, second := vector.NewBuilder(a, vector.Bytes, rows), vector.NewBuilder(a, vector.Bytes, rows)
	d := &Drive{h: h, at: from}
	for i := range rows {
		s, t := row(i)
		first.AppendBytes([]byte(s))
		second.AppendBytes([]byte(t))
		d.sel = append(d.sel, int32(i))
	}
	d.cols = []*vector.Vector{first.Done(), second.Done(), a.Flat(vector.Int64, rows)}
	h.x.Full = d.drop
	return d
}

func (d *Drive) drop(k int) error {
	if d.h.x.Rows(k) > 0 {
		b, _ := d.h.x.Cut(k)
		b.Release()
	}
	return nil
}

// Batch shows the batch, with a watermark behind every so many messages, a second behind the newest.
func (d *Drive) Batch(every int) error {
	for i := range d.sel {
		d.at = d.at.Add(time.Millisecond)
		d.cols[2].Ints[i] = d.at.UnixMicro()
	}
	for lo := 0; lo < len(d.sel); lo += every {
		if err := d.h.x.Messages(0, d.cols, vector.Rows{Sel: d.sel[lo : lo+every], N: len(d.sel)}, nil, nil); err != nil {
			return err
		}
		f := watermark.Frontier(d.cols[2].Ints[lo+every-1] - 1_000_000)
		if err := d.h.x.Reach(0, process.Reached{Event: f, System: watermark.Unset}, true); err != nil {
			return err
		}
	}
	d.h.x.Compact()
	return d.drop(0)
}
