package engine

import (
	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/plan/bind"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/yql"
	"github.com/tidemark-sql/tidemark/internal/yql/lower"
)

// defined is what the statements of a text up to one of them have said for those behind: kept, so that a text of many definitions does not define all of them anew for each statement.
type defined struct {
	text    source.Text
	last    yql.Statement // nil: none yet
	lowerer *lower.Lowerer
}

// definitions are those in front of a statement. Those of them that are wrong were told when they were executed.
func (x *execution) definitions(stmt *language.YQLStatement) *defined {
	rest, known := x.defined.behind(x.text, stmt.Before)
	if !known {
		x.defined = &defined{text: x.text, lowerer: lower.New(bind.New(x.session, x.options.Connectors, x.text), x.session, x.text)}
	}
	d := x.defined
	d.lowerer.Until(x.ctx)
	for _, s := range rest {
		_, _ = d.lowerer.Define(s)
		d.last = s
	}
	if x.ctx.Err() != nil {
		x.defined = nil // what was not defined any more is missing
	}
	return d
}

// behind are those of the statements in front of another one that d does not know yet; known is false if d is not of statements that they begin with.
func (d *defined) behind(text source.Text, before []yql.Statement) (rest []yql.Statement, known bool) {
	if d == nil || d.text != text {
		return before, false
	}
	for i := len(before); i > 0; i-- {
		if before[i-1] == d.last {
			return before[i:], true
		}
	}
	return before, d.last == nil
}

// define executes a definition; false for other statements.
func (x *execution) define(stmt *language.YQLStatement) (bool, error) {
	if !stmt.Defines() {
		return false, nil
	}
	d := x.definitions(stmt)
	d.last = stmt.Statement
	done, err := d.lowerer.Define(stmt.Statement)
	if x.ctx.Err() != nil {
		x.defined = nil
	}
	return done, err
}

// lowerer lowers a statement, which sees the definitions in front of it, and has x bind with what they have bound.
func (x *execution) lowerer(stmt *language.YQLStatement) *lower.Lowerer {
	var l *lower.Lowerer
	l, x.bind = x.definitions(stmt).lowerer.Behind()
	return l
}

// redefines reports whether a statement can change what definitions in front of it mean to those behind: named queries read tables as they are then.
func redefines(stmt language.Statement) bool {
	switch s := stmt.(type) {
	case *sql.QueryStatement, *sql.Insert, *sql.StatementSet, *sql.Explain, *sql.Show, *sql.Describe:
		return false
	case *sql.CreateTable:
		return s.Temporary // it may hide one that was read
	case *language.YQLStatement:
		switch s.Statement.(type) {
		case *yql.AlterTopic, *yql.DropTable, *yql.DropTopic, *yql.AlterStreamingQuery, *yql.DropStreamingQuery:
			return true
		}
		return false
	}
	return true
}
