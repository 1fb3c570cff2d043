package server

import (
	"fmt"
	"net/http"
	"time"

	"github.com/tidemark-sql/tidemark/internal/server/api"
	"github.com/tidemark-sql/tidemark/internal/telemetry"
)

// dataset refuses all but the one that Confluent Cloud has, too.
func dataset(q *http.Request) error {
	if name := q.PathValue("dataset"); name != "cloud" {
		return &failure{http.StatusNotFound, "resource_not_found", fmt.Sprintf("there is no dataset '%s'; there is cloud", name)}
	}
	return nil
}

// queryMetrics tells how a series is now.
func (s *Server) queryMetrics(q *http.Request) (int, any, error) {
	if err := dataset(q); err != nil {
		return 0, nil, err
	}
	var asked api.MetricQuery
	if err := read(q, &asked); err != nil {
		return 0, nil, err
	}
	query, err := telemetry.Read(asked)
	if err != nil {
		return 0, nil, &failure{http.StatusBadRequest, "invalid_request", err.Error()}
	}
	return http.StatusOK, query.Answer(s.options.Hub.Looks(), time.UnixMicro(s.options.Hub.Now()), s.options.UnsetWatermarks), nil
}

func (s *Server) describeMetrics(q *http.Request) (int, any, error) {
	return http.StatusOK, telemetry.Metrics(), dataset(q)
}

func (s *Server) describeResources(q *http.Request) (int, any, error) {
	return http.StatusOK, telemetry.Resources(), dataset(q)
}
