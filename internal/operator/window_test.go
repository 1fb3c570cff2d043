package operator

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/window"
	"github.com/tidemark-sql/tidemark/watermark"
)

// stateful is what all window operators are.
type stateful interface {
	dataflow.Operator
	dataflow.Stateful
	dataflow.Counted
}

func aligned(spec window.Spec, zone string) func(*vector.Pool) stateful {
	return func(pool *vector.Pool) stateful {
		a := &Aligned{Spec: spec, Time: 1}
		if zone != "" {
			a.Zone = mustZone(zone)
		}
		return NewWindowAggregate(WindowAggregateSpec{Windows: a, Keys: []int{0}, KeyKinds: intKey, Aggregates: countOnly(), Tick: 1000, Memory: pool})
	}
}

func mustZone(name string) *window.Zone {
	loc, err := time.LoadLocation(name)
	if err != nil {
		panic(err)
	}
	return window.NewZone(loc)
}

func attached(pool *vector.Pool) stateful {
	return NewWindowAggregate(WindowAggregateSpec{Windows: &Attached{Start: 2, End: 3}, Keys: []int{0}, KeyKinds: intKey, Aggregates: countOnly(), Tick: 1000, Memory: pool})
}

func sessions(gap int64) func(*vector.Pool) stateful {
	return func(pool *vector.Pool) stateful {
		return NewSessionAggregate(SessionAggregateSpec{Spec: window.Spec{Kind: window.Session, Gap: gap}, Time: 1, Keys: []int{0}, KeyKinds: intKey,
			Aggregates: countOnly(), Tick: 1000, Memory: pool})
	}
}

var (
	tumble10     = window.Spec{Kind: window.Tumble, Size: 10 * second}
	hop12by4     = window.Spec{Kind: window.Hop, Size: 12 * second, Slide: 4 * second}
	hop2by5      = window.Spec{Kind: window.Hop, Size: 2 * second, Slide: 5 * second}
	cumulate3to9 = window.Spec{Kind: window.Cumulate, Size: 9 * second, Slide: 3 * second}
)

// The worked examples of Flink 2.3's rules. A result is: key, count, window. Of one window, key 2 comes before key 1 because of its group.
func TestWindows(t *testing.T) {
	for _, c := range []struct {
		name    string
		make    func(*vector.Pool) stateful
		stream  string
		want    string
		dropped int64
		skipped int64
	}{
		{"tumble: late rows count until their window fires", aligned(tumble10, ""),
			"1@12 ^9.001 1@9.999 1@13 ^10.001 1@9.999 ^20", "1 1 [0,10); 1 2 [10,20)", 1, 0},
		{"tumble: the frontier at the end fires, one tick before it does not", aligned(tumble10, ""),
			"1@0 ^9.999 1@1 ^10 1@10 ^20", "1 2 [0,10); 1 1 [10,20)", 0, 0},
		{"tumble: times before 1970", aligned(tumble10, ""),
			"1@-1 1@-10 1@-10.001 ^0", "1 1 [-20,-10); 1 2 [-10,0)", 0, 0},
		{"tumble: no empty windows", aligned(tumble10, ""),
			"1@1 2@45 ^100", "1 1 [0,10); 2 1 [40,50)", 0, 0},
		{"tumble: several deadlines in one advance, in order", aligned(tumble10, ""),
			"1@25 1@5 1@15 ^100", "1 1 [0,10); 1 1 [10,20); 1 1 [20,30)", 0, 0},
		{"hop: late for one window and not for others", aligned(hop12by4, ""),
			"1@13 ^13 1@11 ^100", "1 2 [4,16); 1 2 [8,20); 1 1 [12,24)", 0, 0},
		{"hop: dropped once the last window is complete", aligned(hop12by4, ""),
			"1@20 ^20 1@11 1@12 ^100", "1 2 [12,24); 1 1 [16,28); 1 1 [20,32)", 1, 0}, // 11 is in windows up to 20, 12 in windows up to 24
		{"hop: a silence ends the chain of windows", aligned(hop12by4, ""),
			"1@0 1@40 ^100", "1 1 [-8,4); 1 1 [-4,8); 1 1 [0,12); 1 1 [32,44); 1 1 [36,48); 1 1 [40,52)", 0, 0},
		{"hop: rows in the gaps belong to no window", aligned(hop2by5, ""),
			"1@0 1@1.999 1@2 1@4 1@5 ^100", "1 2 [0,2); 1 1 [5,7)", 0, 2},
		{"cumulate: late for one step and not for others", aligned(cumulate3to9, ""),
			"1@4 ^4 1@1 ^100", "1 2 [0,6); 1 2 [0,9)", 0, 0},
		{"cumulate: steps repeat without new rows", aligned(cumulate3to9, ""),
			"1@1 ^3 ^6 ^9 ^18", "1 1 [0,3); 1 1 [0,6); 1 1 [0,9)", 0, 0},
		{"cumulate: late rows of several slices meet in the shared one", aligned(cumulate3to9, ""),
			"1@0 ^6 1@4 2@2 1@7 1@1 ^9 1@8 ^100", "1 1 [0,3); 1 1 [0,6); 2 1 [0,9); 1 4 [0,9)", 1, 0},
		{"attached", attached,
			"1@[0,10) 1@[0,20) 2@[0,10) 1@[10,20) ^10 1@[0,10) 1@[0,20) ^20", "2 1 [0,10); 1 1 [0,10); 1 2 [0,20); 1 1 [10,20)", 1, 0},
		{"session: a row that is over touches one that is not", sessions(5 * second),
			"1@10 1@13 ^17 1@8 ^100", "1 3 [8,18)", 0, 0},
		{"session: a row that touches nothing alive is dropped", sessions(5 * second),
			"1@10 ^15 1@10 1@11 ^100", "1 1 [10,15); 1 1 [11,16)", 1, 0},
		{"session: rows exactly one gap apart are together", sessions(5 * second),
			"1@0 1@5 1@10.001 ^100", "1 2 [0,10); 1 1 [10.001,15.001)", 0, 0},
		{"session: a row joins two sessions into one", sessions(5 * second),
			"1@0 1@8 2@3 1@4 ^100", "2 1 [3,8); 1 3 [0,13)", 0, 0},
		{"session: grown sessions fire at their new end", sessions(5 * second),
			"1@0 1@3 ^5 1@7 ^8 ^11.999 ^12", "1 3 [0,12)", 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			events := parse(t, c.stream)
			want := strings.Split(c.want, "; ")
			everywhere := make([]int, 0, len(events))
			for i := 1; i < len(events); i++ {
				everywhere = append(everywhere, i)
			}
			for _, cuts := range [][]int{nil, everywhere, {len(events) / 2}} {
				pool := &vector.Pool{}
				op, out := c.make(pool), newChecked(t)
				feed(t, op, out, pool, events, cuts)
				if got := texts(out); !slices.Equal(got, want) {
					t.Errorf("cuts %v:\n got %s\nwant %s", cuts, strings.Join(got, "; "), strings.Join(want, "; "))
				}
				n := op.Counts()
				if n.Dropped.Load() != c.dropped || n.Filtered.Load() != c.skipped || n.Out.Load() != int64(len(want)) {
					t.Errorf("dropped %d, filtered %d, out %d", n.Dropped.Load(), n.Filtered.Load(), n.Out.Load())
				}
				if n.In.Load() != n.Absorbed.Load()+n.Dropped.Load()+n.Filtered.Load() {
					t.Errorf("in %d, absorbed %d, dropped %d, filtered %d", n.In.Load(), n.Absorbed.Load(), n.Dropped.Load(), n.Filtered.Load())
				}
			}
		})
	}
}

// randomStream is rows of some keys, out of order, with frontiers among them that make a few of them late.
func randomStream(r *rand.Rand, n int, keys int64) []event {
	var events []event
	newest, frontier := int64(0), int64(-1<<40)
	for range n {
		newest += r.Int64N(second)
		at := (newest - r.Int64N(12*second)) / 1000 * 1000
		start := window.Start(at, 10*second, 0)
		events = append(events, event{key: r.Int64N(keys), time: at, start: start - r.Int64N(2)*10*second, end: start + 10*second})
		if f := (newest - 8*second) / 1000 * 1000; r.IntN(3) == 0 && f > frontier {
			frontier = f
			events = append(events, event{isMark: true, frontier: watermark.Frontier(f)})
		}
	}
	return append(events, event{isMark: true, frontier: watermark.Final})
}

// However a stream is cut into batches and spread over tasks, and wherever it is stopped and goes on with another number of tasks, the
// results and what became of the rows are the same.
func TestWindowsDoNotDependOnCutsAndTasks(t *testing.T) {
	kinds := map[string]func(*vector.Pool) stateful{
		"tumble": aligned(tumble10, ""), "hop": aligned(hop12by4, ""), "hop with gaps": aligned(hop2by5, ""), "cumulate": aligned(cumulate3to9, ""),
		"zone": aligned(window.Spec{Kind: window.Hop, Size: 6 * second, Slide: 2 * second}, "Asia/Kolkata"), "attached": attached, "session": sessions(3 * second),
	}
	for name, make := range kinds {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(15) {
				r := rand.New(rand.NewPCG(seed, 1))
				events := randomStream(r, 300, 12)
				pool := &vector.Pool{}
				whole, want := make(pool), newChecked(t)
				feed(t, whole, want, pool, events, nil)

				stops := []int{100, 200, len(events)}
				from := 0
				var parts [][]byte
				outs := []*checked{newChecked(t), newChecked(t), newChecked(t)}
				var total dataflow.Counts
				for stage, tasks := range []int{1, 3, 2} {
					var saved [][]byte
					for task := range tasks {
						op := make(pool)
						if err := op.Restore(parts, func(h uint64) bool { return state.Owner(h, tasks) == task }); err != nil {
							t.Fatal(err)
						}
						mine := owned(events[from:stops[stage]], task, tasks)
						feed(t, op, outs[task], pool, mine, someCuts(r, len(mine)))
						saved = append(saved, op.Snapshot(nil))
						total.In.Add(op.Counts().In.Load())
						total.Absorbed.Add(op.Counts().Absorbed.Load())
						total.Dropped.Add(op.Counts().Dropped.Load())
					}
					parts, from = saved, stops[stage]
				}
				if got, want := texts(outs...), texts(want); !slices.Equal(got, want) {
					t.Fatalf("seed %d:\n got %s\nwant %s", seed, strings.Join(got, "; "), strings.Join(want, "; "))
				}
				n := whole.Counts()
				if total.In.Load() != n.In.Load() || total.Absorbed.Load() != n.Absorbed.Load() || total.Dropped.Load() != n.Dropped.Load() {
					t.Fatalf("in %d, absorbed %d, dropped %d; whole: %d, %d, %d", total.In.Load(), total.Absorbed.Load(), total.Dropped.Load(),
						n.In.Load(), n.Absorbed.Load(), n.Dropped.Load())
				}
			}
		})
	}
}

// In the night in which the clocks go forward, several local windows end at one instant. They leave before the frontier does, in the order of
// their ends.
func TestWindowsThatEndInASkippedHour(t *testing.T) {
	// New York, 2024-03-10: 01:59:59 is followed by 03:00:00, at 07:00 UTC.
	gap := time.Date(2024, 3, 10, 7, 0, 0, 0, time.UTC).UnixMicro()
	minute := int64(60 * second)
	for _, c := range []struct {
		spec window.Spec
		want int // windows at the instant of the gap
	}{
		{window.Spec{Kind: window.Hop, Size: 120 * minute, Slide: 15 * minute}, 5},                 // ending 02:00, 02:15, 02:30, 02:45, 03:00
		{window.Spec{Kind: window.Cumulate, Size: 240 * minute, Slide: 30 * minute, Offset: 0}, 3}, // ending 02:00, 02:30, 03:00
	} {
		pool := &vector.Pool{}
		op, out := aligned(c.spec, "America/New_York")(pool), newChecked(t)
		row := event{key: 1, time: gap - 10*minute}
		feed(t, op, out, pool, []event{row, {isMark: true, frontier: watermark.Frontier(gap - 1000)}}, nil)
		before := len(out.got)
		advance(t, op, out, watermark.Frontier(gap))
		if n := len(out.got) - before; n != c.want {
			t.Errorf("%v: %d windows fire at the gap, want %d: %v", c.spec.Kind, n, c.want, texts(out))
		}
	}
}

// The row that came latest is told with its own time, whatever the zone of its window.
func TestDroppedRowKeepsItsTime(t *testing.T) {
	pool := &vector.Pool{}
	op, out := aligned(tumble10, "Asia/Tokyo")(pool), newChecked(t)
	feed(t, op, out, pool, parse(t, "1@1 ^30 1@2"), nil)
	want := dataflow.Dropped{Time: 2 * second, Deadline: 10 * second, Frontier: 30 * second}
	if got := op.Counts().Worst.Load(); got == nil || *got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestNullTimeIsRefused(t *testing.T) {
	for _, make := range []func(*vector.Pool) stateful{aligned(tumble10, ""), sessions(second), attached} {
		pool := &vector.Pool{}
		b, _ := batchOf(pool, parse(t, "1@1"))
		for _, c := range b.Cols[1:] {
			c.Valid = b.Arena.AllNull(1)
		}
		if err := make(pool).Process(b, newChecked(t)); err == nil || !strings.Contains(err.Error(), "no event time") {
			t.Errorf("error %v", err)
		}
	}
}

// Thousands of sessions come and go, so that numbers are given anew several times, while a few live on.
func TestSessionsAreRenumbered(t *testing.T) {
	pool := &vector.Pool{}
	op, out := NewSessionAggregate(SessionAggregateSpec{Spec: window.Spec{Kind: window.Session, Gap: 3 * second}, Time: 1, Keys: []int{0}, KeyKinds: intKey,
		Aggregates: countOnly(), Tick: 1000, Memory: pool}), newChecked(t)
	const n = 10_000
	compacted := false
	for i := range int64(n) {
		// Key -1 speaks every two seconds and never falls silent; every other key speaks twice and is gone.
		events := []event{{key: i, time: i * second}, {key: i, time: i*second + 1000}, {isMark: true, frontier: watermark.Frontier(i * second)}}
		if i%2 == 0 {
			events = append(events, event{key: -1, time: i * second})
		}
		before := len(op.sessions)
		feed(t, op, out, pool, events, nil)
		compacted = compacted || len(op.sessions) < before
		if len(op.sessions) > 4*compactAt || op.keys.Len() > 4*compactAt || len(op.pending) > 4*compactAt {
			t.Fatalf("%d sessions, %d keys, %d deadlines for %d alive", len(op.sessions), op.keys.Len(), len(op.pending), op.live)
		}
	}
	advance(t, op, out, watermark.Final)
	if !compacted {
		t.Error("nothing was renumbered")
	}
	got := texts(out)
	if len(got) != n+1 {
		t.Fatalf("%d sessions, want %d", len(got), n+1)
	}
	last := fmt.Sprintf("-1 %d [0,%d)", n/2, n-2+3)
	if !slices.Contains(got, last) {
		t.Errorf("no %s", last)
	}
	for i := range n {
		if row := fmt.Sprintf("%d 2 [%d,%s)", i, i, seconds(int64(i)*second+1000+3*second)); !slices.Contains(got[max(0, i-5):min(len(got), i+5)], row) {
			t.Fatalf("no %s", row)
		}
	}
}
