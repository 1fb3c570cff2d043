package watermark

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// rig drives a core and the naive one with the same random history and compares everything they say.
type rig struct {
	t     *testing.T
	rng   *rand.Rand
	core  *Core
	naive *naive
	now   int64
	open  []int // unfinished splits
	stall map[int]int
}

func newRig(t *testing.T, rng *rand.Rand, s Strategy) *rig {
	r := &rig{t: t, rng: rng, core: newCore(s, 0), naive: newNaive(s, 0), stall: map[int]int{}}
	for range 1 + rng.IntN(5) {
		r.addSplit()
	}
	return r
}

func (r *rig) addSplit() {
	i := r.core.AddSplit(r.now)
	r.naive.add(r.now)
	if i != len(r.naive.splits)-1 {
		r.t.Fatalf("split number %d, want %d", i, len(r.naive.splits)-1)
	}
	r.open = append(r.open, i)
}

// join adds a split, in the place of a finished one now and then.
func (r *rig) join() {
	for i, s := range r.naive.splits {
		if s.finished && r.rng.IntN(2) == 0 {
			r.core.ReplaceSplit(i, r.now)
			r.naive.replace(i, r.now)
			r.open = append(r.open, i)
			delete(r.stall, i)
			return
		}
	}
	r.addSplit()
}

func (r *rig) step() {
	r.now += int64(r.rng.IntN(60))
	if len(r.open) == 0 {
		if r.core.sealed {
			return
		}
		r.join()
	}
	split := r.open[r.rng.IntN(len(r.open))]
	switch p := r.rng.IntN(100); {
	case p < 40 && r.core.handed:
		f := Frontier(r.now - 2000 + int64(r.rng.IntN(400)))
		if r.rng.IntN(10) == 0 {
			f = Unset
		}
		active := r.rng.IntN(3) > 0
		name := string(rune('a' + r.rng.IntN(3)))
		r.core.HandOver(split, Handover{Frontier: f, Active: active, Writer: name}, r.now)
		if r.core.Publish(r.now); r.core.Load().Splits[split].Upstream != name {
			r.t.Fatalf("split %d is held by %q, want %s", split, r.core.Load().Splits[split].Upstream, name)
		}
		r.naive.handOver(split, f, active)
	case p < 60:
		r.observe(split)
	case p < 85:
		r.tick()
	case p < 88 && !r.core.sealed:
		r.join()
	case p < 90:
		r.finish(split)
	case p < 95:
		r.core.Stall(split, r.now)
		r.naive.note(split, "stall", r.now)
		r.stall[split]++
	case p < 99 && r.stall[split] > 0:
		r.core.Unstall(split, r.now)
		r.naive.note(split, "unstall", r.now)
		r.stall[split]--
	case p == 99 && r.rng.IntN(10) == 0:
		r.core.SealSplits()
		r.naive.seal()
	case p == 99 && r.rng.IntN(3) == 0:
		by := int64(r.rng.IntN(500))
		r.core.SetBack(by)
		r.naive.setBack(by)
		r.now -= by
	}
	r.compare()
}

func (r *rig) finish(split int) {
	r.core.FinishSplit(split, r.now)
	r.naive.finish(split)
	r.open = slices.DeleteFunc(r.open, func(i int) bool { return i == split })
}

// observe hands a run to the core, cut at random, and its rows one by one to the naive one.
func (r *rig) observe(split int) {
	times, candidates := randomRun(r.rng, r.now)
	for k := range times {
		if r.naive.strategy.MaxAhead > 0 && r.rng.IntN(6) == 0 {
			times[k] = r.now + int64(r.rng.IntN(600))
			candidates[k] = times[k]
		}
	}
	names, values := make([]string, len(times)), make([]int32, len(times))
	for i := range times {
		// Some values are behind the others, and rarer.
		v := r.rng.IntN(2 + r.rng.IntN(3))
		names[i] = string(rune('a' + v))
		if r.core.values != nil {
			values[i], _ = r.core.Value(names[i])
			if candidates[i] != NoTime {
				candidates[i] -= int64(70 * v)
			}
		}
	}
	var want, got Observed
	for i := range times {
		late, null, emitted := r.naive.row(split, times[i], candidates[i], names[i], r.now)
		if late {
			want.Late = append(want.Late, int32(i))
			all := r.naive.splits[split].late
			want.Behind = append(want.Behind, all[len(all)-1].Frontier())
		}
		if null {
			want.Null = append(want.Null, int32(i))
		}
		if emitted {
			want.Marks = append(want.Marks, Mark{int32(i + 1), r.naive.emitted})
		}
	}
	for len(times) > 0 {
		n := 1 + r.rng.IntN(len(times))
		if r.core.values != nil {
			r.core.ObserveValues(split, times[:n], candidates[:n], values[:n], r.now, &got)
		} else {
			r.core.Observe(split, times[:n], candidates[:n], r.now, &got)
		}
		times, candidates, values = times[n:], candidates[n:], values[n:]
		got.Base += int32(n)
	}
	got.Base = 0
	if !reflect.DeepEqual(got, want) {
		r.t.Fatalf("run of split %d at %d\n got %+v\nwant %+v", split, r.now, got, want)
	}
}

// randomRun has times around now with nulls among them, and candidates a delay behind, sometimes none.
func randomRun(rng *rand.Rand, now int64) (times, candidates []int64) {
	n := 1 + rng.IntN(12)
	for range n {
		t := now - 2000 + int64(rng.IntN(400))
		c := t - int64(rng.IntN(100))
		if rng.IntN(8) == 0 {
			t = NoTime
		}
		if rng.IntN(8) == 0 {
			c = NoTime
		}
		times, candidates = append(times, t), append(candidates, c)
	}
	return times, candidates
}

func (r *rig) tick() {
	got := Observed{Base: 7}
	r.core.Tick(r.now, &got)
	var want []Mark
	if r.naive.tick(r.now) {
		want = []Mark{{7, r.naive.emitted}}
	}
	if !slices.Equal(got.Marks, want) {
		r.t.Fatalf("tick at %d: marks %v, want %v", r.now, got.Marks, want)
	}
}

func (r *rig) compare() {
	n, c := r.naive, r.core
	if c.Frontier() != n.emitted || c.Active() != n.active || c.Splits() != len(n.splits) {
		r.t.Fatalf("at %d: frontier %d, active %v, %d splits; want %d, %v, %d",
			r.now, c.Frontier(), c.Active(), c.Splits(), n.emitted, n.active, len(n.splits))
	}
	c.Publish(r.now)
	snap := c.Load()
	var gone Replaced
	for _, s := range n.replaced {
		gone.Splits++
		if w := s.worst(); w.Lateness > gone.Worst.Lateness {
			gone.Worst = w
		}
	}
	if snap.Replaced != gone {
		r.t.Fatalf("at %d: replaced %+v, want %+v", r.now, snap.Replaced, gone)
	}
	if !slices.Equal(snap.Awaited, n.awaited()) {
		r.t.Fatalf("at %d: waits for %v, want %v", r.now, snap.Awaited, n.awaited())
	}
	lowest := Final
	for _, s := range n.splits {
		if !s.idle && !s.finished {
			lowest = min(lowest, s.frontier(n.strategy))
		}
	}
	for i, s := range n.splits {
		got := snap.Splits[i]
		holds := !s.idle && !s.finished && s.frontier(n.strategy) == lowest
		if got.MaxTime != s.maxTime() || got.Frontier != s.frontier(n.strategy) || got.Read != int64(len(s.times)) ||
			got.Late != int64(len(s.late)) || got.Worst != s.worst() || slices.Contains(snap.Holders, i) != holds ||
			!s.finished && (got.Values != len(s.members) || !s.isLeast(got.Least, n.strategy)) ||
			(got.Status == Idle) != (s.idle && !s.finished) || (got.Status == Finished) != s.finished {
			r.t.Fatalf("at %d: split %d is %+v, holders %v; want %+v, %d, worst %+v",
				r.now, i, got, snap.Holders, s, s.frontier(n.strategy), s.worst())
		}
	}
}

func strategies() []Strategy {
	all := []Strategy{
		{Tick: 1, Emission: OnEvent{1}, Idleness: Never{}, Candidates: HandedOver{}},
		{Tick: 70, Emission: OnEvent{1}, Idleness: Never{}, Candidates: HandedOver{}},
		{Tick: 1, Emission: AtEnd{}, Idleness: Never{}},
		{Tick: 1, Emission: Granular{50}, Idleness: Stepped{120, 50}},
		{Tick: 7, Emission: Granular{21}, Idleness: Stepped{70, 100}},
		{Tick: 1000, Emission: Granular{1000}, Idleness: Never{}},
		{Tick: 1, Emission: Periodic{100, 0}, Idleness: Stepped{120, 50}},
		{Tick: 1, Emission: Granular{50}, Idleness: Fixed{120, true}},
		{Tick: 1, Emission: OnEvent{1}, Idleness: Fixed{120, true}, MaxAhead: 40},
		{Tick: 7, Emission: OnEvent{2}, Idleness: Never{}, MaxAhead: 300},
		{Tick: 1, Emission: Periodic{100, 150}, Idleness: Fixed{120, false}, MaxAhead: 1},
		{Tick: 1, Emission: OnEvent{1}, Idleness: Fixed{120, true}, MaxAhead: 40, LastRows: 3, Dimension: &Dimension{Expected: []string{"b"}, Timeout: 100}},
	}
	for _, e := range []Emission{Periodic{100, 0}, Periodic{100, 150}, OnEvent{1}, OnEvent{3}, Granular{50}} {
		for _, i := range []Idleness{Never{}, Fixed{150, true}, Stepped{120, 50}} {
			all = append(all,
				Strategy{Tick: 1, Emission: e, Idleness: i, LastRows: 4},
				Strategy{Tick: 1, Emission: e, Idleness: i, Dimension: &Dimension{}},
				Strategy{Tick: 1, Emission: e, Idleness: i, Dimension: &Dimension{Expected: []string{"c", "b", "c"}, Timeout: 130}, LastRows: 2},
				Strategy{Tick: 1, Emission: e, Idleness: i, Dimension: &Dimension{Expected: []string{"z", "d"}, Timeout: 90, Timeouts: map[string]int64{"a": 60, "z": 400}}},
				Strategy{Tick: 10, Emission: Granular{50}, Idleness: i, Dimension: &Dimension{Timeouts: map[string]int64{"b": 100, "d": 100}}})
		}
	}
	for _, e := range []Emission{Periodic{100, 0}, Periodic{100, 150}, OnEvent{1}, OnEvent{2}, OnEvent{5}} {
		for _, i := range []Idleness{Never{}, Fixed{120, false}, Fixed{120, true}, Progressive{60, 200, false}, Progressive{60, 200, true}} {
			for _, tick := range []int64{1, 7, 1000} {
				all = append(all, Strategy{Tick: tick, Emission: e, Idleness: i})
			}
		}
	}
	return all
}

// TestCoreAgreesWithNaive checks marks, late and null rows, frontier, status and snapshot over random histories.
func TestCoreAgreesWithNaive(t *testing.T) {
	for n, s := range strategies() {
		t.Run(s.String(), func(t *testing.T) {
			for seed := range uint64(12) {
				r := newRig(t, rand.New(rand.NewPCG(seed, uint64(n))), s)
				for range 120 {
					r.step()
				}
			}
		})
	}
}

// TestStateRoundTrip cuts replays at random: the restored core must go on as if nothing had happened.
func TestStateRoundTrip(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 99))
		s := Replay([]int64{1, 1000}[seed%2])
		if seed%3 == 0 {
			s.Emission = OnEvent{Gap: 4}
		}
		if seed%4 > 1 {
			s.Dimension = &Dimension{Expected: []string{"b", "c"}}
		}
		if seed%5 > 2 {
			s.LastRows = 3
		}
		r := newRig(t, rng, s)
		r.stall = nil // a restore ends all stalls
		for range 80 {
			r.now += 10
			switch p := rng.IntN(20); {
			case len(r.open) == 0:
			case p < 16:
				r.observe(r.open[rng.IntN(len(r.open))])
			case p == 16 && !r.core.sealed:
				r.join()
			case p == 17 && len(r.open) > 1:
				r.finish(r.open[rng.IntN(len(r.open))])
			case p == 18 && rng.IntN(10) == 0:
				r.core.SealSplits()
				r.naive.seal()
			case p == 19:
				state := r.core.AppendState([]byte("before"))[len("before"):]
				r.core = newCore(s, r.now)
				if err := r.core.Restore(state); err != nil {
					t.Fatal(err)
				}
				if again := r.core.AppendState(nil); !slices.Equal(again, state) {
					t.Fatalf("state changed by a restore\n got %x\nwant %x", again, state)
				}
			}
			r.compare()
		}
	}
}

// A restore starts the clocks anew, as its comment says.
func TestRestoreRearmsClocks(t *testing.T) {
	s := Strategy{Tick: 1, Emission: Periodic{100, 50}, Idleness: Fixed{Timeout: 100}}
	c := newCore(s, 0)
	c.AddSplit(0)
	var out Observed
	c.Observe(0, []int64{10}, []int64{10}, 0, &out)
	c.Tick(100, &out)
	if c.Active() {
		t.Fatal("the split should be idle")
	}

	restored := newCore(s, 1000)
	if err := restored.Restore(c.AppendState(nil)); err != nil {
		t.Fatal(err)
	}
	if !restored.Active() {
		t.Error("restored splits start active")
	}
	if restored.Tick(1099, &out); !restored.Active() {
		t.Error("the silence before the restore was counted")
	}
	if restored.Tick(1100, &out); restored.Active() {
		t.Error("the silence since the restore was not counted")
	}
	out.Reset()
	restored.Observe(0, []int64{20}, []int64{20}, 2000, &out)
	if len(out.Marks) != 1 {
		t.Error("the first record after a restore opens a new eager phase")
	}
}

func TestRestoreRefuses(t *testing.T) {
	s := Replay(1000)
	c := newCore(s, 0)
	c.AddSplit(0)
	var out Observed
	c.Observe(0, []int64{5000, 1000}, []int64{5000, 1000}, 0, &out)
	good := c.AppendState(nil)
	change := func(at int, b byte) []byte {
		bad := slices.Clone(good)
		bad[at] = b
		return bad
	}
	for _, bad := range []struct {
		state []byte
		want  string
	}{
		{nil, "shorter than its header"},
		{change(0, 1), "version 1"},
		{change(1, 2), "unknown flags 0x2"},
		{change(2, 1), "tick of 769 us"},
		{change(10, 1), "frontier 5889 is not on the tick"},
		{change(18, 1), "frontier -9223372036854775807 was not before 6000"},
		{change(33, 0x80), "replaced splits with a worst late row"},
		{change(34, 1), "0 replaced splits with a worst late row"},
		{change(58, 2), "do not hold 2 splits"},
		{good[:len(good)-1], "do not hold 1 splits"},
		{append(slices.Clone(good), 0), "do not hold 1 splits"},
		{change(stateHeader, 4), "split 0: unknown flags 0x4"},
		{change(stateHeader+9, 1), "split 0: frontier 5889 is not on the tick"},
		{change(stateHeader+17, 0), "1 rows late of 0 read"},
		{change(stateHeader+25, 0), "without late rows"},
		{change(stateHeader+49, 2), "not read"},
		{change(stateHeader+40, 0x80), "not late"},
	} {
		err := newCore(s, 0).Restore(bad.state)
		if err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%x: got %v, want %q", bad.state, err, bad.want)
		}
	}
}

func TestReadState(t *testing.T) {
	for _, lastRows := range []int64{0, 2} { // without a tail and with one
		s := Replay(1000)
		s.LastRows = lastRows
		c := newCore(s, 0)
		for range 3 {
			c.AddSplit(0)
		}
		var out Observed
		c.Observe(0, []int64{5000, 1000, 9000}, []int64{5000, 1000, 9000}, 0, &out)
		c.Observe(1, []int64{7000}, []int64{7000}, 0, &out)
		c.Observe(2, []int64{8000}, []int64{8000}, 0, &out)
		c.FinishSplit(1, 0)
		c.Publish(0)
		snap := c.Load()
		got, err := ReadState(c.AppendState(nil))
		if err != nil {
			t.Fatal(err)
		}
		if got.Frontier != snap.Frontier || got.Reached != snap.Reached || len(got.Splits) != 3 {
			t.Fatalf("%+v", got)
		}
		for i, x := range got.Splits {
			want := snap.Splits[i]
			if x.Frontier != c.SplitFrontier(i) || x.MaxTime != want.MaxTime || x.Read != want.Read || x.Late != want.Late || x.Worst != want.Worst || x.Finished != (i == 1) {
				t.Errorf("split %d: %+v; the core has %+v", i, x, want)
			}
		}
		if _, err := ReadState(nil); err == nil {
			t.Error("nothing is read as a state")
		}
	}
}

func FuzzRestore(f *testing.F) {
	c := newCore(Replay(1000), 0)
	f.Add(c.AppendState(nil))
	divided := Replay(1000)
	divided.Dimension, divided.LastRows = &Dimension{Expected: []string{"b"}}, 3
	d := newCore(divided, 0)
	f.Add(d.AppendState(nil))
	for range 3 {
		d.AddSplit(0)
	}
	for _, name := range []string{"a", "b", "c"} {
		v, _ := d.Value(name)
		d.ObserveValues(int(v)%2, []int64{5000, 1000}, []int64{5000, 1000}, []int32{v, v}, 0, new(Observed))
	}
	d.FinishSplit(2, 0)
	f.Add(d.AppendState(nil))
	c.AddSplit(0)
	c.AddSplit(0)
	var out Observed
	c.Observe(0, []int64{5000, 1000}, []int64{5000, 1000}, 0, &out)
	c.FinishSplit(1, 0)
	f.Add(c.AppendState(nil))
	c.FinishSplit(0, 0)
	c.ReplaceSplit(0, 0)
	f.Add(c.AppendState(nil))
	ahead, state := aheadState(f)
	f.Add(state)
	f.Fuzz(func(t *testing.T, state []byte) {
		for version, s := range map[byte]Strategy{stateVersion: Replay(1000), stateTailVersion: divided, stateSystemVersion: ahead} {
			c := newCore(s, 0)
			saved, err := ReadState(state)
			if c.Restore(state) != nil {
				return
			}
			if err != nil || saved.Frontier != c.Frontier() || len(saved.Splits) != c.Splits() {
				t.Fatalf("%x is read as %+v, %v", state, saved, err)
			}
			// A value that nothing belongs to is left out when it is written again, and the others are numbered by their first use.
			if again := c.AppendState(nil); state[0] == version && !slices.Equal(again, state) {
				once := newCore(s, 0)
				if err := once.Restore(again); err != nil || version != stateTailVersion || !slices.Equal(once.AppendState(nil), again) {
					t.Fatalf("%x came back as %x", state, again)
				}
			}
			var out Observed
			for i := range c.Splits() {
				switch times, candidates := []int64{1, NoTime, 1 << 62}, []int64{1, 1, 1 << 62}; {
				case c.splits[i].status == Finished:
				case c.values != nil:
					c.ObserveValues(i, times, candidates, []int32{0, 0, 0}, 0, &out)
				default:
					c.Observe(i, times, candidates, 0, &out)
				}
			}
			c.Tick(1<<40, &out)
			c.Publish(1 << 40)
		}
	})
}

// What rows reached is told from the end of the input, which comes after it, and from what one split would have reached alone.
func TestReached(t *testing.T) {
	periodic := Strategy{Tick: 1000, Emission: Periodic{Interval: 0}, Idleness: Never{}}
	for _, c := range []struct {
		about    string
		strategy Strategy
		splits   [][]int64
		want     Frontier
	}{
		{"rows emit", Replay(1000), [][]int64{{5000, 9000}}, 10_000},
		{"the split that ends last is behind", Replay(1000), [][]int64{{90_000}, {5000}}, 6000},
		{"no rows", Replay(1000), [][]int64{{}}, Unset},
		{"nothing emits but the end", periodic, [][]int64{{5000, 9000}}, Unset},
		{"the gap is longer than the input", Strategy{Tick: 1000, Emission: OnEvent{Gap: 3}, Idleness: Never{}}, [][]int64{{5000, 9000}}, Unset},
	} {
		core := newCore(c.strategy, 0)
		for range c.splits {
			core.AddSplit(0)
		}
		core.SealSplits()
		var out Observed
		for i, times := range c.splits {
			core.Observe(i, times, times, 0, &out)
			core.FinishSplit(i, 0)
		}
		restored := newCore(c.strategy, 0)
		if err := restored.Restore(core.AppendState(nil)); err != nil {
			t.Fatal(err)
		}
		for _, x := range []*Core{core, restored} {
			if x.Publish(0); x.Load().Frontier != Final || x.Load().Reached != c.want {
				t.Errorf("%s: frontier %d, reached %d, want %d", c.about, x.Load().Frontier, x.Load().Reached, c.want)
			}
		}
	}
}

func TestSnapshotBooksSpells(t *testing.T) {
	c := newCore(Strategy{Tick: 1, Emission: Periodic{100, 0}, Idleness: Fixed{Timeout: 100}}, 0)
	if c.Load() != nil {
		t.Fatal("nothing was published yet")
	}
	c.AddSplit(0)
	c.AddSplit(0)
	var out Observed
	c.Observe(0, []int64{10}, []int64{10}, 30, &out)
	c.Observe(1, []int64{20}, []int64{20}, 30, &out)
	c.Stall(0, 50) // active for 50
	c.Unstall(0, 90)
	c.Tick(170, &out) // split 1 silent for 140, split 0 for 100 without its stall
	c.Observe(0, []int64{30}, []int64{30}, 200, &out)
	c.FinishSplit(1, 210)
	c.Publish(220)

	got := c.Load()
	want := &Snapshot{
		At: 220, Frontier: 31, Reached: 31, Active: true, Holders: []int{0}, System: Unset,
		Splits: []SplitSnapshot{
			{MaxTime: 30, Frontier: 31, Status: Active, Since: 200, Silent: 20, IdleIn: 80, ActiveFor: 50 + 80 + 20, StalledFor: 40, IdleFor: 30, Read: 2},
			{MaxTime: 20, Frontier: 21, Status: Finished, Since: 210, ActiveFor: 170, IdleFor: 40, Read: 1},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("\n got %+v\nwant %+v", got, want)
	}
	c.Publish(230)
	if c.Load() == got || !reflect.DeepEqual(got, want) {
		t.Error("a published snapshot must not change")
	}
}

// newCore makes a core of a strategy that is valid.
func newCore(s Strategy, now int64) *Core {
	c, err := New(s, now)
	if err != nil {
		panic(err)
	}
	return c
}

// A wrong strategy is an error and makes no core.
func TestWrongStrategies(t *testing.T) {
	for _, c := range []struct {
		want string
		s    Strategy
	}{
		{"tick of -1", Strategy{Tick: -1}},
		{"a gap of 0 rows", Strategy{Emission: OnEvent{}}},
		{"an interval of -1", Strategy{Emission: Periodic{Interval: -1}}},
		{"steps of 3 us", Strategy{Tick: 2, Emission: Granular{3}}},
		{"idle timeout of 0 us", Strategy{Idleness: Fixed{}}},
		{"from 2 us to 1 us", Strategy{Idleness: Progressive{From: 2, To: 1}}},
		{"in steps of 0 us", Strategy{Idleness: Stepped{Timeout: 1}}},
		{"is for Lookahead", Strategy{Emission: Periodic{}, Idleness: Lift{Ratio: 0.4}}},
		{"last -1 rows", Strategy{LastRows: -1}},
		{"last 1000001 rows", Strategy{LastRows: MaxLastRows + 1}},
		{"max-ahead of -1", Strategy{MaxAhead: -1}},
		{"drift of -1", Strategy{Alignment: Alignment{Drift: -1}}},
		{"out of range", Strategy{Emission: Periodic{}, Candidates: Lookahead{Bound: -1}}},
		{"out of range", Strategy{Emission: Periodic{}, Candidates: Lookahead{LateData: Percentile{Value: 101}}}},
		{"goes with Periodic", Strategy{Candidates: Lookahead{}}},
		{"goes with Periodic", Strategy{Emission: Periodic{}, Idleness: Fixed{Timeout: 1}, Candidates: Lookahead{}}},
		{"the share is above 0", Strategy{Emission: Periodic{}, Idleness: Lift{Ratio: 1.5}, Candidates: Lookahead{}}},
		{"makes no generators", FromGenerator("mine", nil)},
		{"less than 0 out of order", BoundedOutOfOrderness(-time.Second)},
		{"idle timeout of -1000000", Monotonous().WithIdleness(-time.Second)},
		{"drift of -1000000", Monotonous().WithAlignment("g", -time.Second, time.Second)},
		{"no last rows", Strategy{LastRows: 2, Candidates: Monotonous().Candidates}},
		{"no dimension", Strategy{Dimension: &Dimension{}, Candidates: Monotonous().Candidates}},
	} {
		core, err := New(c.s, 0)
		if err == nil || core != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.want, err)
		}
	}
}

// The zero value is a replay.
func TestZeroStrategy(t *testing.T) {
	if got, want := (Strategy{}).String(), Replay(1000).String(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	c := newCore(Strategy{}, 0)
	c.AddSplit(0)
	var out Observed
	c.Observe(0, []int64{5500}, []int64{5500}, 0, &out)
	if !reflect.DeepEqual(out.Marks, []Mark{{1, 6000}}) {
		t.Errorf("marks %v", out.Marks)
	}
}

// What is called out of its order is a bug of the caller and says so.
func TestMisusePanics(t *testing.T) {
	finished := func() *Core {
		c := newCore(Replay(1000), 0)
		c.AddSplit(0)
		c.FinishSplit(0, 0)
		c.SealSplits()
		return c
	}
	for name, misuse := range map[string]func(){
		"sealed": func() { finished().AddSplit(0) },
		"place":  func() { finished().ReplaceSplit(0, 0) },
		"too soon": func() {
			c := newCore(Replay(1), 0)
			c.AddSplit(0)
			c.ReplaceSplit(0, 0)
		},
		"batch": func() {
			c := newCore(Strategy{Tick: 1, Emission: Periodic{}, Idleness: Never{}, Candidates: Lookahead{}}, 0)
			c.Complete(c.AddSplit(0), 0)
		},
		"twice":   func() { finished().FinishSplit(0, 0) },
		"row":     func() { finished().Observe(0, []int64{1}, []int64{1}, 0, new(Observed)) },
		"unstall": func() { finished().Unstall(0, 0) },
		"restore": func() { _ = finished().Restore(nil) },
		"merge":   func() { NewMerge(0) },
		"values": func() {
			c := newCore(Replay(1000), 0)
			c.AddSplit(0)
			c.ObserveValues(0, []int64{1}, []int64{1}, []int32{0}, 0, new(Observed))
		},
		"value":   func() { finished().Value("a") },
		"looking": func() { finished().ConfirmEmpty(0, 0) },
	} {
		func() {
			defer func() {
				if p := recover(); p == nil || !strings.HasPrefix(fmt.Sprint(p), "watermark: ") {
					t.Errorf("%s: panicked with %v", name, p)
				}
			}()
			misuse()
		}()
	}
}

// Observe must not allocate once its lists have grown.
func TestObserveDoesNotAllocate(t *testing.T) {
	for _, s := range []Strategy{Replay(1000), {Tick: 1000, Emission: OnEvent{10}, Idleness: Never{}}, {Tick: 1000, Emission: Periodic{}, Idleness: Never{}},
		{Tick: 1000, Emission: OnEvent{1}, Idleness: Never{}, Dimension: &Dimension{}, LastRows: 7}, BoundedOutOfOrderness(time.Second)} {
		c := newCore(s, 0)
		c.AddSplit(0)
		var out Observed
		times, values := make([]int64, 100), make([]int32, 100)
		for i := range values {
			values[i] = int32(i % 5)
		}
		if s.Dimension != nil {
			for i := range 5 {
				c.Value(fmt.Sprint(i))
			}
		}
		step := func() {
			for i := range times {
				times[i] += 1000 * int64(len(times))
			}
			times[0] = 1
			out.Reset()
			if s.Dimension != nil {
				c.ObserveValues(0, times, times, values, 0, &out)
			} else {
				c.Observe(0, times, times, 0, &out)
			}
			c.Tick(0, &out)
		}
		step()
		if n := testing.AllocsPerRun(50, step); n > 0 {
			t.Errorf("%v: %v allocations per run", s, n)
		}
	}
}
