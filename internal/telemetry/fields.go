package telemetry

import (
	"github.com/tidemark-sql/tidemark/internal/metrics"
)

// The names that Confluent Cloud has for labels, as fields of a query.
const (
	resource = "resource."
	metric   = "metric."
)

// field is something to filter and group by.
type field struct{ name, label, doc string }

var fields = func() (all []field) {
	for _, a := range metrics.Attributes {
		prefix := metric
		if a.Resource {
			prefix = resource
		}
		all = append(all, field{prefix + a.Name, a.Label, a.Doc})
	}
	return all
}()

// named finds a field.
func named(name string) (field, bool) {
	for _, f := range fields {
		if f.name == name {
			return f, true
		}
	}
	return field{}, false
}

func fieldNames() []string {
	var all []string
	for _, f := range fields {
		all = append(all, f.name)
	}
	return all
}

// labelled is a value with its labels.
type labelled struct {
	labels map[string]string
	value  float64
}

// valuesOf are the values of a series in a look. One of an operator has the task too that the operator is in.
func valuesOf(series *metrics.Series, look *metrics.Look, sentinel bool) []labelled {
	var all []labelled
	for _, s := range metrics.Collect(look, sentinel) {
		if s.Series != series {
			continue
		}
		l := labelled{map[string]string{metrics.Statement: s.Statement, metrics.Pool: s.Pool}, s.Value}
		for i, name := range series.Labels {
			l.labels[name] = s.Labels[i]
		}
		if id, ok := l.labels[metrics.Operator]; ok {
			if task := taskOf(look, id); task != "" {
				l.labels[metrics.Task] = task
			}
		}
		all = append(all, l)
	}
	return all
}

// taskOf finds the task of an operator; one that reads a source is called like it.
func taskOf(look *metrics.Look, operator string) string {
	for i := range look.Stats.Tasks {
		t := &look.Stats.Tasks[i]
		if t.ID == operator {
			return t.ID
		}
		for _, at := range t.Operators {
			if look.Stats.Operators[at].ID == operator {
				return t.ID
			}
		}
	}
	return ""
}
