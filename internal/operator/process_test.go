package operator

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/process"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// remind is code that tells of every row how many its key has had, sets a timer for it, and tells of each timer; a timer below 200 sets one more.
type remind struct{}

func (remind) Message(c *process.Context, m *process.Message) error {
	key, due := m.Cols[0].Int(m.Row), m.Cols[1].Int(m.Row)
	name := c.StateName("n")
	n := int64(len(c.State(name)))
	c.SetState(name, make([]byte, (n+1)%5))
	c.SetTimer(process.Request{Stream: int(due & 1), Trigger: due, EventTime: watermark.NoTime})
	say(c, key, n, due)
	return nil
}

func (remind) Timer(c *process.Context, t *process.Timer) error {
	if t.Stream == 0 && t.Trigger < 200 {
		c.SetTimer(process.Request{Trigger: t.Trigger + 30, EventTime: watermark.NoTime})
	}
	say(c, t.Cols[0].Int(t.Row), int64(100+t.Stream), t.Trigger)
	return nil
}

func say(c *process.Context, values ...int64) {
	d := c.Draft(0)
	for i, v := range values {
		d.SetInt(i, v)
	}
	c.Emit(0)
}

func reminding() ProcessSpec {
	bigint := func(name string) types.Field { return types.Field{Name: name, Type: types.BigIntType} }
	in := process.Input{Columns: types.Schema{bigint("k"), bigint("due"), bigint("t")}, Keys: []int{0}, EventTime: 2, SystemTime: -1}
	return ProcessSpec{Spec: &process.Spec{Name: "remind", Inputs: []process.Input{in, in}, New: func() (process.Function, error) { return remind{}, nil },
		Timers:  []process.TimerStream{{Name: "again", From: &process.Parents{Inputs: []int{0, 1}, Timers: []int{0}}}, {Name: "once", Watches: []process.Watched{{Input: 1, Delay: 5}}}},
		Outputs: []process.Output{{Name: "out", Columns: types.Schema{bigint("k"), bigint("n"), bigint("due"), bigint("e")}, EventTime: 3, SystemTime: -1}}},
		Streams: []int{0, 1, 1}, Memory: &vector.Pool{}}
}

// seenOut writes down rows and frontiers in their order.
type seenOut struct {
	t    testing.TB
	last watermark.Frontier
	got  []string
}

func (s *seenOut) rise(f watermark.Frontier) {
	if f < s.last {
		s.t.Errorf("the frontier fell from %d to %d", s.last, f)
	}
	if f > s.last {
		s.last = f
		s.got = append(s.got, fmt.Sprint("^", f))
	}
}

func (s *seenOut) Emit(b *dataflow.Batch) error {
	dataflow.CheckBatch(b, s.last)
	err := b.Segments(func(lo, hi int) error {
		for k := lo; k < hi; k++ {
			row := b.Rows().At(k)
			s.got = append(s.got, fmt.Sprint(b.Cols[0].Int(row), " ", b.Cols[1].Int(row), " ", b.Cols[2].Int(row), " @", b.Cols[3].Int(row)))
		}
		return nil
	}, func(f watermark.Frontier) error { s.rise(f); return nil })
	b.Release()
	return err
}

func (s *seenOut) Advance(p dataflow.Progress) error { s.rise(p.Frontier); return nil }

// told is a row of a stream, or a frontier.
type told struct {
	stream         int
	key, due, time int64
	f              watermark.Frontier // Unset for a row
}

// modelled does what a Process of remind does, slowly.
func modelled(all []told) (got []string) {
	type timer struct{ stream, key, trigger, event, number int64 }
	var timers []timer
	var number int64
	counts := map[int64]int64{}
	frontiers := [3]watermark.Frontier{watermark.Unset, watermark.Unset, watermark.Unset}
	set := func(stream, key, trigger, event int64) {
		for i, x := range timers {
			if x.stream == stream && x.key == key && x.trigger == trigger {
				if event < x.event {
					timers = append(slices.Delete(timers, i, i+1), timer{stream, key, trigger, event, number})
				}
				number++
				return
			}
		}
		timers = append(timers, timer{stream, key, trigger, event, number})
		number++
	}
	last := [2]watermark.Frontier{watermark.Unset, watermark.Unset}
	out := watermark.Unset
	for _, e := range all {
		if e.f == watermark.Unset {
			got = append(got, fmt.Sprint(e.key, " ", counts[e.key], " ", e.due, " @", e.time))
			counts[e.key] = (counts[e.key] + 1) % 5
			set(e.due&1, e.key, e.due, e.time)
			continue
		}
		frontiers[e.stream] = max(frontiers[e.stream], e.f)
		second := min(frontiers[1], frontiers[2])
		least := min(frontiers[0], second)
		for {
			w := [2]watermark.Frontier{least, second.Sub(5)}
			var due []timer
			for _, x := range timers {
				if w[x.stream].Complete(x.trigger) && (w[x.stream] > last[x.stream] || least == watermark.Final) {
					due = append(due, x)
				}
			}
			last = w
			if len(due) == 0 {
				break
			}
			slices.SortFunc(due, func(a, b timer) int {
				return cmp.Or(cmp.Compare(a.trigger, b.trigger), cmp.Compare(state.HashInt(a.key), state.HashInt(b.key)), cmp.Compare(a.number, b.number))
			})
			for _, x := range due {
				at := slices.Index(timers, x)
				if at < 0 {
					continue // an equal one took its place
				}
				timers = slices.Delete(timers, at, at+1)
				if x.stream == 0 && x.trigger < 200 {
					set(0, x.key, x.trigger+30, x.event)
				}
				got = append(got, fmt.Sprint(x.key, " ", 100+x.stream, " ", x.trigger, " @", x.event))
			}
			if least != watermark.Final {
				break
			}
		}
		held := least
		for _, x := range timers {
			held = min(held, watermark.Frontier(x.event))
		}
		if held > out {
			out = held
			got = append(got, fmt.Sprint("^", out))
		}
	}
	return got
}

// Rows, timers and frontiers leave in the order that a slow model says, wherever batches end and wherever the operator is made anew.
func TestProcess(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 60 {
		var all []told
		var f [3]int64
		for range 150 {
			s := r.IntN(3)
			if r.IntN(3) > 0 {
				all = append(all, told{s, r.Int64N(4), f[s] + r.Int64N(60) - 20, f[s] + r.Int64N(30) - 5, watermark.Unset})
				continue
			}
			f[s] += 1 + r.Int64N(25)
			all = append(all, told{stream: s, f: watermark.Frontier(f[s])})
		}
		for s := range 3 {
			all = append(all, told{stream: s, f: watermark.Final})
		}
		want := modelled(all)
		for range 4 {
			if got := driven(t, r, all); !slices.Equal(got, want) {
				at := 0
				for at < min(len(got), len(want)) && got[at] == want[at] {
					at++
				}
				t.Fatalf("from line %d:\n%s\nwant:\n%s", at, strings.Join(got[at:min(at+8, len(got))], "\n"), strings.Join(want[at:min(at+8, len(want))], "\n"))
			}
		}
	}
}

// driven is what a Process makes of all, cut into batches here and there.
func driven(t *testing.T, r *rand.Rand, all []told) []string {
	spec := reminding()
	p, out := NewProcess(spec), &seenOut{t: t, last: watermark.Unset}
	f := [3]watermark.Frontier{watermark.Unset, watermark.Unset, watermark.Unset}
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	for len(all) > 0 {
		n, stream := 0, all[0].stream
		for n < len(all) && all[n].stream == stream && (n == 0 || r.IntN(6) > 0) {
			n++
		}
		b, marks := toldBatch(spec.Memory, all[:n])
		if b != nil {
			b.Input = stream
			must(p.Process(b, out))
		} else {
			for _, m := range marks {
				must(p.AdvanceInput(stream, dataflow.Progress{Frontier: m.F, System: watermark.Unset, Active: true}, out))
			}
		}
		for _, m := range marks {
			f[stream] = m.F
		}
		all = all[n:]
		if r.IntN(10) > 0 {
			continue
		}
		next := NewProcess(spec)
		must(next.Restore([][]byte{p.Snapshot(nil)}, func(uint64) bool { return true }))
		p = next
		for i, known := range f {
			must(p.AdvanceInput(i, dataflow.Progress{Frontier: known, System: watermark.Unset, Active: true}, &seenOut{t: t, last: watermark.Unset}))
		}
	}
	return out.got
}

func toldBatch(pool *vector.Pool, some []told) (*dataflow.Batch, []watermark.Mark) {
	var rows []told
	var marks []watermark.Mark
	for _, e := range some {
		if e.f == watermark.Unset {
			rows = append(rows, e)
		} else {
			marks = append(marks, watermark.Mark{Row: int32(len(rows)), F: e.f})
		}
	}
	if len(rows) == 0 {
		return nil, marks
	}
	a := pool.Get()
	b := &dataflow.Batch{Batch: vector.Batch{N: len(rows), Arena: a}, Marks: marks}
	for range 3 {
		b.Cols = append(b.Cols, a.Flat(vector.Int64, len(rows)))
	}
	for i, e := range rows {
		b.Cols[0].Ints[i], b.Cols[1].Ints[i], b.Cols[2].Ints[i] = e.key, e.due, e.time
	}
	return b, marks
}

// idle code does nothing; others count in a state, or set a timer for every row.
type idle struct{ does string }

func (i idle) Message(c *process.Context, m *process.Message) error {
	switch i.does {
	case "state":
		n := c.StateName("n")
		var count [8]byte
		copy(count[:], c.State(n))
		count[0]++
		c.SetState(n, count[:])
	case "timer":
		c.SetTimer(process.Request{Trigger: m.EventTime + 1000, EventTime: watermark.NoTime})
	case "row":
		d := c.Draft(0)
		d.SetInt(0, m.Cols[0].Int(m.Row))
		c.Emit(0)
	}
	return nil
}

func (i idle) Timer(c *process.Context, t *process.Timer) error { return nil }

// Rows of a thousand keys, with a mark every 64 rows: code that does nothing, keeps a state, writes a row for each, sets and gets a timer for each.
func BenchmarkProcess(b *testing.B) {
	for _, does := range []string{"nothing", "state", "row", "timer"} {
		b.Run(does, func(b *testing.B) {
			spec, now, r := reminding(), int64(0), rand.New(rand.NewPCG(1, 2))
			spec.Spec.New = func() (process.Function, error) { return idle{does}, nil }
			spec.Spec.Inputs = spec.Spec.Inputs[:1]
			spec.Spec.Inputs[0].EventTime = 1
			spec.Spec.Inputs[0].Columns = spec.Spec.Inputs[0].Columns[:2]
			spec.Spec.Timers = []process.TimerStream{{Name: "t"}}
			spec.Streams = []int{0}
			run(b, NewProcess(spec), func() *dataflow.Batch {
				x := two(spec.Memory.Get(), func(int) (int64, int64) { now++; return r.Int64N(1000), now })
				for row := int32(64); row <= timedRows; row += 64 {
					x.Marks = append(x.Marks, watermark.Mark{Row: row, F: watermark.Frontier(now - timedRows + int64(row) - 100)})
				}
				return x
			})
		})
	}
}
