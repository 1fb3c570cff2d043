package engine

import (
	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/yql"
	"github.com/tidemark-sql/tidemark/internal/yql/lower"
)

// yql executes a statement of YQL.
func (x *execution) yql(stmt *language.YQLStatement) (*Result, error) {
	switch s := stmt.Statement.(type) {
	case *yql.CreateStreamingQuery:
		return x.createStanding(stmt, s)
	case *yql.AlterStreamingQuery:
		return x.alterStanding(stmt, s)
	case *yql.DropStreamingQuery:
		return x.dropStanding(s)
	case *yql.CreateTable:
		return x.declare(s.Name, s.IfNotExists, func() (*catalog.Table, error) { return x.lowerer(stmt).Table(s) })
	case *yql.CreateTopic:
		return x.declare(s.Name, s.IfNotExists, func() (*catalog.Table, error) { return x.lowerer(stmt).Topic(s) })
	case *yql.DropTable:
		return x.undeclare(s.Name, s.IfExists)
	case *yql.DropTopic:
		return x.undeclare(s.Name, s.IfExists)
	case *yql.AlterTopic:
		return nil, x.unsupported(s.Span(), "ALTER TOPIC", "DROP it and CREATE it anew")
	case *yql.CreateExternalDataSource, *yql.DropExternalDataSource:
		return nil, x.unsupported(s.Span(), "an EXTERNAL DATA SOURCE", "declare the topic where it is: CREATE TABLE t (…) WITH ('connector' = 'kafka', …), and read t")
	case *yql.Explain:
		return x.explainYQL(stmt, s)
	case *yql.Commit:
		return &Result{}, nil
	}
	if done, err := x.define(stmt); done || err != nil {
		return &Result{}, err
	}
	p, err := x.lowerer(stmt).Statement(stmt.Statement)
	if err != nil {
		return nil, err
	}
	r, err := x.program(p, stmt.Span())
	if err != nil {
		return nil, err
	}
	return r, x.makeAll(r.Query.keeps)
}

// in is x for a part that stands in another text, and names what is in another database.
func (x *execution) in(text source.Text, current catalog.Current) *execution {
	if text == x.text && current == x.session.Current() {
		return x
	}
	e := *x.Engine
	e.session, e.defined = e.session.Within(current), nil
	return e.execution(x.ctx, text)
}

// program makes what was lowered ready.
func (x *execution) program(p *lower.Program, at source.Span) (*Result, error) {
	session := x.session.Within(x.session.Current())
	for _, s := range p.Settings {
		if err := session.Set(s.Key, s.Value); err != nil {
			return nil, x.settingError(err, at, at)
		}
	}
	e := *x.Engine
	e.session = session
	q := (&execution{Engine: &e, text: x.text}).newQuery(at)
	q.engine = x.Engine
	r, _, err := q.ready(x, nil, p.Statements...)
	if err != nil {
		return nil, err
	}
	for _, n := range p.Notes {
		r.Notes = append(r.Notes, n.Text)
	}
	return r, nil
}

// declare makes a table or a topic.
func (x *execution) declare(name yql.Name, ifNotExists bool, read func() (*catalog.Table, error)) (*Result, error) {
	if err := x.noStanding(x.standingPath(name), name.Span()); err != nil {
		return nil, err
	}
	t, err := read()
	if err != nil {
		return nil, err
	}
	if _, there := x.session.Exact(t.Full(), t.IsTemporary()); there && ifNotExists {
		return &Result{}, nil
	} else if there {
		return nil, x.standingError(codeExists, name.Span(), "DROP it first, or write IF NOT EXISTS", "'%s' is there already", name.Text())
	}
	if _, err := x.create(t); err != nil {
		return nil, err
	}
	x.session.Put(t)
	return &Result{}, nil
}

// undeclare removes a table or a topic.
func (x *execution) undeclare(name yql.Name, ifExists bool) (*Result, error) {
	path := x.standingPath(name)
	r, there, err := x.bind.Topic(path)
	if err != nil {
		return nil, err
	}
	t, isTable := r.(*catalog.Table)
	switch {
	case !there && ifExists:
		return &Result{}, nil
	case !there:
		return nil, x.standingError(codeNotFound, name.Span(), "IF EXISTS does without", "there is no '%s'", name.Text())
	case !isTable:
		return nil, x.standingError(codeBadRequest, name.Span(), "write DROP VIEW", "'%s' is a view", name.Text())
	}
	if err := x.remove(t); err != nil {
		return nil, err
	}
	if _, declared := x.session.Find(path); declared {
		x.session.Drop(t)
	}
	return &Result{}, nil
}

// explainYQL describes what a statement would run as, and makes nothing.
func (x *execution) explainYQL(stmt *language.YQLStatement, s *yql.Explain) (*Result, error) {
	var r *Result
	switch inner := s.Statement.(type) {
	case *yql.CreateStreamingQuery:
		p, err := x.lowerer(stmt).StreamingQuery(inner.Body.Statements, inner.Body.Span(), lower.Options{})
		if err != nil {
			return nil, err
		}
		if r, err = x.program(p, inner.Span()); err != nil {
			return nil, err
		}
	case *yql.QueryStatement, *yql.Insert:
		p, err := x.lowerer(stmt).Statement(inner)
		if err != nil {
			return nil, err
		}
		if r, err = x.program(p, inner.Span()); err != nil {
			return nil, err
		}
	default:
		return nil, x.unsupported(s.Statement.Span(), "EXPLAIN of this statement", "explain a SELECT, an INSERT, an UPSERT or a CREATE STREAMING QUERY")
	}
	return &Result{Text: plan.Explain(r.Query.Plans, plan.Details{Memory: r.Query.memory}), Notes: r.Notes}, nil
}
