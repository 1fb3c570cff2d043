package bind

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/window"
)

// Binder binds statements of one text within a session.
type Binder struct {
	// ctx ends what is bound; see Until.
	ctx        context.Context
	session    *catalog.Session
	connectors []connector.Connector
	text       source.Text
	// current is where names of one part are looked for.
	current catalog.Current
	ctes    []commonTable
	// given are relations that have a name without being in the catalog; see Among.
	given map[string]plan.Node
	// sessions are where SESSION is called, also in views.
	sessions map[*plan.Windowing]catalog.Place
	// overs are where rows are numbered, also in views.
	overs map[*plan.Over]catalog.Place
	// stars collects what the stars of a view stand for; nil for other statements.
	stars map[*sql.Star][]sql.SelectItem
	// views are those whose query is being bound, the outermost first.
	views []catalog.Path
	// queries counts the queries bound, those of views included.
	queries *int
	// weights are those of the expressions bound.
	weights map[expr.Expr]int
	// inferred is what the statement knows of tables that were not declared.
	inferred *inferred
	// positioned are the columns of tables with the one that tells where a record is, by their first one without; see position.
	positioned map[*catalog.Column][]catalog.Column
	// shared is what the statements of the binder read several times.
	shared *shared
	// depth is how many queries there are around the one that is being bound, in the same view.
	depth int
	// block is the SELECT that is being bound, nil outside of any.
	block *block
}

// maxQueries bounds the queries that a statement comes to when its views and WITH queries are put in where they are read. A few lines that
// each read the one before twice come to millions.
const maxQueries = 5_000

// commonTable is a WITH name in scope, the innermost last. It sees the ones before it.
type commonTable struct {
	table *sql.CommonTable
	below int // how many are visible to its query
	read  *bool
}

// New makes a binder for a text.
func New(session *catalog.Session, connectors []connector.Connector, text source.Text) *Binder {
	return &Binder{ctx: context.Background(), session: session, connectors: connectors, text: text, current: session.Current(), sessions: map[*plan.Windowing]catalog.Place{}, overs: map[*plan.Over]catalog.Place{}, queries: new(int), weights: map[expr.Expr]int{},
		inferred: &inferred{tables: map[string]*catalog.Table{}}, positioned: map[*catalog.Column][]catalog.Column{},
		shared: &shared{of: map[sharing]plan.Node{}, names: map[string]int{}, paths: plan.Paths{}}}
}

// Behind is a binder for the next statement of the text of b, which may read relations that b has made: it knows of them what b does. b learns nothing of that statement.
func (b *Binder) Behind() *Binder {
	next := *b
	queries := *b.queries
	next.queries = &queries
	next.shared = &shared{of: maps.Clone(b.shared.of), names: maps.Clone(b.shared.names), paths: b.shared.paths}
	next.inferred = &inferred{tables: map[string]*catalog.Table{}}
	for name, t := range b.inferred.tables {
		if t != nil { // one that was not there may be by now
			next.inferred.tables[name] = t
		}
	}
	return &next
}

// Until is b, except that nothing is bound any more once ctx has ended: what is wrong then is of no interest. They know the same.
func (b *Binder) Until(ctx context.Context) *Binder {
	c := *b
	c.ctx = ctx
	return &c
}

// Ended is why nothing is bound any more, nil while something is. Who makes much of a text without b asks it now and then.
func (b *Binder) Ended() error { return b.ctx.Err() }

// within is b for a part that stands in another text.
func (b *Binder) within(text source.Text) *Binder {
	c := *b
	c.text = text
	return &c
}

// Codes of errors that only Flink SQL has.
const (
	codeChangelog = "changelog"
	codeLike      = "like"
	codeMatch     = "match-recognize"
)

func (b *Binder) errorf(code string, at source.Span, hint, format string, args ...any) error {
	return b.text.Errorf(code, at, hint, format, args...)
}

func (b *Binder) unsupported(at source.Span, hint, what string, args ...any) error {
	return b.text.Unsupported(at, hint, what, args...)
}

// place gives an error from a layer that knows no text its place.
func (b *Binder) place(err error, at source.Span) error {
	var placed *source.Error
	var signature *function.SignatureError
	var cast *function.CastError
	var constant *function.ConstantError
	var option *connector.OptionError
	switch {
	case err == nil || errors.As(err, &placed):
		return err
	case errors.As(err, &signature):
		return b.errorf(source.CodeType, at, cmp.Or(signature.Hint, signature.Forms()), "%s", signature.Refusal())
	case errors.As(err, &cast):
		return b.errorf(source.CodeType, at, cmp.Or(cast.Hint, "CAST leads to and from STRING, among numbers, among dates and times, and between arrays, maps or rows; compute anything else, for instance with CASE"),
			"%s", cast.Refusal())
	case errors.As(err, &constant) && constant.Unsupported:
		return b.errorf(source.CodeUnsupported, at, constant.Hint, "%s", constant.Err.Error())
	case errors.As(err, &constant):
		return b.errorf(source.CodeType, at, constant.Hint, "%s", constant.Err.Error())
	case errors.As(err, &option):
		return b.errorf(source.CodeOption, at, option.Hint, "%s", option.Message)
	}
	message, hint, _ := strings.Cut(err.Error(), "; ")
	return b.errorf(source.CodeType, at, hint, "%s", message)
}

// Query binds a query whose rows go to the user.
func (b *Binder) Query(q sql.Query) (*plan.Statement, error) {
	n, err := b.runnable(q)
	if err != nil {
		return nil, err
	}
	return &plan.Statement{Root: n}, nil
}

// runnable binds a query that is to run. A session is known only when it is over, so none can be told row by row; a view may name SESSION all the same, for an aggregation over
// the view. So it may number rows in any order, for a query that asks for the first of them.
func (b *Binder) runnable(q sql.Query) (plan.Node, error) {
	n, err := b.query(q)
	if err != nil {
		return nil, err
	}
	return b.Checked(n, q.Span())
}

// Checked is n, which stands at a place of the text, if it can run as it is; its rows are those that a statement gives.
func (b *Binder) Checked(n plan.Node, at source.Span) (plan.Node, error) {
	if err := b.leftOver(n); err != nil {
		return nil, err
	}
	if w := bareSession(n); w != nil {
		called := b.sessions[w]
		there := New(b.session, b.connectors, called.Text)
		return nil, there.unsupported(called.Span, "aggregate: GROUP BY window_start, window_end and the columns of PARTITION BY", "SESSION without an aggregation is")
	}
	if e := plan.Unsteady(n); e != nil {
		return nil, b.errorf(codeChangelog, at, "compute it before the rows are aggregated or joined, or in the outermost SELECT",
			"%s differs each time it is computed, so rows that are taken back would not be found again", e)
	}
	if err := b.adjusted(n, at); err != nil {
		return nil, err
	}
	return b.told(n), nil
}

func bareSession(n plan.Node) *plan.Windowing {
	if a, ok := n.(*plan.WindowAssign); ok && a.Windows.Spec.Kind == window.Session {
		return a.Windows
	}
	for _, c := range n.Children() {
		if w := bareSession(c); w != nil {
			return w
		}
	}
	return nil
}

// before is what stands in outer before inner.
func (b *Binder) before(outer, inner source.Span) source.Span {
	return b.gap(source.Span{Start: outer.Start, End: outer.Start}, inner)
}

// gap is what stands between two places, without blanks and parentheses around it.
func (b *Binder) gap(left, right source.Span) source.Span {
	const around = " \t\r\n()"
	text := b.text.Slice(source.Span{Start: left.End, End: right.Start})
	end := left.End + len(strings.TrimRight(text, around))
	start := end - len(strings.Trim(text, around))
	return source.Span{Start: start, End: end}
}

// counted writes a number of things.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// didYouMean is the hint for a name that is not there.
func didYouMean(name string, candidates []string, otherwise string) string {
	if near := source.Nearest(name, candidates); near != "" {
		return fmt.Sprintf("did you mean '%s'?", near)
	}
	return otherwise
}
