package server

import (
	"encoding/json"
	"math"
	"net/http"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/profile"
	"github.com/tidemark-sql/tidemark/internal/secret"
	"github.com/tidemark-sql/tidemark/internal/server/api"
	"github.com/tidemark-sql/tidemark/internal/statements"
)

// profile tells of a statement and all that its job tells of itself.
func (s *Server) profile(q *http.Request) (int, any, error) {
	found, err := s.find(q)
	if err != nil {
		return 0, nil, err
	}
	seen, err := s.options.Hub.Seen(found.Name)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, encoded(seen.Text(func() []byte {
		text, err := json.Marshal(profile.Of(&seen.Look, seen.Names, &seen.Why))
		if err != nil {
			panic("tidemark bug: " + err.Error())
		}
		return append(text, '\n')
	})), nil
}

// timeline tells what the last minutes of a statement were like, or, with the parameter since, the time from that moment on.
func (s *Server) timeline(q *http.Request) (int, any, error) {
	found, err := s.find(q)
	if err != nil {
		return 0, nil, err
	}
	since, err := number(q, "since", 1, math.MaxInt)
	if err != nil {
		return 0, nil, err
	}
	x, seen, ok, err := s.options.Hub.Timeline(found.Name, int64(min(since, math.MaxInt/1000))*1000)
	if err != nil {
		return 0, nil, err
	}
	if !ok {
		return http.StatusOK, profile.Timeline(nil, nil, nil), nil
	}
	return http.StatusOK, profile.Timeline(&x, seen.Stats, seen.Names), nil
}

// overview shows a page of statements with what their jobs do.
func (s *Server) overview(q *http.Request) (int, any, error) {
	all, metadata, err := s.page(q)
	if err != nil {
		return 0, nil, err
	}
	body := api.Overview{APIVersion: api.Version, Kind: api.KindOverview, Metadata: metadata, At: s.options.Hub.Now() / 1000, Data: []api.OverviewLine{}}
	for _, x := range all {
		seen, err := s.options.Hub.Seen(x.Name)
		if err != nil {
			continue // it was deleted meanwhile
		}
		body.Data = append(body.Data, overviewLine(x, profile.Line(&seen.Look, seen.Names, &seen.Why)))
	}
	return http.StatusOK, body, nil
}

// overviewLine adds to a line what is known of a statement without its job.
func overviewLine(x statements.Statement, l api.OverviewLine) api.OverviewLine {
	l.Name, l.EnvironmentID, l.Phase, l.Detail, l.CreatedAt, l.Warnings = x.Name, x.Environment, string(x.Phase), x.Detail, instant(x.Created), len(x.Warnings)-advice(x.Warnings)
	if x.Traits != nil {
		l.Type = x.Traits.Kind
	}
	l.SQL = beginning(secret.Blank(x.SQL))
	return l
}

// advice counts those that are no more than advice.
func advice(all []statements.Warning) (n int) {
	for _, w := range all {
		if w.Severity == statements.Low {
			n++
		}
	}
	return n
}

// beginningLength is how much of a statement is shown in a list, in characters.
const beginningLength = 200

// beginning is the beginning of a text, on one line.
func beginning(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	n := 0
	for at := range text {
		if n++; n > beginningLength {
			return text[:at] + "…"
		}
	}
	return text
}
