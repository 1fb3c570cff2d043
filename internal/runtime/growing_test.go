package runtime

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// growing is a memory table of which only the first splits are there at once.
type growing struct {
	*memory
	open  int   // how many Open finds
	found int   // how many have been handed out
	asked int   // calls of Discover
	gone  []int // splits that Open does not find any more
	late  bool  // those that Open finds begin at their end, as at the latest offset of a topic
}

// lateSplit begins at its end.
type lateSplit struct{ *memorySplit }

func (s lateSplit) Rewind() error { s.at = 0; return nil }

func (g *growing) Open() ([]connector.Split, error) {
	all, err := g.memory.Open()
	g.found = g.open
	var splits []connector.Split
	for i, s := range all[:g.open] {
		if !slices.Contains(g.gone, i) {
			if m := s.(*memorySplit); g.late {
				m.at, s = len(m.table.splits[m.number]), lateSplit{m}
			}
			splits = append(splits, s)
		}
	}
	return splits, err
}

// Discover finds one more split at each call.
func (g *growing) Discover(now int64) ([]connector.Split, int64, error) {
	g.asked++
	if g.found == len(g.splits) {
		return nil, connector.Never, nil
	}
	g.found++
	return []connector.Split{&memorySplit{table: g.memory, number: g.found - 1}}, now + second, nil
}

// growingGraph counts by key in windows of 10 s.
func growingGraph(tasks int, out connector.Sink, g *growing) *Graph {
	graph := windowed(tasks, out, g.memory)
	graph.Sources[0].Reader = g
	graph.Sources[0].Strategy = watermark.Strategy{Tick: 1000, Emission: watermark.OnEvent{Gap: 1}, Idleness: watermark.Never{}}
	return graph
}

// TestBoundedSourcesDoNotGrow: a source that has an end is not asked for more splits, so a replay is over the same ones every time.
func TestBoundedSourcesDoNotGrow(t *testing.T) {
	for _, s := range shapes {
		data := random(7, 300, 20, 3, 30)
		want, out := &lines{}, &lines{}
		run(t, growingGraph(1, want, &growing{memory: data, open: 3}), shape{1, 1, 8192}.options())
		g := &growing{memory: data, open: 3}
		run(t, growingGraph(s.tasks, out, g), s.options())
		if g.asked > 0 || len(out.got) == 0 || !slices.Equal(out.got, want.got) {
			t.Fatalf("%s: asked %d times; %s", s, g.asked, firstDifference(out.got, want.got))
		}
	}
}

// TestSplitsJoin: a split that comes later holds the watermark until it has one, and is counted like the others. It takes the place of one that is done.
func TestSplitsJoin(t *testing.T) {
	for _, s := range shapes {
		chunks := func(times ...int64) (all []chunk) {
			for _, at := range times {
				all = append(all, chunk{rows: []row{{1, at * second, 0}}})
			}
			return all
		}
		g := &growing{memory: &memory{live: true, splits: [][]chunk{chunks(1, 2, 31), chunks(5, 15, 45), nil, chunks(50)}}, open: 1}
		out := &lines{}
		clock := &fixedClock{}
		o := s.options()
		o.Clock = clock
		j, err := New(growingGraph(s.tasks, out, g), o)
		if err != nil {
			t.Fatal(err)
		}
		j.Begin(context.Background())
		for range 6 {
			if _, err := j.Step(); err != nil {
				t.Fatal(err)
			}
			clock.now.Add(second)
		}
		stats := j.Stats().Sources[0]
		if err := j.Stop(); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(stats.Splits, ","); got != "split 3,split 1" || stats.Rows != 7 {
			t.Errorf("%s: splits %s, %d rows", s, got, stats.Rows)
		}
		if got := len(out.got); got == 0 {
			t.Errorf("%s: nothing came out", s)
		}
		if n := g.closed.Load(); n != 4 {
			t.Errorf("%s: %d splits closed", s, n)
		}
	}
}

// TestRestoreOfGrowingSource: splits are found again by name, wherever they are now; a split that was done may be gone; others are new, and read
// from their first row wherever a new statement would begin.
func TestRestoreOfGrowingSource(t *testing.T) {
	data := func() *memory {
		m := &memory{live: true}
		for i := range 4 {
			var all []chunk
			for k := range 3 {
				all = append(all, chunk{rows: []row{{int64(i), int64(10*k) * second, 0}}})
			}
			m.splits = append(m.splits, all)
		}
		return m
	}
	var saved *Snapshot
	clock := &fixedClock{}
	start := func(g *growing, from *Snapshot) (*Job, error) {
		return New(growingGraph(2, &lines{}, g), Options{Clock: clock, Restore: from, OnSnapshot: func(s *Snapshot) { saved = s }})
	}
	j, err := start(&growing{memory: data(), open: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	j.Begin(context.Background())
	if _, err := j.Step(); err != nil { // splits 0 and 1
		t.Fatal(err)
	}
	if err := j.Checkpoint(); err != nil {
		t.Fatal(err)
	}
	if err := j.Stop(); err != nil {
		t.Fatal(err)
	}
	if !saved.Sources[0].Splits[0].Done || len(saved.Sources[0].Splits) != 2 {
		t.Fatalf("saved %+v", saved.Sources[0].Splits)
	}
	from := saved
	j, err = start(&growing{memory: data(), open: 4, gone: []int{0}, late: true}, from)
	if err != nil {
		t.Fatal(err)
	}
	j.Begin(context.Background())
	if _, err := j.Step(); err != nil {
		t.Fatal(err)
	}
	stats := j.Stats().Sources[0]
	if err := j.Stop(); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(stats.Splits); got != "[split 0 split 1 split 2 split 3]" || stats.Rows != 12 {
		t.Errorf("splits %s, %d rows, want 12: none twice, none lost", got, stats.Rows)
	}
	// A split that was not done must be there.
	from.Sources[0].Splits[0].Done = false
	if _, err := start(&growing{memory: data(), open: 4, gone: []int{0}}, from); err == nil || !strings.Contains(err.Error(), "split 0") {
		t.Errorf("a missing split: %v", err)
	}
}

// TestSplitsComeAndGo: a source whose splits come and go keeps as many as there are at a time, before and after a restart, and reads none twice: not those that are still
// there, and not one that comes back.
func TestSplitsComeAndGo(t *testing.T) {
	const all, each = 300, 2
	data := &memory{live: true}
	for i := range all {
		var chunks []chunk
		for k := range each {
			chunks = append(chunks, chunk{rows: []row{{int64(i), int64(i+k) * second, 0}}})
		}
		data.splits = append(data.splits, chunks)
	}
	for _, open := range []int{1, all / 2} { // before the restart all come one by one, and then some or many are still there
		data.closed.Store(0)
		var saved *Snapshot
		clock := &fixedClock{}
		start := func(g *growing, from *Snapshot) *Job {
			t.Helper()
			j, err := New(growingGraph(2, &lines{}, g), Options{Workers: 3, Clock: clock, Restore: from, OnSnapshot: func(s *Snapshot) { saved = s }})
			if err != nil {
				t.Fatal(err)
			}
			j.Begin(context.Background())
			return j
		}
		step := func(j *Job, times int) {
			t.Helper()
			for range times {
				if _, err := j.Step(); err != nil {
					t.Fatal(err)
				}
				clock.now.Add(second)
			}
		}
		few := func(what string, j *Job, done, most int) {
			t.Helper()
			if err := j.Checkpoint(); err != nil {
				t.Fatal(err)
			}
			s := saved.Sources[0]
			if n := len(s.Splits); n > most || len(s.Finished)+n < done || len(j.sequencer.splits) != n || len(j.sources[0].splits) != n || len(j.Stats().Sources[0].Splits) != n || j.sources[0].core.Splits() != n {
				t.Errorf("%s: %d splits saved and %d finished, of %d and %d; the sequencer has %d", what, n, len(s.Finished), done, most, len(j.sequencer.splits))
			}
			if bytes := len(s.Core); bytes > 100*(most+1) {
				t.Errorf("%s: the state of the watermarks has %d bytes", what, bytes)
			}
		}
		j := start(&growing{memory: data, open: 1}, nil)
		step(j, all/2)
		few("before", j, all/2, 3)
		rows := j.Stats().Sources[0].Rows
		if err := j.Stop(); err != nil {
			t.Fatal(err)
		}
		if n := data.closed.Load(); rows != int64(n)*each {
			t.Fatalf("%d rows of %d splits", rows, n)
		}
		j = start(&growing{memory: data, open: open, gone: []int{0, 1, 2}}, saved)
		step(j, all)
		few("after", j, all, 3)
		got := j.Stats().Sources[0].Rows
		if err := j.Stop(); err != nil {
			t.Fatal(err)
		}
		if got != all*each {
			t.Errorf("%d open at the restart: %d rows, want %d: none twice, none lost", open, got, all*each)
		}
	}
}
