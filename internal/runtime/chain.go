package runtime

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/invariant"
	"github.com/tidemark-sql/tidemark/watermark"
)

// chain runs operators by direct calls, the last one into an output.
type chain struct {
	links []link
	out   dataflow.Output
}

// link is the place before an operator of a chain.
type link struct {
	job     *Job
	op      dataflow.Operator
	fronted dataflow.Fronted // op, if it is one
	next    dataflow.Output
	told    dataflow.Progress
}

// newChain makes a chain of a job, which ends when the job does: an operator that drops all its rows would not notice.
func newChain(j *Job, ops []dataflow.Operator, out dataflow.Output) *chain {
	c := &chain{links: make([]link, len(ops)), out: out}
	for i, op := range ops {
		l := &c.links[i]
		*l = link{job: j, op: op, next: out, told: dataflow.Start}
		l.fronted, _ = op.(dataflow.Fronted)
		if i+1 < len(ops) {
			l.next = &c.links[i+1]
		}
	}
	return c
}

// head is where the stream enters.
func (c *chain) head() dataflow.Output {
	if len(c.links) == 0 {
		return c.out
	}
	return &c.links[0]
}

// Emit implements dataflow.Output: it gives b to the operator behind the link.
func (l *link) Emit(b *dataflow.Batch) error {
	if b.Rows().Count() == 0 {
		return emptied(b, l)
	}
	if l.job.ctx.Err() != nil {
		return errStopped
	}
	if invariant.Enabled {
		dataflow.CheckBatch(b, l.told.Frontier)
	}
	if l.fronted != nil {
		l.fronted.SetFrontier(l.told.Frontier)
	}
	if n := len(b.Marks); n > 0 {
		l.told = dataflow.Progress{Frontier: b.Marks[n-1].F, Active: true}
	}
	return l.op.Process(b, l.next)
}

// Advance implements dataflow.Output.
func (l *link) Advance(p dataflow.Progress) error {
	if p == l.told {
		return nil
	}
	if invariant.Enabled {
		invariant.Check(p.Frontier >= l.told.Frontier, "frontier fell from %d to %d", l.told.Frontier, p.Frontier)
	}
	l.told = p
	return l.op.Advance(p, l.next)
}

// emptied passes on the marks of a batch that has lost all its rows.
func emptied(b *dataflow.Batch, out dataflow.Output) error {
	marks := b.Marks
	b.Release()
	return advance(marks, out)
}

// advance passes on marks among which no row is left.
func advance(marks []watermark.Mark, out dataflow.Output) error {
	for _, m := range marks {
		if err := out.Advance(dataflow.Progress{Frontier: m.F, Active: true}); err != nil {
			return err
		}
	}
	return nil
}
