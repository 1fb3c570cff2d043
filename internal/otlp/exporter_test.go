package otlp

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	collector "go.opentelemetry.io/proto/slim/otlp/collector/metrics/v1"
	v1 "go.opentelemetry.io/proto/slim/otlp/metrics/v1"
	"google.golang.org/protobuf/proto"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/metrics"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/supervisor"
	"github.com/tidemark-sql/tidemark/watermark"
)

const second = 1_000_000

// receiver is an OpenTelemetry receiver: it decodes what comes and keeps it.
type receiver struct {
	t       *testing.T
	mu      sync.Mutex
	took    []*collector.ExportMetricsServiceRequest
	at      []time.Time // when requests came, also those that were refused
	headers []http.Header
	answer  func(n int) (status int, header http.Header, body []byte) // to request n; nil takes everything
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if q.Method != http.MethodPost || q.URL.Path != "/v1/metrics" || q.Header.Get("Content-Type") != "application/x-protobuf" {
		r.t.Errorf("%s %s with %s comes", q.Method, q.URL, q.Header.Get("Content-Type"))
	}
	n := len(r.at)
	r.at, r.headers = append(r.at, time.Now()), append(r.headers, q.Header)
	if r.answer != nil {
		status, header, body := r.answer(n)
		for name := range header {
			w.Header().Set(name, header.Get(name))
		}
		w.WriteHeader(status)
		w.Write(body)
		if status != http.StatusOK {
			return
		}
	}
	from := io.Reader(q.Body)
	if q.Header.Get("Content-Encoding") == "gzip" {
		z, err := gzip.NewReader(q.Body)
		if err != nil {
			r.t.Error(err)
			return
		}
		from = z
	}
	text, err := io.ReadAll(from)
	if err != nil {
		r.t.Error(err)
	}
	var request collector.ExportMetricsServiceRequest
	if err := proto.Unmarshal(text, &request); err != nil {
		r.t.Error(err)
	}
	r.took = append(r.took, &request)
}

// RoundTrip implements http.RoundTripper, for exporters in a bubble of virtual time.
func (r *receiver) RoundTrip(q *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	r.ServeHTTP(w, q)
	return w.Result(), nil
}

// all are the metrics that request n had, by name without the prefix.
func (r *receiver) all(n int) map[string]*v1.Metric {
	r.t.Helper()
	out := map[string]*v1.Metric{}
	for _, m := range r.took[n].ResourceMetrics[0].ScopeMetrics[0].Metrics {
		name, ok := strings.CutPrefix(m.Name, "io.confluent.flink/")
		if !ok || out[name] != nil {
			r.t.Errorf("%s comes, with a wrong name or twice", m.Name)
		}
		out[name] = m
	}
	return out
}

// look is a statement that reads rows of a topic with one split and writes them, seconds after the epoch.
func look(t testing.TB, name string, at, rows int64) metrics.Look {
	t.Helper()
	core, err := watermark.New(watermark.Replay(1000), 0)
	if err != nil {
		t.Fatal(err)
	}
	core.AddSplit(0)
	var out watermark.Observed
	core.Observe(0, []int64{100 * second}, []int64{100 * second}, at*second, &out)
	core.Publish(at * second)
	standing := runtime.Standing{Frontier: 77 * second, Active: true}
	source := runtime.SourceStats{Name: "clicks", Splits: []string{"clicks-0"}, Watermarked: true, Watermark: core.Load(), Pending: connector.Backlog{Records: 7}}
	source.Rows = rows
	l := metrics.Look{Statement: name, Pool: "pool", Phase: "RUNNING", At: at * second, Began: second, Topics: func(string) bool { return true }, Past: supervisor.Past{Taken: 3}}
	l.Checkpoint.ID = 3
	published := *core.Load()
	published.System = standing.Frontier
	queue := runtime.SourceStats{Name: "reader/queue", Splits: []string{"queue-0"}, Watermarked: true, Watermark: &published, Pending: connector.Backlog{Records: -1},
		Strategy: watermark.Strategy{Candidates: watermark.Lookahead{}, Alignment: watermark.Alignment{Group: "pair", Drift: 1}}}
	l.Stats = &runtime.Stats{
		Sources: []runtime.SourceStats{source, queue},
		Operators: []runtime.OperatorStats{{ID: "window", Input: standing, Output: standing},
			{ID: "named", Output: standing, Stream: &runtime.Stream{Name: "clicks", Sources: []string{"reader/queue"}}}},
		Sinks: []runtime.SinkStats{{Name: "counts", Input: standing}},
		Tasks: []runtime.TaskStats{{ID: "source-0", Instances: []runtime.TaskInstance{{Spent: runtime.Spent{Idle: at * second}}}}},
	}
	return l
}

func exporter(t *testing.T, o Options, looks func() []metrics.Look) (e *Exporter, told *[]string) {
	t.Helper()
	if err := o.Fill(func(string) string { return "" }); err != nil {
		t.Fatal(err)
	}
	told = new([]string)
	return New(o, looks, false, runtime.WallClock{}, func(line string) { *told = append(*told, line) }), told
}

// Every series goes to a receiver over HTTP, under the literal name of Confluent Cloud, of its kind and with its labels.
func TestReceiver(t *testing.T) {
	r := &receiver{t: t}
	s := httptest.NewTLSServer(r)
	defer s.Close()
	trusted := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(trusted, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	o := Options{Gzip: true, Headers: map[string]string{"authorization": "Bearer x"}}
	variables := map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": s.URL, "OTEL_EXPORTER_OTLP_CERTIFICATE": trusted, "OTEL_RESOURCE_ATTRIBUTES": "host.name=here"}
	if err := o.Fill(func(name string) string { return variables[name] }); err != nil {
		t.Fatal(err)
	}
	now := look(t, "count", 20, 45)
	before := look(t, "count", 10, 40)
	now.Before = &before
	e := New(o, func() []metrics.Look { return []metrics.Look{now} }, false, runtime.WallClock{}, func(string) {})
	if err := e.Send(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := r.headers[0].Get("Authorization"); got != "Bearer x" {
		t.Errorf("the header is %q", got)
	}
	if got := said(r.took[0].ResourceMetrics[0].Resource.Attributes); got != "host.name=here service.name=tidemark" {
		t.Errorf("the resource is %s", got)
	}
	all := r.all(0)
	for _, x := range metrics.All {
		m := all[x.Name]
		if m == nil {
			t.Errorf("%s does not come", x.Name)
			continue
		}
		delete(all, x.Name)
		points := m.GetGauge().GetDataPoints()
		if x.Kind == metrics.Counter {
			if points = m.GetSum().GetDataPoints(); m.GetSum().GetAggregationTemporality() != v1.AggregationTemporality_AGGREGATION_TEMPORALITY_DELTA || !m.GetSum().GetIsMonotonic() {
				t.Errorf("%s is no counter of what was added", x.Name)
			}
		}
		if len(points) == 0 || m.Description == "" {
			t.Errorf("%s is of another kind, or has no words", x.Name)
			continue
		}
		want := map[string]string{metrics.Table: " table=", metrics.Task: " flink_task.id=source-0", metrics.Operator: " flink_operator.id=", metrics.Split: " flink_split=clicks-0", metrics.Status: " status=RUNNING"}
		got := said(points[0].Attributes)
		for _, label := range x.Labels {
			if !strings.Contains(" "+got, want[label]) {
				t.Errorf("%s has the attributes %s", x.Name, got)
			}
		}
		if !strings.Contains(got, "flink_statement.name=count") || !strings.Contains(got, "compute_pool.id=pool") || len(points[0].Attributes) != 2+len(x.Labels) || points[0].TimeUnixNano != 20e9 {
			t.Errorf("%s has the attributes %s at %d", x.Name, got, points[0].TimeUnixNano)
		}
	}
	for name := range all {
		t.Errorf("%s comes", name)
	}
}

// Counters are what was added since the receiver took them last, also over failures, restarts of a statement and the end of one.
func TestCounters(t *testing.T) {
	fails := false
	r := &receiver{t: t, answer: func(int) (int, http.Header, []byte) {
		if fails {
			return http.StatusServiceUnavailable, nil, nil
		}
		return http.StatusOK, nil, nil
	}}
	for _, cumulative := range []bool{false, true} {
		r.took = nil
		var now metrics.Look
		e, _ := exporter(t, Options{Endpoint: "http://receiver/v1/metrics", Cumulative: cumulative}, func() []metrics.Look { return []metrics.Look{now} })
		e.client.Transport, e.ledger.began = r, 0
		for _, step := range []struct {
			at, rows, began int64
			fails           bool
			added, since    int64
		}{
			{at: 10, rows: 5, began: 1, added: 5, since: 1},
			{at: 70, rows: 5, began: 1, added: 0, since: 10},
			{at: 130, rows: 9, began: 1, fails: true},
			{at: 131, rows: 12, began: 1, added: 7, since: 70},
			{at: 190, rows: 20, began: 150, added: 20, since: 150}, // another job, which has come further already
			{at: 250, rows: 3, began: 200, added: 3, since: 200},
		} {
			now = look(t, "count", step.at, step.rows)
			now.Began = step.began * second
			fails = step.fails
			if err := e.Send(t.Context()); (err != nil) != fails {
				t.Fatal(err)
			}
			if fails {
				continue
			}
			p := r.all(len(r.took) - 1)["num_records_in"].GetSum().GetDataPoints()[0]
			want, since := step.added, step.since
			if cumulative {
				want, since = step.rows, step.began
			}
			if p.GetAsInt() != want || p.StartTimeUnixNano != uint64(since*1e9) || p.TimeUnixNano != uint64(step.at*1e9) {
				t.Errorf("cumulative %t, at %d: %d rows since %d, want %d since %d", cumulative, step.at, p.GetAsInt(), p.StartTimeUnixNano/1e9, want, since)
			}
		}
		now = metrics.Look{Statement: "count", Phase: "STOPPED", At: 300 * second}
		if err := e.Send(t.Context()); err != nil {
			t.Fatal(err)
		}
		if m := r.all(len(r.took) - 1); m["num_records_in"] != nil || m["statement_status"] == nil || len(e.ledger.taken) != 3 {
			t.Errorf("of a statement without a job %d metrics come, and %d counters are remembered", len(m), len(e.ledger.taken))
		}
	}
}

// What was taken before a failure is not sent twice.
func TestManyPoints(t *testing.T) {
	r := &receiver{t: t, answer: func(n int) (int, http.Header, []byte) {
		if n == 1 {
			return http.StatusBadGateway, nil, nil
		}
		return http.StatusOK, nil, nil
	}}
	var all []metrics.Look
	for len(points(all, false)) <= mostPoints {
		all = append(all, look(t, "count-"+string(rune('a'+len(all)/26))+string(rune('a'+len(all)%26)), 10, 1))
	}
	e, _ := exporter(t, Options{Endpoint: "http://receiver/v1/metrics"}, func() []metrics.Look { return all })
	e.client.Transport = r
	if err := e.Send(t.Context()); err == nil {
		t.Fatal("nobody notices")
	}
	if err := e.Send(t.Context()); err != nil {
		t.Fatal(err)
	}
	rows, most := int64(0), 0
	for n := range r.took {
		here := 0
		for _, m := range r.all(n) {
			here += len(m.GetGauge().GetDataPoints()) + len(m.GetSum().GetDataPoints())
			if m.Name == "io.confluent.flink/num_records_in" {
				for _, p := range m.GetSum().GetDataPoints() {
					rows += p.GetAsInt()
				}
			}
		}
		most = max(most, here)
	}
	if rows != int64(len(all)) || most > mostPoints || len(r.took) != 3 {
		t.Errorf("%d rows of %d come in %d requests of up to %d points", rows, len(all), len(r.took), most)
	}
}

// A receiver that is away is told of once, asked again soon and then less often, and told of when it is there; a statement has nothing of it.
func TestRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		partial, err := proto.Marshal(&collector.ExportMetricsServiceResponse{PartialSuccess: &collector.ExportMetricsPartialSuccess{RejectedDataPoints: 2, ErrorMessage: "too old"}})
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		r := &receiver{t: t, answer: func(n int) (int, http.Header, []byte) {
			switch n {
			case 1, 2:
				return http.StatusServiceUnavailable, http.Header{"Content-Type": {"text/plain"}}, []byte("full\n")
			case 3:
				return http.StatusTooManyRequests, http.Header{"Retry-After": {"20"}}, nil
			case 5:
				return http.StatusUnauthorized, nil, nil
			case 7:
				return http.StatusOK, nil, partial
			}
			return http.StatusOK, nil, []byte("not protobuf")
		}}
		e, told := exporter(t, Options{Endpoint: "http://user:secret@receiver/v1/metrics?token=secret"}, func() []metrics.Look { return []metrics.Look{look(t, "count", 10, 5)} })
		e.client.Transport = r
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			e.Run(ctx)
			close(done)
		}()
		<-time.After(8 * time.Minute)
		synctest.Wait()
		cancel()
		<-done
		var at []int
		for _, x := range r.at {
			at = append(at, int(x.Sub(start).Seconds()))
		}
		if want := []int{60, 120, 121, 123, 143, 203, 263, 323, 383, 443, 480}; !slices.Equal(at, want) {
			t.Errorf("requests come at %d s, want %d", at, want)
		}
		want := []string{
			"metrics do not reach http://receiver/v1/metrics: it answers 503 Service Unavailable: full; it is tried again, and counters are kept",
			"metrics reach http://receiver/v1/metrics again",
			"metrics do not reach http://receiver/v1/metrics: it answers 401 Unauthorized; it is tried again, and counters are kept",
			"metrics reach http://receiver/v1/metrics again",
			"metrics do not reach http://receiver/v1/metrics: 2 points are left out there: too old; it is tried again, and counters are kept",
			"metrics reach http://receiver/v1/metrics again",
		}
		if !slices.Equal(*told, want) {
			t.Errorf("it tells\n%s", strings.Join(*told, "\n"))
		}
	})
}

// A server that ends while a receiver does not answer asks it once more, for a while, and ends.
func TestEndsWhileItWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, told := exporter(t, Options{Endpoint: "http://receiver/v1/metrics"}, func() []metrics.Look { return []metrics.Look{look(t, "count", 10, 5)} })
		e.client.Transport = roundTrip(func(q *http.Request) (*http.Response, error) {
			<-q.Context().Done()
			return nil, q.Context().Err()
		})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			e.Run(ctx)
			close(done)
		}()
		<-time.After(usualInterval + usualTimeout + firstPause + time.Second) // it was told of, and asked again
		cancel()
		begin := time.Now()
		<-done
		if took := time.Since(begin); took != farewell {
			t.Errorf("it ends after %s", took)
		}
		if want := []string{"metrics do not reach http://receiver/v1/metrics: context deadline exceeded; it is tried again, and counters are kept"}; !slices.Equal(*told, want) {
			t.Errorf("it tells %q", *told)
		}
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(q *http.Request) (*http.Response, error) { return f(q) }

// A receiver that takes no connection, and one that answers with another place, are told of without what is secret.
// TestReceiverAwayForLong: however long a receiver is away, it is asked no more often than once in an interval in the end.
func TestReceiverAwayForLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &receiver{t: t, answer: func(int) (int, http.Header, []byte) { return http.StatusServiceUnavailable, nil, nil }}
		e, _ := exporter(t, Options{Endpoint: "http://receiver/v1/metrics"}, func() []metrics.Look { return []metrics.Look{look(t, "count", 10, 5)} })
		e.client.Transport = r
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			e.Run(ctx)
			close(done)
		}()
		<-time.After(24 * time.Hour)
		cancel()
		<-done
		for i, at := range r.at[8 : len(r.at)-1] {
			if passed := at.Sub(r.at[i+7]); passed != time.Minute {
				t.Fatalf("request %d comes %s after the one before", i+8, passed)
			}
		}
		if n := len(r.at); n < 24*60 || n > 24*60+8 {
			t.Errorf("%d requests come in a day", n)
		}
	})
}

func TestReceiverAway(t *testing.T) {
	away := httptest.NewServer(nil)
	away.Close()
	elsewhere := httptest.NewServer(http.RedirectHandler("http://127.0.0.1:1/v1/metrics", http.StatusTemporaryRedirect))
	defer elsewhere.Close()
	for _, url := range []string{away.URL, elsewhere.URL} {
		e, _ := exporter(t, Options{Endpoint: url + "/v1/metrics?token=secret"}, func() []metrics.Look { return []metrics.Look{look(t, "count", 10, 5)} })
		if err := e.Send(t.Context()); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("the error is %v", err)
		}
	}
}

func TestZipped(t *testing.T) {
	text := bytes.Repeat([]byte("a"), 10_000)
	z, err := gzip.NewReader(bytes.NewReader(zipped(text)))
	if err != nil {
		t.Fatal(err)
	}
	if back, err := io.ReadAll(z); err != nil || !bytes.Equal(back, text) {
		t.Errorf("%d bytes come back, %v", len(back), err)
	}
}

// BenchmarkSend sends what 200 statements tell of a split each, to a receiver that takes no time.
func BenchmarkSend(b *testing.B) {
	var all []metrics.Look
	for range 200 {
		all = append(all, look(b, "count-"+strings.Repeat("x", len(all)), 10, 1))
	}
	o := Options{Endpoint: "http://receiver/v1/metrics"}
	if err := o.Fill(func(string) string { return "" }); err != nil {
		b.Fatal(err)
	}
	e := New(o, func() []metrics.Look { return all }, false, runtime.WallClock{}, func(string) {})
	bytes := 0
	e.client.Transport = roundTrip(func(q *http.Request) (*http.Response, error) {
		bytes += int(q.ContentLength)
		return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
	})
	for b.Loop() {
		if err := e.Send(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(points(all, false))), "points/op")
	b.ReportMetric(float64(bytes)/float64(b.N), "bytes/op")
}
