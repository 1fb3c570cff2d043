package watermark

import (
	"slices"
	"strings"
	"testing"
)

// aheadState is the state of a core with Lookahead and two splits, of which the first has had a row written at 90 s. The system frontier is none.
func aheadState(t testing.TB) (s Strategy, state []byte) {
	s = Strategy{Tick: 1000, Emission: Periodic{Interval: DefaultInterval}, Idleness: Never{}, Candidates: Lookahead{InFlight: All, LateData: All}}
	c := newCore(s, 0)
	c.AddSplit(0)
	c.AddSplit(0)
	c.Observe(0, []int64{80 * second}, []int64{80 * second}, 100*second, new(Observed))
	number, _ := c.Fetched(0, 90*second, 90*second+1)
	c.Complete(0, number)
	return s, c.AppendState(nil)
}

// TestRestoreRefusesSystem is TestRestoreRefuses for what version 4 has behind the splits.
func TestRestoreRefusesSystem(t *testing.T) {
	s, good := aheadState(t)
	const tail = stateHeader + 2*stateSplit
	for _, bad := range []struct {
		at   int
		to   byte
		want string
	}{
		{tail, 1, "is no whole second"},
		{tail + 8, 1, "split 0: a row written at"},
		{tail + 16, 1, "split 1: a row written at"},
		{0, 5, "reads versions 2 to 4"},
		{0, 1, "reads versions 2 to 4"},
	} {
		state := slices.Clone(good)
		state[bad.at] = bad.to
		if err := newCore(s, 0).Restore(state); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("byte %d to %d: got %v, want %q", bad.at, bad.to, err, bad.want)
		}
	}
	for n := tail; n < len(good); n++ {
		if err := newCore(s, 0).Restore(good[:n]); err == nil {
			t.Errorf("%d bytes of %d are enough", n, len(good))
		}
	}
}

// A state goes over to a strategy that looks ahead, or no more; one of version 2, from before there was a system frontier in it, is read too.
func TestRestoreSystemUnderAnotherStrategy(t *testing.T) {
	ahead, state := aheadState(t)
	old := slices.Clone(state[:stateHeader+2*stateSplit])
	old[0] = stateVersion
	for _, c := range []struct {
		about    string
		strategy Strategy
		state    []byte
		version  byte
		written  Frontier // of the first split
	}{
		{"as it was", ahead, state, stateSystemVersion, Frontier(90 * second)},
		{"an older state", ahead, old, stateSystemVersion, Unset},
		{"no more", Replay(1000), state, stateVersion, Unset},
		{"no more, and an older state", Replay(1000), old, stateVersion, Unset},
	} {
		n := newCore(c.strategy, 0)
		if err := n.Restore(c.state); err != nil {
			t.Errorf("%s: %v", c.about, err)
			continue
		}
		if n.System() != Unset || n.AppendState(nil)[0] != c.version {
			t.Errorf("%s: system frontier %d, and the next state has version %d", c.about, n.System(), n.AppendState(nil)[0])
		}
		if c.version == stateSystemVersion && n.flow.splits[0].system() != c.written {
			t.Errorf("%s: the first split is at %d, want %d", c.about, n.flow.splits[0].system(), c.written)
		}
	}
}
