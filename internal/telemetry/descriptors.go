package telemetry

import (
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/metrics"
	"github.com/tidemark-sql/tidemark/internal/server/api"
)

// statement is what all series are of.
const statement = "flink_statement"

// Metrics describes all series.
func Metrics() api.MetricDescriptors {
	var d api.MetricDescriptors
	for _, s := range metrics.All {
		one := api.MetricDescriptor{Name: metrics.Prefix + s.Name, Description: s.Doc, Type: "GAUGE_DOUBLE", Unit: unit(s.Name), Lifecycle: "GENERAL_AVAILABILITY", Labels: []api.MetricLabel{}, Resources: []string{statement}}
		if s.Kind == metrics.Counter {
			one.Type = "COUNTER_DOUBLE"
		}
		labels := s.Labels
		if slices.Contains(labels, metrics.Operator) {
			labels = append(slices.Clone(labels), metrics.Task)
		}
		for _, f := range fields {
			if slices.Contains(labels, f.label) {
				one.Labels = append(one.Labels, api.MetricLabel{Key: strings.TrimPrefix(f.name, metric), Description: f.doc})
			}
		}
		d.Data = append(d.Data, one)
	}
	return d
}

// unit is that of a series in UCUM, as its name tells.
func unit(name string) string {
	switch {
	case strings.HasSuffix(name, "_ms_per_second"):
		return "ms/s"
	case strings.HasSuffix(name, "_ms"), strings.HasSuffix(name, "_milliseconds"):
		return "ms"
	case strings.Contains(name, "bytes"):
		return "By"
	}
	return "1"
}

// Resources describes what there are series of.
func Resources() api.ResourceDescriptors {
	one := api.ResourceDescriptor{Type: statement, Description: "a statement"}
	for _, f := range fields {
		if key, ok := strings.CutPrefix(f.name, resource); ok {
			one.Labels = append(one.Labels, api.MetricLabel{Key: key, Description: f.doc})
		}
	}
	return api.ResourceDescriptors{Data: []api.ResourceDescriptor{one}}
}
