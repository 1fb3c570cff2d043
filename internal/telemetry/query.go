package telemetry

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/metrics"
	"github.com/tidemark-sql/tidemark/internal/server/api"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// steps are the granularities; all is the whole of the interval.
var steps = map[string]time.Duration{"PT1M": time.Minute, "PT5M": 5 * time.Minute, "PT15M": 15 * time.Minute, "PT30M": 30 * time.Minute, "PT1H": time.Hour, "PT4H": 4 * time.Hour,
	"PT6H": 6 * time.Hour, "PT12H": 12 * time.Hour, "P1D": 24 * time.Hour, all: 0}

const (
	all        = "ALL"
	usualLimit = 100
	mostLimit  = 1_000
)

// Query is one that was read and can be answered.
type Query struct {
	series *metrics.Series
	fold   string
	filter *filter
	groups []field
	step   time.Duration
	spans  []span
	limit  int
	flat   bool
}

type span struct{ from, to time.Time }

func refuse(format string, args ...any) error { return fault.Errorf(fault.User, format, args...) }

// Read reads a query. Errors are of class User and say what to write.
func Read(q api.MetricQuery) (*Query, error) {
	if len(q.Aggregations) != 1 {
		return nil, refuse("aggregations has %d entries; it must have one", len(q.Aggregations))
	}
	r := &Query{limit: cmp.Or(q.Limit, usualLimit)}
	var err error
	if r.series, err = seriesNamed(q.Aggregations[0].Metric); err != nil {
		return nil, err
	}
	if r.fold = cmp.Or(strings.ToUpper(q.Aggregations[0].Agg), usualFold[r.series.Fold()]); foldings[r.fold] == nil {
		return nil, refuse("agg is '%s'; it can be %s", q.Aggregations[0].Agg, strings.Join(slices.Sorted(maps.Keys(foldings)), ", "))
	}
	if q.Filter != nil {
		if r.filter, err = readFilter(q.Filter); err != nil {
			return nil, err
		}
	}
	for _, name := range q.GroupBy {
		f, err := fieldNamed(name)
		if err != nil {
			return nil, err
		}
		r.groups = append(r.groups, f)
	}
	var ok bool
	if r.step, ok = steps[q.Granularity]; !ok {
		return nil, refuse("granularity is '%s'; it can be %s", q.Granularity, strings.Join(slices.Sorted(maps.Keys(steps)), ", "))
	}
	if len(q.Intervals) == 0 {
		return nil, refuse("intervals is empty; write two instants with a slash between, such as 2026-01-01T00:00:00Z/2026-01-01T01:00:00Z")
	}
	for _, text := range q.Intervals {
		s, err := readSpan(text)
		if err != nil {
			return nil, err
		}
		r.spans = append(r.spans, s)
	}
	if r.limit < 1 || r.limit > mostLimit {
		return nil, refuse("limit is %d; it can be from 1 to %d", r.limit, mostLimit)
	}
	switch q.Format {
	case "", "FLAT":
		r.flat = true
	case "GROUPED":
	default:
		return nil, refuse("format is '%s'; it can be FLAT or GROUPED", q.Format)
	}
	return r, nil
}

func seriesNamed(name string) (*metrics.Series, error) {
	var names []string
	for _, s := range metrics.All {
		if metrics.Prefix+s.Name == name {
			return s, nil
		}
		names = append(names, metrics.Prefix+s.Name)
	}
	hint := "GET /v2/metrics/cloud/descriptors/metrics lists them"
	if near := source.Nearest(name, names); near != "" {
		hint = "did you mean '" + near + "'?"
	}
	return nil, refuse("there is no metric '%s'; %s", name, hint)
}

func fieldNamed(name string) (field, error) {
	f, ok := named(name)
	if !ok {
		return f, refuse("there is no field '%s'; there are %s", name, strings.Join(fieldNames(), ", "))
	}
	return f, nil
}

func readSpan(text string) (s span, err error) {
	from, to, ok := strings.Cut(text, "/")
	if ok {
		if s.from, err = time.Parse(time.RFC3339, from); err == nil {
			s.to, err = time.Parse(time.RFC3339, to)
		}
	}
	if !ok || err != nil || !s.from.Before(s.to) {
		return s, refuse("an interval is '%s'; write two instants with a slash between, the earlier first, such as 2026-01-01T00:00:00Z/2026-01-01T01:00:00Z", text)
	}
	return s, nil
}

// at is the timestamp of the point that is now; ok is false if now is in none of the intervals. A client's clock may be a little behind: the step counts in which now is.
func (q *Query) at(now time.Time) (at time.Time, ok bool) {
	for _, s := range q.spans {
		if at = s.from; q.step > 0 {
			at = now.Truncate(q.step)
		}
		if !at.After(s.to) && s.from.Before(now) {
			return at.UTC(), true
		}
	}
	return at, false
}

// group are the values of a combination of the fields.
type group struct {
	key    []string
	labels map[string]string
	values []float64
}

// Answer is the query over statements as they are now. Sentinel is as in metrics.Collect.
func (q *Query) Answer(looks []metrics.Look, now time.Time, sentinel bool) api.MetricData {
	answer := api.MetricData{Data: []map[string]any{}}
	at, ok := q.at(now)
	if !ok {
		return answer
	}
	for _, g := range q.collect(looks, sentinel) {
		if len(answer.Data) == q.limit {
			break
		}
		entry := map[string]any{}
		for _, f := range q.groups {
			if v, ok := g.labels[f.label]; ok {
				entry[f.name] = v
			}
		}
		point := map[string]any{"timestamp": at.Format(time.RFC3339), "value": foldings[q.fold](g.values)}
		if q.flat {
			maps.Copy(entry, point)
		} else {
			entry["points"] = []map[string]any{point}
		}
		answer.Data = append(answer.Data, entry)
	}
	return answer
}

func (q *Query) collect(looks []metrics.Look, sentinel bool) []*group {
	byKey := map[string]*group{}
	for i := range looks {
		for _, v := range valuesOf(q.series, &looks[i], sentinel) {
			if q.filter != nil && !q.filter.match(v.labels) {
				continue
			}
			var key []string
			for _, f := range q.groups {
				key = append(key, v.labels[f.label])
			}
			id := fmt.Sprintf("%q", key)
			if byKey[id] == nil {
				byKey[id] = &group{key: key, labels: v.labels}
			}
			byKey[id].values = append(byKey[id].values, v.value)
		}
	}
	return slices.SortedFunc(maps.Values(byKey), func(a, b *group) int { return slices.Compare(a.key, b.key) })
}

var usualFold = map[metrics.Fold]string{metrics.Sum: "SUM", metrics.Most: "MAX", metrics.Least: "MIN"}

var foldings = map[string]func([]float64) float64{
	"SUM":   sum,
	"MIN":   slices.Min[[]float64],
	"MAX":   slices.Max[[]float64],
	"AVG":   func(all []float64) float64 { return sum(all) / float64(len(all)) },
	"COUNT": func(all []float64) float64 { return float64(len(all)) },
}

func sum(all []float64) (total float64) {
	for _, v := range all {
		total += v
	}
	return total
}
