package runtime

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/invariant"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// pickRows takes from the head of sender first the rows that stand before the heads of all others, and passes the batch on as it is if these are all of its rows and
// none waits. It reports whether the head is used up.
func (g *gather) pickRows(first int) (done bool, err error) {
	head := &g.heads[first]
	b, rows := head.Batch, head.Batch.Rows()
	invariant.Check(len(b.Marks) == 0, "a task of several sends marks among its rows")
	limit := g.nextRow(first)
	from := g.at[first]
	to := rows.Count()
	if limit != nil {
		to = from
		for to < rows.Count() && b.Order[rows.At(to)].Compare(*limit) < 0 {
			to++
		}
	}
	to = max(to, from+1) // of rows with one place the sender with the lower number has the first
	if from == 0 && to == rows.Count() && len(g.waiting) == 0 {
		return true, g.task.rows(head.Input, b)
	}
	number := slices.Index(g.batches, b)
	if number < 0 {
		number = len(g.batches)
		g.batches = append(g.batches, b)
		g.bytes += b.Arena.Charged()
	}
	for ; from < to; from++ {
		g.waiting = append(g.waiting, vector.Place{From: uint32(number), Row: int32(rows.At(from))})
	}
	g.at[first] = to
	if to < rows.Count() {
		return false, nil
	}
	g.drained = append(g.drained, b)
	g.at[first] = 0
	if len(g.waiting) >= gatherRows || g.bytes >= gatherBytes {
		return true, g.passWaiting()
	}
	return true, nil
}

// How many rows, and bytes of strings, are put together in one batch at most, or a few more.
const (
	gatherRows  = 4096
	gatherBytes = 4 << 20
)

// nextRow is the least place among the heads of the other senders that could come between the rows of the head of first; nil if there is none.
func (g *gather) nextRow(first int) *dataflow.Order {
	var least *dataflow.Order
	b := g.heads[first].Batch
	for i := range g.heads {
		m := &g.heads[i]
		if i == first || m.Kind != dataflow.Rows || m.Batch.Order == nil || m.Phase != g.phase || m.Batch.Released != b.Released || m.Batch.Rank != b.Rank {
			continue
		}
		if o := &m.Batch.Order[m.Batch.Rows().At(g.at[i])]; least == nil || o.Compare(*least) < 0 {
			least = o
		}
	}
	return least
}

// passWaiting passes on the rows that wait as one batch.
func (g *gather) passWaiting() error {
	if len(g.waiting) == 0 {
		return nil
	}
	n, model := len(g.waiting), g.batches[0]
	a := g.task.job.graph.Memory.Get()
	b := &dataflow.Batch{Batch: vector.Batch{N: n, Arena: a}, Released: model.Released, Rank: model.Rank}
	b.Cols = a.Columns(len(model.Cols))
	from := make([]*vector.Vector, len(g.batches))
	changes := false
	for c, col := range model.Cols {
		for i, w := range g.batches {
			from[i] = w.Cols[c]
		}
		b.Cols[c] = vector.Collect(a, col.Kind, from, g.waiting)
	}
	if len(g.task.job.tasks[g.task.fragment]) > 1 {
		b.Order = make([]dataflow.Order, n)
		for i, p := range g.waiting {
			b.Order[i] = g.batches[p.From].Order[p.Row]
		}
	}
	for _, w := range g.batches {
		changes = changes || w.Ops != nil
	}
	if changes {
		b.Ops = make([]vector.Op, n)
		for i, p := range g.waiting {
			if ops := g.batches[p.From].Ops; ops != nil {
				b.Ops[i] = ops[p.Row]
			}
		}
	}
	g.waiting, g.batches, g.bytes = g.waiting[:0], g.batches[:0], 0
	for _, d := range g.drained {
		d.Release()
	}
	g.drained = g.drained[:0]
	return g.task.rows(g.input, b)
}
