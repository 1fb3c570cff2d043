// Package engine executes statements: it keeps a session, applies DDL to it, and turns queries into jobs. The command line, the library and
// the script rig all stand on it.
package engine

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/compile"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/plan/bind"
	"github.com/tidemark-sql/tidemark/internal/plan/rewrite"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// Options make an Engine.
type Options struct {
	// Connectors are the values that 'connector' can have.
	Connectors []connector.Connector
	// Stdout and Stderr are where sinks for people write.
	Stdout, Stderr io.Writer
}

// Engine is a session. It belongs to one goroutine.
type Engine struct {
	options Options
	session *catalog.Session
}

// New makes an engine with an empty session.
func New(o Options) *Engine { return &Engine{o, catalog.NewSession()} }

// Result is what a statement gives.
type Result struct {
	// Text is what EXPLAIN and SHOW print.
	Text string
	// Query is what SELECT and INSERT run; nil for the others.
	Query *Query
}

// Query is a statement that reads tables, ready to start any number of times.
type Query struct {
	// Plan is what runs, Bound what was written, before any rewrite.
	Plan  *plan.Statement
	Bound plan.Node

	engine *Engine
	zone   *time.Location
	// parallelism is what was SET, 0 if nothing was.
	parallelism int
	text        source.Text
	at          source.Span
}

// Execute runs one statement of a text: DDL and SET take effect at once, a query is only made ready. Errors of the user are *source.Error.
func (e *Engine) Execute(text source.Text, stmt sql.Statement) (*Result, error) {
	b := bind.New(e.session, e.options.Connectors, text)
	switch s := stmt.(type) {
	case *sql.CreateTable:
		return &Result{}, e.createTable(b, text, s)
	case *sql.CreateView:
		return &Result{}, e.createView(b, text, s)
	case *sql.Drop:
		return &Result{}, e.drop(text, s)
	case *sql.Set:
		return e.set(text, s)
	case *sql.Reset:
		return &Result{}, e.reset(text, s)
	case *sql.QueryStatement:
		p, err := b.Query(s.Query)
		return e.query(text, s.Span(), p, err)
	case *sql.Insert:
		p, err := b.Insert(s)
		return e.query(text, s.Span(), p, err)
	case *sql.Explain:
		return e.explain(text, s)
	case *sql.Show:
		return e.show(text, s)
	}
	return nil, unsupported(text, stmt.Span(), kindOf(stmt), "there are CREATE TABLE, CREATE VIEW, DROP, SET, RESET, SELECT, INSERT INTO, EXPLAIN and SHOW TABLES, VIEWS, FUNCTIONS")
}

// kindOf names a statement that is not there yet by its first words.
func kindOf(stmt sql.Statement) string {
	switch stmt.(type) {
	case *sql.AlterTable:
		return "ALTER TABLE"
	case *sql.CreateDatabase:
		return "CREATE DATABASE"
	case *sql.CreateCatalog:
		return "CREATE CATALOG"
	case *sql.StatementSet:
		return "EXECUTE STATEMENT SET"
	case *sql.Describe:
		return "DESCRIBE"
	case *sql.Use:
		return "USE"
	}
	panic(fmt.Sprintf("tidemark bug: statement %T is not known", stmt))
}

func unsupported(text source.Text, at source.Span, what, hint string) error {
	return &source.Error{Code: "unsupported", Span: at, Message: what + " is not supported", Hint: hint, Text: text}
}

func (e *Engine) exists(text source.Text, name sql.Name) error {
	return &source.Error{Code: "duplicate-name", Span: name.Span(), Message: fmt.Sprintf("'%s' is there already", name.Last().Name),
		Hint: "DROP it first, or write IF NOT EXISTS", Text: text}
}

func (e *Engine) createTable(b *bind.Binder, text source.Text, s *sql.CreateTable) error {
	t, err := b.Table(s)
	if err != nil {
		return err
	}
	if e.session.Has(t.Name) {
		if s.IfNotExists {
			return nil
		}
		return e.exists(text, s.Name)
	}
	e.session.AddTable(t)
	return nil
}

func (e *Engine) createView(b *bind.Binder, text source.Text, s *sql.CreateView) error {
	v, err := b.View(s)
	if err != nil {
		return err
	}
	if e.session.Has(v.Name) {
		if s.IfNotExists {
			return nil
		}
		return e.exists(text, s.Name)
	}
	e.session.AddView(v)
	return nil
}

func (e *Engine) drop(text source.Text, s *sql.Drop) error {
	name := s.Name.Last().Name
	if len(s.Name.Parts) > 1 {
		return unsupported(text, s.Name.Span(), "a qualified name", "there is one database; write '"+name+"'")
	}
	dropped := false
	other := sql.ViewObject
	switch s.Kind {
	case sql.TableObject:
		dropped = e.session.DropTable(name)
	case sql.ViewObject:
		dropped = e.session.DropView(name)
		other = sql.TableObject
	default:
		return unsupported(text, s.Span(), "DROP "+string(s.Kind), "there is one catalog with one database; DROP TABLE and DROP VIEW work in it")
	}
	if dropped || s.IfExists {
		return nil
	}
	kind := strings.ToLower(string(s.Kind))
	if e.session.Has(name) {
		return &source.Error{Code: "unknown-table", Span: s.Name.Span(), Message: fmt.Sprintf("'%s' is a %s and no %s", name, strings.ToLower(string(other)), kind),
			Hint: fmt.Sprintf("write DROP %s %s", other, name), Text: text}
	}
	hint := fmt.Sprintf("write DROP %s IF EXISTS if that is fine", s.Kind)
	if near := source.Nearest(name, e.session.Names()); near != "" {
		hint = fmt.Sprintf("did you mean '%s'?", near)
	}
	return &source.Error{Code: "unknown-table", Span: s.Name.Span(), Message: fmt.Sprintf("there is no %s '%s'", kind, name), Hint: hint, Text: text}
}

func (e *Engine) set(text source.Text, s *sql.Set) (*Result, error) {
	if s.Option == nil {
		return &Result{Text: e.settings()}, nil
	}
	err := e.session.Set(s.Option.Key.Value, s.Option.Value.Value)
	return &Result{}, settingError(text, err, s.Option.Key.Span(), s.Option.Value.Span())
}

// settings lists every setting with its value, where that comes from, and what it means.
func (e *Engine) settings() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, k := range catalog.KnownSettings {
		if k.Alias != "" {
			continue
		}
		value, origin := e.session.Value(k.Key)
		if value == "" {
			value, origin = "unset", ""
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", k.Key, value, origin, k.Doc)
	}
	_ = w.Flush() // a strings.Builder takes everything
	return b.String()
}

func (e *Engine) reset(text source.Text, s *sql.Reset) error {
	if s.Key == nil {
		return e.session.Reset("")
	}
	return settingError(text, e.session.Reset(s.Key.Value), s.Key.Span(), s.Key.Span())
}

func settingError(text source.Text, err error, key, value source.Span) error {
	var setting *catalog.SettingError
	if !errors.As(err, &setting) {
		return err
	}
	at := value
	if setting.OfKey {
		at = key
	}
	return &source.Error{Code: "setting", Span: at, Message: setting.Message, Hint: setting.Hint, Text: text}
}

func (e *Engine) query(text source.Text, at source.Span, p *plan.Statement, err error) (*Result, error) {
	if err != nil {
		return nil, err
	}
	return &Result{Query: &Query{Bound: p.Root, Plan: &plan.Statement{Root: rewrite.Plan(p.Root), Into: p.Into}, engine: e,
		zone: e.session.Zone(), parallelism: e.session.Parallelism(), text: text, at: at}}, nil
}

func (e *Engine) explain(text source.Text, s *sql.Explain) (*Result, error) {
	for _, d := range s.Details {
		if d != sql.ExplainChangelog && d != sql.ExplainAdvice {
			return nil, unsupported(text, s.Span(), "EXPLAIN "+string(d), "write EXPLAIN and the statement")
		}
	}
	r, err := e.Execute(text, s.Statement)
	if err != nil {
		return nil, err
	}
	if r.Query == nil {
		return nil, unsupported(text, s.Statement.Span(), "EXPLAIN of this statement", "explain a SELECT or an INSERT")
	}
	return &Result{Text: plan.Explain(r.Query.Plan)}, nil
}

func (e *Engine) show(text source.Text, s *sql.Show) (*Result, error) {
	var names []string
	switch s.What {
	case sql.ShowTables, sql.ShowViews:
		for _, n := range e.session.Names() {
			if _, isView := e.session.View(n); s.What == sql.ShowTables || isView {
				names = append(names, n)
			}
		}
	case sql.ShowFunctions:
		names = append(function.ScalarNames(), function.AggregateNames()...)
	default:
		return nil, unsupported(text, s.Span(), "SHOW "+string(s.What), "there are SHOW TABLES, VIEWS and FUNCTIONS")
	}
	if s.Like != nil {
		return nil, unsupported(text, s.Like.Span(), "LIKE in SHOW", "leave it out")
	}
	if len(names) == 0 {
		return &Result{}, nil
	}
	return &Result{Text: strings.Join(names, "\n") + "\n"}, nil
}

// Schema is the row type of the query.
func (q *Query) Schema() types.Schema { return q.Plan.Schema() }

// Into is the table that the query writes to, "" if its rows go to the user.
func (q *Query) Into() string {
	if q.Plan.Into == nil {
		return ""
	}
	return q.Plan.Into.Name
}

// Explain describes the query.
func (q *Query) Explain() string { return plan.Explain(q.Plan) }

// Start makes a job whose rows go to sink, or into the table of an INSERT if sink is nil. The job is ready, not running.
func (q *Query) Start(sink connector.Sink, parallelism int, o runtime.Options) (*runtime.Job, error) {
	if sink == nil {
		t := q.Plan.Into
		schema, _ := t.Physical()
		var err error
		sink, err = q.connector(t).NewSink(connector.Table{Name: t.Name, Schema: schema, Stdout: q.engine.options.Stdout, Stderr: q.engine.options.Stderr}, t.Options)
		if err != nil {
			return nil, err
		}
	}
	graph, err := compile.Graph(q.Plan.Root, sink, compile.Options{Parallelism: parallelism, Zone: q.zone, Open: q.open})
	if err != nil {
		return nil, err
	}
	return runtime.New(graph, o)
}

func (q *Query) open(s *plan.Scan, needed []int) (connector.Source, error) {
	schema, _ := s.Table.Physical()
	reader, err := q.connector(s.Table).NewSource(connector.Table{Name: s.Table.Name, Schema: schema, Needed: needed}, s.Table.Options)
	if err != nil {
		return nil, q.locate(err, s.Table)
	}
	return located{reader, func(err error) error { return q.locate(err, s.Table) }}, nil
}

// located is a source that points errors about its table's options, which show only when it is opened, at those options.
type located struct {
	connector.Source
	locate func(error) error
}

// Open implements connector.Source.
func (l located) Open() ([]connector.Split, error) {
	splits, err := l.Source.Open()
	return splits, l.locate(err)
}

// Size implements connector.Sized.
func (l located) Size() int64 {
	if s, ok := l.Source.(connector.Sized); ok {
		return s.Size()
	}
	return 0
}

func (q *Query) connector(t *catalog.Table) *connector.Connector {
	for i := range q.engine.options.Connectors {
		if c := &q.engine.options.Connectors[i]; c.Name == t.Options["connector"] {
			return c
		}
	}
	panic("tidemark bug: the connector of table " + t.Name + " was not checked")
}

// locate points an error about an option of table t at that option.
func (q *Query) locate(err error, t *catalog.Table) error {
	var option *connector.OptionError
	if !errors.As(err, &option) {
		return err
	}
	at, ok := t.Places[option.Key]
	if !ok {
		at = catalog.Place{Text: q.text, Span: q.at}
	}
	return &source.Error{Code: "option", Span: at.Span, Message: option.Message, Hint: option.Hint, Text: at.Text}
}

// Parallelism is what was SET when the query was made ready, or fallback.
func (q *Query) Parallelism(fallback int) int {
	if q.parallelism > 0 {
		return q.parallelism
	}
	return fallback
}

// Names lists the tables and views of the session in alphabetical order.
func (e *Engine) Names() []string { return e.session.Names() }
