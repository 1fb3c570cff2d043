package bind

import (
	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// from binds the FROM clause of q. Without one the query has a single row without columns.
func (b *Binder) from(q *sql.Select) (plan.Node, *scope, error) {
	if q.From == nil {
		return &plan.Values{Rows: make([][]*expr.Literal, 1)}, &scope{}, nil
	}
	return b.tableRef(q.From)
}

func (b *Binder) tableRef(r sql.TableRef) (plan.Node, *scope, error) {
	switch r := r.(type) {
	case *sql.TableName:
		return b.tableName(r)
	case *sql.Derived:
		if r.Lateral {
			return nil, nil, b.unsupported(r.Span(), "leave LATERAL out if the query names no column of the others", "LATERAL is")
		}
		n, err := b.query(r.Query)
		if err != nil {
			return nil, nil, err
		}
		return b.aliased(n, "", r.Alias)
	case *sql.TableFunction:
		n, err := b.windowFunction(r)
		if err != nil {
			return nil, nil, err
		}
		return b.aliased(n, "", r.Alias)
	case *sql.Join:
		return nil, nil, b.unsupported(r.Span(), "read one table, or join with UNION ALL what has the same columns", "a join is")
	case *sql.Unnest:
		return nil, nil, b.unsupported(r.Span(), "there are no arrays yet", "UNNEST is")
	}
	return nil, nil, b.unsupported(r.Span(), "name a table or a query", "this in FROM is")
}

// aliased renames the columns of n as its alias says.
func (b *Binder) aliased(n plan.Node, name string, alias *sql.Alias) (plan.Node, *scope, error) {
	if alias == nil {
		return n, scopeOf(n.Columns(), name), nil
	}
	if len(alias.Columns) == 0 {
		return n, scopeOf(n.Columns(), alias.Name.Name), nil
	}
	n, err := b.renamed(n, identNames(alias.Columns), alias.Span())
	if err != nil {
		return nil, nil, err
	}
	return n, scopeOf(n.Columns(), alias.Name.Name), nil
}

func identNames(list []sql.Ident) []string {
	names := make([]string, len(list))
	for i, id := range list {
		names[i] = id.Name
	}
	return names
}

// renamed gives the columns of n other names.
func (b *Binder) renamed(n plan.Node, names []string, at source.Span) (plan.Node, error) {
	cols := n.Columns()
	if len(names) != len(cols) {
		return nil, b.errorf(codeType, at, "name all columns or none", "%d names for %d columns", len(names), len(cols))
	}
	p := &plan.Project{Input: n}
	s := scopeOf(cols, "")
	for i, c := range cols {
		c.Name = names[i]
		p.Exprs = append(p.Exprs, s.column(i))
		p.Cols = append(p.Cols, c)
	}
	return p, nil
}

// tableName binds a name in FROM: a common table expression, a view or a table.
func (b *Binder) tableName(r *sql.TableName) (plan.Node, *scope, error) {
	if r.AsOf != nil {
		return nil, nil, b.unsupported(r.AsOf.Span(), "there are no versioned tables yet", "FOR SYSTEM_TIME AS OF is")
	}
	name := r.Name.Last().Name
	if len(r.Name.Parts) > 1 {
		return nil, nil, b.unsupported(r.Name.Span(), "there is one database; write '"+name+"'", "a qualified table name is")
	}
	n, err := b.named(name, r)
	if err != nil {
		return nil, nil, err
	}
	return b.aliased(n, name, r.Alias)
}

func (b *Binder) named(name string, r *sql.TableName) (plan.Node, error) {
	for i := len(b.ctes) - 1; i >= 0; i-- {
		if c := b.ctes[i]; c.table.Name.Name == name {
			return b.commonTable(c, r)
		}
	}
	if v, ok := b.session.View(name); ok {
		return b.view(v, r)
	}
	t, ok := b.session.Table(name)
	if !ok {
		names := b.session.Names()
		for _, c := range b.ctes {
			names = append(names, c.table.Name.Name)
		}
		return nil, b.errorf(codeUnknownTable, r.Name.Span(), didYouMean(name, names, "CREATE TABLE "+name+" … first"), "unknown table '%s'", name)
	}
	hint, spans, err := b.hints(r.Hints)
	if err != nil {
		return nil, err
	}
	n, err := b.scan(t, hint)
	if err != nil {
		return nil, b.tableError(err, t, spans, r.Name.Span())
	}
	return n, nil
}

func (b *Binder) commonTable(c commonTable, r *sql.TableName) (plan.Node, error) {
	if err := b.noHints(r); err != nil {
		return nil, err
	}
	all := b.ctes
	b.ctes = b.ctes[:c.below:c.below]
	n, err := b.query(c.table.Query)
	b.ctes = all
	if err != nil || len(c.table.Columns) == 0 {
		return n, err
	}
	return b.renamed(n, identNames(c.table.Columns), c.table.Span())
}

func (b *Binder) view(v *catalog.View, r *sql.TableName) (plan.Node, error) {
	if err := b.noHints(r); err != nil {
		return nil, err
	}
	inner := New(b.session, b.connectors, v.Text)
	n, err := inner.query(v.Query)
	if err != nil || v.Columns == nil {
		return n, err
	}
	return inner.renamed(n, v.Columns, v.Query.Span())
}

func (b *Binder) noHints(r *sql.TableName) error {
	if len(r.Hints) == 0 {
		return nil
	}
	return b.unsupported(r.Hints[0].Span(), "put the hint where the table is read", "a hint on a view or a WITH query is")
}

// hints reads OPTIONS hints. Flink 2.3: later ones of the same table add to the first.
func (b *Binder) hints(list []sql.Hint) (connector.Options, map[string]source.Span, error) {
	options, spans := connector.Options{}, map[string]source.Span{}
	for _, h := range list {
		if upperASCII(h.Name.Name) != "OPTIONS" {
			return nil, nil, b.unsupported(h.Span(), "OPTIONS('key' = 'value') is the hint there is", "hint %s is", h.Name.Name)
		}
		for _, o := range h.Options {
			if _, twice := options[o.Key.Value]; !twice {
				options[o.Key.Value], spans[o.Key.Value] = o.Value.Value, o.Span()
			}
		}
	}
	return options, spans, nil
}

// scan reads all columns of a table; rules narrow it later.
func (b *Binder) scan(t *catalog.Table, hint connector.Options) (*plan.Scan, error) {
	merged := *t
	merged.Options = connector.Options{}
	for k, v := range t.Options {
		merged.Options[k] = v
	}
	for k, v := range hint {
		merged.Options[k] = v
	}
	c, err := b.connector(&merged)
	if err != nil {
		return nil, err
	}
	schema, _ := merged.Physical()
	reader, err := c.NewSource(connector.Table{Name: t.Name, Schema: schema}, merged.Options)
	if err != nil {
		return nil, err
	}
	n := &plan.Scan{Table: &merged, Zone: b.session.Zone()}
	tick := int64(1000)
	for i, col := range t.Columns {
		n.Output = append(n.Output, i)
		c := plan.Column{Name: col.Name, Type: col.Type}
		if t.Watermark != nil && t.Watermark.Column == i {
			c.Rowtime = true
			tick = col.Type.Tick()
		}
		n.Cols = append(n.Cols, c)
	}
	n.Strategy, err = plan.ResolveStrategy(hint, t.Options, b.session, tick, reader.Bounded())
	return n, err
}

// connector finds the connector of a table and checks the table's options.
func (b *Binder) connector(t *catalog.Table) (*connector.Connector, error) {
	name, ok := t.Options["connector"]
	names := make([]string, len(b.connectors))
	for i, c := range b.connectors {
		names[i] = c.Name
	}
	if !ok {
		return nil, &connector.OptionError{Key: "connector", Message: "table '" + t.Name + "' has no 'connector'",
			Hint: "add WITH ('connector' = '…'); the connectors are: " + join(names)}
	}
	for i := range b.connectors {
		c := &b.connectors[i]
		if c.Name != name {
			continue
		}
		specs := append([]connector.Spec{{Key: "connector", Doc: "what reads or writes the table"}}, plan.WatermarkOptions...)
		return c, connector.Check(name, t.Options, append(specs, c.Specs...))
	}
	return nil, &connector.OptionError{Key: "connector", Message: "there is no connector '" + name + "'",
		Hint: didYouMean(name, names, "the connectors are: "+join(names))}
}

// tableError points an error about an option at the hint or the WITH clause that has it.
func (b *Binder) tableError(err error, t *catalog.Table, hints map[string]source.Span, at source.Span) error {
	option := optionError(err)
	if option == nil {
		return b.place(err, at)
	}
	if span, ok := hints[option.Key]; ok {
		return b.place(option, span)
	}
	there := New(b.session, b.connectors, t.Text)
	if span, ok := t.Spans[option.Key]; ok {
		return there.place(option, span)
	}
	return there.place(option, t.At)
}
