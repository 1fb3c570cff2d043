package lower

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/plan/bind"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/yql"
)

// Lowerer lowers the statements of one text in their order: what PRAGMA, `$x =` and DECLARE say holds for those behind them.
type Lowerer struct {
	tables  *bind.Binder
	session *catalog.Session
	text    source.Text
	names   *name
	pragmas pragmas
	// streaming is that of the streaming query whose body is lowered, nil outside of one.
	streaming *Options
	notes     []Note
	// queries counts the queries lowered; see maxQueries.
	queries int
	// weights are those of the expressions so far, calls how many lambdas are being applied inside of each other, and steps how many expressions of their bodies were lowered, of which defined were by
	// definitions. A lambda counts where it was defined, whichever statement applies it.
	weights map[expr.Expr]int
	calls   int
	steps   int
	defined int
	// perhaps counts what is being lowered that may be computed for no row: branches, and what a name stands for.
	perhaps int
	// shares are the names of named queries so far, each of which names a stream.
	shares map[string]bool
	paths  plan.Paths
	// reads says that a topic, a table or a view is read as a stream.
	reads bool
	// topics are the tables that are read as streams.
	topics []*catalog.Table
	// joined are the tables that streams are joined with, with the place of the first join.
	joined map[catalog.Path]source.Span
}

// Options are what WITH of a streaming query says about its rows.
type Options struct {
	// LatePolicy is WATERMARK_LATE_EVENTS_POLICY: Drop, Adjust, or "" for Drop.
	LatePolicy string
	// Start are options of topics that say where reading begins; those that do not have them begin where they do.
	Start connector.Options
	// StartAsked says that the query says so itself; else Start is what holds where the topic does not say either.
	StartAsked bool
	// Since is the time of writing, in microseconds since 1970, of the first messages that are read; 0 is all. YDB: what is older is not read either where the instant is still to come.
	Since int64
}

// The policies for late rows. YDB: DROP unless the query says otherwise.
const (
	Drop   = "DROP"
	Adjust = "ADJUST"
)

// Program is what runs together.
type Program struct {
	// Statements are those of one statement set. One whose Into is nil gives its rows to the user; it is alone.
	Statements []*plan.Statement
	Notes      []Note
	// Settings are those of the session for this run alone.
	Settings []Setting
}

// Note is a sentence, without its end, about something in the text that may not be meant.
type Note struct {
	At   source.Span
	Text string
}

// Setting is a setting of the session.
type Setting struct{ Key, Value string }

// New makes a lowerer of a text. The binder is one of the same text and session.
func New(tables *bind.Binder, session *catalog.Session, text source.Text) *Lowerer {
	return &Lowerer{tables: tables, session: session, text: text, weights: map[expr.Expr]int{}, shares: map[string]bool{}, paths: plan.Paths{}, joined: map[catalog.Path]source.Span{}}
}

// Behind is a lowerer of the next statement of the text, with the binder of it: it knows what l was told by Define, and l learns nothing of that statement.
func (l *Lowerer) Behind() (*Lowerer, *bind.Binder) {
	l.steps = l.defined // without those of the statement before
	next := *l
	next.tables = l.tables.Behind()
	next.notes = nil
	next.shares, next.joined = maps.Clone(l.shares), maps.Clone(l.joined)
	next.topics, next.pragmas.settings = slices.Clip(l.topics), slices.Clip(l.pragmas.settings)
	return &next, next.tables
}

// Until has l lower nothing more once ctx has ended, as Until of a Binder has it.
func (l *Lowerer) Until(ctx context.Context) { l.tables = l.tables.Until(ctx) }

// Define remembers what a PRAGMA, a DECLARE or a named expression says for the statements behind it; it reports false for other statements.
func (l *Lowerer) Define(s yql.Statement) (bool, error) {
	if l.streaming == nil { // the body of a streaming query is one statement
		l.steps = l.defined
		defer func() { l.defined = l.steps }()
	}
	switch s := s.(type) {
	case *yql.Pragma:
		return true, l.pragma(s)
	case *yql.Assign:
		return true, l.assign(s)
	case *yql.Declare:
		return true, l.unsupported(s.Span(), "write the value: $"+s.Name.Name.Name+" = …;", "a parameter (DECLARE) is")
	case *yql.Commit:
		return true, nil
	}
	return false, nil
}

// Statement lowers a SELECT, INSERT or UPSERT outside of streaming queries.
func (l *Lowerer) Statement(s yql.Statement) (*Program, error) {
	l.notes = nil
	var p *plan.Statement
	var err error
	switch s := s.(type) {
	case *yql.QueryStatement:
		p, err = l.result(s.Query)
	case *yql.Insert:
		p, err = l.insert(s)
	default:
		return nil, l.unsupported(s.Span(), "", "this statement is")
	}
	if err != nil {
		return nil, err
	}
	return l.program([]*plan.Statement{p}), nil
}

// StreamingQuery lowers the body of a streaming query, which knows no named expressions but its own.
func (l *Lowerer) StreamingQuery(body []yql.Statement, at source.Span, o Options) (*Program, error) {
	in := New(l.tables, l.session, l.text)
	in.streaming = &o
	var all []*plan.Statement
	written := map[catalog.Path]source.Span{}
	for _, s := range body {
		if done, err := in.Define(s); err != nil {
			return nil, err
		} else if done {
			continue
		}
		i, ok := s.(*yql.Insert)
		if !ok {
			return nil, in.notInBody(s)
		}
		p, err := in.insert(i)
		if err != nil {
			return nil, err
		}
		if _, twice := written[p.Into.Path]; twice {
			return nil, in.errorf(source.CodeDuplicate, i.Into.Span(), "write to it once, from a UNION ALL of both", "'%s' is written twice: every sink of a streaming query is another one", i.Into.Text())
		}
		written[p.Into.Path] = i.Into.Span()
		all = append(all, p)
	}
	switch {
	case len(all) == 0:
		return nil, in.errorf(source.CodeUnsupported, at, "add INSERT INTO topic SELECT …, or UPSERT INTO table SELECT …", "the streaming query writes nothing")
	case !in.reads:
		return nil, in.errorf(source.CodeUnsupported, at, "read a topic: FROM topic WITH (FORMAT = json_each_row, SCHEMA = (…))", "the streaming query reads no topic")
	}
	for path, span := range in.joined {
		if _, both := written[path]; both {
			return nil, in.errorf(source.CodeUnsupported, span, "join a copy, or write to another table", "a table that is joined and written in one streaming query, as '%s' is here, is not supported", path.Name)
		}
	}
	return in.program(all), nil
}

// notInBody refuses a statement that no body of a streaming query has.
func (l *Lowerer) notInBody(s yql.Statement) error {
	if q, ok := s.(*yql.QueryStatement); ok {
		return l.errorf(source.CodeUnsupported, q.Span(), "write INSERT INTO topic in front of it", "a SELECT by itself in a streaming query, whose rows go nowhere, is not supported")
	}
	return l.unsupported(s.Span(), "it has PRAGMA, $x = …, INSERT INTO topic SELECT … and UPSERT INTO table SELECT …", "such a statement in a streaming query is")
}

// program finishes statements that run together.
func (l *Lowerer) program(all []*plan.Statement) *Program {
	return &Program{Statements: all, Notes: l.notes, Settings: l.pragmas.settings}
}

// result lowers a query whose rows go to the user.
func (l *Lowerer) result(q yql.Query) (*plan.Statement, error) {
	r, err := l.query(q)
	if err != nil {
		return nil, err
	}
	n, err := l.tables.Checked(r.visible(), q.Span())
	if err != nil {
		return nil, err
	}
	return &plan.Statement{Root: n}, nil
}

// maxQueries bounds the queries that a statement comes to.
const maxQueries = 5_000

// Codes of errors that only YQL has.
const (
	codeUnknownName = "unknown-name"
	codePragma      = "pragma"
)

func (l *Lowerer) errorf(code string, at source.Span, hint, format string, args ...any) error {
	return l.text.Errorf(code, at, hint, format, args...)
}

func (l *Lowerer) unsupported(at source.Span, hint, what string, args ...any) error {
	return l.text.Unsupported(at, hint, what, args...)
}

// place gives an error of a layer that knows no text its place.
func (l *Lowerer) place(err error, at source.Span) error {
	if _, placed := errors.AsType[*source.Error](err); err == nil || placed {
		return err
	}
	message, hint := hinted(err)
	return l.errorf(source.CodeType, at, hint, "%s", message)
}

func (l *Lowerer) note(at source.Span, format string, args ...any) {
	n := Note{at, fmt.Sprintf(format, args...)}
	if !slices.Contains(l.notes, n) {
		l.notes = append(l.notes, n)
	}
}

// line says where a place is, for errors that are about two.
func (l *Lowerer) line(at source.Span) string {
	line, column := l.text.Position(at.Start)
	return fmt.Sprintf("line %d, column %d", line, column)
}

// didYouMean is the hint for a name that is not there.
func didYouMean(name string, candidates []string, otherwise string) string {
	if near := source.Nearest(name, candidates); near != "" {
		return fmt.Sprintf("did you mean '%s'?", near)
	}
	return otherwise
}

// counted writes a number of things.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// at is a place, or another one where nothing is written.
func at(e yql.Expr, otherwise source.Span) source.Span {
	if e == nil {
		return otherwise
	}
	return cmp.Or(e.Span(), otherwise)
}
