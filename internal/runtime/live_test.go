package runtime

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// arrival is rows that come at a wall time after the start.
type arrival struct {
	at   time.Duration
	rows []row
}

// live makes a source without end whose splits deliver arrivals.
func live(splits ...[]arrival) *memory {
	m := &memory{splits: make([][]chunk, len(splits)), live: true}
	at, start := make([]int, len(splits)), time.Now()
	m.poll = func(i int, now int64) (connector.Chunk, int64, error) {
		if at[i] == len(splits[i]) {
			return nil, connector.Never, nil
		}
		next := splits[i][at[i]]
		if wake := start.Add(next.at).UnixMicro(); wake > now {
			return nil, wake, nil
		}
		at[i]++
		return chunk{rows: next.rows}, 0, nil
	}
	return m
}

func at(d time.Duration, times ...int64) arrival {
	a := arrival{at: d}
	for _, t := range times {
		a.rows = append(a.rows, row{1, t * second, 0})
	}
	return a
}

// A live job follows the wall clock, which is virtual here: results are listed with the time at which they were written.
func TestLive(t *testing.T) {
	everyTick := watermark.Periodic{Interval: 200_000}
	never := watermark.Strategy{Tick: 1000, Emission: everyTick, Idleness: watermark.Never{}}
	idle := watermark.Strategy{Tick: 1000, Emission: everyTick, Idleness: watermark.Fixed{Timeout: second}}
	for _, c := range []struct {
		name    string
		sources func() ([]*memory, watermark.Strategy)
		want    []string // written at: count, window end
	}{
		{"the watermark leaves at the tick after the row", func() ([]*memory, watermark.Strategy) {
			return []*memory{live([]arrival{at(0, 1), at(300*time.Millisecond, 10), at(450*time.Millisecond, 31)})}, never
		}, []string{
			"400ms: 1 rows to 10", // the frontier passed 10 s with the row at 10 s, read at 300 ms
			"600ms: 1 rows to 20",
		}},
		{"a silent split holds the watermark until it is idle", func() ([]*memory, watermark.Strategy) {
			return []*memory{live([]arrival{at(0, 1), at(500*time.Millisecond, 50), at(2*time.Second, 60)}, []arrival{at(0, 2)})}, idle
		}, []string{
			"1s: 2 rows to 10",
			"2.2s: 1 rows to 60",
		}},
		// The first source turns idle at 1 s. At 2.1 s it wakes with a row that does not raise its watermark, and so holds the second one,
		// which passes 30 s meanwhile, until it is idle again.
		{"a source that wakes up behind holds the others", func() ([]*memory, watermark.Strategy) {
			return []*memory{
				live([]arrival{at(0, 1), at(2100*time.Millisecond, 1)}),
				live([]arrival{at(0, 2), at(500*time.Millisecond, 15), at(1300*time.Millisecond, 16), at(2*time.Second, 17), at(2300*time.Millisecond, 31), at(2900*time.Millisecond, 32)}),
			}, idle
		}, []string{
			"1s: 2 rows to 10",
			"3.2s: 3 rows to 20",
		}},
		// As before, but it wakes at once, when most workers have not been told yet that it was idle.
		{"a source that wakes up right away holds the others too", func() ([]*memory, watermark.Strategy) {
			return []*memory{
				live([]arrival{at(0, 1), at(1050*time.Millisecond, 1)}),
				live([]arrival{at(0, 2), at(500*time.Millisecond, 5), at(1100*time.Millisecond, 15), at(1500*time.Millisecond, 16), at(1900*time.Millisecond, 17)}),
			}, idle
		}, []string{
			"2.2s: 4 rows to 10",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for workers := 1; workers <= 4; workers++ {
				synctest.Test(t, func(t *testing.T) {
					start := time.Now()
					sources, strategy := c.sources()
					var got []string
					out := &lines{}
					out.write = func(b *vector.Batch) error {
						got = append(got, fmt.Sprintf("%v: %d rows to %d", time.Since(start), b.Cols[1].Int(0), b.Cols[4].Int(0)/second))
						return nil
					}
					g := windowed(2, out, sources...)
					for i := range g.Sources {
						g.Sources[i].Strategy = strategy
						g.Sources[i].NewIntake = func() (Intake, error) { return eventTime{}, nil }
					}
					ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
					defer cancel()
					j, err := New(g, Options{Workers: workers})
					if err != nil {
						t.Fatal(err)
					}
					ended := make(chan error)
					go func() { ended <- j.Run(ctx) }()
					select {
					case <-time.After(5 * time.Second):
					case err := <-ended:
						t.Fatal("ended early", err)
					}
					cancel()
					if err := <-ended; err != nil {
						t.Fatal(err)
					}
					if !slices.Equal(got, c.want) {
						t.Errorf("%d workers:\n got %q\nwant %q", workers, got, c.want)
					}
				})
			}
		})
	}
}

// A split is asked again when it said, and no sooner.
func TestPollKeepsToItsWakeTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var asked []time.Duration
		m := &memory{splits: make([][]chunk, 1), live: true}
		m.poll = func(int, int64) (connector.Chunk, int64, error) {
			asked = append(asked, time.Since(start))
			return nil, start.Add(time.Since(start) + 3*time.Second).UnixMicro(), nil
		}
		ctx, cancel := context.WithCancel(context.Background())
		j, err := New(windowed(1, &lines{}, m), Options{})
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan error)
		go func() { ended <- j.Run(ctx) }()
		<-time.After(10 * time.Second)
		cancel()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		if want := []time.Duration{0, 3 * time.Second, 6 * time.Second, 9 * time.Second}; !slices.Equal(asked, want) {
			t.Errorf("asked at %v, want %v", asked, want)
		}
	})
}

func TestUnboundedSourceWithoutSplitsStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		j, err := New(windowed(1, &lines{}, &memory{live: true}), Options{})
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- j.Run(ctx) }()
		synctest.Wait()
		select {
		case err := <-ended:
			t.Errorf("ended: %v", err)
		default:
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}
