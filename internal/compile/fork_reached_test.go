package compile

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// silent is a sink that passes nothing on.
type silent struct{ rows int }

func (s *silent) Write(b *vector.Batch) error { s.rows += b.N; return nil }
func (*silent) Flush() error                  { return nil }
func (*silent) Close() error                  { return nil }

// promised is a sink that notes what it is told.
type promised struct {
	silent
	frontier watermark.Frontier
	active   bool
	told     int
	refuses  error
}

func (p *promised) Promise(f watermark.Frontier, active bool) error {
	p.frontier, p.active = f, active
	p.told++
	return p.refuses
}

// promisingFork is a fork of n sinks with so many inputs each; those for which quiet says so pass nothing on.
func promisingFork(inputs []int, quiet ...int) (*fork, []*promised) {
	f := &fork{}
	sinks := make([]*promised, len(inputs))
	for i, n := range inputs {
		if slices.Contains(quiet, i) {
			f.add(&silent{}, n)
			continue
		}
		sinks[i] = &promised{frontier: watermark.Unset}
		f.add(sinks[i], n)
	}
	return f, sinks
}

// TestForkTellsEachSinkOfItsInputs: the frontier that a sink is told is that of its own inputs, whatever those of the others say.
func TestForkTellsEachSinkOfItsInputs(t *testing.T) {
	f, sinks := promisingFork([]int{1, 2, 1, 1}, 2)
	for _, x := range []struct {
		input  int
		at     watermark.Frontier
		active bool
		sink   int // who is told, or -1
		want   watermark.Frontier
		wants  bool
	}{
		{0, 10, true, 0, 10, true},
		{1, 30, true, 1, watermark.Unset, true}, // the other input of the sink has none yet
		{2, 20, true, 1, 20, true},
		{3, 5, true, -1, 0, true}, // of a sink that passes nothing on
		{4, 7, true, 3, 7, true},
		{1, 40, true, 1, 20, true},
		{2, 20, false, 1, 40, true}, // its idle input is left out
		{2, 25, true, 1, 40, true},  // a frontier does not fall
		{2, 25, false, 1, 40, true},
		{1, 40, false, 1, 40, false}, // all are idle
		{0, 10, false, 0, 10, false},
		{0, watermark.Final, true, 0, watermark.Final, true},
		{1, watermark.Final, true, 1, watermark.Final, true},
		{2, watermark.Final, true, 1, watermark.Final, true},
	} {
		before := 0
		for _, s := range sinks {
			if s != nil {
				before += s.told
			}
		}
		if err := f.Reached(x.input, x.at, x.active); err != nil {
			t.Fatal(err)
		}
		after := 0
		for _, s := range sinks {
			if s != nil {
				after += s.told
			}
		}
		if x.sink < 0 {
			if after != before {
				t.Errorf("%+v: somebody was told", x)
			}
			continue
		}
		if s := sinks[x.sink]; s.frontier != x.want || s.active != x.wants || after != before+1 {
			t.Errorf("%+v: told %d, active %t, %d times", x, s.frontier, s.active, after-before)
		}
	}
}

// TestForkTellsTheLeast moves inputs at random: what a sink is told is the least of its inputs that are not idle, and never less than before.
func TestForkTellsTheLeast(t *testing.T) {
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 0))
		inputs := make([]int, 1+rng.IntN(4))
		var of []int
		for i := range inputs {
			inputs[i] = 1 + rng.IntN(3)
			for range inputs[i] {
				of = append(of, i)
			}
		}
		f, sinks := promisingFork(inputs)
		at, active := make([]watermark.Frontier, len(of)), make([]bool, len(of))
		for i := range of {
			at[i], active[i] = watermark.Unset, true
		}
		told := make([]watermark.Frontier, len(inputs))
		for i := range told {
			told[i] = watermark.Unset
		}
		for range 100 {
			i := rng.IntN(len(of))
			at[i], active[i] = max(at[i], 0)+watermark.Frontier(rng.IntN(50)), rng.IntN(3) > 0
			if err := f.Reached(i, at[i], active[i]); err != nil {
				t.Fatal(err)
			}
			least, most, any := watermark.Final, watermark.Unset, false
			for k, sink := range of {
				if sink != of[i] {
					continue
				}
				most = max(most, at[k])
				if active[k] {
					least, any = min(least, at[k]), true
				}
			}
			if !any {
				least = most
			}
			told[of[i]] = max(told[of[i]], least)
			if s := sinks[of[i]]; s.frontier != told[of[i]] || s.active != any {
				t.Fatalf("seed %d: sink %d was told %d, active %t; want %d, %t", seed, of[i], s.frontier, s.active, told[of[i]], any)
			}
		}
	}
}

// TestForkWritesBeforeItTells: the rows of an input go to its sink, and a sink that refuses a promise stops the statement.
func TestForkWritesBeforeItTells(t *testing.T) {
	f, sinks := promisingFork([]int{2, 1})
	for _, input := range []int{0, 2, 1} {
		f.From(input)
		if err := f.Write(&vector.Batch{N: 1 + input}); err != nil {
			t.Fatal(err)
		}
	}
	if got := fmt.Sprint(sinks[0].rows, sinks[1].rows); got != "3 3" {
		t.Errorf("rows %s", got)
	}
	sinks[1].refuses = errors.New("no")
	if err := f.Reached(2, 1, true); !errors.Is(err, sinks[1].refuses) {
		t.Errorf("%v", err)
	}
	if err := f.Reached(0, 1, true); err != nil {
		t.Errorf("%v", err)
	}
}
