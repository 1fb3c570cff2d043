package server

import (
	"net/http"

	"github.com/tidemark-sql/tidemark/internal/server/api"
)

// log shows what has happened to a statement.
func (s *Server) log(q *http.Request) (int, any, error) {
	found, err := s.find(q)
	if err != nil {
		return 0, nil, err
	}
	all, err := s.options.Hub.Log(found.Name)
	if err != nil {
		return 0, nil, err
	}
	list := api.StatementLog{APIVersion: api.Version, Kind: api.KindLog, Data: []api.LogLine{}, Metadata: api.ListMetadata{Self: address(q, q.URL.Path, nil)}}
	for _, l := range all {
		list.Data = append(list.Data, api.LogLine{Timestamp: instant(l.At), Level: string(l.Level), Message: l.Text})
	}
	return http.StatusOK, list, nil
}
