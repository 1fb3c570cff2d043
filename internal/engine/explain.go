package engine

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

func (x *execution) explain(s *sql.Explain) (*Result, error) {
	if slices.Contains(s.Details, sql.ExplainCost) {
		return nil, x.unsupported(s.Span(), "EXPLAIN ESTIMATED_COST", "leave it out: there are no statistics, and plans do not depend on any; run the statement and read its summary")
	}
	r, ok, err := x.query(s.Statement)
	if err != nil {
		return nil, err
	}
	if c, as := s.Statement.(*sql.CreateTable); ok && as && r.Query == nil {
		return nil, x.errorf(source.CodeDuplicate, c.Name.Span(), "leave IF NOT EXISTS out, or choose another name", "'%s' is there already, and nothing would run", c.Name.Last().Name)
	}
	if !ok {
		return nil, x.unsupported(s.Statement.Span(), "EXPLAIN of this statement", "explain a SELECT, an INSERT, a CREATE TABLE … AS or a STATEMENT SET")
	}
	return &Result{Text: plan.Explain(r.Query.Plans, plan.Details{
		Changelog: slices.Contains(s.Details, sql.ExplainChangelog),
		Advice:    slices.Contains(s.Details, sql.ExplainAdvice),
		JSON:      slices.Contains(s.Details, sql.ExplainJSON),
		Memory:    r.Query.memory,
	})}, nil
}
