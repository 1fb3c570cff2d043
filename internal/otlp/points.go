package otlp

import (
	"maps"
	"slices"
	"strings"

	collector "go.opentelemetry.io/proto/slim/otlp/collector/metrics/v1"
	common "go.opentelemetry.io/proto/slim/otlp/common/v1"
	proto "go.opentelemetry.io/proto/slim/otlp/metrics/v1"
	resource "go.opentelemetry.io/proto/slim/otlp/resource/v1"

	"github.com/tidemark-sql/tidemark/internal/metrics"
)

// attribute is what a label is called as an attribute.
var attribute = func() map[string]string {
	names := map[string]string{}
	for _, a := range metrics.Attributes {
		names[a.Label] = a.Name
	}
	return names
}()

// taken is what the receiver knows of a counter.
type taken struct {
	value     float64
	began, at int64 // of the sample, and when it was looked at
}

// point is a sample that is to be sent.
type point struct {
	metrics.Sample
	key string
	at  int64
}

// ledger knows what the receiver has taken.
type ledger struct {
	cumulative bool
	// began is when this began, in microseconds of the wall clock: counters that do not know better count since then.
	began int64
	taken map[string]taken
}

// points are the samples of looks.
func points(looks []metrics.Look, sentinel bool) []point {
	var all []point
	for i := range looks {
		for _, s := range metrics.Collect(&looks[i], sentinel) {
			all = append(all, point{s, s.Name + "\x00" + s.Statement + "\x00" + strings.Join(s.Labels, "\x00"), looks[i].At})
		}
	}
	return all
}

// settle notes that points were taken.
func (l *ledger) settle(points []point) {
	for _, p := range points {
		if p.Kind == metrics.Counter {
			l.taken[p.key] = taken{p.Value, p.Began, p.at}
		}
	}
}

// keep forgets counters that are not among points.
func (l *ledger) keep(points []point) {
	left := make(map[string]taken, len(l.taken))
	for _, p := range points {
		if t, ok := l.taken[p.key]; ok {
			left[p.key] = t
		}
	}
	l.taken = left
}

// counted is the value of a counter as it is sent, and since when it counts.
func (l *ledger) counted(p point) (value float64, since int64) {
	since = l.began
	if p.Began > 0 {
		since = p.Began
	}
	if l.cumulative {
		return p.Value, since
	}
	if t, ok := l.taken[p.key]; ok && t.began == p.Began && t.value <= p.Value {
		return p.Value - t.value, t.at
	}
	return p.Value, since
}

// request is what is sent for points, a metric for each series.
func (l *ledger) request(points []point, about map[string]string) *collector.ExportMetricsServiceRequest {
	scope := &proto.ScopeMetrics{Scope: &common.InstrumentationScope{Name: service}}
	by := map[*metrics.Series]*proto.Metric{}
	for _, p := range points {
		m := by[p.Series]
		if m == nil {
			m = &proto.Metric{Name: metrics.Prefix + p.Name, Description: p.Doc}
			by[p.Series] = m
			scope.Metrics = append(scope.Metrics, m)
		}
		l.add(m, p)
	}
	return &collector.ExportMetricsServiceRequest{ResourceMetrics: []*proto.ResourceMetrics{{
		Resource: &resource.Resource{Attributes: pairs(about)}, ScopeMetrics: []*proto.ScopeMetrics{scope},
	}}}
}

func (l *ledger) add(m *proto.Metric, p point) {
	named := map[string]string{attribute[metrics.Statement]: p.Statement}
	if p.Pool != "" {
		named[attribute[metrics.Pool]] = p.Pool
	}
	for i, label := range p.Series.Labels {
		named[attribute[label]] = p.Labels[i]
	}
	out := &proto.NumberDataPoint{Attributes: pairs(named), TimeUnixNano: nanos(p.at)}
	if p.Kind == metrics.Gauge {
		out.Value = &proto.NumberDataPoint_AsDouble{AsDouble: p.Value}
		if m.Data == nil {
			m.Data = &proto.Metric_Gauge{Gauge: &proto.Gauge{}}
		}
		g := m.GetGauge()
		g.DataPoints = append(g.DataPoints, out)
		return
	}
	value, since := l.counted(p)
	out.StartTimeUnixNano = nanos(min(since, p.at))
	out.Value = &proto.NumberDataPoint_AsInt{AsInt: int64(value)}
	if m.Data == nil {
		kind := proto.AggregationTemporality_AGGREGATION_TEMPORALITY_DELTA
		if l.cumulative {
			kind = proto.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE
		}
		m.Data = &proto.Metric_Sum{Sum: &proto.Sum{AggregationTemporality: kind, IsMonotonic: true}}
	}
	s := m.GetSum()
	s.DataPoints = append(s.DataPoints, out)
}

func nanos(micros int64) uint64 { return uint64(max(0, micros)) * 1000 }

// pairs are attributes in the order of their names.
func pairs(all map[string]string) []*common.KeyValue {
	var out []*common.KeyValue
	for _, name := range slices.Sorted(maps.Keys(all)) {
		out = append(out, &common.KeyValue{Key: name, Value: &common.AnyValue{Value: &common.AnyValue_StringValue{StringValue: all[name]}}})
	}
	return out
}
