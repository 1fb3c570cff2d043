package lower

import (
	"github.com/tidemark-sql/tidemark/internal/yql"
	"github.com/tidemark-sql/tidemark/internal/yql/functions"
)

// jsonCall lowers JSON_VALUE, JSON_EXISTS and JSON_QUERY with clauses behind the path.
func (l *Lowerer) jsonCall(e *yql.Call, ref *yql.FunctionRef, s *scope) (functions.Value, error) {
	j := e.JSON
	switch {
	case len(j.Passing) > 0:
		return functions.Value{}, l.unsupported(j.Passing[0].Span(), "write the path with || of texts that are constant, or choose among paths with IF", "PASSING is")
	case j.OnEmpty != "" && j.OnEmpty != "NULL":
		return functions.Value{}, l.unsupported(j.Span(), "write Coalesce(…, default) around it", "%s ON EMPTY is", j.OnEmpty)
	case j.OnError != "" && j.OnError != "NULL" && j.OnError != "FALSE":
		return functions.Value{}, l.unsupported(j.Span(), "write Coalesce(…, default) around it", "%s ON ERROR is", j.OnError)
	case j.Wrapper != "" && j.Wrapper != "WITHOUT":
		return functions.Value{}, l.unsupported(j.Span(), "put the brackets around it with ||", "%s WRAPPER is", j.Wrapper)
	}
	v, err := l.calledWith(module(ref), ref.Name.Name, e.Args, s)
	if err != nil || j.Returning == nil {
		return v, err
	}
	t, err := l.typeOf(j.Returning)
	if err != nil {
		return v, err
	}
	return functions.Cast(v, t)
}
