package compile

import (
	"errors"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/operator"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// scan compiles the reading of a table: which columns the decoder yields, and how an intake makes the columns of the scan, the event times
// and the watermark candidates of them.
func (c *compiler) scan(n *plan.Scan) ([]stream, error) {
	t := n.Table
	var read []int // columns of the table that somebody needs
	need := func(column int) {
		if computed := t.Columns[column].Computed; computed != nil {
			read = append(read, expr.Columns(computed)...)
		} else {
			read = append(read, column)
		}
	}
	for _, column := range n.Output {
		need(column)
	}
	if t.Watermark != nil {
		need(t.Watermark.Column)
		for _, column := range expr.Columns(t.Watermark.Expr) {
			need(column)
		}
		if of := t.Watermark.Of; of != nil {
			for _, column := range expr.Columns(of) {
				need(column)
			}
		}
	}
	for _, value := range n.Dimension {
		for _, column := range expr.Columns(value) {
			need(column)
		}
	}
	slices.Sort(read)
	read = slices.Compact(read)

	_, stored := t.Read()
	var needed []int // positions in the schema of the connector
	at := map[int]int{}
	for i, column := range stored {
		if slices.Contains(read, column) {
			at[column] = len(needed)
			needed = append(needed, i)
		}
	}
	reader, err := c.options.Open(n, needed)
	if err != nil {
		return nil, err
	}

	// Computed columns and conversions of metadata are put in by substitution: expressions are over what the decoder yields.
	var column func(i int) expr.Expr
	substitute := func(e expr.Expr) expr.Expr {
		return expr.Map(e, func(e expr.Expr) expr.Expr {
			if c, ok := e.(*expr.Column); ok {
				return column(c.Index)
			}
			return e
		})
	}
	column = func(i int) expr.Expr {
		col := t.Columns[i]
		switch {
		case col.Computed != nil:
			return substitute(col.Computed)
		case col.Metadata != nil:
			return metadata(&col, at[i])
		}
		return expr.NewColumn(at[i], col.Name, col.Type)
	}
	in := intake{output: []expr.Expr{}}
	for _, i := range n.Output {
		in.output = append(in.output, column(i))
	}
	if t.Watermark != nil {
		in.time = column(t.Watermark.Column)
		in.candidate = substitute(t.Watermark.Expr)
		if of := t.Watermark.Of; of != nil {
			in.time = only(substitute(of), in.time) // candidates of rows without a time do not count
		}
	}
	var dimension []expr.Expr
	for _, value := range n.Dimension {
		dimension = append(dimension, substitute(value))
	}
	streams := c.source(runtime.Source{
		Name:             n.Source(),
		Reader:           reader,
		Strategy:         n.Strategy.Strategy,
		Delays:           n.Strategy.Delays,
		Watermarked:      t.Watermark != nil,
		DefaultWatermark: t.Watermark != nil && t.Watermark.Default && !n.Strategy.InCode(),
		Instant:          t.Watermark != nil && t.Columns[t.Watermark.Column].Type.Kind == types.TimestampLTZ,
		Settings:         c.settings(n),
		NewIntake: func() (runtime.Intake, error) {
			i := in
			i.env = &function.Env{Zone: n.Zone}
			if dimension != nil {
				return newDividingIntake(i, dimension), nil
			}
			return &i, nil
		},
	})
	c.graph.Sources[streams[0].source].Branches[0].Late = n.Late
	return streams, nil
}

// settings are how the watermark of a scan comes about, as EXPLAIN says it.
func (c *compiler) settings(n *plan.Scan) []runtime.Setting {
	w := n.Table.Watermark
	if w == nil {
		return nil
	}
	declared := "WATERMARK clause"
	switch {
	case n.Strategy.InCode():
		declared = "program"
	case w.Default:
		declared = "default"
	}
	all := []runtime.Setting{{Name: "watermark for " + n.Table.Columns[w.Column].Name, Value: w.Text, Origin: declared}}
	for _, f := range n.Strategy.InForce(c.replay) {
		all = append(all, runtime.Setting{Name: f.Name, Value: f.Value, Origin: f.Origin})
	}
	return all
}

// only is a time of the rows for which of is TRUE, NULL for the others.
func only(of, time expr.Expr) expr.Expr {
	e, err := expr.NewCase([]expr.When{{Condition: of, Result: time}}, expr.Null(time.Type()))
	if err != nil {
		panic("tidemark bug: the rows of a watermark were not checked: " + err.Error())
	}
	return e
}

// metadata is a metadata column, converted from what the connector gives at position at.
func metadata(col *catalog.Column, at int) expr.Expr {
	e, err := expr.NewCast(expr.NewColumn(at, col.Name, col.Metadata.Type), col.Type, false)
	if err != nil {
		panic("tidemark bug: the type of a metadata column was not checked: " + err.Error())
	}
	return e
}

// intake makes the columns of a scan of those that a decoder yields.
type intake struct {
	output          []expr.Expr // nil: as they come
	time, candidate expr.Expr   // nil without a watermark
	env             *function.Env
	// divide looks at the rows of a batch before they are computed; nil if nobody does.
	divide func(b *vector.Batch) error
}

// SetNow implements dataflow.Clocked.
func (i *intake) SetNow(now int64) { i.env.Now = now }

// Prepare implements runtime.Intake. Rows that are too large together are computed one half after the other.
func (i *intake) Prepare(b *vector.Batch, each func(b *vector.Batch, times, candidates []int64)) error {
	times, candidates, cols, err := i.compute(b)
	if err == nil {
		b.Cols = cols
		each(b, times, candidates)
		return nil
	}
	if b.N > 1 && vector.Together(err) {
		first, second := b.Part(0, b.N/2), b.Part(b.N/2, b.N)
		b.Release()
		if err := i.Prepare(first, each); err != nil {
			return err
		}
		return i.Prepare(second, each)
	}
	if row, ok := errors.AsType[*expr.RowError](err); ok && row.Row > 0 {
		first := b.Part(0, row.Row)
		b.Release()
		if err := i.Prepare(first, each); err != nil {
			return err
		}
	}
	return err
}

// compute leaves b as it is.
func (i *intake) compute(b *vector.Batch) (times, candidates []int64, cols []*vector.Vector, err error) {
	if i.divide != nil {
		if err := i.divide(b); err != nil {
			return nil, nil, nil, err
		}
	}
	if i.time != nil {
		cols, err := operator.Evaluate([]expr.Expr{i.time, i.candidate}, b, i.env)
		if err != nil {
			return nil, nil, nil, err
		}
		times, candidates = instants(cols[0], b), instants(cols[1], b)
	}
	cols = b.Cols
	if i.output != nil {
		cols, err = operator.Evaluate(i.output, b, i.env)
	}
	return times, candidates, cols, err
}

// instants lists the values of v, with watermark.NoTime for NULL.
func instants(v *vector.Vector, b *vector.Batch) []int64 {
	if v.Valid == nil && !v.Const {
		return v.Ints[:b.N]
	}
	out := b.Arena.Ints(b.N)
	for i := range out {
		if v.IsNull(i) {
			out[i] = watermark.NoTime
		} else {
			out[i] = v.Int(i)
		}
	}
	return out
}
