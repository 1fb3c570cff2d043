package lower

import (
	"maps"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/yql"
	"github.com/tidemark-sql/tidemark/internal/yql/functions"
)

// sinceEver is the column of a joined table with the time from which its rows hold: always. Nobody can name it.
const sinceEver = "$since"

// join lowers a stream on the left with a table on the right. YDB: the table is read completely when the query starts, and never again. Rows of the stream wait until that is done.
func (l *Lowerer) join(j *yql.Join) (*relation, error) {
	kind := plan.InnerJoin
	switch j.Kind {
	case yql.InnerJoin:
	case yql.LeftJoin:
		kind = plan.LeftJoin
	default:
		return nil, l.unsupported(j.Span(), "write JOIN or LEFT JOIN, with the stream on the left and the table on the right", "%s is", j.Kind)
	}
	left, err := l.from(j.Left)
	if err != nil {
		return nil, err
	}
	right, keys, err := l.joinedTable(j)
	if err != nil {
		return nil, err
	}
	for _, t := range right.tables() {
		if slices.Contains(left.tables(), t) {
			return nil, l.errorf(codeDuplicate, j.Right.Span(), "give one of them another name with AS", "two tables in FROM are called '%s'", t)
		}
	}
	if left.time == nil {
		return nil, l.errorf(codeTime, j.Left.Span(), "add WATERMARK = "+writeTime+` - Interval("PT5S") where the topic is read`, "the left side of JOIN has no watermark, by which its rows wait for the table")
	}
	both := &relation{columns: slices.Concat(left.columns, right.columns), stream: true}
	both.values = left.kept()
	for _, v := range right.kept() {
		v.Expr = plan.Shift(v.Expr, 0, len(left.columns))
		both.values = append(both.values, v)
	}
	both.node = &plan.Values{Cols: slices.Concat(left.node.Columns(), right.node.Columns())}
	condition, err := l.joinCondition(j, left, right, both)
	if err != nil {
		return nil, err
	}
	sides := plan.TemporalSides{LeftTime: left.time.column, RightTime: right.time.column, Keys: keys}
	n, ok, err := plan.NewTemporalJoin(kind, left.node, right.node, sides, condition)
	if err != nil {
		return nil, l.place(err, j.Span())
	}
	if !ok {
		var names []string
		for _, k := range keys {
			names = append(names, right.columns[k].name)
		}
		return nil, l.errorf(codeKey, j.Span(), "compare all columns of the key of the table, which finds at most one row for each of the stream: ON s.k = t."+names[0],
			"JOIN finds rows by the PRIMARY KEY of the table (%s), and ON does not say what it is equal to", names[0])
	}
	both.node = n
	if kind == plan.LeftJoin {
		for i := len(left.columns); i < len(both.columns); i++ {
			both.columns[i].typ.Optional = true
			both.values[i].Type.Optional = true
		}
	}
	t := *left.time
	both.time = &t
	return both, nil
}

// joinCondition is ON, or the columns of USING, over the columns of both sides.
func (l *Lowerer) joinCondition(j *yql.Join, left, right, both *relation) (expr.Expr, error) {
	if j.On != nil {
		return l.condition(j.On, &scope{rows: both, names: l.names, where: "ON"})
	}
	var all []expr.Expr
	for i := range j.Using {
		of := &j.Using[i]
		a, err := l.find(nil, of, &scope{rows: left, where: "USING"})
		if err != nil {
			return nil, err
		}
		b, err := l.find(nil, of, &scope{rows: right, where: "USING"})
		if err != nil {
			return nil, err
		}
		v, err := functions.Binary("=", both.value(a), both.value(len(left.columns)+b))
		if err != nil {
			return nil, l.place(err, of.Span())
		}
		both.columns[len(left.columns)+b].kind = carriedColumn
		all = append(all, v.Expr)
	}
	if all == nil {
		return nil, l.errorf(codeType, j.Span(), "write ON s.k = t.k", "JOIN needs ON")
	}
	return expr.NewAnd(all...)
}

// joinedTable reads the right side of a join as it is when the statement starts, and tells the columns of its key.
func (l *Lowerer) joinedTable(j *yql.Join) (*relation, []int, error) {
	name, ok := j.Right.(*yql.TableName)
	if !ok {
		return nil, nil, l.unsupported(j.Right.Span(), "name a table; filter and compute in the query around", "JOIN with a query or another stream on the right is")
	}
	found, declared, err := l.relation(name.Name)
	if err != nil {
		return nil, nil, err
	}
	t, ok := found.(*catalog.Table)
	switch {
	case !ok:
		return nil, nil, l.unsupported(name.Span(), "name the table itself", "JOIN with a view is")
	case !declared || t.PrimaryKey == nil:
		return nil, nil, l.unsupported(name.Span(), "write its rows to a table with a PRIMARY KEY, and join that", "JOIN of two streams, for '%s' has no PRIMARY KEY, is", name.Name.Text())
	case len(name.Options) > 0:
		return nil, nil, l.noOptions(name.Options[0], "a table that is joined")
	}
	if _, twice := l.joined[t.Path]; !twice {
		l.joined[t.Path] = name.Span()
	}
	now := l.tables.Now(t)
	own := *now
	own.Columns = slices.Clone(t.Columns)
	for i := range own.Columns {
		own.Columns[i].Hidden = own.Columns[i].Hidden || own.Columns[i].Name == catalog.Rowtime
	}
	since := types.Type{Kind: types.TimestampLTZ, Precision: 6, NotNull: true}
	own.Columns = append(own.Columns, catalog.Column{Name: sinceEver, Type: since, Computed: expr.LiteralInt(since, 0), Hidden: true})
	at := len(own.Columns) - 1
	own.Watermark = &catalog.Watermark{Column: at, Expr: newColumn(at, sinceEver, since), Text: sinceEver}
	own.Options = maps.Clone(own.Options)
	for _, o := range plan.WatermarkOptions {
		delete(own.Options, o.Key)
	}
	n, err := l.tables.Scan(&own, nil, name.Span())
	if err != nil {
		return nil, nil, err
	}
	if whole, ok := n.(*plan.Normalize); ok {
		n = whole.Input // The join takes upserts as they come.
	}
	if streams(n) {
		return nil, nil, l.unsupported(name.Span(), "join a managed table, or a file", "JOIN with '%s', which has no end and no rows that are there now, is", name.Name.Text())
	}
	r := &relation{node: n, time: &eventTime{column: at}}
	for i, c := range n.Columns() {
		if err := r.given(l, i, c, name.Span()); err != nil {
			return nil, nil, err
		}
		if c.Hidden {
			r.columns[i].kind = carriedColumn
		}
	}
	r, err = l.aliased(r, name.Name.Path.Name, name.Alias, name.Columns)
	return r, t.PrimaryKey, err
}
