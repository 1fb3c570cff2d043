package lower

import (
	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/yql"
	"github.com/tidemark-sql/tidemark/internal/yql/functions"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// eventTimeColumn is the column of a topic with the time that WATERMARK computes. Nobody can name it.
const eventTimeColumn = "$event_time"

// impliedDelay is that of a topic whose WATERMARK nobody has written, in microseconds. YDB: 5 s, in the window.
const impliedDelay = 5_000_000

// watermark gives a topic its watermark: a time that is computed of a row, less a constant length.
func (l *Lowerer) watermark(o *topicOptions, columns []catalog.Column) ([]catalog.Column, *catalog.Watermark, *eventTime, error) {
	const form = `write WATERMARK = __ydb_write_time - Interval("PT5S"), or another Timestamp in its place`
	if o.implied {
		delay := l.pragmas.delay.or(impliedDelay)
		return l.lessDelay(columns, &eventTime{column: indexOf(columns, writeTime), text: writeTime, implied: true}, l.spelled(delay), delay)
	}
	minus, ok := o.watermark.(*yql.Binary)
	if !ok || minus.Op != yql.OpSubtract {
		return nil, nil, nil, l.errorf(source.CodeTime, o.watermark.Span(), form, "WATERMARK is a time less a length of time")
	}
	row := &relation{node: &plan.Values{}}
	for i, c := range columns {
		shown := plan.Column{Name: c.Name, Type: c.Type, Hidden: c.Hidden}
		row.node.(*plan.Values).Cols = append(row.node.(*plan.Values).Cols, shown)
		if err := row.given(l, i, shown, o.watermark.Span()); err != nil {
			return nil, nil, nil, err
		}
		row.known(i, o.types)
	}
	t, err := l.value(minus.Left, &scope{rows: row, names: l.names, where: "WATERMARK"})
	if err != nil {
		return nil, nil, nil, err
	}
	if t.Static != nil || t.Type.Kind != yqltype.Timestamp {
		hint := form
		switch {
		case t.Type.IsText():
			hint = "write CAST(" + l.text.Slice(minus.Left.Span()) + " AS Timestamp)"
		case t.Type.IsInteger():
			hint = "write DateTime::FromMilliseconds(" + l.text.Slice(minus.Left.Span()) + "), or FromSeconds, or FromMicroseconds"
		}
		return nil, nil, nil, l.errorf(source.CodeTime, minus.Left.Span(), hint, "the time of WATERMARK is a Timestamp, and this is %s", describe(t))
	}
	delay, err := l.interval(minus.Right, "the delay of WATERMARK")
	if err != nil {
		return nil, nil, nil, err
	}
	if delay < 0 {
		return nil, nil, nil, l.errorf(source.CodeTime, minus.Right.Span(), `write Interval("PT5S")`, "the delay of WATERMARK cannot be negative")
	}
	time := &eventTime{at: o.watermark.Span(), text: l.text.Slice(minus.Left.Span())}
	if c, plain := t.Expr.(*expr.Column); plain {
		time.column = c.Index
		return l.lessDelay(columns, time, l.text.Slice(minus.Right.Span()), delay)
	}
	time.column, time.expr = len(columns), t.Expr
	columns = append(columns, catalog.Column{Name: eventTimeColumn, Type: t.Type.Physical(), Computed: t.Expr, Hidden: true})
	return l.lessDelay(columns, time, l.text.Slice(minus.Right.Span()), delay)
}

// lessDelay is the watermark of a topic whose time is a column.
func (l *Lowerer) lessDelay(columns []catalog.Column, time *eventTime, written string, delay int64) ([]catalog.Column, *catalog.Watermark, *eventTime, error) {
	c := columns[time.column]
	e, err := expr.NewCall(function.MustScalar("-"), []expr.Expr{expr.NewColumn(time.column, c.Name, c.Type), expr.LiteralInt(types.IntervalDayType, delay)})
	if err == nil {
		e, err = expr.Convert(e, c.Type)
	}
	return columns, &catalog.Watermark{Column: time.column, Expr: e, Text: time.text + " - " + written}, time, l.place(err, time.at)
}

// spelled writes an Interval.
func (l *Lowerer) spelled(micros int64) string {
	v, err := functions.Cast(functions.Int(yqltype.Of(yqltype.Interval), micros), yqltype.Of(yqltype.String))
	if err == nil {
		if c, err := expr.Constant(v.Expr, nil); err == nil && c != nil {
			return `Interval("` + string(c.Value().Bytes(0)) + `")`
		}
	}
	panic("tidemark bug: an Interval cannot be written")
}

// impliedWatermark stands for the WATERMARK of a topic that has none, if it tells when its messages were written. YDB: HoppingWindow then goes by the greatest time less 5 s.
func (l *Lowerer) impliedWatermark(columns []catalog.Column, r *yql.TableName) (yql.Expr, bool) {
	if indexOf(columns, writeTime) < 0 {
		return nil, false
	}
	return &yql.ColumnRef{Located: yql.Located{At: r.Name.Span()}, Name: yql.Ident{Name: writeTime}}, true
}

func indexOf(columns []catalog.Column, name string) int {
	for i, c := range columns {
		if c.Name == name {
			return i
		}
	}
	return -1
}

func newColumn(i int, name string, t types.Type) *expr.Column { return expr.NewColumn(i, name, t) }

// timeType is what a time attribute is in YQL.
func timeType(t types.Type) yqltype.Type {
	return yqltype.Type{Kind: yqltype.Timestamp, Optional: !t.NotNull}
}

// timeColumn is a time attribute as a Timestamp.
func timeColumn(i int, c plan.Column) *expr.Column {
	return newColumn(i, c.Name, timeType(c.Type).Physical())
}

// castColumn is a column as another type.
func castColumn(i int, c catalog.Column, to types.Type) (expr.Expr, error) {
	return expr.NewCast(newColumn(i, c.Name, c.Type), to, false)
}

// bare is e without what says only that it is not NULL.
func bare(e expr.Expr) expr.Expr {
	for {
		c, ok := e.(*expr.Call)
		if !ok || c.Function.Name != "Unwrap" || len(c.Children()) == 0 {
			return e
		}
		e = c.Children()[0]
	}
}

// windowTime is the column with the time of a window, which must be that of the watermark.
func (l *Lowerer) windowTime(v functions.Value, e yql.Expr, rows *relation, window string) (int, error) {
	if err := l.timestamp(v, e, window); err != nil {
		return 0, err
	}
	if i := rows.timeOf(v.Expr); i >= 0 {
		return i, nil
	}
	return 0, l.otherTime(e, rows, window)
}

// timestamp wants a Timestamp as the time of a window.
func (l *Lowerer) timestamp(v functions.Value, e yql.Expr, window string) error {
	if v.Static == nil && v.Type.Kind == yqltype.Timestamp {
		return nil
	}
	hint := "name the time that WATERMARK is about"
	if v.Static == nil && v.Type.IsText() {
		hint = "CAST it AS Timestamp, in WATERMARK too"
	}
	return l.errorf(source.CodeTime, e.Span(), hint, "the time of %s is a Timestamp, and this is %s", window, describe(v))
}

// otherTime refuses a time that the watermark is not about, and says where both stand.
func (l *Lowerer) otherTime(e yql.Expr, rows *relation, window string) error {
	written := l.text.Slice(e.Span())
	t := rows.time
	switch {
	case t == nil:
		return l.errorf(source.CodeTime, e.Span(), "add WATERMARK = "+writeTime+` - Interval("PT5S") where the topic is read`, "the rows have no watermark, so %s would never close a window", window)
	case t.implied:
		return l.errorf(source.CodeTime, e.Span(), "add WATERMARK = "+written+` - Interval("PT5S") where the topic is read`, "the time of %s is %s, and the topic, which has no WATERMARK, goes by %s", window, written, t.text)
	case t.at == source.Span{}:
		return l.errorf(source.CodeTime, e.Span(), "use that time, or give the topic a WATERMARK of its own", "the time of %s is %s, and the watermark is about %s", window, written, t.text)
	}
	return l.errorf(source.CodeTime, e.Span(), "use one time in both", "the time of %s is %s, and the WATERMARK at %s is about %s", window, written, l.line(t.at), t.text)
}
