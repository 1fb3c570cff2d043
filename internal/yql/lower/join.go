package lower

import (
	"maps"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/yql"
	"github.com/tidemark-sql/tidemark/internal/yql/functions"
)

var joinKinds = map[yql.JoinKind]plan.JoinKind{yql.InnerJoin: plan.InnerJoin, yql.LeftJoin: plan.LeftJoin, yql.LeftSemiJoin: plan.SemiJoin, yql.LeftOnlyJoin: plan.AntiJoin}

// join lowers a stream on the left with a table on the right. YDB: the table is read completely when the query starts, and never again; rows of the stream wait until that is done.
func (l *Lowerer) join(j *yql.Join) (*relation, error) {
	kind, ok := joinKinds[j.Kind]
	switch {
	case !ok:
		return nil, l.unsupported(j.Span(), "write JOIN, LEFT JOIN, LEFT SEMI JOIN or LEFT ONLY JOIN, with the stream on the left and the table on the right", "%s is", j.Kind)
	case j.LeftAny:
		return nil, l.unsupported(j.Left.Span(), "leave it out: every row of the stream leaves", "ANY on the left of JOIN is")
	}
	for _, h := range j.Hints {
		l.note(h.Span(), "the hint %s says nothing here: the table is read once, when the query starts", h.Name)
	}
	left, err := l.from(j.Left)
	if err != nil {
		return nil, err
	}
	right, err := l.joinedRows(j)
	if err != nil {
		return nil, err
	}
	for _, t := range right.tables() {
		if slices.Contains(left.tables(), t) {
			return nil, l.errorf(source.CodeDuplicate, j.Right.Span(), "give one of them another name with AS", "two tables in FROM are called '%s'", t)
		}
	}
	lefts := len(left.columns)
	both := &relation{columns: slices.Concat(left.columns, right.columns), values: left.kept(), stream: left.stream}
	for _, v := range right.kept() {
		v.Expr = plan.Shift(v.Expr, 0, lefts)
		both.values = append(both.values, v)
	}
	both.node = &plan.Values{Cols: slices.Concat(left.node.Columns(), right.node.Columns())}
	condition, err := l.joinCondition(j, lefts, both)
	if err != nil {
		return nil, err
	}
	n, rest, ok := plan.NewTableJoin(kind, left.node, right.node, j.RightAny, condition)
	switch {
	case !ok:
		return nil, l.errorf(source.CodeKey, at(j.On, j.Span()), "write ON s.k = t.k; other conditions may stand beside that in WHERE", "JOIN needs a comparison for equality of a column of either side")
	case rest != nil && kind != plan.InnerJoin:
		return nil, l.unsupported(j.On.Span(), "keep the comparisons for equality, and put what else there is into WHERE or a named query", "a condition of %s that is no comparison for equality of both sides is", j.Kind)
	case rest != nil:
		all, err := expr.NewAnd(rest...)
		if err != nil {
			return nil, l.place(err, j.Span())
		}
		n = &plan.Filter{Input: n, Condition: all}
	}
	both.node = n
	switch kind {
	case plan.SemiJoin, plan.AntiJoin:
		both.columns, both.values = both.columns[:lefts], both.values[:lefts]
	case plan.LeftJoin:
		for i := lefts; i < len(both.columns); i++ {
			both.columns[i].typ.Optional = true
			both.values[i].Type.Optional = true
		}
	}
	both.time = left.time
	return both, nil
}

// joinCondition is ON, or the columns of USING, over the columns of both sides.
func (l *Lowerer) joinCondition(j *yql.Join, lefts int, both *relation) (expr.Expr, error) {
	if j.On != nil {
		return l.condition(j.On, &scope{rows: both, names: l.names, where: "ON"})
	}
	if j.Using == nil {
		return nil, l.errorf(source.CodeType, j.Span(), "write ON s.k = t.k", "JOIN needs ON")
	}
	sides := [2]*relation{{node: both.node, columns: both.columns[:lefts]}, {node: both.node, columns: both.columns[lefts:]}}
	var all []expr.Expr
	for i := range j.Using {
		of := &j.Using[i]
		a, err := l.find(nil, of, &scope{rows: sides[0], where: "USING"})
		if err != nil {
			return nil, err
		}
		b, err := l.find(nil, of, &scope{rows: sides[1], where: "USING"})
		if err != nil {
			return nil, err
		}
		v, err := functions.Binary("=", both.value(a), both.value(lefts+b))
		if err != nil {
			return nil, l.place(err, of.Span())
		}
		both.columns[lefts+b].kind = carriedColumn
		all = append(all, v.Expr)
	}
	return expr.NewAnd(all...)
}

// joinedRows are the rows on the right of a join, which have an end.
func (l *Lowerer) joinedRows(j *yql.Join) (*relation, error) {
	const instead = "write its rows to a table with a PRIMARY KEY, and join that"
	name, ok := j.Right.(*yql.TableName)
	if !ok {
		rows, err := l.from(j.Right)
		if err == nil && rows.stream {
			err = l.unsupported(j.Right.Span(), instead, "JOIN of two streams is")
		}
		return rows, err
	}
	found, declared, err := l.relation(name.Name)
	if err != nil {
		return nil, err
	}
	t, ok := found.(*catalog.Table)
	switch {
	case !ok:
		return nil, l.unsupported(name.Span(), "name the table itself", "JOIN with a view is")
	case !declared:
		return nil, l.unsupported(name.Span(), instead, "JOIN of two streams, as '%s' is a topic, is", name.Name.Text())
	case len(name.Options) > 0:
		if isTopic(t) {
			return nil, l.unsupported(name.Span(), instead, "JOIN of two streams, as '%s' is a topic, is", name.Name.Text())
		}
		return nil, l.unsupported(name.Options[0].Span(), "declare the table with that format", "WITH (%s …) behind a table that is joined is", strings.ToUpper(name.Options[0].Key.Name))
	}
	if _, twice := l.joined[t.Path]; !twice {
		l.joined[t.Path] = name.Span()
	}
	own := *t
	if t.PrimaryKey != nil {
		own = *l.tables.Now(t)
	}
	own.Watermark, own.Program, own.Options = nil, nil, maps.Clone(own.Options)
	for _, o := range plan.WatermarkOptions {
		delete(own.Options, o.Key)
	}
	n, err := l.tables.Scan(&own, nil, name.Span())
	if err != nil {
		return nil, err
	}
	if streams(n) {
		hint := instead
		if t.PrimaryKey != nil {
			hint = "join a managed table, or a file"
		}
		return nil, l.unsupported(name.Span(), hint, "JOIN of two streams, as '%s' has no end, is", name.Name.Text())
	}
	r := &relation{node: n}
	for i, c := range n.Columns() {
		if err := r.given(l, i, c, name.Span()); err != nil {
			return nil, err
		}
		if c.Hidden {
			r.columns[i].kind = carriedColumn
		}
	}
	return l.aliased(r, name.Name.Path.Name, name.Alias, name.Columns)
}
