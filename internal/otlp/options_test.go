package otlp

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	common "go.opentelemetry.io/proto/slim/otlp/common/v1"
)

// said are attributes in the order of their names.
func said(all []*common.KeyValue) string {
	var out []string
	for _, x := range all {
		out = append(out, x.Key+"="+x.Value.GetStringValue())
	}
	return strings.Join(out, " ")
}

func TestFill(t *testing.T) {
	show := func(o Options) string {
		if o.Endpoint == "" {
			return "nowhere"
		}
		text := fmt.Sprintf("%s every %s within %s", o.Endpoint, o.Interval, o.Timeout)
		if o.Cumulative {
			text += ", cumulative"
		}
		if o.Gzip {
			text += ", gzip"
		}
		for _, all := range []map[string]string{o.Headers, o.Resource} {
			for _, name := range slices.Sorted(maps.Keys(all)) {
				text += ", " + name + "=" + all[name]
			}
		}
		return text
	}
	const usual = " every 1m0s within 10s"
	for _, c := range []struct {
		given     Options
		variables string // key=value, with | between
		want      string
	}{
		{Options{}, "", "nowhere"},
		{Options{}, "OTEL_EXPORTER_OTLP_ENDPOINT=http://a:4318/", "http://a:4318/v1/metrics" + usual + ", service.name=tidemark"},
		{Options{}, "OTEL_EXPORTER_OTLP_ENDPOINT=http://a|OTEL_EXPORTER_OTLP_METRICS_ENDPOINT=https://b/x", "https://b/x" + usual + ", service.name=tidemark"},
		{Options{}, "OTEL_EXPORTER_OTLP_ENDPOINT=http://a|OTEL_SDK_DISABLED=TRUE", "nowhere"},
		{Options{}, "OTEL_EXPORTER_OTLP_ENDPOINT=http://a|OTEL_METRICS_EXPORTER=none", "nowhere"},
		{Options{Endpoint: At("http://flag/v1/metrics")}, "OTEL_EXPORTER_OTLP_ENDPOINT=http://a|OTEL_SDK_DISABLED=true", "http://flag/v1/metrics" + usual + ", service.name=tidemark"},
		{Options{}, "OTEL_EXPORTER_OTLP_ENDPOINT=http://a|OTEL_EXPORTER_OTLP_HEADERS=a=b%20c, key = v=w|OTEL_EXPORTER_OTLP_TIMEOUT=2000|OTEL_METRIC_EXPORT_INTERVAL=5000|OTEL_EXPORTER_OTLP_COMPRESSION=gzip|OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE=cumulative|OTEL_SERVICE_NAME=mine|OTEL_RESOURCE_ATTRIBUTES=service.name=other,host.name=h",
			"http://a/v1/metrics every 5s within 2s, cumulative, gzip, a=b c, key=v=w, host.name=h, service.name=mine"},
		{Options{Endpoint: "http://a/v1/metrics", Interval: time.Second, Headers: map[string]string{"a": "flag"}}, "OTEL_EXPORTER_OTLP_METRICS_HEADERS=a=b,c=d|OTEL_METRIC_EXPORT_INTERVAL=5000|OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE=delta",
			"http://a/v1/metrics every 1s within 10s, a=flag, c=d, service.name=tidemark"},
		{Options{}, "OTEL_EXPORTER_OTLP_ENDPOINT=a:4317", "error: the endpoint"},
		{Options{}, "OTEL_EXPORTER_OTLP_ENDPOINT=http://a|OTEL_EXPORTER_OTLP_PROTOCOL=grpc", "error: OTEL_EXPORTER_OTLP_PROTOCOL is 'grpc'"},
		{Options{}, "OTEL_EXPORTER_OTLP_ENDPOINT=http://a|OTEL_EXPORTER_OTLP_HEADERS=secret", "error: OTEL_EXPORTER_OTLP_HEADERS has to be"},
		{Options{}, "OTEL_EXPORTER_OTLP_ENDPOINT=http://a|OTEL_RESOURCE_ATTRIBUTES=a=%zz", "error: OTEL_RESOURCE_ATTRIBUTES has to be"},
		{Options{}, "OTEL_EXPORTER_OTLP_ENDPOINT=http://a|OTEL_METRIC_EXPORT_INTERVAL=0", "error: OTEL_METRIC_EXPORT_INTERVAL is '0'"},
		{Options{}, "OTEL_EXPORTER_OTLP_ENDPOINT=http://a|OTEL_EXPORTER_OTLP_TIMEOUT=10s", "error: OTEL_EXPORTER_OTLP_TIMEOUT is '10s'"},
		{Options{}, "OTEL_EXPORTER_OTLP_ENDPOINT=http://a|OTEL_EXPORTER_OTLP_CERTIFICATE=nothing.pem", "error: OTEL_EXPORTER_OTLP_CERTIFICATE: open nothing.pem"},
		{Options{}, "OTEL_EXPORTER_OTLP_ENDPOINT=http://a|OTEL_EXPORTER_OTLP_CERTIFICATE=options.go", "error: OTEL_EXPORTER_OTLP_CERTIFICATE: there is no certificate"},
	} {
		variables := map[string]string{}
		for part := range strings.SplitSeq(c.variables, "|") {
			name, value, _ := strings.Cut(part, "=")
			variables[name] = value
		}
		o := c.given
		got := ""
		if err := o.Fill(func(name string) string { return variables[name] }); err != nil {
			got = "error: " + err.Error()
		} else {
			got = show(o)
		}
		if got != c.want && !(strings.HasPrefix(c.want, "error") && strings.HasPrefix(got, c.want)) {
			t.Errorf("%s\ngives %s\nwant  %s", c.variables, got, c.want)
		}
		if strings.HasPrefix(got, "error") && strings.Contains(got, "secret") {
			t.Errorf("%s tells a secret", got)
		}
	}
}
