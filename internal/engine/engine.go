// Package engine executes statements: it keeps a session, applies DDL to it, and turns queries into jobs. The command line, the library and
// the script rig all stand on it.
//
// Start at Execute. What can be started is in query.go; ddl.go and alter.go change what there is, show.go and describe.go tell of it.
package engine

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/flowspec"
	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/plan/bind"
	"github.com/tidemark-sql/tidemark/internal/process"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// Options make an Engine.
type Options struct {
	// Connectors are the values that 'connector' can have.
	Connectors []connector.Connector
	// Stdout and Stderr are where sinks for people write.
	Stdout, Stderr io.Writer
	// Stdin is what tables with 'connector' = 'stdin' read; nil if there is none.
	Stdin io.Reader
	// Now is the wall clock, in microseconds since the epoch; nil if nothing may depend on it.
	Now func() int64
	// Standing tells of the standing queries that whoever has the engine runs; nil if a query runs to its end in the text that makes it.
	Standing func() []StandingState
	// Memory is the limit of the memory for the state of a statement, unless one is SET.
	Memory plan.Memory
	// Functions are the code of pipelines by name, nil if the program has none.
	Functions process.Makers
	// FunctionsElsewhere says that pipelines may have code of another program: they are made ready, and cannot start.
	FunctionsElsewhere bool
}

// Engine is a session. It belongs to one goroutine.
type Engine struct {
	options Options
	session *catalog.Session
	stdin   *connector.Input
	// language is that of texts which was SET.
	language language.Language
	// defined is kept while no statement redefines it; nil for nothing.
	defined *defined
}

// New makes an engine with an empty session.
func New(o Options) *Engine {
	e := &Engine{options: o, session: catalog.NewSession(), stdin: connector.NewInput(o.Stdin)}
	e.addStandingView()
	return e
}

// Fork makes a session over the same catalogs, in which nothing is SET yet. Like one session they belong to one goroutine at a time together.
func (e *Engine) Fork() *Engine {
	return &Engine{options: e.options, session: e.session.Fork(), stdin: e.stdin}
}

// Apart makes a session over a copy of the catalogs, in which nothing is SET yet. It belongs to another goroutine, if that is wanted: what it declares nobody else sees, and nothing is made, changed or removed outside.
func (e *Engine) Apart() *Engine {
	o := e.options
	o.Connectors = slices.Clone(o.Connectors)
	for i := range o.Connectors {
		c := &o.Connectors[i]
		if c.Create != nil {
			c.Create = func(connector.Table, connector.Options) (bool, error) { return false, nil }
		}
		if c.Drop != nil {
			c.Drop = func(connector.Table, connector.Options) error { return nil }
		}
		c.Alter = nil
	}
	return &Engine{options: o, session: e.session.Copy(), stdin: e.stdin}
}

// Identify gives the catalog that every session begins with an id in this one, by which all sessions over the same catalogs find it too.
func (e *Engine) Identify(id string) { e.session.Identify(id) }

// Set is SET in the session. The error is a *catalog.SettingError.
func (e *Engine) Set(key, value string) error {
	e.defined = nil
	return e.session.Set(key, value)
}

// Result is what a statement gives; DDL gives nothing.
type Result struct {
	// Text is what EXPLAIN prints.
	Text string
	// Notes are sentences for who runs the statement, without their ends; none for most.
	Notes []string
	// Placed are those of Notes that are about a place of the text; their code is CodeNote.
	Placed []*source.Error
	// Rows are what SHOW, DESCRIBE and SET alone list; nil for the others.
	Rows *Rows
	// Query is what SELECT, INSERT, CREATE TABLE … AS and a statement set run, and a standing query that is to begin; nil for the others.
	Query *Query
	// Standing is what has become of a standing query; nil for what is about none.
	Standing *Standing
}

// Execute runs one statement of a text: DDL and SET take effect at once, a query is only made ready. Errors of the user are *source.Error. Once ctx has ended nothing is planned
// any more; the error is that of ctx then, and what the statement declares is not there.
func (e *Engine) Execute(ctx context.Context, text source.Text, stmt language.Statement) (r *Result, err error) {
	defer unlessEnded(ctx, &r, &err)
	if redefines(stmt) {
		e.defined = nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	x := e.execution(ctx, text)
	if r, ok, err := x.query(stmt); ok || err != nil {
		if err == nil && r.Query != nil {
			if err = x.makeAll(r.Query.keeps); err == nil {
				err = x.fill(r.Query)
			}
		}
		if err != nil {
			return nil, err
		}
		return r, nil
	}
	switch s := stmt.(type) {
	case *language.YQLStatement:
		return x.yql(s)
	case *flowspec.Pipeline:
		return e.Pipeline(ctx, s)
	case *sql.CreateTable:
		return &Result{}, x.createTable(s)
	case *sql.CreateView:
		return &Result{}, x.createView(s)
	case *sql.CreateDatabase:
		return &Result{}, x.createDatabase(s)
	case *sql.CreateCatalog:
		return &Result{}, x.createCatalog(s)
	case *sql.Drop:
		return &Result{}, x.drop(s)
	case *sql.AlterTable:
		return &Result{}, x.alterTable(s)
	case *sql.AlterView:
		return &Result{}, x.alterView(s)
	case *sql.Use:
		return &Result{}, x.use(s)
	case *sql.Set:
		return x.set(s)
	case *sql.Reset:
		return &Result{}, x.reset(s)
	case *sql.Explain:
		return x.explain(s)
	case *sql.Show:
		return x.show(s)
	case *sql.Describe:
		return x.describe(s)
	}
	panic(fmt.Sprintf("tidemark bug: statement %T is not known", stmt))
}

// unlessEnded makes an error that of ctx once that has ended: what was not bound any more may have become another one on its way, with a place in the text.
func unlessEnded(ctx context.Context, r **Result, err *error) {
	if ended := ctx.Err(); *err != nil && ended != nil {
		*r, *err = nil, ended
	}
}

// execution is the run of one statement.
type execution struct {
	*Engine
	ctx  context.Context
	text source.Text
	bind *bind.Binder
}

func (e *Engine) execution(ctx context.Context, text source.Text) *execution {
	return &execution{Engine: e, ctx: ctx, text: text, bind: bind.New(e.session, e.options.Connectors, text).Until(ctx)}
}

// query makes a statement ready that reads tables, without making anything else; false for the others.
func (x *execution) query(stmt language.Statement) (*Result, bool, error) {
	q := x.newQuery(stmt.Span())
	switch s := stmt.(type) {
	case *sql.QueryStatement:
		p, err := x.bind.Query(s.Query)
		return q.ready(x, err, p)
	case *sql.Insert:
		p, err := x.bind.Insert(s)
		return q.ready(x, err, p)
	case *sql.StatementSet:
		var all []*plan.Statement
		for _, i := range s.Inserts {
			p, err := x.bind.Insert(i)
			if err != nil {
				return nil, true, err
			}
			all = append(all, p)
		}
		return q.ready(x, nil, all...)
	case *sql.CreateTable:
		if s.As == nil {
			return nil, false, nil
		}
		p, err := x.createTableAs(s, q)
		if p == nil && err == nil {
			return &Result{}, true, nil
		}
		return q.ready(x, err, p)
	}
	return nil, false, nil
}

// newQuery is a query of the text without its plans, as it was SET.
func (x *execution) newQuery(at source.Span) *Query {
	q := &Query{engine: x.Engine, zone: x.session.Zone(), parallelism: x.session.Parallelism(), memory: x.options.Memory, text: x.text, at: at}
	q.interval, q.kept = x.session.Checkpoints()
	if n, ok := x.session.StateMemory(); ok {
		q.memory = plan.Memory{Bytes: n, Origin: "SET '" + catalog.KeyStateMemory + "'"}
	}
	q.incremental = x.session.Incremental()
	return q
}

func (x *execution) errorf(code string, at source.Span, hint, format string, args ...any) error {
	return x.text.Errorf(code, at, hint, format, args...)
}

func (x *execution) unsupported(at source.Span, what, hint string) error {
	return x.text.Unsupported(at, hint, "%s is", what)
}

// Catalogs lists all catalogs in alphabetical order.
func (e *Engine) Catalogs() []string { return e.session.Catalogs() }

// Databases lists the databases of the current catalog in alphabetical order.
func (e *Engine) Databases() []string {
	c, ok := e.session.Catalog(e.session.Current().Catalog)
	if !ok {
		return nil
	}
	return c.Databases()
}

// Names lists the tables and views of the current database in alphabetical order.
func (e *Engine) Names() []string {
	var names []string
	now := e.session.Current()
	for _, r := range e.session.Relations(now.Catalog, now.Database) {
		names = append(names, r.Full().Name)
	}
	slices.Sort(names)
	return names
}

// Columns lists the columns of a table or view of the current database as a query of it has them; nil if there is none of that name, or nothing reads it.
func (e *Engine) Columns(table string) []string {
	if !slices.Contains(e.Names(), table) {
		return nil
	}
	at := sql.Located{}
	name := sql.Name{Parts: []sql.Ident{{Located: at, Name: table, Quoted: true}}}
	r, err := e.Execute(context.Background(), source.Text{}, &sql.QueryStatement{Located: at, Query: &sql.TableQuery{Located: at, Table: name}})
	if err != nil {
		return nil
	}
	var names []string
	for _, f := range r.Query.Schema() {
		names = append(names, f.Name)
	}
	return names
}
