package metrics

import (
	"net/http"
	"strings"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// PrometheusName is what a series is called there. Confluent Cloud: the prefix confluent_flink_, and underscores for slashes.
func (s *Series) PrometheusName() string {
	return "confluent_flink_" + strings.ReplaceAll(s.Name, "/", "_")
}

// exporter is a prometheus.Collector.
type exporter struct {
	looks    func() []Look
	sentinel bool
	describe map[*Series]*prometheus.Desc
	// turn lets one at a time be answered: tens of thousands of series take 200 MB for a moment, which is not to be as many times more as there are who ask.
	turn sync.Mutex
}

// Handler answers Prometheus with samples of looks; see Collect for sentinel.
func Handler(looks func() []Look, sentinel bool) http.Handler {
	e := &exporter{looks: looks, sentinel: sentinel, describe: map[*Series]*prometheus.Desc{}}
	for _, s := range All {
		e.describe[s] = prometheus.NewDesc(s.PrometheusName(), s.Doc, append([]string{Statement, Pool}, s.Labels...), nil)
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(e)
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
}

// Describe implements prometheus.Collector.
func (e *exporter) Describe(to chan<- *prometheus.Desc) {
	for _, s := range All {
		to <- e.describe[s]
	}
}

// Collect implements prometheus.Collector.
func (e *exporter) Collect(to chan<- prometheus.Metric) {
	e.turn.Lock()
	defer e.turn.Unlock()
	for _, l := range e.looks() {
		for _, s := range Collect(&l, e.sentinel) {
			kind := prometheus.GaugeValue
			if s.Kind == Counter {
				kind = prometheus.CounterValue
			}
			to <- prometheus.MustNewConstMetric(e.describe[s.Series], kind, s.Value, append([]string{s.Statement, s.Pool}, s.Labels...)...)
		}
	}
}
