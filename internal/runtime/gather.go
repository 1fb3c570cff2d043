package runtime

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/invariant"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// gather is the receiving end of an exchange for one task: the edges from all senders of one kind, which together are one or more streams.
//
// Workers take turns: the whole of ticket t is on the edge of worker t mod N. The tasks of a fragment all send something for every ticket; what
// they send is put in order by the deadline that released it, then by rank, then by the place of each row (dataflow.Order) or else by task.
type gather struct {
	task  *task
	edges []*edge
	turns bool
	input int // of the fragment, where the senders are tasks; -1 for workers

	heads   []dataflow.Message
	at      []int          // by sender: rows of its head that were picked
	waiting []vector.Place // rows of batches that come next
	batches []*dataflow.Batch
	bytes   int                // of the strings of batches
	drained []*dataflow.Batch  // whose last rows wait
	merge   *watermark.Merge   // of the senders, if there are several
	passed  watermark.Frontier // the greatest frontier that any sender has told
	sent    dataflow.Progress

	phased bool // the senders are tasks of a dataflow.Phased operator
	phase  uint64
	latest []dataflow.Progress // by sender, if so: what it has told
}

// ticket delivers to the task everything that belongs to a ticket, and leaves its Close in task.end.
func (g *gather) ticket(ticket int64) error {
	if g.turns {
		return g.pass(g.edges[int(ticket)%len(g.edges)])
	}
	if len(g.edges) == 1 {
		return g.pass(g.edges[0])
	}
	return g.order()
}

// pass delivers the messages of one edge as they come.
func (g *gather) pass(e *edge) error {
	t := g.task
	for {
		m, err := t.receive(e)
		if err != nil {
			return err
		}
		switch m.Kind {
		case dataflow.Rows:
			err = t.rows(m.Input, m.Batch)
		case dataflow.Advance:
			err = t.advance(m.Input, m.Progress)
		default:
			t.end = m
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// order delivers the messages of several tasks in one order.
func (g *gather) order() error {
	t := g.task
	if g.merge == nil {
		g.merge = watermark.NewMerge(len(g.edges))
		g.heads = make([]dataflow.Message, len(g.edges))
		g.at = make([]int, len(g.edges))
		g.sent, g.passed = dataflow.Start, watermark.Unset
		g.latest = slices.Repeat([]dataflow.Progress{dataflow.Start}, len(g.edges))
	}
	for i := range g.edges {
		if err := g.next(i); err != nil {
			return err
		}
	}
	for {
		first := g.least()
		if first < 0 {
			break
		}
		m := g.heads[first]
		if m.Phase != g.phase {
			if err := g.endPhase(m.Phase); err != nil {
				return err
			}
			if err := g.beginPhase(); err != nil {
				return err
			}
			continue
		}
		if !g.continues(&m) {
			if err := g.passWaiting(); err != nil {
				return err
			}
		}
		if !g.phased {
			if err := g.catchUp(released(m)); err != nil {
				return err
			}
		}
		switch m.Kind {
		case dataflow.Rows:
			if m.Batch.Order == nil {
				if err := t.rows(m.Input, m.Batch); err != nil {
					return err
				}
				break
			}
			done, err := g.pickRows(first)
			if err != nil {
				return err
			}
			if !done {
				continue
			}
		case dataflow.Advance:
			g.passed = max(g.passed, m.Progress.Frontier)
			g.merge.Update(first, m.Progress.Frontier, m.Progress.Active)
			if invariant.Enabled {
				was := g.merge.InputSystem(first)
				invariant.Check(m.Progress.System >= was, "system frontier of sender %d fell from %d to %d", first, was, m.Progress.System)
			}
			g.merge.UpdateSystem(first, m.Progress.System)
			if err := g.tell(); err != nil {
				return err
			}
		}
		if err := g.next(first); err != nil {
			return err
		}
	}
	if err := g.endPhase(g.phase); err != nil {
		return err
	}
	t.end = g.heads[0]
	for _, m := range g.heads {
		if m.Err != nil {
			t.end = m
			break
		}
	}
	if g.phased {
		return nil
	}
	return g.tell()
}

// endPhase passes on what is left of a phase, and at its end how far all senders together have come. Their frontiers may have fallen: what was passed on does not.
func (g *gather) endPhase(next uint64) error {
	if err := g.passWaiting(); err != nil {
		return err
	}
	g.phase = next
	if !g.phased {
		return nil
	}
	all := g.latest[0]
	for _, p := range g.latest[1:] {
		all = dataflow.Progress{Frontier: min(all.Frontier, p.Frontier), System: min(all.System, p.System), Active: all.Active || p.Active}
	}
	all.Frontier = max(all.Frontier, g.sent.Frontier)
	if all == g.sent {
		return nil
	}
	g.sent = all
	return g.task.advance(g.input, all)
}

// beginPhase takes what senders have told in the phase that has begun off their edges.
func (g *gather) beginPhase() error {
	for i := range g.heads {
		if !g.tells(i) {
			continue
		}
		if err := g.next(i); err != nil {
			return err
		}
	}
	return nil
}

// tells notes the progress at the head of sender i, if it is one of the phase at hand. That counts at the end of the phase, and rows of the same phase may stand behind it, which have to be
// seen beside those of the others.
func (g *gather) tells(i int) bool {
	m := &g.heads[i]
	if !g.phased || m.Kind != dataflow.Advance || m.Phase != g.phase {
		return false
	}
	g.latest[i] = m.Progress
	return true
}

// next takes the next head of sender i.
func (g *gather) next(i int) (err error) {
	for {
		if g.heads[i], err = g.task.receive(g.edges[i]); err != nil || !g.tells(i) {
			return err
		}
	}
}

// released is the deadline up to which a message waits.
func released(m dataflow.Message) watermark.Frontier {
	if m.Kind == dataflow.Rows {
		return m.Batch.Released
	}
	return m.Progress.Frontier
}

// least is the sender whose head comes first, -1 if all have closed the ticket. Rows come before a progress to the same frontier, those of
// one deadline by rank.
func (g *gather) least() int {
	best := -1
	for i := range g.heads {
		m := &g.heads[i]
		if m.Kind == dataflow.Close {
			continue
		}
		if best < 0 {
			best = i
			continue
		}
		if g.before(i, best) {
			best = i
		}
	}
	return best
}

// before reports whether the head of sender i comes before that of sender best, which has a lower number.
func (g *gather) before(i, best int) bool {
	m, b := &g.heads[i], &g.heads[best]
	if m.Phase != b.Phase {
		return m.Phase < b.Phase
	}
	if d, e := released(*m), released(*b); d != e {
		return d < e
	}
	if m.Kind == dataflow.Rows && b.Kind == dataflow.Rows {
		if c := slices.Compare(m.Batch.Rank[:], b.Batch.Rank[:]); c != 0 || m.Batch.Order == nil || b.Batch.Order == nil {
			return c < 0
		}
		return m.Batch.Order[m.Batch.Rows().At(g.at[i])].Compare(b.Batch.Order[b.Batch.Rows().At(g.at[best])]) < 0
	}
	return m.Kind < b.Kind
}

// continues reports whether the rows of m may be put into one batch with those that wait.
func (g *gather) continues(m *dataflow.Message) bool {
	if len(g.waiting) == 0 {
		return true
	}
	b := g.batches[0]
	return m.Kind == dataflow.Rows && m.Batch.Order != nil && m.Batch.Released == b.Released && m.Batch.Rank == b.Rank
}

// catchUp raises the frontier to the greatest that was told, if everything still to come was released by a later deadline: by the contract
// of a Batch none of it is older.
func (g *gather) catchUp(next watermark.Frontier) error {
	if next <= g.passed {
		return nil
	}
	if g.passed > g.merge.Frontier() {
		for i := range g.heads {
			if g.heads[i].Kind != dataflow.Close {
				g.merge.Update(i, g.passed, true)
			}
		}
	}
	return g.tell()
}

// tell passes on the combined progress of the senders if it has changed.
func (g *gather) tell() error {
	p := dataflow.Progress{Frontier: g.merge.Frontier(), System: g.merge.System(), Active: g.merge.Active()}
	if p == g.sent {
		return nil
	}
	g.sent = p
	return g.task.advance(g.input, p)
}
