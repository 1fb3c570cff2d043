package runtime

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// route is the sending end of an exchange: it spreads rows over the tasks of a fragment by the owner of their key, and tells all of them
// about frontiers.
type route struct {
	job    *Job
	target Target
	edges  []*edge // by receiving task
	flow   *flow   // what leaves; nil if nobody counts it
	ticket int64
	phase  uint64            // of a dataflow.Phased operator
	now    int64             // wall clock of the ticket
	sent   dataflow.Progress // to all tasks
	latest dataflow.Progress // sent, or left out because nobody needs to know yet
	shown  int64             // wall clock when the tasks were told last

	owned [][]int32 // by receiving task: rows of the batch at hand
	// first is the place of the first row of the batch at hand, of a ticket whose rows get their order here.
	first uint64
}

// senderBits leave room for 2^40 rows of a ticket.
const senderBits = 40

func newRoute(j *Job, target Target, edges []*edge, leaving *flow) *route {
	return &route{job: j, target: target, edges: edges, flow: leaving, sent: dataflow.Start, latest: dataflow.Start, shown: watermark.NoTime}
}

// begin starts a ticket. The rows of a ticket come from one worker, or from the tasks of one fragment; sender is the number of that task.
func (r *route) begin(ticket int64, sender int) {
	r.ticket, r.first = ticket, uint64(sender)<<senderBits
}

func (r *route) send(task int, m dataflow.Message) error {
	m.Ticket, m.Now, m.Input, m.Phase = r.ticket, r.now, r.target.Input, r.phase
	if m.Kind == dataflow.Rows {
		m.Bytes = m.Batch.Footprint()
		r.flow.add(int64(m.Batch.Rows().Count()), m.Bytes)
	}
	return r.edges[task].send(r.job.ctx.Done(), m)
}

// Emit implements dataflow.Output.
func (r *route) Emit(b *dataflow.Batch) error {
	if n := len(b.Marks); n > 0 {
		f := b.Marks[n-1].F
		r.sent.Frontier, r.sent.Active = f, true
		r.latest.Frontier, r.latest.Active = f, true
	}
	if len(r.edges) == 1 {
		return r.send(0, dataflow.Message{Kind: dataflow.Rows, Batch: b})
	}
	rows := b.Rows()
	if b.Hashes == nil {
		cols := b.Arena.Columns(len(r.target.Keys))
		for i, k := range r.target.Keys {
			cols[i] = b.Cols[k]
		}
		b.Hashes = b.Arena.Words(b.N)
		state.HashRows(cols, rows, b.Hashes)
	}
	if r.owned == nil {
		r.owned = make([][]int32, len(r.edges))
	}
	for i := range r.owned {
		r.owned[i] = r.owned[i][:0]
	}
	for k := range rows.Count() {
		row := rows.At(k)
		task := state.Owner(b.Hashes[row], len(r.edges))
		r.owned[task] = append(r.owned[task], int32(row))
	}
	for task, owned := range r.owned {
		if err := r.sendPart(task, b, owned); err != nil {
			return err
		}
	}
	r.first += uint64(b.N)
	b.Release()
	return nil
}

// sendPart sends the rows of b that one task owns, with all marks.
func (r *route) sendPart(task int, b *dataflow.Batch, owned []int32) error {
	if len(owned) == 0 {
		for i, m := range b.Marks {
			if i < len(b.Marks)-1 && !r.target.Passes {
				continue
			}
			if err := r.send(task, r.advanceTo(m.F)); err != nil {
				return err
			}
		}
		return nil
	}
	a := r.job.graph.Memory.Get()
	part := &dataflow.Batch{Batch: vector.Batch{N: len(owned), Arena: a}, Released: b.Released, Rank: b.Rank}
	part.Cols = a.Columns(len(b.Cols))
	for i, c := range b.Cols {
		part.Cols[i] = c.Take(a, owned)
	}
	part.Hashes = a.Words(len(owned))
	for i, row := range owned {
		part.Hashes[i] = b.Hashes[row]
	}
	if b.Ops != nil {
		part.Ops = make([]vector.Op, len(owned))
		for i, row := range owned {
			part.Ops[i] = b.Ops[row]
		}
	}
	if r.target.Ordered {
		part.Order = make([]dataflow.Order, len(owned))
		for i, row := range owned {
			if b.Order != nil {
				part.Order[i] = b.Order[row]
			} else {
				part.Order[i].Row = r.first + uint64(row)
			}
		}
	}
	at := 0
	for _, m := range b.Marks {
		for at < len(owned) && owned[at] < m.Row {
			at++
		}
		if n := len(part.Marks); n > 0 && int(part.Marks[n-1].Row) == at && !r.target.Passes {
			part.Marks[n-1].F = m.F
			continue
		}
		part.Marks = append(part.Marks, watermark.Mark{Row: int32(at), F: m.F})
	}
	return r.send(task, dataflow.Message{Kind: dataflow.Rows, Batch: part})
}

func (r *route) advanceTo(f watermark.Frontier) dataflow.Message {
	return dataflow.Message{Kind: dataflow.Advance, Progress: dataflow.Progress{Frontier: f, System: r.sent.System, Active: true}}
}

// Advance implements dataflow.Output. It tells every task what its grain needs to know; a system frontier has time until the end of the ticket.
func (r *route) Advance(p dataflow.Progress) error {
	r.latest = p
	if p.Active == r.sent.Active && !r.target.Grain.Crosses(r.sent.Frontier, p.Frontier) {
		return nil
	}
	return r.tell(p)
}

func (r *route) tell(p dataflow.Progress) error {
	r.sent, r.shown = p, r.now
	for task := range r.edges {
		if err := r.send(task, dataflow.Message{Kind: dataflow.Advance, Progress: p}); err != nil {
			return err
		}
	}
	return nil
}

// flush tells how far the frontiers have come at the end of a ticket, grain or not: it makes no difference to results, but the tasks can
// tell people. Where no frontier matters they are told now and then: when show says so.
func (r *route) flush(show bool) error {
	matters := r.target.Grain.Matters()
	if show && !matters {
		return r.tell(r.latest)
	}
	if r.latest == r.sent || !matters && r.latest.System == r.sent.System {
		return nil
	}
	return r.tell(r.latest)
}

// close tells every task that the ticket is over.
func (r *route) close(m dataflow.Message) error {
	if err := r.flush(r.latest != r.sent && stale(r.now, r.shown)); err != nil {
		return err
	}
	for task := range r.edges {
		if err := r.send(task, m); err != nil {
			return err
		}
	}
	return nil
}
