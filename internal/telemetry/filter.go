package telemetry

import "github.com/tidemark-sql/tidemark/internal/server/api"

// filter is a condition for labels.
type filter struct {
	op    string
	label string // of EQ
	value string
	of    []*filter
}

func readFilter(q *api.MetricFilter) (*filter, error) {
	f := &filter{op: q.Op, value: q.Value}
	parts := q.Filters
	switch q.Op {
	case "EQ":
		named, err := fieldNamed(q.Field)
		f.label = named.label
		return f, err
	case "AND", "OR":
		if len(parts) == 0 {
			return nil, refuse("filters of %s is empty", q.Op)
		}
	case "NOT":
		if q.Filter == nil {
			return nil, refuse("NOT has no filter")
		}
		parts = []api.MetricFilter{*q.Filter}
	default:
		return nil, refuse("op is '%s'; it can be EQ, AND, OR or NOT", q.Op)
	}
	for i := range parts {
		part, err := readFilter(&parts[i])
		if err != nil {
			return nil, err
		}
		f.of = append(f.of, part)
	}
	return f, nil
}

func (f *filter) match(labels map[string]string) bool {
	switch f.op {
	case "EQ":
		v, ok := labels[f.label]
		return ok && v == f.value
	case "NOT":
		return !f.of[0].match(labels)
	}
	for _, part := range f.of {
		if part.match(labels) == (f.op == "OR") {
			return f.op == "OR"
		}
	}
	return f.op == "AND"
}
