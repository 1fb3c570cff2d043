package server

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/history"
	"github.com/tidemark-sql/tidemark/internal/server/api"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

const (
	millisPerMinute = history.Minute / 1000
	// usualSpan is how many minutes of history are told to whom does not say.
	usualSpan = 60
	mostSpan  = history.Days * 24 * 60
)

// history tells what a statement was like, minute by minute.
func (s *Server) history(q *http.Request) (int, any, error) {
	found, err := s.find(q)
	if err != nil {
		return 0, nil, err
	}
	question, err := spanOf(q, s.options.Hub.Minute())
	if err != nil {
		return 0, nil, err
	}
	if question.Wants, err = wanted(q.URL.Query().Get("series")); err != nil {
		return 0, nil, err
	}
	answer, err := s.options.Hub.History(found.Name, question)
	if err != nil {
		return 0, nil, err
	}
	body := api.History{APIVersion: api.Version, Kind: api.KindHistory, From: answer.From * millisPerMinute, Step: answer.Step * millisPerMinute, Series: []api.HistorySeries{}, Notes: answer.Notes}
	for i := range answer.Lines {
		body.Series = append(body.Series, historySeries(&answer.Lines[i]))
	}
	return http.StatusOK, body, nil
}

func historySeries(l *history.Line) api.HistorySeries {
	out := api.HistorySeries{Name: l.Series.Name, Fold: l.Series.Fold.String(), Values: make([]*float64, len(l.Values))}
	if l.Series.Label != "" {
		out.Labels = map[string]string{l.Series.Label: l.Label}
	}
	for i := range l.Values {
		if l.Known[i] {
			out.Values[i] = &l.Values[i]
		}
	}
	return out
}

// spanOf is the stretch of time that is asked for, within what is kept. now is the minute that has not ended.
func spanOf(q *http.Request, now int64) (history.Question, error) {
	to, err := moment(q, "to", now*millisPerMinute)
	if err != nil {
		return history.Question{}, err
	}
	until := (min(to, now*millisPerMinute) + millisPerMinute - 1) / millisPerMinute
	from, err := moment(q, "from", (until-usualSpan)*millisPerMinute)
	if err != nil {
		return history.Question{}, err
	}
	step, err := moment(q, "step", millisPerMinute)
	if err != nil {
		return history.Question{}, err
	}
	since := min(max(from/millisPerMinute, now-mostSpan), max(until, now-mostSpan))
	return history.Question{From: since, To: until, Step: step / millisPerMinute}, nil
}

// moment is a parameter in milliseconds, not below 0.
func moment(q *http.Request, name string, usual int64) (int64, error) {
	text := q.URL.Query().Get(name)
	if text == "" {
		return usual, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return 0, &failure{http.StatusBadRequest, "invalid_request", fmt.Sprintf("%s is '%s'; it must be a number of milliseconds", name, strings.ToValidUTF8(text, "?"))}
	}
	return n, nil
}

// wanted are the series of a list with commas; nil if it is empty.
func wanted(list string) (func(*history.Series) bool, error) {
	if list == "" {
		return nil, nil
	}
	var names []string
	for _, x := range history.All {
		names = append(names, x.Name)
	}
	asked := strings.Split(list, ",")
	for _, name := range asked {
		if slices.Contains(names, name) {
			continue
		}
		hint := "those that are kept are in docs/server.md"
		if near := source.Nearest(name, names); near != "" {
			hint = "did you mean '" + near + "'?"
		}
		return nil, &failure{http.StatusBadRequest, "invalid_request", fmt.Sprintf("there is no series '%s'; %s", strings.ToValidUTF8(source.Short(name), "?"), hint)}
	}
	return func(x *history.Series) bool { return slices.Contains(asked, x.Name) }, nil
}
