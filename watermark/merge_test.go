package watermark

import (
	"math/rand/v2"
	"slices"
	"testing"
)

type mergeStep struct {
	input  int
	f      Frontier
	active bool

	combined   Frontier
	nowActive  bool
	wantChange bool
}

func playMerge(t *testing.T, inputs int, steps []mergeStep) {
	t.Helper()
	m := NewMerge(inputs)
	for i, s := range steps {
		f, active, changed := m.Update(s.input, s.f, s.active)
		if f != s.combined || active != s.nowActive || changed != s.wantChange {
			t.Errorf("step %d: got %d, active %v, changed %v; want %d, %v, %v",
				i, f, active, changed, s.combined, s.nowActive, s.wantChange)
		}
		if m.Frontier() != f || m.Active() != active {
			t.Errorf("step %d: the getters disagree with Update", i)
		}
	}
}

// Flink's example of three channels, with our one rule: the channel that woke up behind blocks, where Flink's would go on to 60
// without it.
func TestMergeChannels(t *testing.T) {
	playMerge(t, 3, []mergeStep{
		{0, 40, true, Unset, true, false},
		{1, 25, true, Unset, true, false},
		{2, 60, true, 25, true, true},
		{1, 25, false, 40, true, true},
		{1, 25, true, 40, true, false},
		{0, 70, true, 40, true, false},
		{1, 55, true, 55, true, true},
		{1, 61, true, 60, true, true},
		{2, 90, true, 61, true, true},
	})
}

func TestMergeInputs(t *testing.T) {
	playMerge(t, 2, []mergeStep{
		{0, 50, true, Unset, true, false},
		{1, 20, true, 20, true, true},
		// One idle input does not block the other.
		{1, 20, false, 50, true, true},
		// A smaller frontier is swallowed.
		{0, 30, true, 50, true, false},
		// All idle: the maximum over all, then idle; the status travels with the last frontier of the input.
		{0, 60, false, 60, false, true},
		{1, 65, false, 65, false, true},
		// Awake without progress: only the status changes.
		{1, 65, true, 65, true, true},
		{0, 60, true, 65, true, false},
		// A finished input leaves the other in control.
		{1, Final, true, 65, true, false},
		{0, 80, true, 80, true, true},
		{0, Final, true, Final, true, true},
	})
}

// The system frontier is the least of all inputs, those that are not active among them, and nothing is kept of it before there is one.
func TestMergeSystem(t *testing.T) {
	m := NewMerge(3)
	for i, s := range []struct {
		input      int
		f          Frontier
		combined   Frontier
		wantChange bool
	}{
		{0, Unset, Unset, false},
		{0, 40, Unset, false},
		{1, 30, Unset, false},
		{2, 50, 30, true},
		{1, 20, 30, false}, // fallen
		{1, 45, 40, true},
		{1, 60, 40, false},
		{0, Final, 50, true},
		{2, Final, 60, true},
		{1, Final, Final, true},
	} {
		f, changed := m.UpdateSystem(s.input, s.f)
		if f != s.combined || changed != s.wantChange || m.System() != f {
			t.Errorf("step %d: got %d, changed %v; want %d, %v", i, f, changed, s.combined, s.wantChange)
		}
		m.Update(s.input, 0, i%2 == 0)
		if i == 0 && m.system != nil {
			t.Error("something is kept of no system frontier")
		}
	}
	if f := m.InputSystem(1); f != Final {
		t.Errorf("input 1 has %d", f)
	}
}

// Against a scan over all inputs.
func TestMergeAgreesWithScan(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := 1 + rng.IntN(9)
		m := NewMerge(n)
		frontiers, active := make([]Frontier, n), make([]bool, n)
		systems := slices.Repeat([]Frontier{Unset}, n)
		for i := range n {
			frontiers[i], active[i] = Unset, true
		}
		combined := Unset
		for range 100 {
			i := rng.IntN(n)
			f := Frontier(rng.IntN(100))
			active[i] = rng.IntN(3) > 0
			frontiers[i] = max(frontiers[i], f)
			lowest, highest, some := Final, Unset, false
			for k := range n {
				highest = max(highest, frontiers[k])
				if active[k] {
					lowest, some = min(lowest, frontiers[k]), true
				}
			}
			if some {
				combined = max(combined, lowest)
			} else {
				combined = max(combined, highest)
			}
			gotF, gotActive, _ := m.Update(i, f, active[i])
			if gotF != combined || gotActive != some {
				t.Fatalf("got %d, %v; want %d, %v", gotF, gotActive, combined, some)
			}
			s := Frontier(rng.IntN(100))
			before := slices.Min(systems)
			systems[i] = max(systems[i], s)
			if got, changed := m.UpdateSystem(i, s); got != slices.Min(systems) || changed != (got != before) || m.InputSystem(i) != systems[i] {
				t.Fatalf("system frontier %d, changed %v; want the least of %d", got, changed, systems)
			}
			if f, a := m.Input(i); f != frontiers[i] || a != active[i] {
				t.Fatalf("input %d is %d, %v; want %d, %v", i, f, a, frontiers[i], active[i])
			}
		}
	}
}
