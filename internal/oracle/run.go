package oracle

import (
	"fmt"
	"slices"
	"time"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Result is everything that a statement gives.
type Result struct {
	Groups []Group
	// Late counts, by scan, the rows behind the frontier of their source.
	Late []int64
	// Dropped counts, by window aggregation, the rows that came too late for their last window. Nodes count from the leaves up, left to right.
	Dropped []int64
}

// Group is the rows that one deadline released together, in no order among them, or a row that passed on its own.
type Group struct {
	// Deadline is Unset for a row on its own.
	Deadline watermark.Frontier
	Rows     []Row
	Ops      []vector.Op // the change that each row stands for
}

// Rows is all rows in order of their groups.
func (r *Result) Rows() []Row {
	var rows []Row
	for _, g := range r.Groups {
		rows = append(rows, g.Rows...)
	}
	return rows
}

// run is the interpretation of one tree.
type run struct {
	env    function.Env
	memory vector.Pool
	inputs []Input
	scans  int // inputs used so far
	shared map[*plan.Shared]stream
	result Result
}

// Run interprets a bound tree. There is an input for each scan, in the order in which they stand in the statement. The error is that of a row.
func Run(root plan.Node, zone *time.Location, inputs []Input) (*Result, error) {
	r := &run{env: function.Env{Zone: zone}, inputs: inputs, shared: map[*plan.Shared]stream{}}
	s, err := r.node(root)
	if err != nil {
		return nil, err
	}
	seq := -1
	for _, e := range s {
		if e.row == nil {
			continue
		}
		groups := r.result.Groups
		if last := len(groups) - 1; last >= 0 && e.frontier != watermark.Unset && e.seq == seq && e.frontier == groups[last].Deadline {
			groups[last].Rows, groups[last].Ops = append(groups[last].Rows, e.row), append(groups[last].Ops, e.op)
			continue
		}
		seq = e.seq
		r.result.Groups = append(groups, Group{Deadline: e.frontier, Rows: []Row{e.row}, Ops: []vector.Op{e.op}})
	}
	return &r.result, nil
}

func (r *run) node(n plan.Node) (stream, error) {
	if s, ok := n.(*plan.Shared); ok {
		return r.once(s)
	}
	inputs := make([]stream, len(n.Children()))
	for i, child := range n.Children() {
		var err error
		if inputs[i], err = r.node(child); err != nil {
			return nil, err
		}
	}
	switch n := n.(type) {
	case *plan.Scan:
		return r.scan(n)
	case *plan.Values:
		return values(n), nil
	case *plan.Union:
		return union(inputs), nil
	case *plan.Named:
		return inputs[0], nil
	case *plan.Filter:
		return inputs[0].each(func(row Row) ([]Row, error) {
			v, err := r.eval(n.Condition, row, columnTypes(n.Input))
			if err != nil || v.Null || v.Int == 0 {
				return nil, err
			}
			return []Row{row}, nil
		})
	case *plan.Project:
		return inputs[0].each(func(row Row) ([]Row, error) {
			out := make(Row, len(n.Exprs))
			for i, e := range n.Exprs {
				var err error
				if out[i], err = r.eval(e, row, columnTypes(n.Input)); err != nil {
					return nil, err
				}
			}
			return []Row{out}, nil
		})
	case *plan.Expand:
		return inputs[0].each(func(row Row) ([]Row, error) { return expand(n, row), nil })
	case *plan.WindowAssign:
		return inputs[0].each(func(row Row) ([]Row, error) { return assign(n, row) })
	case *plan.CurrentWatermark:
		return withWatermark(inputs[0]), nil
	case *plan.Unnest:
		return inputs[0].each(func(row Row) ([]Row, error) { return r.unnest(n, row) })
	case *plan.GroupAggregate:
		return groupAggregate(n, inputs[0]), nil
	case *plan.Join:
		return r.join(n, inputs)
	case *plan.TemporalJoin:
		return r.temporalJoin(n, inputs)
	case *plan.SetOperation:
		return setOperation(n, inputs)
	case *plan.WindowAggregate:
		return r.windowAggregate(n, inputs[0])
	case *plan.TopN:
		return firstRows(n, inputs[0]), nil
	case *plan.WindowTopN:
		return r.windowTopN(n, inputs[0])
	case *plan.Match:
		return r.match(n, inputs[0])
	case *plan.Over:
		return r.over(n, inputs[0]), nil
	}
	panic(fmt.Sprintf("tidemark bug: the oracle does not know %T", n))
}

// once interprets what several read where it is read first.
func (r *run) once(s *plan.Shared) (stream, error) {
	if known, ok := r.shared[s]; ok {
		return known, nil
	}
	out, err := r.node(s.Input)
	r.shared[s] = out
	return out, err
}

// withWatermark adds to every row the watermark before it.
func withWatermark(s stream) stream {
	var out stream
	shown := Value{Null: true}
	for _, e := range s {
		switch {
		case e.row != nil:
			e.row = append(slices.Clone(e.row), shown)
		case e.frontier != watermark.Unset:
			shown = Value{Int: (int64(e.frontier) - (int64(e.frontier)%1000+1000)%1000) - 1000}
		}
		out = append(out, e)
	}
	return out
}

// each replaces every row of s by others.
func (s stream) each(f func(Row) ([]Row, error)) (stream, error) {
	var out stream
	for _, e := range s {
		if e.row == nil {
			out = append(out, e)
			continue
		}
		rows, err := f(e.row)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			e.row = row
			out = append(out, e)
		}
	}
	return out, nil
}

// expand makes a row for each grouping set.
func expand(n *plan.Expand, row Row) []Row {
	var out []Row
	for _, set := range n.Sets {
		r := slices.Clone(row)
		for k, c := range n.Keys {
			v := row[c]
			if !set[k] {
				v = Value{Null: true}
			}
			r = append(r, v)
		}
		out = append(out, append(r, Value{Int: plan.GroupingID(set)}))
	}
	return out
}

func values(n *plan.Values) stream {
	var out stream
	for _, literals := range n.Rows {
		row := make(Row, len(literals))
		for i, l := range literals {
			row[i] = ValueAt(l.Value(), 0)
		}
		out = append(out, event{seq: -1, row: row, frontier: watermark.Unset})
	}
	out.rise(-1, watermark.Final)
	return out
}

// eval evaluates e over one row.
func (r *run) eval(e expr.Expr, row Row, columns []types.Type) (Value, error) {
	a := r.memory.Get()
	defer a.Release()
	b := &vector.Batch{N: 1, Arena: a}
	for i, v := range row {
		kind := vector.KindOf(columns[i])
		column := vector.NewBuilder(a, kind, 1)
		v.Append(column, kind)
		b.Cols = append(b.Cols, column.Done())
	}
	out, err := e.Eval(&expr.Context{Arena: a, Env: &r.env}, b, b.Rows())
	if err != nil {
		return Value{}, err
	}
	return ValueAt(out, 0), nil
}

func columnTypes(n plan.Node) []types.Type {
	list := make([]types.Type, len(n.Columns()))
	for i, c := range n.Columns() {
		list[i] = c.Type
	}
	return list
}
