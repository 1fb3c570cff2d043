package runtime

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// sharedWindows computes windows once for two readers: a filter, task by task, and windows of another key. The two meet again in one task, behind which there are several.
func sharedWindows(tasks int, out connector.Sink) *Graph {
	b := newBuilder()
	b.source(random(20, 800, 40, 3, 20), 2*second, watermark.Replay(1000), Target{Fragment: 0, Keys: []int{0}, Grain: grid(second, 5*second, 10*second, 20*second), Passes: true})
	b.fragment(Fragment{Tasks: tasks, Inputs: 1, Chain: []OperatorSpec{b.tumble("a", second, []int{0}, 1, 2)}, To: []Target{
		{Fragment: 1, Straight: true, Grain: grid(10 * second), Passes: true},
		{Fragment: 2, Keys: []int{1}, Grain: grid(5*second, 10*second), Passes: true}}})
	b.fragment(Fragment{Tasks: tasks, Inputs: 1, Chain: []OperatorSpec{{ID: "odd", New: func() dataflow.Operator { return oddOnly{0, &dataflow.Counts{}} }}},
		To: []Target{{Fragment: 3, Keys: []int{0}, Grain: grid(10 * second), Passes: true}}})
	b.fragment(Fragment{Tasks: tasks, Inputs: 1, Chain: []OperatorSpec{b.tumble("b", 5*second, []int{1}, 5, 0)}, To: []Target{{Fragment: 3, Input: 1, Keys: []int{0}, Grain: grid(10 * second), Passes: true}}})
	b.fragment(Fragment{Tasks: 1, Inputs: 2, Kin: [][]int{{1}, {0}}, Chain: []OperatorSpec{b.tumble("c", 10*second, []int{0}, 5, 1)},
		To: []Target{{Fragment: 4, Keys: []int{1}, Grain: grid(20 * second)}}})
	b.fragment(Fragment{Tasks: tasks, Inputs: 1, Chain: []OperatorSpec{b.tumble("d", 20*second, []int{1}, 5, 2)}, To: []Target{{Fragment: 5}}})
	b.fragment(Fragment{Tasks: 1, Inputs: 1, Sink: out})
	return &b.graph
}

// parting sends rows with an even value in column 0 to its first outlet, those with an odd one to its second, whose frontier it holds back, and all once more to a third.
type parting struct {
	outlets []dataflow.Output
	hold    int64
	counts  dataflow.Counts
}

func (p *parting) SetOutlets(all []dataflow.Output) { p.outlets = all }

func (p *parting) Counts() *dataflow.Counts { return &p.counts }

func (p *parting) Process(b *dataflow.Batch, _ dataflow.Output) error {
	defer b.Release()
	return b.Segments(func(lo, hi int) error {
		all := b.Part(lo, hi)
		all.Marks = nil
		p.counts.In.Add(int64(hi - lo))
		p.counts.Out.Add(int64(hi - lo))
		for rest := range int64(2) {
			part := all.Part(0, all.N)
			part.Sel = part.Arena.Sel(part.N)[:0]
			for i := range part.N {
				if part.Cols[0].Int(i)%2 == rest {
					part.Sel = append(part.Sel, int32(i))
				}
			}
			if err := p.outlets[rest].Emit(part); err != nil {
				return err
			}
		}
		return p.outlets[2].Emit(all)
	}, func(f watermark.Frontier) error { return p.tell(dataflow.Progress{Frontier: f, Active: true}) })
}

func (p *parting) Advance(to dataflow.Progress, _ dataflow.Output) error { return p.tell(to) }

func (p *parting) tell(to dataflow.Progress) error {
	for i, out := range p.outlets {
		if i == 1 && to.Frontier != watermark.Unset && to.Frontier != watermark.Final {
			to.Frontier -= watermark.Frontier(p.hold)
		}
		if err := out.Advance(to); err != nil {
			return err
		}
	}
	return nil
}

// parted has an operator with three outputs: nobody reads the third one, two read the second.
func parted(tasks int, out connector.Sink) *Graph {
	b := newBuilder()
	b.source(random(21, 600, 30, 2, 20), 2*second, watermark.Replay(1000), Target{Fragment: 0, Keys: []int{0}, Grain: every, Passes: true})
	b.fragment(Fragment{Tasks: 1, Inputs: 1, Chain: []OperatorSpec{{ID: "part", New: func() dataflow.Operator { return &parting{hold: 7 * second} }}}, Outlets: 3, To: []Target{
		{Fragment: 1, Keys: []int{0}, Grain: grid(5 * second)},
		{Fragment: 2, Outlet: 1, Keys: []int{0}, Grain: grid(5 * second)},
		{Fragment: 3, Outlet: 1, Grain: grid(10 * second)}}})
	b.fragment(Fragment{Tasks: tasks, Inputs: 1, Chain: []OperatorSpec{b.tumble("even", 5*second, []int{0}, 1, 2)}, To: []Target{{Fragment: 4}}})
	b.fragment(Fragment{Tasks: tasks, Inputs: 1, Chain: []OperatorSpec{b.tumble("odd", 5*second, []int{0}, 1, 2)}, To: []Target{{Fragment: 4, Input: 1}}})
	b.fragment(Fragment{Tasks: 1, Inputs: 1, Chain: []OperatorSpec{b.tumble("all odd", 10*second, []int{0}, 1, 2)}, To: []Target{{Fragment: 4, Input: 2}}})
	b.fragment(Fragment{Tasks: 1, Inputs: 3, Kin: [][]int{{1, 2}, {0, 2}, {0, 1}}, Sink: out})
	return &b.graph
}

// TestOutletsHaveFrontiersOfTheirOwn: what is read of one output of an operator does not wait for another one.
func TestOutletsHaveFrontiersOfTheirOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var windows atomic.Int64 // asked for while the job runs
		out := &lines{write: func(b *vector.Batch) error { windows.Add(int64(b.Rows().Count())); return nil }}
		g := parted(2, out)
		g.Sources[0].Reader = live([]arrival{
			{0, []row{{1, 1 * second, 0}, {2, 2 * second, 0}, {2, 14 * second, 0}}},
			{time.Second, []row{{1, 20 * second, 0}}},
		})
		g.Sources[0].Strategy = watermark.Strategy{Tick: 1000, Emission: watermark.OnEvent{Gap: 1}, Idleness: watermark.Never{}}
		ctx, cancel := context.WithCancel(context.Background())
		j, err := New(g, Options{})
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan error)
		go func() { ended <- j.Run(ctx) }()
		for _, want := range []string{"even 12, odd 5, all odd 5, 2 windows", "even 18, odd 11, all odd 11, 4 windows"} {
			synctest.Wait()
			got := ""
			for _, o := range j.Stats().Operators[1:] {
				got += fmt.Sprint(o.ID, " ", o.Input.Frontier/watermark.Frontier(second), ", ")
			}
			if got += fmt.Sprint(windows.Load(), " windows"); got != want {
				t.Errorf("the readers are at %s, want %s", got, want)
			}
			<-time.After(time.Second)
		}
		cancel()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
	})
}

// bell emits a row for every tick.
type bell struct{ now int64 }

func (b *bell) SetNow(now int64)                                       { b.now = now }
func (b *bell) Process(x *dataflow.Batch, out dataflow.Output) error   { return out.Emit(x) }
func (b *bell) Advance(p dataflow.Progress, out dataflow.Output) error { return out.Advance(p) }
func (b *bell) Tick(out dataflow.Output) error {
	a := (&vector.Pool{}).Get()
	x := &dataflow.Batch{Batch: vector.Batch{N: 1, Arena: a, Cols: []*vector.Vector{a.Constant(vector.Int64)}}, Released: watermark.Unset}
	x.Cols[0].Ints[0] = b.now
	return out.Emit(x)
}

// TestTicksOfTheClock: operators are told the time while nothing comes, as often as the graph says, through an exchange too; and at once when the clock is set back.
func TestTicksOfTheClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var rung []time.Duration
		out := &lines{write: func(b *vector.Batch) error {
			rung = append(rung, time.UnixMicro(b.Cols[0].Int(b.Rows().At(0))).Sub(start))
			return nil
		}}
		b := newBuilder()
		b.source(&memory{live: true, splits: make([][]chunk, 1), poll: func(int, int64) (connector.Chunk, int64, error) { return nil, connector.Never, nil }}, 0,
			watermark.Strategy{Tick: 1000, Emission: watermark.OnEvent{Gap: 1}, Idleness: watermark.Never{}}, Target{Fragment: 0})
		b.fragment(Fragment{Tasks: 1, Inputs: 1, To: []Target{{Fragment: 1}}})
		b.fragment(Fragment{Tasks: 1, Inputs: 1, Chain: []OperatorSpec{{ID: "bell", New: func() dataflow.Operator { return &bell{} }}}, To: []Target{{Fragment: 2}}})
		b.fragment(Fragment{Tasks: 1, Inputs: 1, Sink: out})
		b.graph.Tick = second
		ctx, cancel := context.WithTimeout(context.Background(), 3500*time.Millisecond)
		defer cancel()
		j, err := New(&b.graph, Options{Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		if err := j.Run(ctx); err != nil {
			t.Fatal(err)
		}
		if want := []time.Duration{0, time.Second, 2 * time.Second, 3 * time.Second}; !slices.Equal(rung, want) {
			t.Errorf("told at %v, want %v", rung, want)
		}
	})
}
