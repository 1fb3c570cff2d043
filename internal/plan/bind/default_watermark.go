package bind

import (
	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/watermark"
)

// sourceFunction is the function that stands for the watermark of the source. Confluent Cloud: the newest time less 180 ms.
const sourceFunction = "SOURCE_WATERMARK"

// defaultWatermark gives t the watermark that a table has in Confluent Cloud unless it declares another: over the timestamps of its records, if there are any.
func (b *Binder) defaultWatermark(t *catalog.Table) error {
	i := t.Index(catalog.Rowtime)
	if i < 0 || !t.Columns[i].Hidden {
		return nil
	}
	e, err := delayed(t, i)
	if err != nil {
		return b.place(err, t.At.Span)
	}
	t.Watermark = &catalog.Watermark{Column: i, Expr: e, Text: sourceFunction + "()", Default: true}
	return nil
}

// delayed is column i of t less the delay of the source.
func delayed(t *catalog.Table, i int) (expr.Expr, error) {
	c := t.Columns[i]
	e, err := expr.NewCall(function.MustScalar("-"), []expr.Expr{expr.NewColumn(i, c.Name, c.Type), expr.LiteralInt(types.IntervalDayType, watermark.SourceDelay)})
	if err != nil {
		return nil, err
	}
	return expr.Convert(e, c.Type)
}

// callsSource reports whether a watermark is that of the source.
func callsSource(e sql.Expr) bool {
	c, ok := e.(*sql.Call)
	return ok && !c.Bare && len(c.Args) == 0 && len(c.Function.Parts) == 1 && upperASCII(c.Function.Last().Name) == sourceFunction
}

// sourceWatermark binds SOURCE_WATERMARK() as the watermark of column i. Flink 2.3 has it for connectors that bring watermarks of their own, of which it ships none.
func (b *Binder) sourceWatermark(w *sql.Watermark, t *catalog.Table, i int) (expr.Expr, error) {
	c := t.Columns[i]
	instead := "write " + w.Column.Last().Name + " - INTERVAL '0.180' SECOND, or another delay"
	if t.HandsOver() {
		if c.Computed != nil || c.Metadata != nil {
			return nil, b.errorf(source.CodeTime, w.Column.Span(), "declare it as a column of its own, which an INSERT writes", "the watermark is handed over for a column that is written as it is, and '%s' is not", c.Name)
		}
		return expr.NewColumn(i, c.Name, c.Type), nil
	}
	switch {
	case b.session.Settings.Profile() != catalog.Confluent:
		return nil, b.unsupported(w.Expr.Span(), instead+"; or SET 'sql.profile' = 'confluent'", "SOURCE_WATERMARK in the profile 'flink', whose connectors have no watermarks of their own, is")
	case c.Type.Kind != types.TimestampLTZ:
		return nil, b.errorf(source.CodeTime, w.Expr.Span(), instead, "SOURCE_WATERMARK() is TIMESTAMP_LTZ(3) and column '%s' is %s", c.Name, c.Type.Nullable())
	}
	e, err := delayed(t, i)
	if err != nil {
		return nil, b.place(err, w.Expr.Span())
	}
	return e, nil
}
