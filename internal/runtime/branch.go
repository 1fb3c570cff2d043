package runtime

import (
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// branch is what one worker has for one way that the rows of a source go.
type branch struct {
	columns []int // nil for all
	late    watermark.LateRows
	tells   bool
	misread func(left []connector.Misread, now int64, a *vector.Arena) vector.Batch
	ops     []dataflow.Operator
	route   *route
	chain   *chain
}

func newBranch(j *Job, spec *Branch, out map[int][]*edge, leaving *flow) branch {
	b := branch{columns: spec.Columns, late: spec.Late, tells: spec.Tells, misread: spec.Misread, route: newRoute(j, spec.To, out[spec.To.Fragment], leaving)}
	for _, op := range spec.Chain {
		b.ops = append(b.ops, op.New())
	}
	b.chain = newChain(j, b.ops, b.route)
	return b
}

// emit sends what was read down all branches, one after the other, so that it does not show how it was batched. The last branch that has rows of a batch gets the batch
// itself, the others copies.
func (l *lane) emit(read []reading, memory *vector.Pool) error {
	for i := range read {
		read[i].owner = l.owner(&read[i])
	}
	for k := range l.branches {
		x := &l.branches[k]
		if x.misread != nil {
			continue
		}
		for i := range read {
			r := &read[i]
			last := k == r.owner
			var b *dataflow.Batch
			var sel []int32
			if k <= r.owner {
				b, sel = r.batch, x.selected(r)
			}
			if b == nil || sel != nil && len(sel) == 0 {
				if last {
					b.Release()
				}
				if r.marks != nil {
					if err := advance(r.marks[k], x.chain.head()); err != nil {
						return err
					}
				}
				continue
			}
			switch {
			case !last:
				b = x.copied(b, sel, memory)
			case x.columns != nil:
				cols := b.Arena.Columns(len(x.columns))
				for i, c := range x.columns {
					cols[i] = b.Cols[c]
				}
				b.Cols, b.Sel = cols, sel
			default:
				b.Sel = sel
			}
			if x.tells {
				var rows []int32 // of the reading, that the rows of b were
				if !last {
					rows = sel
				}
				b.Cols = r.lateness.columns(b.Cols, b.Arena, r, b.N, rows)
			}
			if r.marks != nil {
				b.Marks = marksOf(r.marks[k], sel, !last)
			}
			if err := x.chain.head().Emit(b); err != nil {
				return err
			}
		}
	}
	return nil
}

// owner is the last branch that may have rows of r. Those behind it take late rows, and r has none.
func (l *lane) owner(r *reading) int {
	owner := l.last
	for k := l.last; k >= 0; k-- {
		x := &l.branches[k]
		if x.misread != nil {
			continue
		}
		owner = k
		if x.late != watermark.OnlyLate || len(r.late) > 0 {
			break
		}
	}
	return owner
}

// selected is which rows of r go this way, nil for all.
func (x *branch) selected(r *reading) []int32 {
	if x.late == watermark.PassLate || x.late == watermark.DivertLate && len(r.late) == 0 {
		return r.batch.Sel
	}
	return x.late.Select([]int32{}, r.batch.Sel, r.batch.N, r.late)
}

// copied makes a batch of the rows of b in sel, as the branch has them.
func (x *branch) copied(b *dataflow.Batch, sel []int32, memory *vector.Pool) *dataflow.Batch {
	a := memory.Get()
	rows := sel
	if rows == nil {
		rows = a.Sel(b.N)
		for i := range rows {
			rows[i] = int32(i)
		}
	}
	columns := x.columns
	if columns == nil {
		columns = make([]int, len(b.Cols))
		for i := range columns {
			columns[i] = i
		}
	}
	out := &dataflow.Batch{Batch: vector.Batch{N: len(rows), Arena: a, Cols: a.Columns(len(columns))}, Released: b.Released, Rank: b.Rank}
	for i, c := range columns {
		out.Cols[i] = b.Cols[c].Take(a, rows)
	}
	if b.Ops != nil {
		out.Ops = make([]vector.Op, len(rows))
		for i, row := range rows {
			out.Ops[i] = b.Ops[row]
		}
	}
	return out
}

// marksOf is marks over the rows of a batch with selection sel, in a copy that holds the selected rows alone.
func marksOf(marks []watermark.Mark, sel []int32, copied bool) []watermark.Mark {
	if !copied || sel == nil {
		return marks
	}
	at := 0
	for i, m := range marks {
		for at < len(sel) && sel[at] < m.Row {
			at++
		}
		marks[i].Row = int32(at)
	}
	return marks
}
