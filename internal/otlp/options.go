package otlp

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"maps"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

// Options say where metrics go, and how. The zero value sends nothing.
type Options struct {
	// Endpoint is the address that metrics are posted to; "" is nowhere.
	Endpoint string
	// Headers are sent along. They may be secret.
	Headers map[string]string
	// Interval is the time from one sending to the next, and Timeout how long one may take.
	Interval, Timeout time.Duration
	// Cumulative sends counters as what they have come to, and not as what was added.
	Cumulative bool
	// Gzip compresses what is sent.
	Gzip bool
	// Resource are attributes of the whole server.
	Resource map[string]string
	// TLS is nil for the usual one.
	TLS *tls.Config
}

// The defaults. OpenTelemetry: 60 s and 10 s.
const (
	usualInterval = time.Minute
	usualTimeout  = 10 * time.Second
	service       = "tidemark"
)

// At is the address for metrics of a receiver that is at base, as OTEL_EXPORTER_OTLP_ENDPOINT names it. OpenTelemetry: /v1/metrics below it.
func At(base string) string {
	const path = "/v1/metrics"
	return strings.TrimSuffix(strings.TrimRight(base, "/"), path) + path
}

// Fill sets what is not set yet as the standard variables of OpenTelemetry say, or to what is usual. Errors name the variable or what is wrong with the endpoint.
func (o *Options) Fill(variable func(string) string) error {
	env := environment{variable: variable}
	if o.Endpoint == "" && (strings.EqualFold(env.get("OTEL_SDK_DISABLED"), "true") || env.get("OTEL_METRICS_EXPORTER") == "none") {
		return nil
	}
	if o.Endpoint == "" {
		o.Endpoint = env.of("ENDPOINT")
		if base := env.get("OTEL_EXPORTER_OTLP_ENDPOINT"); base != "" && env.get("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT") == "" {
			o.Endpoint = At(base)
		}
	}
	if o.Endpoint == "" {
		return nil
	}
	if u, err := url.Parse(o.Endpoint); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("the endpoint for metrics has to be an address like http://localhost:4318")
	}
	if p := env.of("PROTOCOL"); p != "" && p != "http/protobuf" {
		return fmt.Errorf("OTEL_EXPORTER_OTLP_PROTOCOL is '%s'; metrics are sent as http/protobuf alone, for which receivers usually listen on port 4318", p)
	}
	headers, err := env.pairs(env.name("HEADERS"))
	if err != nil {
		return err
	}
	maps.Copy(headers, o.Headers)
	o.Headers = headers
	attributes, err := env.pairs("OTEL_RESOURCE_ATTRIBUTES")
	if err != nil {
		return err
	}
	attributes["service.name"] = cmp.Or(env.get("OTEL_SERVICE_NAME"), attributes["service.name"], service)
	maps.Copy(attributes, o.Resource)
	o.Resource = attributes
	interval, err := env.millis("OTEL_METRIC_EXPORT_INTERVAL", usualInterval)
	if err != nil {
		return err
	}
	o.Interval = cmp.Or(o.Interval, interval)
	timeout, err := env.millis(env.name("TIMEOUT"), usualTimeout)
	if err != nil {
		return err
	}
	o.Timeout = cmp.Or(o.Timeout, timeout)
	o.Cumulative = o.Cumulative || strings.EqualFold(env.get("OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE"), "cumulative")
	o.Gzip = o.Gzip || env.of("COMPRESSION") == "gzip"
	if file := env.of("CERTIFICATE"); file != "" && o.TLS == nil {
		o.TLS, err = trusting(file)
	}
	return err
}

// trusting trusts the authorities of a file, in PEM.
func trusting(file string) (*tls.Config, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_CERTIFICATE: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_CERTIFICATE: there is no certificate in %s", file)
	}
	return &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}, nil
}

// environment reads standard variables.
type environment struct{ variable func(string) string }

func (e environment) get(name string) string { return strings.TrimSpace(e.variable(name)) }

// name is that of the variable for an option: the one for metrics alone if it is set, else the one for everything.
func (e environment) name(option string) string {
	if own := "OTEL_EXPORTER_OTLP_METRICS_" + option; e.get(own) != "" {
		return own
	}
	return "OTEL_EXPORTER_OTLP_" + option
}

func (e environment) of(option string) string { return e.get(e.name(option)) }

// pairs reads key=value, with commas between; values are percent-encoded.
func (e environment) pairs(name string) (map[string]string, error) {
	all := map[string]string{}
	for part := range strings.SplitSeq(e.get(name), ",") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		key, value, ok := strings.Cut(part, "=")
		plain, err := url.PathUnescape(strings.TrimSpace(value))
		if key = strings.TrimSpace(key); !ok || key == "" || err != nil {
			return nil, fmt.Errorf("%s has to be key=value, with commas between, and percent signs for what is special in values", name)
		}
		all[key] = plain
	}
	return all, nil
}

func (e environment) millis(name string, usual time.Duration) (time.Duration, error) {
	text := e.get(name)
	if text == "" {
		return usual, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%s is '%s'; it has to be a number of milliseconds", name, text)
	}
	return time.Duration(n) * time.Millisecond, nil
}
