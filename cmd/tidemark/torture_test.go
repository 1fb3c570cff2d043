package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
)

// TestTorture kills statements as often as TIDEMARK_TORTURE says, and with Apache Kafka the brokers too; it lets both stand still, and the statements stay away, for longer than a transaction
// may take. Make torture runs it.
func TestTorture(t *testing.T) {
	times, err := strconv.Atoi(os.Getenv("TIDEMARK_TORTURE"))
	if err != nil {
		t.Skip("TIDEMARK_TORTURE does not say how often")
	}
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		seed := uint64(os.Getpid())
		x := &torturer{t: t, rng: rand.New(rand.NewPCG(2, seed)), brokers: b.Embedded == nil && os.Getenv("TIDEMARK_KAFKA_PIDFILE") != ""}
		begun := time.Now()
		defer func() { t.Logf("seed %d, %s\n%s", seed, time.Since(begun).Round(time.Second), x.report()) }()
		for x.happened[killed] < times && !t.Failed() {
			x.round(b, times)
			t.Logf("%s, %d rounds: %d statements and %d brokers killed", time.Since(begun).Round(time.Second), x.rounds, x.count(killed), x.count(brokerKilled))
		}
	})
}

// tortured are the rows of a round, and how much may happen in it.
const (
	torturedRows = 200_000
	harmsOfRound = 25
)

// tooLong is longer than transactions may take here, 5 seconds, and than brokers need to see that.
const tooLong = 6 * time.Second

// ordeal is what statements and brokers go through.
type ordeal int

const (
	killed ordeal = iota
	away
	still
	brokerKilled
	brokerStill
	ordeals
)

var ordealNames = [ordeals]string{
	killed:       "statement killed",
	away:         "of these, away for 6 s; from when it is started again",
	still:        "statement stands still for 6 s; from when it goes on",
	brokerKilled: "broker killed",
	brokerStill:  "broker stands still for 6 s; from when it goes on",
}

// torturer chooses what happens next, and measures how long it takes until whoever reads committed rows sees new ones.
type torturer struct {
	t       *testing.T
	rng     *rand.Rand
	brokers bool           // they can be harmed
	pending sync.WaitGroup // harm that is still to come to them
	watch   *brokertest.Watch
	tally   tally
	rounds  int

	mu       sync.Mutex
	happened [ordeals]int
	recovery [ordeals][]time.Duration
	seen     chan struct{}   // closed when new rows are
	back     []time.Duration // of brokers that were killed, until they answer
}

func (x *torturer) round(b brokertest.Target, times int) {
	x.rounds++
	x.tally.add(everyRowOnce(x.t, b, torturedRows, ", 'properties.transaction.timeout.ms' = '5000'", func(topic string, args ...string) {
		x.watch, x.seen = b.Watch(x.t, topic), nil
		harms := 0
		outlive(x.t, func() (harm, bool) {
			if harms++; harms > harmsOfRound || x.count(killed) >= times {
				return nil, false
			}
			return x.next(), true
		}, args...)
		// A broker that is harmed behind the end of the last statement has to be there for who looks.
		x.pending.Wait()
		b.Await(x.t)
		x.watch.Close()
	}))
}

func (x *torturer) count(o ordeal) int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.happened[o]
}

// next chooses what happens to a statement that was started just now, and to the brokers beside it.
func (x *torturer) next() harm {
	n := x.rng.IntN(100)
	switch {
	case n < 5:
		return x.stand
	case n < 10:
		return x.kill(100, 900, tooLong, false)
	case x.brokers && n < 18:
		x.after(50, 500, x.killBroker)
		return x.whetherOrNot()
	case x.brokers && n < 24:
		x.after(50, 500, x.stopBroker)
		return x.whetherOrNot()
	case n < 45:
		return x.kill(200, 700, 0, false)
	case n < 75:
		return x.kill(5, 250, 0, true)
	}
	return x.kill(5, 250, 0, false)
}

// whetherOrNot lets a statement live through what happens to the brokers, or kills it in the middle.
func (x *torturer) whetherOrNot() harm {
	if x.rng.IntN(2) == 0 {
		return func(*os.Process) func(bool) { return func(bool) {} }
	}
	return x.kill(100, 9000, 0, false)
}

// kill kills a statement after so many milliseconds, from when it has recovered if that is waited for, and keeps it away.
func (x *torturer) kill(least, most int, pause time.Duration, recovered bool) harm {
	return func(p *os.Process) func(bool) {
		gone, killedAt := make(chan struct{}), make(chan time.Time, 1)
		in := x.moment(least, most)
		x.mu.Lock()
		seen := x.seen
		x.mu.Unlock()
		go func() {
			if recovered && seen != nil {
				select {
				case <-seen:
				case <-gone:
				}
			}
			select {
			case <-time.After(in):
				killedAt <- time.Now()
				p.Kill()
			case <-gone:
			}
		}()
		return func(dead bool) {
			close(gone)
			if !dead {
				return
			}
			x.note(killed)
			o, at, from := killed, <-killedAt, x.watch.Committed()
			if pause > 0 {
				<-time.After(pause)
				x.note(away)
				o, at = away, time.Now()
			}
			if from != nil {
				x.recovers(o, from, at)
			}
		}
	}
}

// stand lets a statement stand still, and live.
func (x *torturer) stand(p *os.Process) func(bool) {
	done := make(chan struct{})
	timer := time.AfterFunc(x.moment(100, 900), func() {
		defer close(done)
		if p.Signal(syscall.SIGSTOP) != nil {
			return
		}
		<-time.After(tooLong)
		from := x.watch.Committed()
		if p.Signal(syscall.SIGCONT) == nil {
			x.note(still)
			if from != nil {
				x.recovers(still, from, time.Now())
			}
		}
	})
	return func(bool) {
		if !timer.Stop() {
			<-done
		}
	}
}

func (x *torturer) killBroker() {
	x.signal(syscall.SIGKILL)
	x.note(brokerKilled)
	at := time.Now()
	x.recovers(brokerKilled, nil, at)
	for x.watch.Committed() == nil {
		<-time.After(50 * time.Millisecond)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.back = append(x.back, time.Since(at))
}

func (x *torturer) stopBroker() {
	x.signal(syscall.SIGSTOP)
	<-time.After(tooLong)
	x.note(brokerStill)
	x.recovers(brokerStill, nil, time.Now())
	x.signal(syscall.SIGCONT)
}

func (x *torturer) note(o ordeal) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.happened[o]++
}

// recovers measures from a moment on how long it takes until new rows are seen. What comes before that, before something else happens, is not measured.
func (x *torturer) recovers(o ordeal, from map[int32]int64, since time.Time) {
	seen := make(chan struct{})
	x.mu.Lock()
	x.seen = seen
	x.mu.Unlock()
	x.watch.Next(from, func() {
		x.mu.Lock()
		defer x.mu.Unlock()
		close(seen)
		x.recovery[o] = append(x.recovery[o], time.Since(since))
	})
}

func (x *torturer) moment(least, most int) time.Duration {
	x.mu.Lock()
	defer x.mu.Unlock()
	return time.Duration(least+x.rng.IntN(most-least)) * time.Millisecond
}

func (x *torturer) after(least, most int, f func()) {
	x.pending.Add(1)
	time.AfterFunc(x.moment(least, most), func() {
		defer x.pending.Done()
		f()
	})
}

// signal sends a signal to Apache Kafka as it runs now.
func (x *torturer) signal(s syscall.Signal) {
	b, err := os.ReadFile(os.Getenv("TIDEMARK_KAFKA_PIDFILE"))
	if err != nil {
		x.t.Error(err)
		return
	}
	if pid, err := strconv.Atoi(strings.TrimSpace(string(b))); err == nil {
		syscall.Kill(pid, s)
	}
}

// report is what has happened, and how long it took until new rows were seen; there is no such time if the next thing happened before, or there were no more rows.
func (x *torturer) report() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	var out strings.Builder
	fmt.Fprintf(&out, "%d statements killed; %d rounds, %d rows and windows, %d lost, %d twice\n", x.happened[killed], x.rounds, x.tally.written, x.tally.lost, x.tally.twice)
	for o, name := range ordealNames {
		fmt.Fprintf(&out, "  %4d  %s: new rows after %s\n", x.happened[o], name, spread(x.recovery[o]))
	}
	fmt.Fprintf(&out, "        a broker that was killed answers after %s", spread(x.back))
	return out.String()
}

// spread tells how long things took.
func spread(times []time.Duration) string {
	n := len(times)
	if n == 0 {
		return "a time that was not measured"
	}
	slices.Sort(times)
	quantile := func(q float64) time.Duration { return times[int(q*float64(n-1))].Round(time.Millisecond) }
	return fmt.Sprintf("%s (median), %s (p99), %s at most; %d times", quantile(0.5), quantile(0.99), quantile(1), n)
}
