package main

import (
	"context"
	"strings"
	"time"

	"github.com/tidemark-sql/tidemark/internal/otlp"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/statements"
)

// telemetry is what flags say of metrics that are sent.
type telemetry struct {
	endpoint   string
	headers    several
	interval   span
	cumulative bool
}

// options are the flags, and what the environment says beside them.
func (t *telemetry) options(variable func(string) string) (o otlp.Options, err error) {
	if t.interval < 0 || t.interval > 0 && time.Duration(t.interval) < time.Second {
		return o, usageErrorf("--otlp-interval is %s; it must be at least 1s", &t.interval)
	}
	o = otlp.Options{Interval: time.Duration(t.interval), Cumulative: t.cumulative, Headers: map[string]string{}}
	if t.endpoint != "" {
		o.Endpoint = otlp.At(t.endpoint)
	}
	for _, header := range t.headers {
		name, value, ok := strings.Cut(header, "=")
		if !ok || name == "" {
			return o, usageErrorf("--otlp-header has to be name=value")
		}
		o.Headers[name] = value
	}
	if err := o.Fill(variable); err != nil {
		return o, usageErrorf("%s", err)
	}
	return o, nil
}

// export sends metrics, if they are to go anywhere, until stop is called, which waits for the last of them.
func (s *serving) export(o otlp.Options, hub *statements.Hub) (stop func()) {
	if o.Endpoint == "" {
		return func() {}
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		otlp.New(o, hub.Looks, s.unset, runtime.WallClock{}, s.tell).Run(ctx)
	}()
	return func() {
		cancel()
		<-done
	}
}
