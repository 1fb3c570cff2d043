package server

import (
	"net/http"
	"time"

	"github.com/tidemark-sql/tidemark/internal/server/api"
	"github.com/tidemark-sql/tidemark/internal/telemetry"
)

// queryMetrics tells how a series is now.
func (s *Server) queryMetrics(q *http.Request) (int, any, error) {
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

func (s *Server) describeMetrics(*http.Request) (int, any, error) {
	return http.StatusOK, telemetry.Metrics(), nil
}

func (s *Server) describeResources(*http.Request) (int, any, error) {
	return http.StatusOK, telemetry.Resources(), nil
}
