package lower

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/yql/functions"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// relation is rows on their way: a plan, and what YQL knows of its columns.
type relation struct {
	node plan.Node
	// columns are those of node, in its order.
	columns []column
	// values are what they are in expressions, nil if each is the column itself.
	values []functions.Value
	// time is what the watermark of the rows is about, nil if they have none.
	time *eventTime
	// stream says that the rows come from a topic, and have no end.
	stream bool
}

// column is a column of a relation.
type column struct {
	name string
	typ  yqltype.Type
	// table is the alias or the name that qualifies it, "" if none does.
	table string
	kind  columnKind
}

// columnKind says who sees a column.
type columnKind uint8

const (
	// plainColumn can be named, and stands in a star.
	plainColumn columnKind = iota
	// systemColumn can be named and is in no star. YDB: only in the SELECT that reads the topic.
	systemColumn
	// carriedColumn has no name: it takes the time of the watermark along.
	carriedColumn
)

// eventTime is the time that a watermark is about.
type eventTime struct {
	// column has it.
	column int
	// expr is how WATERMARK computes it of the other columns, nil for a column as it is, or if not all that it reads are there any more.
	expr expr.Expr
	// at is where WATERMARK stands, and text what it says; at is zero if that is in another text.
	at   source.Span
	text string
	// implied says that nobody has written WATERMARK.
	implied bool
}

// value is column i in an expression.
func (r *relation) value(i int) functions.Value {
	if r.values != nil {
		return r.values[i]
	}
	c := r.columns[i]
	return functions.Value{Expr: expr.NewColumn(i, c.name, c.typ.Physical()), Type: c.typ}
}

// kept is r.values, or what they are without.
func (r *relation) kept() []functions.Value {
	all := make([]functions.Value, len(r.columns))
	for i := range all {
		all[i] = r.value(i)
	}
	return all
}

// rowtime reports whether column i is the time of the watermark.
func (r *relation) rowtime(i int) bool { return r.node.Columns()[i].Rowtime }

// visible is the plan of the columns that a star has, under their names.
func (r *relation) visible() plan.Node {
	if !slices.ContainsFunc(r.columns, func(c column) bool { return c.kind != plainColumn }) {
		return r.node
	}
	p := &plan.Project{Input: r.node}
	for i, c := range r.columns {
		if c.kind == plainColumn {
			p.Exprs = append(p.Exprs, r.value(i).Expr)
			p.Cols = append(p.Cols, plan.Column{Name: c.name, Type: c.typ.Physical(), Rowtime: r.rowtime(i)})
		}
	}
	return p
}

// plain lists the columns of a star; with a table those of it alone.
func (r *relation) plain(table string) []int {
	var all []int
	for i, c := range r.columns {
		if c.kind == plainColumn && (table == "" || c.table == table) {
			all = append(all, i)
		}
	}
	return all
}

// called is r with its columns qualified by a name.
func (r *relation) called(name string) *relation {
	out := *r
	out.columns = slices.Clone(r.columns)
	for i := range out.columns {
		out.columns[i].table = name
	}
	return &out
}

// tables are the names that qualify columns.
func (r *relation) tables() []string {
	var all []string
	for _, c := range r.columns {
		if c.table != "" && !slices.Contains(all, c.table) {
			all = append(all, c.table)
		}
	}
	return all
}

// names lists the columns that can be named.
func (r *relation) names() []string {
	var all []string
	for _, c := range r.columns {
		if c.kind == plainColumn && !slices.Contains(all, c.name) {
			all = append(all, c.name)
		}
	}
	return all
}

// projection is a relation in the making, over another one.
type projection struct {
	input *relation
	node  *plan.Project
	out   relation
}

func project(input *relation) *projection {
	return &projection{input: input, node: &plan.Project{Input: input.node}, out: relation{stream: input.stream}}
}

// add adds a column. One that is the time of the watermark stays it.
func (p *projection) add(name, table string, v functions.Value, kind columnKind) {
	rowtime := false
	if i := p.input.timeOf(v.Expr); i >= 0 {
		v.Expr = expr.NewColumn(i, p.input.columns[i].name, v.Type.Physical())
		rowtime = true
	}
	p.node.Exprs = append(p.node.Exprs, v.Expr)
	p.node.Cols = append(p.node.Cols, plan.Column{Name: name, Type: v.Type.Physical(), Rowtime: rowtime, Hidden: kind != plainColumn})
	p.out.columns = append(p.out.columns, column{name: name, typ: v.Type, table: table, kind: kind})
}

// done is the relation, with the time of the watermark whether or not somebody has named it.
func (p *projection) done() *relation {
	if t := p.input.time; t != nil {
		carried := *t
		carried.column = p.carry()
		carried.expr = p.moved(t.expr)
		p.out.time = &carried
	}
	p.out.node = p.node
	return &p.out
}

// carry is the column with the time of the watermark, which is added if nobody has named it.
func (p *projection) carry() int {
	t := p.input.time
	i := slices.IndexFunc(p.node.Exprs, func(e expr.Expr) bool { c, ok := e.(*expr.Column); return ok && c.Index == t.column })
	if i < 0 {
		i = len(p.node.Exprs)
		p.add(p.input.columns[t.column].name, "", p.input.value(t.column), carriedColumn)
	}
	return i
}

// moved is an expression over the input as one over the result, nil if columns that it reads are not there as they were.
func (p *projection) moved(e expr.Expr) expr.Expr {
	if e == nil {
		return nil
	}
	to := map[int]int{}
	for i, x := range p.node.Exprs {
		if c, ok := x.(*expr.Column); ok {
			if _, first := to[c.Index]; !first {
				to[c.Index] = i
			}
		}
	}
	for _, c := range expr.Columns(e) {
		if _, there := to[c]; !there {
			return nil
		}
	}
	return expr.Map(e, func(e expr.Expr) expr.Expr {
		c, ok := e.(*expr.Column)
		if !ok {
			return e
		}
		return expr.NewColumn(to[c.Index], p.out.columns[to[c.Index]].name, c.Type())
	})
}

// timeOf is the column with the time of the watermark that e is, -1 if it is none: the column itself, or what WATERMARK computes it of.
func (r *relation) timeOf(e expr.Expr) int {
	if e == nil {
		return -1
	}
	if c, ok := e.(*expr.Column); ok && r.rowtime(c.Index) {
		return c.Index
	}
	if r.time != nil && r.time.expr != nil && expr.Equal(bare(e), bare(r.time.expr)) {
		return r.time.column
	}
	return -1
}
