package server

import (
	"encoding/json"
	"net/http"

	"github.com/tidemark-sql/tidemark/internal/metrics"
	"github.com/tidemark-sql/tidemark/internal/server/api"
)

// taskGraph tells which tasks a statement runs as; Graph is empty if it does not run.
func (s *Server) taskGraph(q *http.Request) (int, any, error) {
	found, err := s.find(q)
	if err != nil {
		return 0, nil, err
	}
	stats, ok, err := s.options.Hub.Stats(found.Name)
	if err != nil {
		return 0, nil, err
	}
	body := api.TaskGraph{APIVersion: api.Version, Kind: api.KindTaskGraph}
	if !ok {
		return http.StatusOK, body, nil
	}
	g := api.Graph{Tasks: []api.Task{}}
	for _, t := range stats.Tasks {
		task := api.Task{ID: t.ID, Name: t.Name, Inputs: []api.TaskInput{}, Operators: []api.Operator{}}
		for i, from := range t.From {
			task.Inputs = append(task.Inputs, api.TaskInput{ID: from, Number: i})
		}
		for i, at := range t.Operators {
			o := &stats.Operators[at]
			task.Operators = append(task.Operators, api.Operator{Number: i, ID: o.ID, Name: o.Label})
		}
		g.Tasks = append(g.Tasks, task)
	}
	text, err := json.Marshal(g)
	if err != nil {
		return 0, nil, err
	}
	body.Graph = string(text)
	return http.StatusOK, body, nil
}

// metrics tells the numbers of one statement.
func (s *Server) metrics(q *http.Request) (int, any, error) {
	found, err := s.find(q)
	if err != nil {
		return 0, nil, err
	}
	look, err := s.options.Hub.Look(found.Name)
	if err != nil {
		return 0, nil, err
	}
	body := api.Metrics{APIVersion: api.Version, Kind: api.KindMetrics, At: instant(look.At), Samples: []api.Sample{}}
	for _, x := range metrics.Collect(&look, s.options.UnsetWatermarks) {
		sample := api.Sample{Name: metrics.Prefix + x.Name, Value: x.Value}
		for i, l := range x.Series.Labels {
			if sample.Labels == nil {
				sample.Labels = map[string]string{}
			}
			sample.Labels[l] = x.Labels[i]
		}
		body.Samples = append(body.Samples, sample)
	}
	return http.StatusOK, body, nil
}
