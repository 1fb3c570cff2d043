package bind

import (
	"errors"
	"fmt"
	"maps"
	"slices"

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
			return nil, nil, b.unsupported(r.Span(), "leave it out if the query reads no columns of its neighbours; if it does, GROUP BY them and JOIN the result, or number its rows with ROW_NUMBER() OVER (PARTITION BY …)", "LATERAL is")
		}
		n, err := b.inner(r.Query)
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
	case *sql.MatchRecognize:
		return b.matchRecognize(r)
	case *sql.Join:
		if u, ok := r.Right.(*sql.Unnest); ok {
			return b.unnestJoin(r, u)
		}
		return b.join(r)
	case *sql.Unnest:
		return b.unnest(&plan.Values{Rows: make([][]*expr.Literal, 1)}, &scope{}, r, false)
	}
	panic(fmt.Sprintf("tidemark bug: FROM %T is not known", r))
}

// aliased renames the columns of n as its alias says.
func (b *Binder) aliased(n plan.Node, name string, alias *sql.Alias) (plan.Node, *scope, error) {
	if alias == nil {
		return n, scopeOf(n.Columns(), name), nil
	}
	if len(alias.Columns) == 0 {
		return n, scopeOf(n.Columns(), alias.Name.Name), nil
	}
	n, err := b.renamed(n, alias.Columns)
	if err != nil {
		return nil, nil, err
	}
	return n, scopeOf(n.Columns(), alias.Name.Name), nil
}

// renamed gives the columns of n other names.
func (b *Binder) renamed(n plan.Node, names []sql.Ident) (plan.Node, error) {
	cols := n.Columns()
	visible := 0
	for _, c := range cols {
		if !c.Hidden {
			visible++
		}
	}
	if len(names) != visible {
		return nil, b.errorf(source.CodeType, names[0].Span().To(names[len(names)-1].Span()), "name all columns or none", "%s for %s", counted(len(names), "name"), counted(visible, "column"))
	}
	p := &plan.Project{Input: n}
	s := scopeOf(cols, "")
	i := -1
	for k, c := range cols {
		if c.Hidden {
			p.Exprs = append(p.Exprs, s.column(k))
			p.Cols = append(p.Cols, c)
			continue
		}
		i++
		if slices.ContainsFunc(names[:i], func(before sql.Ident) bool { return before.Name == names[i].Name }) {
			return nil, b.errorf(source.CodeDuplicate, names[i].Span(), "rename one of them", "column '%s' is there twice", names[i].Name)
		}
		c.Name = names[i].Name
		p.Exprs = append(p.Exprs, s.column(k))
		p.Cols = append(p.Cols, c)
	}
	return p, nil
}

// tableName binds a name in FROM: a common table expression, a view or a table.
func (b *Binder) tableName(r *sql.TableName) (plan.Node, *scope, error) {
	if r.AsOf != nil {
		return nil, nil, b.noVersions(r.AsOf, r.Name.Last().Name)
	}
	n, err := b.named(r)
	if err != nil {
		return nil, nil, err
	}
	return b.aliased(n, r.Name.Last().Name, r.Alias)
}

func (b *Binder) named(r *sql.TableName) (plan.Node, error) {
	if len(r.Name.Parts) == 1 {
		for i := len(b.ctes) - 1; i >= 0; i-- {
			if c := b.ctes[i]; c.table.Name.Name == r.Name.Last().Name {
				*c.read = true
				if err := b.noHints(r.Hints, "a WITH query"); err != nil {
					return nil, err
				}
				return b.once(sharing{query: c.table}, c.table.Name.Name, r.Name.Span(), func() (plan.Node, error) { return b.commonTable(c) })
			}
		}
	}
	if n := b.relation(r); n != nil {
		return n, b.noHints(r.Hints, "a stream")
	}
	path, err := b.Path(r.Name)
	if err != nil {
		return nil, err
	}
	if path.Database == catalog.InformationSchema {
		return b.informationSchema(path, r)
	}
	if n, ok := b.System(path); ok {
		return n, b.noHints(r.Hints, "a system view")
	}
	found, ok, err := b.Find(path)
	if err != nil {
		return nil, err
	}
	if !ok {
		late, err := b.lateTable(path)
		if err != nil {
			return nil, err
		}
		if late == nil {
			return nil, b.noRelation(path, r.Name)
		}
		found = late
	}
	if v, ok := found.(*catalog.View); ok {
		if err := b.noHints(r.Hints, "a view"); err != nil {
			return nil, err
		}
		return b.once(sharing{view: v}, v.Name, r.Name.Span(), func() (plan.Node, error) { return b.Viewed(v, r.Name.Span()) })
	}
	t := b.use(found.(*catalog.Table), r.Name.Span())
	hints, err := b.hints(t, r.Hints)
	if err != nil {
		return nil, err
	}
	n, err := b.scanNamed(t, hints, r.Name.Span())
	if err != nil {
		return nil, err
	}
	if !ok {
		return n, b.lateScan(n, r.Name)
	}
	return b.normalized(n), nil
}

// use is a copy of t for the statement that names it. That its connector cannot do what the statement wants is the statement's fault.
func (b *Binder) use(t *catalog.Table, name source.Span) *catalog.Table {
	used := *t
	used.Options, used.Places = maps.Clone(t.Options), maps.Clone(t.Places)
	used.Places["connector"] = catalog.Place{Text: b.text, Span: name}
	return &used
}

func (b *Binder) commonTable(c commonTable) (plan.Node, error) {
	all := b.ctes
	b.ctes = b.ctes[:c.below:c.below]
	n, err := b.inner(c.table.Query)
	b.ctes = all
	if err != nil || len(c.table.Columns) == 0 {
		return n, err
	}
	return b.renamed(n, c.table.Columns)
}

// normalized gives rows of upserts their whole changes.
func (b *Binder) normalized(n *plan.Scan) plan.Node {
	if n.Changelog != connector.Upsert {
		return n
	}
	return &plan.Normalize{Input: n, Keys: n.Table.PrimaryKey, TTL: b.StateTTL()}
}

// scan reads all columns of a table; rules narrow it later. The options of t have those of the hints in them.
func (b *Binder) scan(t *catalog.Table, hints []plan.Level) (*plan.Scan, error) {
	if err := b.decided(t); err != nil {
		return nil, err
	}
	c, err := b.connector(t)
	if err != nil {
		return nil, err
	}
	stored, _ := t.Read()
	reader, err := c.NewSource(stored, t.Options)
	if err != nil {
		return nil, err
	}
	n := &plan.Scan{Table: t, Once: c.Once, Zone: b.session.Zone()}
	if c.Yields != nil {
		n.Changelog = c.Yields(stored, t.Options)
	}
	tick := int64(1000)
	for i, col := range t.Columns {
		n.Output = append(n.Output, i)
		c := plan.Column{Name: col.Name, Type: col.Type, Hidden: col.Hidden}
		if t.Watermark != nil && t.Watermark.Column == i {
			c.Rowtime = true
			tick = col.Type.Tick()
		}
		n.Cols = append(n.Cols, c)
	}
	if n.Changelog == connector.Upsert && len(t.PrimaryKey) == 0 {
		return nil, &connector.OptionError{Key: "connector", Message: "table '" + t.Path.Name + "' has rows that replace others, and no primary key that says which",
			Hint: "declare PRIMARY KEY (…) NOT ENFORCED"}
	}
	if t.Program != nil {
		level, err := plan.ProgramLevel(*t.Program)
		if err != nil {
			return nil, err
		}
		hints = append(slices.Clone(hints), level)
	}
	if n.Strategy, err = plan.ResolveStrategy(hints, t.Options, b.session, tick, reader.Bounded()); err != nil {
		return nil, err
	}
	if err := n.Strategy.Bind(t.Watermark); err != nil {
		return nil, err
	}
	if err := divided(n); err != nil {
		return nil, err
	}
	if n.Strategy.Captures {
		b.position(n, c)
	}
	return n, filtered(n)
}

// connectorNamed finds a connector, nil if there is none of that name.
func (b *Binder) connectorNamed(name string) *connector.Connector {
	for i := range b.connectors {
		if b.connectors[i].Name == name {
			return &b.connectors[i]
		}
	}
	return nil
}

// managed is the connector of tables that name none, nil if there is none.
func (b *Binder) managed() *connector.Connector {
	for i := range b.connectors {
		if b.connectors[i].Create != nil {
			return &b.connectors[i]
		}
	}
	return nil
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
	if c := b.connectorNamed(name); c != nil {
		specs := append([]connector.Spec{{Key: "connector", Doc: "what reads or writes the table"}}, plan.WatermarkOptions...)
		specs = append(specs, c.Specs...)
		err := connector.Check(name, t.Options, specs)
		e, ok := errors.AsType[*connector.OptionError](err)
		if !ok || connector.Known(e.Key, specs) {
			return c, err
		}
		hint := misplaced(e.Key, specs)
		switch {
		case hint != "":
			return c, &connector.OptionError{Key: e.Key, Message: e.Message, Hint: hint}
		case t.Places["connector"] == (catalog.Place{}):
			return c, &connector.OptionError{Key: e.Key, Message: "a managed table has no option '" + e.Key + "'", Hint: "no 'connector' was given, so this is a managed table: " + b.elsewhere(e)}
		}
		return c, err
	}
	return nil, &connector.OptionError{Key: "connector", Message: "there is no connector '" + name + "'",
		Hint: didYouMean(name, names, "the connectors are: "+join(names))}
}

// elsewhere is what to do about an option that managed tables have not: name a connector that has it, if there is one.
func (b *Binder) elsewhere(e *connector.OptionError) string {
	var names []string
	for _, c := range b.connectors {
		if connector.Known(e.Key, c.Specs) {
			names = append(names, "'"+c.Name+"'")
		}
	}
	if names == nil {
		return e.Hint
	}
	return "add 'connector' = '…'; the option is of " + join(names)
}

// TableError points an error of the connector of t, made outside of this package, at the option that it is about or at the table's name. An error
// that is about no option stays what it is.
func (b *Binder) TableError(err error, t *catalog.Table) error {
	if _, ok := errors.AsType[*connector.OptionError](err); !ok {
		return err
	}
	return b.tableError(err, t)
}

// tableError points an error about an option at the place that has it, or at the table's name.
func (b *Binder) tableError(err error, t *catalog.Table) error {
	var option *connector.OptionError
	if !errors.As(err, &option) {
		return b.place(err, t.At.Span)
	}
	at, ok := t.Places[option.Key]
	if !ok {
		at = t.At
	}
	message, hint := option.Message, option.Hint
	if at.Hint == paramsHint {
		message, hint = inParams(message), inParams(hint)
	}
	return &source.Error{Code: source.CodeOption, Span: at.Span, Message: message, Hint: hint, Text: at.Text}
}
