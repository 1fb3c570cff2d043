package operator

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Aggregate is one aggregate call: an accumulator and the input columns that feed it.
type Aggregate struct {
	New func() function.Accumulator
	// Args are input columns; none for COUNT(*).
	Args []int
	// Filter is the input column that must be TRUE for a row to count, -1 if every row does.
	Filter int
	Kind   vector.Kind // of the result
}

// filtered is memory for the rows that meet the condition of a call.
type filtered struct {
	ids  []uint32
	rows []int32
}

// add adds rows of b to acc: ids[k] is the group of the k-th of them.
func (a *Aggregate) add(acc function.Accumulator, b *dataflow.Batch, ids []uint32, rows vector.Rows, f *filtered) {
	ids, rows = a.counting(b, ids, rows, f)
	acc.Add(ids, a.args(b), rows)
}

// retract takes rows back, as add adds them.
func (a *Aggregate) retract(acc function.Accumulator, b *dataflow.Batch, ids []uint32, rows vector.Rows, f *filtered) {
	ids, rows = a.counting(b, ids, rows, f)
	acc.(function.Retractor).Retract(ids, a.args(b), rows)
}

func (a *Aggregate) args(b *dataflow.Batch) []*vector.Vector {
	if len(a.Args) == 0 {
		return nil
	}
	args := b.Arena.Columns(len(a.Args))
	for i, c := range a.Args {
		args[i] = b.Cols[c]
	}
	return args
}

// counting leaves out the rows that do not meet the condition.
func (a *Aggregate) counting(b *dataflow.Batch, ids []uint32, rows vector.Rows, f *filtered) ([]uint32, vector.Rows) {
	if a.Filter < 0 {
		return ids, rows
	}
	condition := b.Cols[a.Filter]
	f.ids, f.rows = f.ids[:0], append(f.rows[:0], 0)[:0]
	for k, id := range ids {
		if row := rows.At(k); !condition.IsNull(row) && condition.Bool(row) {
			f.ids, f.rows = append(f.ids, id), append(f.rows, int32(row))
		}
	}
	return f.ids, vector.Rows{Sel: f.rows, N: rows.N}
}

// moved is fresh with the groups of acc that had the numbers in old. A state moves as it is; Merge would add its parts up anew, and doubles to another sum.
func moved(acc, fresh function.Accumulator, old []uint32) function.Accumulator {
	fresh.Grow(len(old))
	var buf []byte
	for id, was := range old {
		buf = acc.Encode(buf[:0], was)
		if _, err := fresh.Decode(buf, uint32(id)); err != nil {
			panic("tidemark bug: a state does not read what it wrote: " + err.Error())
		}
	}
	return fresh
}
