package runtime

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

func looksAhead(bound int64) watermark.Strategy {
	return watermark.Strategy{Tick: 1000, Emission: watermark.Periodic{Interval: 200_000}, Idleness: watermark.Never{},
		Candidates: watermark.Lookahead{Bound: bound, InFlight: watermark.All, LateData: watermark.All}}
}

// TestLookahead plays the worked example of Flow with a sink that lets one chunk through at a time: what it has not taken is in flight.
func TestLookahead(t *testing.T) {
	for workers := 1; workers <= 4; workers++ {
		synctest.Test(t, func(t *testing.T) {
			gate := make(chan struct{})
			out := &lines{write: func(*vector.Batch) error { <-gate; return nil }}
			b := newBuilder()
			b.source(live([]arrival{at(0, 1000, 1010, 1005), at(10*time.Millisecond, 1200, 1150), at(700*time.Millisecond, 1400)}), 0, looksAhead(60*second), Target{Fragment: 0})
			b.fragment(Fragment{Tasks: 1, Inputs: 1, Sink: out})
			ctx, cancel := context.WithCancel(context.Background())
			j, err := New(&b.graph, Options{Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			ended := make(chan error)
			go func() { ended <- j.Run(ctx) }()
			expect := func(at time.Duration, f int64, inFlight int) {
				t.Helper()
				<-time.After(at)
				synctest.Wait()
				w := j.Stats().Sources[0].Watermark
				if got := w.Splits[0].Lookahead; w.Frontier != watermark.Frontier(f*second) || got.InFlight != inFlight {
					t.Errorf("%d workers: frontier %d s with %d in flight, want %d s with %d", workers, w.Frontier/second, got.InFlight, f, inFlight)
				}
			}
			expect(500*time.Millisecond, 950, 2)
			gate <- struct{}{}
			expect(150*time.Millisecond, 1140, 1) // at 650 ms
			gate <- struct{}{}
			expect(200*time.Millisecond, 1340, 1) // at 850 ms, C is in flight
			gate <- struct{}{}
			expect(200*time.Millisecond, 1340, 0)
			cancel()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	}
}

// remote is a memory table that must keep trying.
type remote struct {
	*memory
	told int
}

func (r *remote) KeepTrying() { r.told++ }

// TestKeepTrying: a source with outages keeps trying, others are not told to.
func TestKeepTrying(t *testing.T) {
	with := looksAhead(second)
	with.Candidates = watermark.Lookahead{InFlight: watermark.All, LateData: watermark.All, Outages: watermark.DefaultOutages}
	for _, c := range []struct {
		strategy watermark.Strategy
		want     int
	}{{watermark.Replay(1000), 0}, {looksAhead(second), 0}, {with, 1}} {
		r := &remote{memory: &memory{}}
		newSource(&Source{Reader: r, Strategy: c.strategy, Watermarked: true}, 0)
		if r.told != c.want {
			t.Errorf("%v: told %d times", c.strategy, r.told)
		}
	}
}

// watched is a split that somebody else knows about.
type watched struct {
	connector.Split
	reads connector.Reads
}

func (w *watched) Group() string          { return "g" }
func (w *watched) Reads() connector.Reads { return w.reads }

// TestSurvey: what a core is told of splits at a tick.
func TestSurvey(t *testing.T) {
	const none = watermark.NoTime
	for _, c := range []struct {
		about string
		split *split
		want  report
	}{
		{"asked in vain, and not to be asked yet", &split{wake: 11, emptyAt: 7}, report{emptyAt: 10}},
		{"asked in vain, to be asked now", &split{wake: atOnce, emptyAt: 7}, report{emptyAt: 7}},
		{"has something", &split{wake: atOnce, emptyAt: none}, report{emptyAt: none}},
		{"is done", &split{wake: 11, emptyAt: 7, done: true}, report{emptyAt: none}},
		{"confirmed", &split{Split: &watched{reads: connector.Reads{Worked: true, Empty: true}}, wake: atOnce, emptyAt: none}, report{emptyAt: 10, reads: connector.Reads{Worked: true, Empty: true}}},
		{"silent and not confirmed", &split{Split: &watched{reads: connector.Reads{Failed: true}}, wake: 11, emptyAt: 7}, report{emptyAt: none, reads: connector.Reads{Failed: true}}},
	} {
		s := &source{splits: []*split{c.split}}
		if got := s.survey(10)[0]; got != c.want {
			t.Errorf("%s: %+v, want %+v", c.about, got, c.want)
		}
	}
	paused := &split{wake: 11, emptyAt: 7}
	paused.paused.Store(true)
	if got := (&source{splits: []*split{paused}}).survey(10)[0]; got.emptyAt != none {
		t.Errorf("a paused split is empty at %d", got.emptyAt)
	}
}
