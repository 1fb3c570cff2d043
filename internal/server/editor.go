package server

import (
	"errors"
	"net/http"

	"github.com/tidemark-sql/tidemark/internal/check"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/rowfmt"
	"github.com/tidemark-sql/tidemark/internal/server/api"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/statements"
)

// draft reads SQL that somebody is writing.
func draft(q *http.Request) (text api.Text, spec statements.Spec, err error) {
	if err = read(q, &text); err != nil {
		return text, spec, err
	}
	return text, statements.Spec{SQL: text.SQL, Properties: text.Properties, Organization: q.PathValue("organization"), Environment: q.PathValue("environment")}, nil
}

// check tells what is wrong with a text.
func (s *Server) check(q *http.Request) (int, any, error) {
	text, spec, err := draft(q)
	if err != nil {
		return 0, nil, err
	}
	body := api.Checked{APIVersion: api.Version, Kind: api.KindChecked, Problems: []api.Problem{}}
	found, err := s.options.Hub.Check(spec)
	if err != nil {
		body.Problems, err = problemOf(text.SQL, err)
	}
	for _, f := range found {
		if f.Severity != check.Note {
			body.Problems = append(body.Problems, problem(text.SQL, f.Severity, f.Error))
		}
	}
	return http.StatusOK, body, err
}

// explain tells what a text would run as.
func (s *Server) explain(q *http.Request) (int, any, error) {
	text, spec, err := draft(q)
	if err != nil {
		return 0, nil, err
	}
	body := api.Explained{APIVersion: api.Version, Kind: api.KindExplained, Problems: []api.Problem{}}
	if body.Plan, err = s.options.Hub.Explain(spec); err != nil {
		body.Problems, err = problemOf(text.SQL, err)
	}
	return http.StatusOK, body, err
}

// complete tells what could stand at the cursor of a text.
func (s *Server) complete(q *http.Request) (int, any, error) {
	text, spec, err := draft(q)
	if err != nil {
		return 0, nil, err
	}
	at := rowfmt.FromUnits(text.SQL, text.Cursor)
	found, err := s.options.Hub.Complete(spec, text.SQL[:at], text.SQL[at:])
	if fault.Of(err) == fault.User {
		err = nil // a property is wrong, which check tells
	}
	body := api.Completions{APIVersion: api.Version, Kind: api.KindCompletions, From: rowfmt.Units(text.SQL[:found.Start]), To: rowfmt.Units(text.SQL[:at]), Options: found.Options}
	if len(body.Options) == 0 {
		body.From, body.Options = body.To, []string{}
	}
	return http.StatusOK, body, err
}

// problemOf is an error of whoever wrote a text as a problem of it; others stay errors.
func problemOf(text string, err error) ([]api.Problem, error) {
	var placed *source.Error
	switch {
	case errors.As(err, &placed):
		return []api.Problem{problem(text, check.Error, placed)}, nil
	case fault.Of(err) == fault.User:
		return []api.Problem{{Severity: check.Error.String(), Message: err.Error(), Line: 1, Column: 1}}, nil
	}
	return []api.Problem{}, err
}

// problem is a finding about a text. One that is about another text, that of a view, stands at the beginning and says where it is.
func problem(text string, severity check.Severity, e *source.Error) api.Problem {
	p := api.Problem{Severity: severity.String(), Code: e.Code, Message: e.Sentence(), Hint: e.Hint, Line: 1, Column: 1}
	if e.Text.Body != text {
		p.Message = e.Error()
		return p
	}
	start := min(max(e.Span.Start, 0), len(text))
	p.From, p.To = rowfmt.Units(text[:start]), rowfmt.Units(text[:min(max(e.Span.End, start), len(text))])
	p.Line, p.Column = e.Text.Position(start)
	return p
}
