package runtime

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/operator"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/window"
	"github.com/tidemark-sql/tidemark/watermark"
)

const second = 1_000_000

// row is a row of a memory table: columns key, time, value.
type row struct{ key, time, value int64 }

// memory is a source of rows in memory; splits[i][k] is chunk k of split i.
type memory struct {
	splits [][]chunk
	live   bool
	// poll, if set, decides instead of the chunks.
	poll   func(split int, now int64) (connector.Chunk, int64, error)
	closed atomic.Int64
}

// chunk is some rows, or an error in front of which there are some.
type chunk struct {
	rows []row
	err  error
}

func (c chunk) Size() int64 { return int64(len(c.rows)) }

func (m *memory) Open() ([]connector.Split, error) {
	var splits []connector.Split
	for i := range m.splits {
		splits = append(splits, &memorySplit{table: m, number: i})
	}
	return splits, nil
}

func (m *memory) Bounded() bool                          { return !m.live }
func (m *memory) NewDecoder() (connector.Decoder, error) { return memoryDecoder{}, nil }

type memorySplit struct {
	table  *memory
	number int
	at     int
}

func (s *memorySplit) Name() string              { return fmt.Sprintf("split %d", s.number) }
func (s *memorySplit) Offset() int64             { return int64(s.at) }
func (s *memorySplit) Resume(offset int64) error { s.at = int(offset); return nil }
func (s *memorySplit) Close() error              { s.table.closed.Add(1); return nil }

func (s *memorySplit) Poll(now int64) (connector.Chunk, int64, error) {
	if s.table.poll != nil {
		return s.table.poll(s.number, now)
	}
	chunks := s.table.splits[s.number]
	if s.at == len(chunks) {
		return nil, 0, io.EOF
	}
	s.at++
	return chunks[s.at-1], 0, nil
}

type memoryDecoder struct{}

func (memoryDecoder) Decode(c connector.Chunk, memory *vector.Pool, maxRows int, each func(*vector.Batch) error) (connector.Decoded, error) {
	k := c.(chunk)
	for rest := k.rows; len(rest) > 0; {
		rows := rest[:min(len(rest), maxRows)]
		rest = rest[len(rows):]
		a := memory.Get()
		b := &vector.Batch{N: len(rows), Arena: a, Cols: a.Columns(3)}
		for i := range b.Cols {
			b.Cols[i] = a.Flat(vector.Int64, len(rows))
		}
		for i, r := range rows {
			b.Cols[0].Ints[i], b.Cols[1].Ints[i], b.Cols[2].Ints[i] = r.key, r.time, r.value
		}
		if err := each(b); err != nil {
			return connector.Decoded{}, err
		}
	}
	return connector.Decoded{}, k.err
}

// eventTime is an Intake whose candidates are the time less a delay.
type eventTime struct{ delay int64 }

func (eventTime) SetNow(int64) {}

func (e eventTime) Prepare(b *vector.Batch, each func(*vector.Batch, []int64, []int64)) error {
	times := b.Cols[1].Ints
	candidates := b.Arena.Ints(b.N)
	for i, t := range times {
		candidates[i] = t - e.delay
	}
	each(b, times, candidates)
	return nil
}

// lines is a sink that remembers what was written, one line for each row.
type lines struct {
	got    []string
	closed int
	write  func(b *vector.Batch) error // in addition, if set
	close  error                       // of Close
}

func (l *lines) Write(b *vector.Batch) error {
	if l.write != nil {
		if err := l.write(b); err != nil {
			return err
		}
	}
	rows := b.Rows()
	for k := range rows.Count() {
		line := ""
		for _, c := range b.Cols {
			line += fmt.Sprint(c.Int(rows.At(k)), " ")
		}
		l.got = append(l.got, line[:len(line)-1])
	}
	return nil
}

func (l *lines) Flush() error { return nil }
func (l *lines) Close() error { l.closed++; return l.close }

// shape is how a job is cut up; results must not depend on it.
type shape struct{ workers, tasks, batchRows int }

func (s shape) String() string {
	return fmt.Sprintf("workers=%d tasks=%d batch=%d", s.workers, s.tasks, s.batchRows)
}

func (s shape) options() Options {
	return Options{Workers: s.workers, BatchRows: s.batchRows, Clock: &fixedClock{}}
}

var shapes = func() (all []shape) {
	for workers := 1; workers <= 5; workers++ {
		for tasks := 1; tasks <= 5; tasks++ {
			for _, rows := range []int{1, 7, 8192} {
				all = append(all, shape{workers, tasks, rows})
			}
		}
	}
	return all
}()

// builder puts graphs together.
type builder struct{ graph Graph }

func newBuilder() *builder { return &builder{Graph{Memory: &vector.Pool{}}} }

func (b *builder) source(m *memory, delay int64, s watermark.Strategy, to Target, chain ...OperatorSpec) {
	b.graph.Sources = append(b.graph.Sources, Source{Name: "t", Reader: m, Strategy: s, Watermarked: true, Branches: []Branch{{To: to, Chain: chain}},
		NewIntake: func() (Intake, error) { return eventTime{delay}, nil }})
}

// tumble is COUNT(*) and MAX of column value by keys in windows over column time: keys, count, greatest, window_start, window_end,
// window_time come out. The count shows lost and doubled rows.
func (b *builder) tumble(id string, size int64, keys []int, time, value int) OperatorSpec {
	kinds := make([]vector.Kind, len(keys))
	for i := range kinds {
		kinds[i] = vector.Int64
	}
	return OperatorSpec{ID: id, Print: id, Label: id, New: func() dataflow.Operator {
		return operator.NewWindowAggregate(operator.WindowAggregateSpec{
			Windows: &operator.Aligned{Spec: window.Spec{Kind: window.Tumble, Size: size}, Time: time},
			Keys:    keys, KeyKinds: kinds, Tick: 1000, Memory: b.graph.Memory,
			Aggregates: []operator.Aggregate{{New: newAggregate("COUNT"), Filter: -1}, {New: newAggregate("MAX"), Args: []int{value}, Filter: -1}},
		})
	}}
}

func (b *builder) fragment(f Fragment) { b.graph.Fragments = append(b.graph.Fragments, f) }

// grid is the grain of windows of some sizes.
func grid(sizes ...int64) (g dataflow.Grain) {
	for _, s := range sizes {
		g.Grids = append(g.Grids, dataflow.Grid{Width: s})
	}
	return g
}

// windowed is one tumbling aggregation over sources, then the sink.
func windowed(tasks int, out connector.Sink, sources ...*memory) *Graph {
	b := newBuilder()
	for i, m := range sources {
		b.source(m, 2*second, watermark.Replay(1000), Target{Fragment: 0, Input: i, Keys: []int{0}, Grain: grid(10 * second)})
	}
	b.fragment(Fragment{Tasks: tasks, Inputs: len(sources), Chain: []OperatorSpec{b.tumble("w", 10*second, []int{0}, 1, 2)}, To: []Target{{Fragment: 1}}})
	b.fragment(Fragment{Tasks: 1, Inputs: 1, Sink: out})
	return &b.graph
}

// cascaded aggregates in windows of 1 s by key, then in windows of 5 s by the count of the first, then in windows of 20 s by nothing. The output
// of an aggregation is: keys, count, greatest, window_start, window_end, window_time.
func cascaded(tasks int, out connector.Sink, m *memory) *Graph {
	b := newBuilder()
	b.source(m, 2*second, watermark.Replay(1000), Target{Fragment: 0, Keys: []int{0}, Grain: grid(second, 5*second, 20*second), Passes: true})
	b.fragment(Fragment{Tasks: tasks, Inputs: 1, Chain: []OperatorSpec{b.tumble("a", second, []int{0}, 1, 2)},
		To: []Target{{Fragment: 1, Keys: []int{1}, Grain: grid(5*second, 20*second), Passes: true}}})
	b.fragment(Fragment{Tasks: tasks, Inputs: 1, Chain: []OperatorSpec{b.tumble("b", 5*second, []int{1}, 5, 0)}, To: []Target{{Fragment: 2, Grain: grid(20 * second)}}})
	b.fragment(Fragment{Tasks: 1, Inputs: 1, Chain: []OperatorSpec{b.tumble("c", 20*second, nil, 5, 1)}, To: []Target{{Fragment: 3}}})
	b.fragment(Fragment{Tasks: 1, Inputs: 1, Sink: out})
	return &b.graph
}

func newAggregate(name string) func() function.Accumulator {
	f, _ := function.LookupAggregate(name)
	c := function.AggregateCall{Args: []types.Type{types.BigIntType}}
	if name == "COUNT" {
		c.Args = nil
	}
	o, err := f.Resolve(c)
	if err != nil {
		panic(err)
	}
	return o.New
}

// random makes n rows in chunks of size rows, spread over splits, out of order by up to 5 s.
func random(seed uint64, n, size, splits int, keys int64) *memory {
	m := &memory{splits: make([][]chunk, splits)}
	for i := range m.splits {
		var rows []row
		t := int64(i) * second
		for k := range n / splits {
			seed = seed*6364136223846793005 + 1442695040888963407
			t += int64(seed>>40) % (second / 2)
			rows = append(rows, row{int64(seed>>33) % keys, t - int64(seed>>20)%(5*second), int64(k)})
			if len(rows) == size {
				m.splits[i] = append(m.splits[i], chunk{rows: rows})
				rows = nil
			}
		}
		if len(rows) > 0 {
			m.splits[i] = append(m.splits[i], chunk{rows: rows})
		}
	}
	return m
}

// run runs g to its end and fails the test if it does not come there.
func run(t *testing.T, g *Graph, o Options) *Job {
	t.Helper()
	j, err := New(g, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	return j
}

// fixedClock is a clock that moves only by hand.
type fixedClock struct{ now atomic.Int64 }

func (c *fixedClock) Now() int64                          { return c.now.Load() }
func (c *fixedClock) At(int64) (<-chan time.Time, func()) { return nil, func() {} }
