package runtime

import (
	"context"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// TestSinceRestart: late rows can be told by source, split and operator, those since the last restart from those before, and the latest of the last minute.
func TestSinceRestart(t *testing.T) {
	var queue []chunk
	m := &memory{splits: make([][]chunk, 2), live: true}
	m.poll = func(split int, _ int64) (connector.Chunk, int64, error) {
		if split == 1 || len(queue) == 0 {
			return nil, connector.Never, nil
		}
		next := queue[0]
		queue = queue[1:]
		return next, 0, nil
	}
	clock := &fixedClock{}
	var saved *Snapshot
	var j *Job
	begin := func() {
		g := windowed(2, &lines{}, m)
		g.Sources[0].Strategy = watermark.Strategy{Tick: 1000, Emission: watermark.Periodic{Interval: 200_000}, Idleness: watermark.Fixed{Timeout: second}}
		var err error
		if j, err = New(g, Options{Workers: 2, Clock: clock, Restore: saved, OnSnapshot: func(s *Snapshot) { saved = s }}); err != nil {
			t.Fatal(err)
		}
		j.Begin(context.Background())
		if _, err := j.Step(); err != nil {
			t.Fatal(err)
		}
	}
	// step lets rows come at a time and then moves the clock until the silent split is idle.
	step := func(at int64, times ...int64) {
		var c chunk
		for _, x := range times {
			c.rows = append(c.rows, row{x, x * second, 0})
		}
		clock.now.Store(at * second)
		queue = append(queue, c)
		for range 15 {
			if _, err := j.Step(); err != nil {
				t.Fatal(err)
			}
			clock.now.Add(second / 5)
		}
	}
	look := func(when string, late, since, recent, dropped, droppedSince, recentDrop int64) {
		t.Helper()
		s := j.Stats()
		x, o := &s.Sources[0], &s.Operators[0]
		if x.Late != late || x.Late-x.Before.Late != since || x.Watermark.Recent() != recent*second {
			t.Errorf("%s: %d rows of the source are late, %d before, the latest by %d", when, x.Late, x.Before.Late, x.Watermark.Recent())
		}
		for i, split := range x.Watermark.Splits {
			l, n, r := late, since, recent
			if i == 1 {
				l, n, r = 0, 0, 0
			}
			if split.Late != l || split.Late-split.LateBefore != n || split.Recent.Past() != r*second {
				t.Errorf("%s: %d rows of split %d are late, %d before, the latest by %d", when, split.Late, i, split.LateBefore, split.Recent.Past())
			}
		}
		if o.Dropped != dropped || o.Dropped-o.Before.Dropped != droppedSince || o.RecentDrop != recentDrop*second {
			t.Errorf("%s: %d rows are dropped, %d before, the latest by %d", when, o.Dropped, o.Before.Dropped, o.RecentDrop)
		}
		for k, b := range x.Backlogs {
			if b != (connector.Backlog{Records: -1, Bytes: -1}) {
				t.Errorf("split %d has %+v", k, b)
			}
		}
	}
	begin()
	step(0, 1, 100)
	look("before", 0, 0, 0, 0, 0, 0)
	step(10, 50, 95)
	look("two late rows, one of which is dropped", 2, 2, 48, 1, 1, 48)
	step(30, 90)
	look("one that is dropped at the end of its window", 3, 3, 48, 1, 1, 48)
	if err := j.Checkpoint(); err != nil {
		t.Fatal(err)
	}
	if err := j.Stop(); err != nil {
		t.Fatal(err)
	}
	clock.now.Store(40 * second)
	begin()
	look("after a restart", 3, 0, 0, 1, 0, 0)
	step(50, 40, 41)
	look("two more", 5, 2, 58, 3, 2, 58)
	step(109, 99)
	look("a minute later", 5, 2, 0, 3, 2, 0)
	if err := j.Stop(); err != nil {
		t.Fatal(err)
	}
}
