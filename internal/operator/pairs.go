package operator

import (
	"errors"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// pairs is rows of two sides, each with one of the other, by number; -1 is none.
type pairs struct{ left, right []int32 }

func (p *pairs) reset() { p.left, p.right = p.left[:0], p.right[:0] }

// add puts a row of a side with one of the other.
func (p *pairs) add(side int, row, other int32) {
	if side == 1 {
		row, other = other, row
	}
	p.left, p.right = append(p.left, row), append(p.right, other)
}

// of is the rows of one side.
func (p *pairs) of(side int) []int32 {
	if side == 0 {
		return p.left
	}
	return p.right
}

// columns are those of both sides for the pairs lo..hi-1; held are the rows of the sides.
func (p *pairs) columns(a *vector.Arena, held [2][]*vector.Vector, lo, hi int) []*vector.Vector {
	return append(takeOrNull(a, held[0], p.left[lo:hi]), takeOrNull(a, held[1], p.right[lo:hi])...)
}

// sift leaves the pairs for which a condition holds. If it fails for one, those before it are left.
func (p *pairs) sift(condition expr.Expr, env *function.Env, memory *vector.Pool, held [2][]*vector.Vector) error {
	if condition == nil {
		return nil
	}
	most, kept, n := emitRows, 0, len(p.left)
	for lo, hi := 0, 0; lo < n; lo = hi {
		hi = min(lo+most, n)
		a := memory.Get()
		b := &vector.Batch{N: hi - lo, Arena: a}
		if hi-lo == 1 {
			b.Cols = p.columns(a, held, lo, hi)
		} else if !a.Within(emitBytes, func() { b.Cols = p.columns(a, held, lo, hi) }) {
			a.Release()
			most, hi = (hi-lo)/2, lo
			continue
		}
		sel, err := expr.Filter(&expr.Context{Arena: a, Env: env}, b, vector.All(hi-lo), condition)
		if err != nil && hi-lo > 1 {
			// Once more up to the row that is to blame, if it is known; else in smaller pieces.
			most = (hi - lo) / 2
			if row, ok := errors.AsType[*expr.RowError](err); ok && row.Row > 0 {
				most = row.Row
			} else if ok {
				most = 1
			}
			a.Release()
			hi = lo
			continue
		}
		if err != nil {
			err = explain(err, condition, b)
			a.Release()
			p.left, p.right = p.left[:kept], p.right[:kept]
			return err
		}
		for _, i := range sel {
			p.left[kept], p.right[kept] = p.left[lo+int(i)], p.right[lo+int(i)]
			kept++
		}
		a.Release()
	}
	p.left, p.right = p.left[:kept], p.right[:kept]
	return nil
}
