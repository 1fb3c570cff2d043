package operator

import (
	"errors"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/valuefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// again has process compute b once more, after err came of computing all its rows: those before the row that err is about, or, if the rows are too large together, one half
// after the other. So what leaves does not depend on where batches end. It returns the error that is left.
func again(err error, b *dataflow.Batch, process func(*dataflow.Batch) error) error {
	n := b.Rows().Count()
	if n < 2 || !vector.Together(err) {
		return before(err, b, process)
	}
	// The memory of b, with what was computed in vain, is given back before the halves are computed.
	first, second := b.Part(0, n/2), b.Part(n/2, n)
	b.Release()
	if err := process(first); err != nil {
		return err
	}
	return process(second)
}

// before runs process over the rows of b that stand before the one that err is about. It returns the error of the
// first row that has one. Errors of no row are returned as they are.
func before(err error, b *dataflow.Batch, process func(*dataflow.Batch) error) error {
	var row *expr.RowError
	if !errors.As(err, &row) {
		return err
	}
	bad := int32(row.Row)
	sel := b.Arena.Sel(b.Rows().Count())[:0]
	for k := range b.Rows().Count() {
		if i := b.Rows().At(k); int32(i) < bad {
			sel = append(sel, int32(i))
		}
	}
	if len(sel) == 0 {
		return err
	}
	b.Sel = sel
	b.Marks = slices.DeleteFunc(b.Marks, func(m watermark.Mark) bool { return m.Row > bad })
	if first := process(b); first != nil {
		return first
	}
	return err
}

// explain says of which row and expression an error of an evaluation is: the values that the expression reads tell a person which row
// it was, where numbers of rows would not.
func explain(err error, e expr.Expr, b *vector.Batch) error {
	var row *expr.RowError
	if !errors.As(err, &row) {
		return err
	}
	var values strings.Builder
	seen := map[int]bool{}
	var list func(e expr.Expr)
	list = func(e expr.Expr) {
		if c, ok := e.(*expr.Column); ok && !seen[c.Index] {
			if len(seen) > 0 {
				values.WriteString(", ")
			}
			seen[c.Index] = true
			values.WriteString(c.String() + " = ")
			if v := b.Cols[c.Index]; v.IsNull(row.Row) {
				values.WriteString("NULL")
			} else {
				values.WriteString(excerpt(string(valuefmt.Append(nil, c.Type(), v, row.Row)), maxValueShown))
			}
		}
		for _, child := range e.Children() {
			list(child)
		}
	}
	list(e)
	if required, ok := e.(*expr.Required); ok {
		e = required.Children()[0] // what a person wrote
	}
	if len(seen) == 0 {
		return fault.Errorf(fault.Data, "computing %s: %w", excerpt(e.String(), maxExprShown), err)
	}
	return fault.Errorf(fault.Data, "computing %s for a row with %s: %w", excerpt(e.String(), maxExprShown), values.String(), err)
}

// How much of an expression and of a value an error shows, in bytes.
const (
	maxExprShown  = 400
	maxValueShown = 200
)

// excerpt is the beginning of a long text.
func excerpt(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
