package operator

import (
	"errors"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// sift takes their versions from the rows that leave and for which the condition does not hold. If it fails for a row, those before it leave.
func (j *TemporalJoin) sift() error {
	if j.spec.Condition == nil {
		return nil
	}
	var pairs []int // rows that leave and have a version
	for k, r := range j.leaving {
		if r.match >= 0 {
			pairs = append(pairs, k)
		}
	}
	most := emitRows
	for lo, hi := 0, 0; lo < len(pairs); lo = hi {
		hi = min(lo+most, len(pairs))
		a := j.spec.Memory.Get()
		b := &vector.Batch{N: hi - lo, Arena: a}
		if hi-lo == 1 {
			b.Cols = j.pairs(a, pairs[lo:hi])
		} else if !a.Within(emitBytes, func() { b.Cols = j.pairs(a, pairs[lo:hi]) }) {
			a.Release()
			most, hi = (hi-lo)/2, lo
			continue
		}
		sel, err := expr.Filter(&expr.Context{Arena: a, Env: j.spec.Env}, b, vector.All(hi-lo), j.spec.Condition)
		if vector.Together(err) && hi-lo > 1 {
			a.Release()
			most, hi = (hi-lo)/2, lo
			continue
		}
		if err != nil {
			first := lo
			if row, ok := errors.AsType[*expr.RowError](err); ok {
				first += row.Row
			}
			err = explain(err, j.spec.Condition, b)
			a.Release()
			// Those of this stretch before the row have not been tested yet.
			j.leaving = j.leaving[:pairs[first]]
			if first > lo {
				err = errors.Join(j.sift(), err)
			}
			return err
		}
		for i, k := range pairs[lo:hi] {
			if _, holds := slices.BinarySearch(sel, int32(i)); !holds {
				j.leaving[k].match = -1
			}
		}
		a.Release()
	}
	return nil
}

// pairs makes the columns of rows that leave and of their versions.
func (j *TemporalJoin) pairs(a *vector.Arena, leaving []int) []*vector.Vector {
	rows, matches := a.Sel(len(leaving)), a.Sel(len(leaving))
	for i, k := range leaving {
		rows[i], matches[i] = j.leaving[k].row, j.leaving[k].match
	}
	var cols []*vector.Vector
	for _, c := range j.held[0].columns() {
		cols = append(cols, c.Take(a, rows))
	}
	for _, c := range j.held[1].columns() {
		cols = append(cols, c.Take(a, matches))
	}
	return cols
}
