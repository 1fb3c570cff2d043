package remote

import (
	"context"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/rowfmt"
	"github.com/tidemark-sql/tidemark/internal/server/api"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// failure is why a statement has failed, nil if it has not. One that could not be planned, or that nobody but the shell wanted, is gone from the server afterwards. What could not be planned has
// its place in the text of the shell.
func (p *Place) failure(ctx context.Context, text source.Text, stmt language.Statement, s *api.Statement) error {
	if s.Status.Phase != api.Failed {
		return nil
	}
	class := fault.User
	all, err := p.client.Exceptions(ctx, s.Name)
	if err == nil && len(all) > 0 {
		class = classNamed(all[0].Name)
	}
	detail, _, _ := strings.Cut(s.Status.Detail, "\n") // what is below is a picture of where it is
	failed := fault.Errorf(class, "%s", detail)
	if s.Status.Traits == nil || s.Status.Traits.Schema != nil {
		p.forget(ctx, s.Name) // it has told what it had to
	}
	if s.Status.Traits != nil {
		return failed
	}
	alone, _ := language.Alone(text, stmt)
	found, err := p.client.Check(ctx, api.Text{SQL: alone, Properties: p.properties})
	if err != nil {
		return failed
	}
	for _, problem := range found.Problems {
		if problem.Severity == "error" && problem.To > 0 && strings.HasPrefix(s.Status.Detail, problem.Message) {
			return placed(problem, text, stmt)
		}
	}
	return failed
}

// placed is a problem of a statement as an error of the text in which it stands.
func placed(problem api.Problem, text source.Text, stmt language.Statement) error {
	body, from := language.Alone(text, stmt)
	return &source.Error{Code: problem.Code, Message: problem.Message, Hint: problem.Hint, Text: text,
		Span: source.Span{Start: from + rowfmt.FromUnits(body, problem.From), End: from + rowfmt.FromUnits(body, problem.To)}}
}

// classNamed is the class that a server has told of, User if it is the kind of an error with a place.
func classNamed(name string) fault.Class {
	for _, c := range []fault.Class{fault.Internal, fault.User, fault.Data, fault.External, fault.Resource} {
		if c.String() == name {
			return c
		}
	}
	return fault.User
}
