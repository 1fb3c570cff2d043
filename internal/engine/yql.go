package engine

import "github.com/tidemark-sql/tidemark/internal/language"

// yql executes a statement of YQL.
func (x *execution) yql(stmt *language.YQLStatement) (*Result, error) {
	if stmt.Defines() {
		return &Result{}, nil
	}
	return nil, x.unsupported(stmt.Span(), "this statement of YQL", "")
}
