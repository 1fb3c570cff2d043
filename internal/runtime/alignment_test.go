package runtime

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// TestAlignment lists when the chunks of splits are taken: one that is too far ahead waits for the others, however many workers there are.
func TestAlignment(t *testing.T) {
	const drift = 10 * second
	for _, c := range []struct {
		name    string
		sources func() []*memory
		want    []string // taken at: source, split
	}{
		{"a split waits for another of its source", func() []*memory {
			return []*memory{live(
				[]arrival{at(0, 1), at(100*time.Millisecond, 20), at(200*time.Millisecond, 21), at(300*time.Millisecond, 50)},
				[]arrival{at(0, 2), at(2*time.Second, 25)})}
		}, []string{"0s: 0/0", "0s: 0/1", "100ms: 0/0", "2s: 0/0", "2s: 0/0", "2s: 0/1"}},
		{"a source waits for another until it has come near", func() []*memory {
			return []*memory{
				live([]arrival{at(0, 1), at(time.Second, 12), at(1500*time.Millisecond, 13)}),
				live([]arrival{at(0, 1), at(3*time.Second, 3)}),
			}
		}, []string{"0s: 0/0", "0s: 1/0", "1s: 0/0", "3s: 0/0", "3s: 1/0"}},
		{"a split without rows holds nobody", func() []*memory {
			return []*memory{live([]arrival{at(0, 1), at(100*time.Millisecond, 200), at(200*time.Millisecond, 900)}, nil)}
		}, []string{"0s: 0/0", "100ms: 0/0", "200ms: 0/0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for workers := 1; workers <= 4; workers++ {
				synctest.Test(t, func(t *testing.T) {
					start := time.Now()
					var got []string
					sources := c.sources()
					for i, m := range sources {
						poll := m.poll
						m.poll = func(split int, now int64) (connector.Chunk, int64, error) {
							chunk, wake, err := poll(split, now)
							if chunk != nil {
								got = append(got, fmt.Sprintf("%v: %d/%d", time.Since(start), i, split))
							}
							return chunk, wake, err
						}
					}
					g := windowed(2, &lines{}, sources...)
					for i := range g.Sources {
						g.Sources[i].Strategy = watermark.Strategy{Tick: 1000, Emission: watermark.Periodic{Interval: 200_000}, Idleness: watermark.Never{},
							Alignment: watermark.Alignment{Drift: drift}}
						g.Sources[i].NewIntake = func() (Intake, error) { return eventTime{}, nil }
					}
					ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
					defer cancel()
					j, err := New(g, Options{Workers: workers})
					if err != nil {
						t.Fatal(err)
					}
					if err := j.Run(ctx); err != nil {
						t.Fatal(err)
					}
					slices.Sort(got)
					if !slices.Equal(got, c.want) {
						t.Errorf("%d workers: %v, want %v", workers, got, c.want)
					}
				})
			}
		})
	}
}

// TestAlignmentOfAFallingFrontier: where a dimension divides the rows of a split, a new value takes its frontier back, and the others wait for that.
func TestAlignmentOfAFallingFrontier(t *testing.T) {
	m := &memory{splits: make([][]chunk, 2), live: true}
	g := windowed(1, &lines{}, m)
	g.Sources[0].Strategy = watermark.Strategy{Tick: 1000, Emission: watermark.Periodic{Interval: 200_000}, Idleness: watermark.Never{},
		Alignment: watermark.Alignment{Drift: 10 * second}, Dimension: &watermark.Dimension{Timeout: 3600 * second}}
	j, err := New(g, Options{Workers: 1, Clock: &fixedClock{}})
	if err != nil {
		t.Fatal(err)
	}
	s := j.sources[0]
	var seen watermark.Observed
	for i, c := range []struct {
		split  int
		value  string
		at     int64
		paused [2]bool // then
	}{
		{0, "a", 100, [2]bool{false, false}},
		{1, "a", 105, [2]bool{false, false}},
		{0, "b", 0, [2]bool{false, true}}, // the other one is too far ahead now
		{1, "a", 106, [2]bool{false, true}},
		{0, "b", 90, [2]bool{false, true}},
		{0, "b", 96, [2]bool{false, false}},
		{0, "c", 50, [2]bool{false, true}},
		{1, "a", 107, [2]bool{false, true}},
		{1, "d", 55, [2]bool{false, false}}, // it was on its way
		{1, "d", 60, [2]bool{false, false}},
		{1, "d", 61, [2]bool{false, true}},
		{0, "c", 95, [2]bool{true, false}}, // now it is ahead itself
	} {
		value, ok := s.core.Value(c.value)
		if !ok {
			t.Fatal(c.value)
		}
		x := s.splits[c.split]
		seen.Reset()
		s.core.ObserveValues(x.number, []int64{c.at * second}, []int64{c.at * second}, []int32{value}, 0, &seen)
		s.aligned.read(s, x, 0)
		if got := [2]bool{s.splits[0].paused.Load(), s.splits[1].paused.Load()}; got != c.paused {
			t.Errorf("read %d: paused %v, want %v", i, got, c.paused)
		}
	}
}
