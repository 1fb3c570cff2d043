package remote

import (
	"context"
	"crypto/rand"
	"maps"
	"strings"
	"time"

	"github.com/tidemark-sql/tidemark/internal/client"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/engine"
	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/rowfmt"
	"github.com/tidemark-sql/tidemark/internal/server/api"
	"github.com/tidemark-sql/tidemark/internal/shell"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/yql"
)

// Place is a shell.Place.
type Place struct {
	client *client.Client
	// local is a session with nothing in it, which knows what can be SET; properties are what was.
	local      *engine.Engine
	properties map[string]string
	quiet      bool
}

// New makes a place of a server. A quiet one writes no summaries.
func New(c *client.Client, quiet bool) *Place {
	return &Place{client: c, local: engine.New(engine.Options{}), properties: map[string]string{}, quiet: quiet}
}

// Speak says the language of texts of which nothing else tells it.
func (p *Place) Speak(l language.Language) { p.properties[language.Property] = l.String() }

// Execute implements shell.Place.
func (p *Place) Execute(ctx context.Context, text source.Text, stmt language.Statement) (*shell.Outcome, error) {
	switch s := stmt.(type) {
	case *sql.Set:
		return p.set(ctx, text, s)
	case *sql.Reset:
		return p.reset(ctx, text, s)
	case *sql.Use:
		return &shell.Outcome{}, p.use(ctx, text, s)
	}
	s, err := p.submit(ctx, text, stmt)
	if err != nil {
		return nil, err
	}
	o := &shell.Outcome{Notes: notes(&s)}
	t := s.Status.Traits
	switch {
	case t != nil && t.Schema != nil:
		schema, err := rowfmt.ReadSchema(t.Schema)
		if err != nil {
			return nil, err
		}
		q := &query{place: p, name: s.Name, schema: schema, text: text, stmt: stmt}
		if t.SQLKind != "SELECT" {
			return p.listed(ctx, o, q, stmt)
		}
		o.Query = q
	case !background[kind(&s)]:
		if s, err = p.await(ctx, s, ended); err == nil {
			err = p.failure(ctx, text, stmt, &s)
		}
	default:
		o.Text = s.Name + ": " + s.Status.Phase + "\n"
		if !ended(&s) && t.IsBounded {
			o.Query = &query{place: p, name: s.Name, into: s.Name, text: text, stmt: stmt}
		}
	}
	return o, err
}

// background are the kinds of statements that go on without who has submitted them.
var background = map[string]bool{"INSERT_INTO": true, "STATEMENT_SET": true, "CREATE_TABLE_AS": true, "UPSERT_INTO": true, "REPLACE_INTO": true}

func kind(s *api.Statement) string {
	if s.Status.Traits == nil {
		return ""
	}
	return s.Status.Traits.SQLKind
}

// Complete implements shell.Place. A server that does not answer in time completes nothing.
func (p *Place) Complete(before, after string) (candidates []string, start int) {
	ctx, cancel := context.WithTimeout(context.Background(), completionTime)
	defer cancel()
	found, err := p.client.Complete(ctx, api.Text{SQL: before + after, Properties: p.properties, Cursor: rowfmt.Units(before)})
	if err != nil {
		return nil, len(before)
	}
	return found.Options, rowfmt.FromUnits(before, found.From)
}

const completionTime = 2 * time.Second

// submit makes a statement of the server and waits until it runs or has ended. The error is that of a statement that cannot be.
func (p *Place) submit(ctx context.Context, text source.Text, stmt language.Statement) (api.Statement, error) {
	name := "shell-" + strings.ToLower(rand.Text())
	alone, _ := language.Alone(text, stmt)
	s, err := p.client.Create(ctx, name, alone, maps.Clone(p.properties))
	if err != nil {
		return s, err
	}
	if s, err = p.await(ctx, s, begun); err == nil {
		return s, p.failure(ctx, text, stmt, &s)
	}
	if reads(stmt) && ctx.Err() != nil {
		p.forget(ctx, name)
	}
	return s, err
}

// goodbye is how long the server has to take note that nobody wants a statement any more.
const goodbye = 5 * time.Second

// forget deletes a statement whose results nobody wants, also if ctx is done. A server that does not hear of it stops the statement by itself after a while.
func (p *Place) forget(ctx context.Context, name string) {
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), goodbye)
	defer cancel()
	p.client.Delete(last, name)
}

func begun(s *api.Statement) bool { return s.Status.Phase != api.Pending }

func ended(s *api.Statement) bool { return api.Ended(s.Status.Phase) }

// The time between two questions to a server, which grows from the least to the most while nothing happens.
const (
	leastPause = 10 * time.Millisecond
	mostPause  = 500 * time.Millisecond
)

// pause waits a little, each time longer; false says that ctx is done.
func pause(ctx context.Context, d *time.Duration) bool {
	wait, cancel := context.WithTimeout(ctx, *d)
	defer cancel()
	<-wait.Done()
	*d = min(2**d, mostPause)
	return ctx.Err() == nil
}

// await asks for a statement until it is as it should be.
func (p *Place) await(ctx context.Context, s api.Statement, done func(*api.Statement) bool) (api.Statement, error) {
	for d := leastPause; !done(&s); {
		if !pause(ctx, &d) {
			return s, ctx.Err()
		}
		var err error
		if s, err = p.client.Get(ctx, s.Name); err != nil {
			return s, err
		}
	}
	return s, nil
}

// notes are what may not be meant.
func notes(s *api.Statement) []string {
	var all []string
	for _, w := range s.Status.Warnings {
		if w.Reason == "NOTE" {
			all = append(all, w.Message)
		}
	}
	return all
}

// listed reads what SHOW and the like give, as a whole.
func (p *Place) listed(ctx context.Context, o *shell.Outcome, q *query, stmt language.Statement) (*shell.Outcome, error) {
	list := &lister{schema: q.schema}
	r, err := q.Start(list)
	if err == nil {
		err = r.Run(ctx)
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	if y, ok := stmt.(*language.YQLStatement); ok {
		if _, explains := y.Statement.(*yql.Explain); explains {
			stmt = &sql.Explain{}
		}
	}
	switch s := stmt.(type) {
	case *sql.Explain:
		for _, row := range list.rows {
			o.Text += row[0]
		}
		return o, nil
	case *sql.Show:
		o.Rows = &engine.Rows{Schema: q.schema, Values: list.rows, Verbatim: (s.What == sql.ShowCreateTable || s.What == sql.ShowCreateView) && len(list.rows) > 0}
	default:
		o.Rows = &engine.Rows{Schema: q.schema, Values: list.rows}
	}
	return o, nil
}

// reads reports whether a statement gives rows to the user.
func reads(stmt language.Statement) bool {
	if y, ok := stmt.(*language.YQLStatement); ok {
		_, ok := y.Statement.(*yql.QueryStatement)
		return ok
	}
	_, ok := stmt.(*sql.QueryStatement)
	return ok
}

var _ connector.Sink = (*lister)(nil)

// lister keeps rows of texts.
type lister struct {
	schema types.Schema
	rows   [][]string
}
