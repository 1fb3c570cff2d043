package runtime

import (
	"context"
	"math"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// TestLookaheadSimulation has sources that look ahead write to a sink that is slow: what it has not taken is in flight. After every tick, splits and source are compared with the definitions.
func TestLookaheadSimulation(t *testing.T) {
	rises, lifted, flying := 0, 0, 0
	for seed := range uint64(*worlds) {
		synctest.Test(t, func(t *testing.T) {
			f := newFlowWorld(t, seed)
			f.live()
			rises, lifted, flying = rises+f.rises, lifted+f.lifted, flying+f.flying
		})
		if t.Failed() {
			t.Fatalf("world %d", seed)
		}
	}
	t.Logf("%d rises, %d splits lifted, %d batches in flight", rises, lifted, flying)
	if rises == 0 || lifted == 0 || flying == 0 {
		t.Error("something has never happened")
	}
}

// flowWorld is a source that looks ahead, and the batches that have been read, in their order. Times are microseconds; the definitions count in seconds.
type flowWorld struct {
	t     *testing.T
	rng   *rand.Rand
	by    watermark.Lookahead
	lift  watermark.Lift
	start time.Time
	gate  chan struct{}

	mu      sync.Mutex // what follows is of the test and of whoever reads the splits, in turn
	wakes   [][]int64  // by split: when something comes
	coming  [][]chunk
	read    []fetchedBatch
	taken   int // of read
	emitted int64
	heard   []int64 // by split: the first tick since its last row, 0 for none

	rises, lifted, flying int
}

type fetchedBatch struct {
	split         int
	least, newest int64 // seconds
}

const (
	tickEvery = 200 * time.Millisecond
	noTime    = math.MinInt64 / 2
)

func newFlowWorld(t *testing.T, seed uint64) *flowWorld {
	rng := rand.New(rand.NewPCG(seed, 6))
	f := &flowWorld{t: t, rng: rng, start: time.Now(), gate: make(chan struct{}), emitted: noTime,
		by: watermark.Lookahead{Bound: rng.Int64N(4) * second, InFlight: watermark.All, LateData: watermark.All}}
	if rng.IntN(2) == 0 {
		f.lift = watermark.Lift{After: second, Ratio: []float64{0.4, 0.5, 1}[rng.IntN(3)]}
	}
	n := 1 + rng.IntN(4)
	f.wakes, f.coming, f.heard = make([][]int64, n), make([][]chunk, n), make([]int64, n)
	return f
}

// plan has chunks come in the middle between two ticks, and tells how many the sink takes in each step behind that. What it leaves it takes in the next, so that the edge before it has room for ticks.
func (f *flowWorld) plan(steps int) (releases []int) {
	left := 0
	for step := range steps {
		at := f.start.Add(time.Duration(step)*tickEvery + tickEvery/2).UnixMicro()
		come := 0
		for range f.rng.IntN(3) {
			split := f.rng.IntN(len(f.coming))
			if n := len(f.wakes[split]); n > 0 && f.wakes[split][n-1] == at || step%20 > 10 && split == 0 {
				continue // one at a time, and the first is silent now and then
			}
			c := chunk{}
			for range 1 + f.rng.IntN(4) {
				c.rows = append(c.rows, row{1, at - f.rng.Int64N(8*second) + f.rng.Int64N(3*second), 0})
			}
			f.wakes[split], f.coming[split] = append(f.wakes[split], at), append(f.coming[split], c)
			come++
		}
		n := left + f.rng.IntN(come+1)
		releases, left = append(releases, n), left+come-n
	}
	return releases
}

func (f *flowWorld) live() {
	const steps = 60
	releases := f.plan(steps)
	m := &memory{splits: make([][]chunk, len(f.coming)), live: true}
	m.poll = func(i int, now int64) (connector.Chunk, int64, error) {
		f.mu.Lock()
		defer f.mu.Unlock()
		if len(f.wakes[i]) == 0 {
			return nil, connector.Never, nil
		}
		if f.wakes[i][0] > now {
			return nil, f.wakes[i][0], nil
		}
		c := f.coming[i][0]
		f.wakes[i], f.coming[i] = f.wakes[i][1:], f.coming[i][1:]
		b := fetchedBatch{split: i, least: math.MaxInt64, newest: noTime}
		for _, r := range c.rows {
			b.least, b.newest = min(b.least, downTo(r.time, second)/second), max(b.newest, downTo(r.time, second)/second)
		}
		f.read, f.heard[i] = append(f.read, b), 0
		return c, 0, nil
	}
	s := watermark.Strategy{Tick: 1000, Emission: watermark.Periodic{Interval: tickEvery.Microseconds()}, Idleness: watermark.Never{}, Candidates: f.by}
	if f.lift.Ratio > 0 {
		s.Idleness = f.lift
	}
	b := newBuilder()
	b.source(m, 0, s, Target{Fragment: 0})
	b.fragment(Fragment{Tasks: 1, Inputs: 1, Sink: &lines{write: func(*vector.Batch) error { <-f.gate; return nil }}})
	j, err := New(&b.graph, Options{Workers: 1 + f.rng.IntN(4)})
	if err != nil {
		f.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(f.t.Context())
	ended := make(chan error)
	go func() { ended <- j.Run(ctx) }()
	for step := range steps {
		// A bit behind the middle, then a bit behind the tick.
		<-time.After(time.Until(f.start.Add(time.Duration(step)*tickEvery + tickEvery*3/4)))
		synctest.Wait()
		for range releases[step] {
			f.gate <- struct{}{}
			f.mu.Lock()
			f.taken++
			f.mu.Unlock()
			synctest.Wait()
		}
		tick := f.start.Add(time.Duration(step+1) * tickEvery)
		<-time.After(time.Until(tick.Add(tickEvery / 4)))
		synctest.Wait()
		f.mu.Lock()
		f.tick(tick.UnixMicro())
		f.compare(j)
		f.mu.Unlock()
		if f.t.Failed() {
			f.t.Errorf("step %d, %v", step, s)
			break
		}
	}
	close(f.gate)
	cancel()
	if err := <-ended; err != nil {
		f.t.Error(err)
	}
}

// open are the batches of a split that are in flight; before is the newest time of those before the first of them.
func (f *flowWorld) open(split int) (open []fetchedBatch, before int64) {
	before = noTime
	for i, b := range f.read {
		switch {
		case b.split != split:
		case i >= f.taken:
			open = append(open, b)
		default:
			before = max(before, b.newest)
		}
	}
	return open, before
}

// promise is max(newest - B, min(least ahead, newest ahead - B)).
func (f *flowWorld) promise(split int) int64 {
	open, before := f.open(split)
	p := before - f.by.Bound/second
	if len(open) > 0 {
		p = max(p, min(open[0].least, open[0].newest-f.by.Bound/second))
	}
	return max(p, noTime)
}

// tick works out what the source is told, and what comes of it.
func (f *flowWorld) tick(now int64) {
	limit := int(f.lift.Ratio * float64(len(f.heard)))
	least := downTo(now, second) / second
	for i := range f.heard {
		if f.heard[i] == 0 {
			f.heard[i] = now
		}
		counted := f.promise(i)
		open, _ := f.open(i)
		for _, b := range open {
			counted = min(counted, b.least) // all rows in flight hold
		}
		if len(open) == 0 && now-f.heard[i] >= f.lift.After && limit > 0 {
			limit--
			f.lifted++
			counted = max(counted, downTo(now, second)/second-f.by.Bound/second)
		}
		least = min(least, counted)
	}
	if least > f.emitted {
		f.emitted = least
		f.rises++
	}
}

func (f *flowWorld) compare(j *Job) {
	w := j.Stats().Sources[0].Watermark
	seconds := func(x watermark.Frontier) int64 {
		if x == watermark.Unset {
			return noTime
		}
		return int64(x) / second
	}
	if got := seconds(w.Frontier); got != f.emitted {
		f.t.Errorf("frontier %d, want %d", got, f.emitted)
	}
	for i := range f.heard {
		open, fetched := f.open(i)
		for _, b := range open {
			fetched = max(fetched, b.newest)
		}
		f.flying += len(open)
		got := w.Splits[i].Lookahead
		if want := max(fetched-f.by.Bound/second, noTime); got.InFlight != len(open) || seconds(got.Completed) != f.promise(i) || seconds(got.Fetched) != want {
			f.t.Errorf("split %d: %d in flight, completed %d, fetched %d; want %d, %d, %d", i, got.InFlight, seconds(got.Completed), seconds(got.Fetched), len(open), f.promise(i), want)
		}
	}
}
