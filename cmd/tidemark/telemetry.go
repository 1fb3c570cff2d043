package main

import (
	"context"
	"strings"
	"time"

	"github.com/tidemark-sql/tidemark/internal/otlp"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/statements"
)

// telemetry is where metrics are sent, as settings say and what the environment says beside them.
func (s *serving) telemetry(variable func(string) string) (o otlp.Options, err error) {
	if s.OTLPInterval < 0 || s.OTLPInterval > 0 && time.Duration(s.OTLPInterval) < time.Second {
		return o, usageErrorf("--otlp-interval is %s; it must be at least 1s", &s.OTLPInterval)
	}
	o = otlp.Options{Interval: time.Duration(s.OTLPInterval), Cumulative: s.OTLPCumulative, Headers: map[string]string{}}
	if s.OTLPEndpoint != "" {
		o.Endpoint = otlp.At(s.OTLPEndpoint)
	}
	for _, header := range s.OTLPHeaders {
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
		otlp.New(o, hub.Looks, s.UnsetWatermarks, runtime.WallClock{}, s.tell).Run(ctx)
	}()
	return func() {
		cancel()
		<-done
	}
}
