package server

import (
	"net/http"
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/server/api"
)

// The sizes of pages of results.
const (
	usualRows = 1_000
	mostRows  = 10_000
	pageBytes = 4 << 20
)

// results shows a page of results. Asking for a page says that the ones before it have arrived.
func (s *Server) results(q *http.Request) (int, any, error) {
	found, err := s.find(q)
	if err != nil {
		return 0, nil, err
	}
	rows, err := number(q, "page_size", usualRows, mostRows)
	if err != nil {
		return 0, nil, err
	}
	parameters := q.URL.Query()
	from := int64(0)
	if t := parameters.Get("page_token"); t != "" {
		if from, err = strconv.ParseInt(t, 10, 64); err != nil || from < 0 {
			return 0, nil, &failure{http.StatusBadRequest, "invalid_request", "page_token is none of this server"}
		}
	}
	page, err := s.options.Hub.AwaitResults(q.Context(), found.Name, from, rows, pageBytes)
	if err != nil {
		return 0, nil, err
	}
	body := api.StatementResults{APIVersion: api.Version, Kind: api.KindResults, Results: api.Results{Data: []api.Row{}},
		Metadata: api.ListMetadata{Self: address(q, q.URL.Path, parameters), CreatedAt: instant(found.Created)}}
	for _, r := range page.Rows {
		body.Results.Data = append(body.Results.Data, api.Row{Op: int(r.Op), Row: r.Cells})
	}
	if page.More {
		next := without(parameters, "page_token")
		next.Set("page_token", strconv.FormatInt(page.Next, 10))
		body.Metadata.Next = address(q, q.URL.Path, next)
	}
	return http.StatusOK, body, nil
}

func (s *Server) exceptions(q *http.Request) (int, any, error) {
	found, err := s.find(q)
	if err != nil {
		return 0, nil, err
	}
	all, err := s.options.Hub.Exceptions(found.Name)
	if err != nil {
		return 0, nil, err
	}
	list := api.StatementExceptionList{APIVersion: api.Version, Kind: api.KindExceptions, Data: []api.StatementException{},
		Metadata: api.ListMetadata{Self: address(q, q.URL.Path, nil)}}
	for _, e := range all {
		list.Data = append(list.Data, api.StatementException{Name: e.Name, Message: e.Message, Timestamp: instant(e.At)})
	}
	return http.StatusOK, list, nil
}
