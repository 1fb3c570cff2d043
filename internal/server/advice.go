package server

import (
	"encoding/json"
	"net/http"

	"github.com/tidemark-sql/tidemark/internal/server/api"
	"github.com/tidemark-sql/tidemark/internal/statements"
)

// advice tells what delays would do to a table, which the first request of it begins to find out.
func (s *Server) advice(q *http.Request) (int, any, error) {
	found, err := s.options.Hub.Advise(statements.Spec{Organization: q.PathValue("organization"), Environment: q.PathValue("environment")}, q.PathValue("table"), q.URL.Query().Get("column"))
	if err != nil {
		return 0, nil, err
	}
	body := api.Advice{APIVersion: api.Version, Kind: api.KindAdvice, State: found.State, Detail: found.Detail}
	if r := found.Report; r != nil {
		body.Rows = r.Rows + r.NullTimes
		if body.Report, err = json.Marshal(r); err != nil {
			return 0, nil, err
		}
	}
	return http.StatusOK, body, nil
}

// forgetAdvice ends the study of a table, so that the next request begins another one.
func (s *Server) forgetAdvice(q *http.Request) (int, any, error) {
	s.options.Hub.ForgetAdvice(q.PathValue("environment"), q.PathValue("table"), q.URL.Query().Get("column"))
	return http.StatusNoContent, nil, nil
}
