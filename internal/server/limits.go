package server

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// Limits are what one client may ask of a server, and all together. 0 is any number.
type Limits struct {
	// Rate is how many requests a second a key, or an address without one, may make; twice as many at once.
	Rate int
	// WrongKeys is how many wrong secrets a minute may come from an address for a key.
	WrongKeys int
	// Requests is how many are answered at one time.
	Requests int
}

// tooMany is a failure that time mends.
type tooMany struct {
	after time.Duration
	*failure
}

// Unwrap is the failure itself.
func (t *tooMany) Unwrap() error { return t.failure }

// seconds is for how long to wait, as Retry-After has it.
func (t *tooMany) seconds() string {
	return strconv.FormatInt(max(1, int64((t.after+time.Second-1)/time.Second)), 10)
}

// guard holds clients to Limits.
type guard struct {
	limits       Limits
	rates, wrong buckets
	now          atomic.Int64 // requests that are being answered
}

func newGuard(l Limits) *guard {
	return &guard{limits: l, rates: newBuckets(rate.Limit(l.Rate), 2*l.Rate), wrong: newBuckets(rate.Limit(l.WrongKeys)/60, l.WrongKeys)}
}

// enter lets a request of a caller in; leave is to be called when it is answered.
func (g *guard) enter(who string, at int64) (leave func(), err error) {
	if g.limits.Rate > 0 {
		if wait := g.rates.take(who, at); wait > 0 {
			return nil, &tooMany{wait, &failure{http.StatusTooManyRequests, "rate_limit_exceeded", fmt.Sprintf("more than %d requests a second; wait and ask again (--max-rate)", g.limits.Rate)}}
		}
	}
	if n := g.now.Add(1); g.limits.Requests > 0 && n > int64(g.limits.Requests) {
		g.now.Add(-1)
		return nil, &tooMany{time.Second, &failure{http.StatusServiceUnavailable, "overloaded", fmt.Sprintf("%d requests are being answered already; ask again (--max-requests)", g.limits.Requests)}}
	}
	return func() { g.now.Add(-1) }, nil
}

// caller is who makes a request.
type caller struct {
	key string // the name of its key; "" without one, or with a wrong one
	err error  // why it is not admitted
}

type callerKey struct{}

// callerOf is who makes a request that has come through ServeHTTP.
func callerOf(q *http.Request) caller {
	c, _ := q.Context().Value(callerKey{}).(caller)
	return c
}

func (c caller) with(q *http.Request) *http.Request {
	return q.WithContext(context.WithValue(q.Context(), callerKey{}, c))
}

// from is the address of a client. Of IPv6 it is the half that a network is given: who has one address there has as many as he likes.
func from(q *http.Request) string {
	host, _, err := net.SplitHostPort(q.RemoteAddr)
	if err != nil {
		return q.RemoteAddr
	}
	ip, err := netip.ParseAddr(host)
	if err != nil || ip.Unmap().Is4() {
		return host
	}
	network, _ := ip.WithZone("").Prefix(64)
	return network.String()
}

// nameSlots is how many names of keys an address is told apart by: who makes names up fills these, and not the room of others.
const nameSlots = 64

// slotOf is the slot of the name of a key, as the end of the name of a bucket.
func slotOf(key string) string {
	h := fnv.New32a()
	io.WriteString(h, key)
	return fmt.Sprintf(" %d", h.Sum32()%nameSlots)
}

// buckets are a rate for each of many names. What they hold does not grow with names that others make up.
type buckets struct {
	rate  rate.Limit
	burst int

	mu     *sync.Mutex
	named  map[string]*rate.Limiter
	others *rate.Limiter // of all for whom there is no room
}

// mostBuckets is for how many names there is room. One that has not asked for a while makes room for others.
const mostBuckets = 4096

func newBuckets(r rate.Limit, burst int) buckets {
	return buckets{rate: r, burst: burst, mu: new(sync.Mutex), named: map[string]*rate.Limiter{}, others: rate.NewLimiter(r, burst)}
}

// take takes one from the bucket of a name; if it is empty, it tells how long to wait.
func (b *buckets) take(name string, at int64) time.Duration {
	r := b.of(name, at).ReserveN(time.UnixMicro(at), 1)
	wait := r.DelayFrom(time.UnixMicro(at))
	if wait > 0 {
		r.CancelAt(time.UnixMicro(at))
	}
	return wait
}

// empty tells how long there is nothing in the bucket of a name; nothing is taken.
func (b *buckets) empty(name string, at int64) time.Duration {
	b.mu.Lock()
	l := b.named[name]
	if l == nil && len(b.named) >= mostBuckets {
		l = b.others
	}
	b.mu.Unlock()
	if l == nil {
		return 0
	}
	if left := l.TokensAt(time.UnixMicro(at)); left < 1 {
		return time.Duration((1 - left) / float64(b.rate) * float64(time.Second))
	}
	return 0
}

func (b *buckets) of(name string, at int64) *rate.Limiter {
	b.mu.Lock()
	defer b.mu.Unlock()
	if l := b.named[name]; l != nil {
		return l
	}
	if len(b.named) >= mostBuckets {
		for n, l := range b.named {
			if l.TokensAt(time.UnixMicro(at)) >= float64(b.burst) {
				delete(b.named, n)
			}
		}
	}
	if len(b.named) >= mostBuckets {
		return b.others
	}
	l := rate.NewLimiter(b.rate, b.burst)
	b.named[name] = l
	return l
}
