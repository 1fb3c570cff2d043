package runtime

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/invariant"
	"github.com/tidemark-sql/tidemark/watermark"
)

// chain runs operators by direct calls, the last one into an output, or into several if it is dataflow.Forking.
type chain struct {
	links  []link
	ends   []chainEnd
	apart  dataflow.Apart         // the first operator, if it is one
	ticks  dataflow.Ticking       // the first operator, if it is one
	system dataflow.SystemFronted // the first operator, if it is one
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
func newChain(j *Job, ops []dataflow.Operator, outlets ...dataflow.Output) *chain {
	c := &chain{links: make([]link, len(ops)), ends: make([]chainEnd, len(outlets))}
	for i, out := range outlets {
		c.ends[i] = chainEnd{out: out, told: dataflow.Start}
	}
	for i, op := range ops {
		l := &c.links[i]
		*l = link{job: j, op: op, next: &c.ends[0], told: dataflow.Start}
		l.fronted, _ = op.(dataflow.Fronted)
		if t, ok := op.(dataflow.Toiling); ok {
			t.SetInterrupted(j.interrupted)
		}
		if i+1 < len(ops) {
			l.next = &c.links[i+1]
		}
	}
	if len(ops) > 0 {
		c.apart, _ = ops[0].(dataflow.Apart)
		c.ticks, _ = ops[0].(dataflow.Ticking)
		c.system, _ = ops[0].(dataflow.SystemFronted)
		if f, ok := ops[len(ops)-1].(dataflow.Forking); ok {
			all := make([]dataflow.Output, len(outlets))
			for i := range all {
				all[i] = &c.ends[i]
			}
			f.SetOutlets(all)
		}
	}
	return c
}

// interrupted is errStopped once the job's context has ended.
func (j *Job) interrupted() error {
	if j.ctx.Err() != nil {
		return errStopped
	}
	return nil
}

// head is where rows enter, and frontiers of event time.
func (c *chain) head() dataflow.Output {
	if len(c.links) == 0 {
		return &c.ends[0]
	}
	return &c.links[0]
}

// advance is where a progress enters. Its system frontier leaves behind all that came before it, and behind what its frontier releases.
func (c *chain) advance(p dataflow.Progress) error {
	if c.system != nil && p.System > c.ends[0].told.System {
		c.system.SetSystem(p.System)
	}
	if err := c.settled(c.head().Advance(p)); err != nil {
		return err
	}
	return c.raise(p.System)
}

// settle notes that the word of a progress has left: what leaves from now on is on account of another one.
func (c *chain) settle() {
	for i := range c.ends {
		c.ends[i].rests = false
	}
}

// settled is settle, with the error of what was told.
func (c *chain) settled(err error) error {
	c.settle()
	return err
}

// raise has a system frontier leave.
func (c *chain) raise(s watermark.Frontier) error {
	for i := range c.ends {
		if err := c.ends[i].raise(s); err != nil {
			return err
		}
	}
	return nil
}

// left is how far what leaves has come.
func (c *chain) left() Standing {
	if len(c.ends) == 1 {
		return standingAt(c.ends[0].told)
	}
	all := make([]Standing, len(c.ends))
	for i := range c.ends {
		all[i] = standingAt(c.ends[i].told)
	}
	return Together(all)
}

// rowsApart is where rows enter that stand among the marks of their own input.
func (c *chain) rowsApart(b *dataflow.Batch) error {
	first := &c.links[0]
	if err := first.job.interrupted(); err != nil {
		return err
	}
	return c.settled(c.apart.Process(b, first.next))
}

// advanceApart is where a progress of one input enters; all is that of all of them.
func (c *chain) advanceApart(input int, own, all dataflow.Progress) error {
	first := &c.links[0]
	first.told = dataflow.Progress{Frontier: all.Frontier, System: watermark.Unset, Active: all.Active} // for people
	if err := c.settled(c.apart.AdvanceInput(input, own, first.next)); err != nil {
		return err
	}
	return c.raise(all.System)
}

// tick is where the end of a ticket enters.
func (c *chain) tick() error {
	if c.ticks == nil {
		return nil
	}
	return c.settled(c.ticks.Tick(c.links[0].next))
}

// tell notes that whoever is behind the chain knows of p.
func (c *chain) tell(p dataflow.Progress) {
	c.ends[0].told = p
	p.System = watermark.Unset
	for i := range c.links {
		c.links[i].told = p
	}
}

// chainEnd is the place behind the last operator of a chain. It adds the system frontier to what leaves.
type chainEnd struct {
	out   dataflow.Output
	told  dataflow.Progress
	rests bool // nothing is to leave any more on account of the progress at hand, which is of a stream that is not active
}

// Emit implements dataflow.Output.
func (e *chainEnd) Emit(b *dataflow.Batch) error {
	if b.Rows().Count() == 0 {
		return emptied(b, e)
	}
	if invariant.Enabled {
		invariant.Check(!e.rests, "rows leave behind the word that the stream is not active, which lets other streams overtake them")
	}
	if n := len(b.Marks); n > 0 {
		e.told.Frontier, e.told.Active = b.Marks[n-1].F, true
	}
	return e.out.Emit(b)
}

// Advance implements dataflow.Output.
func (e *chainEnd) Advance(p dataflow.Progress) error {
	p.System = e.told.System
	if p == e.told {
		return nil
	}
	e.rests = !p.Active && invariant.Enabled
	e.told = p
	return e.out.Advance(p)
}

// raise passes on a system frontier.
func (e *chainEnd) raise(s watermark.Frontier) error {
	if s == e.told.System {
		return nil
	}
	if invariant.Enabled {
		invariant.Check(s > e.told.System, "system frontier fell from %d to %d", e.told.System, s)
	}
	e.told.System = s
	return e.out.Advance(e.told)
}

// Emit implements dataflow.Output: it gives b to the operator behind the link.
func (l *link) Emit(b *dataflow.Batch) error {
	if b.Rows().Count() == 0 {
		return emptied(b, l)
	}
	if err := l.job.interrupted(); err != nil {
		return err
	}
	if invariant.Enabled {
		dataflow.CheckBatch(b, l.told.Frontier)
	}
	if l.fronted != nil {
		l.fronted.SetFrontier(l.told.Frontier)
	}
	if n := len(b.Marks); n > 0 {
		l.told.Frontier, l.told.Active = b.Marks[n-1].F, true
	}
	return l.op.Process(b, l.next)
}

// Advance implements dataflow.Output.
func (l *link) Advance(p dataflow.Progress) error {
	p.System = watermark.Unset
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
