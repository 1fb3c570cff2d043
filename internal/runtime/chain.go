package runtime

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/invariant"
	"github.com/tidemark-sql/tidemark/internal/watermark"
)

// chain runs operators by direct calls, the last one into an output.
type chain struct {
	links []link
	out   sink
}

// sink is the end of a chain.
type sink interface {
	dataflow.Output
	advance(p dataflow.Progress) error
}

// link is the place before operator i of a chain; the one behind the last operator is the output.
type link struct {
	chain *chain
	op    dataflow.Operator
	next  dataflow.Output
	since watermark.Frontier // for the checks
}

func newChain(ops []dataflow.Operator, out sink) *chain {
	c := &chain{links: make([]link, len(ops)), out: out}
	for i, op := range ops {
		l := &c.links[i]
		*l = link{chain: c, op: op, next: out, since: watermark.Unset}
		if i+1 < len(ops) {
			l.next = &c.links[i+1]
		}
	}
	return c
}

// head is where batches enter.
func (c *chain) head() dataflow.Output {
	if len(c.links) == 0 {
		return c.out
	}
	return &c.links[0]
}

// Emit implements dataflow.Output: it gives b to the operator behind the link.
func (l *link) Emit(b *dataflow.Batch) error {
	if b.Rows().Count() == 0 {
		marks := b.Marks
		b.Release()
		if len(marks) == 0 {
			return nil
		}
		return l.chain.advanceFrom(l, dataflow.Progress{Frontier: marks[len(marks)-1].F, Active: true})
	}
	if invariant.Enabled {
		dataflow.CheckBatch(b, l.since)
		if n := len(b.Marks); n > 0 {
			l.since = b.Marks[n-1].F
		}
	}
	return l.op.Process(b, l.next)
}

// advance tells all operators in turn about p, and the output about what comes of it.
func (c *chain) advance(p dataflow.Progress) error {
	if len(c.links) == 0 {
		return c.out.advance(p)
	}
	return c.advanceFrom(&c.links[0], p)
}

func (c *chain) advanceFrom(from *link, p dataflow.Progress) error {
	for i := range c.links {
		l := &c.links[i]
		if l == from {
			from = nil
		}
		if from != nil {
			continue
		}
		if invariant.Enabled {
			invariant.Check(p.Frontier >= l.since, "frontier fell from %d to %d", l.since, p.Frontier)
			l.since = p.Frontier
		}
		var err error
		if p, err = l.op.Advance(p, l.next); err != nil {
			return err
		}
	}
	return c.out.advance(p)
}
