package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// What a server counts goes to a receiver of OpenTelemetry, the last of it when the server ends; one that is not there is told of and does no harm.
func TestServerSendsMetrics(t *testing.T) {
	var got strings.Builder
	r := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, q *http.Request) {
		text, err := io.ReadAll(q.Body)
		if err != nil || q.URL.Path != "/v1/metrics" || q.Header.Get("X-Key") != "of=mine" {
			t.Errorf("%s %s comes with %s, %v", q.Method, q.URL, q.Header, err)
		}
		got.Write(text)
	}))
	defer r.Close()
	dir := t.TempDir()
	s := startServer(t, "--data-dir", dir, "--otlp-endpoint", r.URL, "--otlp-header", "x-key=of=mine", "--otlp-interval", "1h")
	if code, _, errs := run("statement", "create", "clicks", "--server", s.url, "--wait", "-e", "CREATE TABLE clicks (id BIGINT)"); code != exitOK {
		t.Fatalf("it ends with %d: %s", code, errs)
	}
	s.stop(t)
	for _, want := range []string{"io.confluent.flink/statement_status", "flink_statement.name", "clicks", "COMPLETED"} {
		if !strings.Contains(got.String(), want) {
			t.Errorf("no %q comes in\n%q", want, got.String())
		}
	}
	r.Close()
	s = startServer(t, "--data-dir", dir, "--otlp-endpoint", r.URL)
	s.stop(t)
	if !strings.Contains(s.errs.String(), "metrics do not reach "+r.URL+"/v1/metrics") {
		t.Errorf("it tells %q", s.errs)
	}
}
