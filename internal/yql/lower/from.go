package lower

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/yql"
	"github.com/tidemark-sql/tidemark/internal/yql/functions"
)

// from lowers what stands in FROM.
func (l *Lowerer) from(r yql.TableRef) (*relation, error) {
	switch r := r.(type) {
	case *yql.TableName:
		return l.tableName(r)
	case *yql.NamedTable:
		return l.namedTable(r)
	case *yql.Derived:
		if len(r.Options) > 0 {
			return nil, l.noOptions(r.Options[0], "a query")
		}
		rows, err := l.query(r.Query)
		if err != nil {
			return nil, err
		}
		return l.aliased(rows, "", r.Alias, r.Columns)
	case *yql.Flatten:
		return l.flatten(r)
	case *yql.Join:
		return l.join(r)
	case *yql.TableFunction:
		return l.tableFunction(r)
	}
	panic(fmt.Sprintf("tidemark bug: FROM %T is not known", r))
}

// noOptions refuses WITH behind what is no topic.
func (l *Lowerer) noOptions(o yql.TableOption, behind string) error {
	return l.unsupported(o.Span(), "put it behind the topic, in the SELECT that reads it", "WITH (%s …) behind %s is", strings.ToUpper(o.Key.Name), behind)
}

// aliased gives rows the name of their alias.
func (l *Lowerer) aliased(r *relation, otherwise string, alias *yql.Ident, columns []yql.Ident) (*relation, error) {
	if len(columns) > 0 {
		return nil, l.unsupported(columns[0].Span(), "name the columns in a query: SELECT a AS b", "a list of columns behind an alias is")
	}
	if alias != nil {
		otherwise = alias.Name
	}
	return r.called(otherwise), nil
}

// namedTable reads a named query.
func (l *Lowerer) namedTable(r *yql.NamedTable) (*relation, error) {
	n, err := l.named(r.Ref, l.names)
	if err != nil {
		return nil, err
	}
	switch {
	case len(r.Args) > 0:
		return nil, l.unsupported(r.Span(), "write the query itself, or $x = SELECT …;", "a lambda in FROM is")
	case n.rows == nil:
		return nil, l.errorf(source.CodeType, r.Span(), "select a value: SELECT $"+n.of+" AS x", "$%s is %s, and no query", n.of, describe(n.value))
	case len(r.Options) > 0:
		return nil, l.noOptions(r.Options[0], "a named query")
	}
	return l.aliased(n.rows, "$"+n.of, r.Alias, r.Columns)
}

// tableFunction refuses the functions of FROM.
func (l *Lowerer) tableFunction(r *yql.TableFunction) (*relation, error) {
	name := l.text.Slice(r.Call.Callee.Span())
	return nil, l.unsupported(r.Span(), "read a topic or a table; a list in a column is FLATTEN LIST BY", "%s in FROM is", name)
}

// path is where a name is looked for: in the current database, or in the one that stands in front of it.
func (l *Lowerer) path(n yql.Name) (catalog.Path, error) {
	path, err := l.tables.Path(sqlName(n))
	var fault *source.Error
	if n.Source != nil && errors.As(err, &fault) && fault.Span == n.Source.Span() {
		// YDB reads topics by way of an external data source.
		return path, l.errorf(fault.Code, fault.Span, "write "+l.text.Slice(n.Path.Span())+" alone; a topic elsewhere is a table of Flink SQL with a connector", "there is no data source or database '%s'", n.Source.Name)
	}
	return path, err
}

func sqlName(n yql.Name) sql.Name {
	var parts []sql.Ident
	if n.Source != nil {
		parts = append(parts, sql.Ident{Located: sql.Located{At: n.Source.Span()}, Name: n.Source.Name})
	}
	parts = append(parts, sql.Ident{Located: sql.Located{At: n.Path.Span()}, Name: n.Path.Name})
	return sql.Name{Parts: parts}
}

// relation finds a table or a view, or a topic that nobody has declared.
func (l *Lowerer) relation(n yql.Name) (r catalog.Relation, declared bool, err error) {
	path, err := l.path(n)
	if err != nil {
		return nil, false, err
	}
	r, ok, err := l.tables.Topic(path)
	if err != nil || ok {
		_, here := l.session.Find(path)
		return r, here, err
	}
	names, err := l.tables.Names(catalog.Current{Catalog: path.Catalog, Database: path.Database})
	if err != nil {
		return nil, false, err
	}
	var known []string
	for x := l.names; x != nil; x = x.before {
		if x.of == n.Path.Name {
			return nil, false, l.errorf(source.CodeUnknownTable, n.Span(), "write $"+x.of, "unknown table '%s'; there is a named expression of that name", n.Text())
		}
		known = append(known, "$"+x.of)
	}
	hint := "make it first: CREATE TOPIC " + l.text.Slice(n.Span()) + "; or CREATE TABLE, in YQL or in SQL"
	if slash := strings.LastIndexByte(n.Path.Name, '/'); slash >= 0 {
		// YDB keeps topics in folders, so people write their paths.
		hint = "topics here are in no folders: write '" + n.Path.Name[slash+1:] + "', and make it first if it is not there"
	}
	return nil, false, l.errorf(source.CodeUnknownTable, n.Span(), didYouMean(n.Text(), append(names, known...), hint), "there is no topic or table '%s'", n.Text())
}

// tableName reads a topic, a table or a view.
func (l *Lowerer) tableName(r *yql.TableName) (*relation, error) {
	if r.View != nil {
		return nil, l.unsupported(r.View.Span(), "leave it out: there are no indexes", "VIEW %s is", r.View.Name)
	}
	if n := l.tables.Given(r.Name.Path.Name); n != nil && r.Name.Source == nil {
		if len(r.Options) > 0 {
			return nil, l.noOptions(r.Options[0], "a stream")
		}
		rows, err := l.made(n, r.Name.Span())
		if err != nil {
			return nil, err
		}
		return l.aliased(rows, r.Name.Path.Name, r.Alias, r.Columns)
	}
	path, err := l.path(r.Name)
	if err != nil {
		return nil, err
	}
	if n, ok := l.tables.System(path); ok {
		if len(r.Options) > 0 {
			return nil, l.noOptions(r.Options[0], "a system view")
		}
		rows, err := l.made(n, r.Name.Span())
		if err != nil {
			return nil, err
		}
		return l.aliased(rows, r.Name.Path.Name, r.Alias, r.Columns)
	}
	found, declared, err := l.relation(r.Name)
	if err != nil {
		return nil, err
	}
	var rows *relation
	switch found := found.(type) {
	case *catalog.View:
		if len(r.Options) > 0 {
			return nil, l.noOptions(r.Options[0], "a view")
		}
		rows, err = l.view(found, r.Name.Span())
	case *catalog.Table:
		rows, err = l.table(found, declared, r)
	}
	if err != nil {
		return nil, err
	}
	return l.aliased(rows, r.Name.Path.Name, r.Alias, r.Columns)
}

// view reads a view of Flink SQL.
func (l *Lowerer) view(v *catalog.View, at source.Span) (*relation, error) {
	n, err := l.tables.Viewed(v, at)
	if err != nil {
		return nil, err
	}
	if l.streaming != nil && l.streaming.StartAsked {
		for _, s := range plan.Scans(n) {
			if !s.Strategy.Bounded && l.begins(s.Table) {
				return nil, l.unsupported(at, "read "+s.Table.Path.Name+" itself, or leave READ_FROM out and say where reading begins in WITH of "+s.Table.Path.Name, "READ_FROM of a query that reads the view '%s' is", v.Path.Name)
			}
		}
	}
	return l.made(n, at)
}

// made is rows that another language has made.
func (l *Lowerer) made(n plan.Node, at source.Span) (*relation, error) {
	r := &relation{node: n, stream: streams(n)}
	l.reads = true
	for i, c := range n.Columns() {
		if err := r.given(l, i, c, at); err != nil {
			return nil, err
		}
		if c.Rowtime && r.time == nil {
			r.time = &eventTime{column: i}
		}
	}
	return r, nil
}

// streams reports whether the rows of n have no end.
func streams(n plan.Node) bool {
	return slices.ContainsFunc(plan.Scans(n), func(s *plan.Scan) bool { return !s.Strategy.Bounded })
}

// given adds column i of the node of r, which another language has made.
func (r *relation) given(l *Lowerer, i int, c plan.Column, at source.Span) error {
	v, err := columnValue(i, c)
	if err != nil {
		return l.place(err, at)
	}
	kind := plainColumn
	if c.Hidden {
		kind = systemColumn
	}
	r.values = append(r.values, v)
	r.columns = append(r.columns, column{name: c.Name, typ: v.Type, kind: kind})
	return nil
}

// columnValue is a column that another language has made, in the type that it has in YQL. The time of a watermark stays a column whatever its precision, as all
// times are held in one way.
func columnValue(i int, c plan.Column) (functions.Value, error) {
	if c.Rowtime {
		return functions.Value{Expr: timeColumn(i, c), Type: timeType(c.Type)}, nil
	}
	return functions.Column(newColumn(i, c.Name, c.Type))
}

// noTable is the hint for a qualifier that nothing in FROM has.
func (l *Lowerer) noTable(name string, rows *relation) string {
	tables := rows.tables()
	otherwise := "FROM has no name here; give it one with AS"
	if len(tables) > 0 {
		otherwise = "it is called '" + strings.Join(tables, "', '") + "' here"
	}
	return didYouMean(name, tables, otherwise)
}
