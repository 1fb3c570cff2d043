package otlp

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	collector "go.opentelemetry.io/proto/slim/otlp/collector/metrics/v1"
	"google.golang.org/protobuf/proto"

	"github.com/tidemark-sql/tidemark/internal/metrics"
	"github.com/tidemark-sql/tidemark/internal/runtime"
)

const (
	// mostPoints is how many points are sent at once: about a megabyte, while receivers usually take twenty.
	mostPoints = 5_000
	// firstPause is the time after the first failure; each is twice as long as the one before, up to the interval.
	firstPause = time.Second
	// longestPause is for how long a receiver can ask not to be asked.
	longestPause = time.Hour
	// farewell is how long the last sending may take.
	farewell = 5 * time.Second
)

// Exporter sends metrics from time to time.
type Exporter struct {
	options  Options
	looks    func() []metrics.Look
	sentinel bool
	clock    runtime.Clock
	tell     func(line string)
	client   http.Client
	ledger   ledger
	trouble  bool // that was told
}

// New makes an exporter of options that are filled. It sends what looks gives; see metrics.Collect for sentinel. That sending fails, and that it is over, is told, once each.
func New(o Options, looks func() []metrics.Look, sentinel bool, clock runtime.Clock, tell func(line string)) *Exporter {
	e := &Exporter{options: o, looks: looks, sentinel: sentinel, clock: clock, tell: tell, ledger: ledger{cumulative: o.Cumulative, began: clock.Now(), taken: map[string]taken{}}}
	e.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	if o.TLS != nil {
		transport := http.DefaultTransport.(*http.Transport).Clone()
		transport.TLSClientConfig = o.TLS
		e.client.Transport = transport
	}
	return e
}

// Run sends until ctx ends, and then once more.
func (e *Exporter) Run(ctx context.Context) {
	defer e.client.CloseIdleConnections()
	pause, wait := firstPause, e.options.Interval
	for {
		timer, cancel := e.clock.At(e.clock.Now() + wait.Microseconds())
		select {
		case <-timer:
		case <-ctx.Done():
			cancel()
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), farewell)
			defer cancel()
			e.report(e.Send(last))
			return
		}
		err := e.Send(ctx)
		if ctx.Err() != nil {
			continue
		}
		e.report(err)
		var f *failure
		wait = e.options.Interval
		switch {
		case err == nil:
			pause = firstPause
		case errors.As(err, &f) && f.again:
			wait = max(f.after, min(pause, wait))
			pause = min(2*pause, e.options.Interval)
		}
	}
}

// report tells of trouble when it begins and when it is over.
func (e *Exporter) report(err error) {
	switch {
	case err != nil && !e.trouble:
		e.tell(fmt.Sprintf("metrics do not reach %s: %s; it is tried again, and counters are kept", e.place(), err))
	case err == nil && e.trouble:
		e.tell(fmt.Sprintf("metrics reach %s again", e.place()))
	}
	e.trouble = err != nil
}

// place is the endpoint without what may be secret.
func (e *Exporter) place() string {
	u, err := url.Parse(e.options.Endpoint)
	if err != nil {
		return "the receiver"
	}
	return u.Scheme + "://" + u.Host + u.Path
}

// Send sends what there is now. What the receiver has taken is not sent again; the rest goes along the next time.
func (e *Exporter) Send(ctx context.Context) error {
	all := points(e.looks(), e.sentinel)
	var rejected error
	for some := range slices.Chunk(all, mostPoints) {
		err := e.post(ctx, e.ledger.request(some, e.options.Resource))
		var r *failure
		if errors.As(err, &r) && r.taken {
			rejected = err
		} else if err != nil {
			return err
		}
		e.ledger.settle(some)
	}
	e.ledger.keep(all)
	return rejected
}

// failure is that a request was not done.
type failure struct {
	reason string
	// again says that it may be done the next time, though not before after; taken that the receiver did what it wanted to do.
	again, taken bool
	after        time.Duration
}

func (f *failure) Error() string { return f.reason }

// mostAnswer is how much of an answer is read, in bytes.
const mostAnswer = 64 << 10

// post sends one request.
func (e *Exporter) post(ctx context.Context, request *collector.ExportMetricsServiceRequest) error {
	body, err := proto.Marshal(request)
	if err != nil {
		return err
	}
	if e.options.Gzip {
		body = zipped(body)
	}
	ctx, cancel := context.WithTimeout(ctx, e.options.Timeout)
	defer cancel()
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, e.options.Endpoint, bytes.NewReader(body))
	if err != nil {
		return err
	}
	q.Header.Set("Content-Type", "application/x-protobuf")
	q.Header.Set("User-Agent", service)
	if e.options.Gzip {
		q.Header.Set("Content-Encoding", "gzip")
	}
	for name, value := range e.options.Headers {
		q.Header.Set(name, value)
	}
	answer, err := e.client.Do(q)
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) { // it has the address, in which there may be a secret
			err = u.Err
		}
		return &failure{reason: err.Error(), again: true}
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, mostAnswer))
	if err != nil {
		return &failure{reason: err.Error(), again: true}
	}
	return judge(answer, text)
}

// judge is what an answer says. OpenTelemetry: 429, 502, 503 and 504 are worth another try, and an answer of 200 can tell of points that were left out.
func judge(answer *http.Response, text []byte) error {
	if answer.StatusCode/100 != 2 {
		f := &failure{reason: "it answers " + answer.Status}
		if kind := answer.Header.Get("Content-Type"); strings.HasPrefix(kind, "text/") || strings.HasPrefix(kind, "application/json") {
			f.reason += ": " + strings.TrimSpace(string(text[:min(200, len(text))]))
		}
		f.again = slices.Contains([]int{http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout}, answer.StatusCode)
		if seconds, err := strconv.Atoi(answer.Header.Get("Retry-After")); err == nil && seconds > 0 {
			f.after = time.Duration(min(seconds, int(longestPause.Seconds()))) * time.Second
		}
		return f
	}
	var told collector.ExportMetricsServiceResponse
	if proto.Unmarshal(text, &told) != nil {
		return nil // it was taken, whatever it says
	}
	if n := told.GetPartialSuccess().GetRejectedDataPoints(); n > 0 {
		return &failure{reason: fmt.Sprintf("%d points are left out there: %s", n, told.PartialSuccess.ErrorMessage), taken: true}
	}
	return nil
}

func zipped(body []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(body) // into memory
	w.Close()
	return b.Bytes()
}
