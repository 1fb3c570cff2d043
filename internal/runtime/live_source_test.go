package runtime

import (
	"context"
	"io"
	"slices"
	"sync"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// announced is a memory table whose splits have nothing until they are told. Whenever one was asked in vain, a goroutine tells the next in some
// order, so that what comes is hardly ever what is waited for.
type announced struct {
	*memory
	bounded bool
	order   []int // splits to be told, one chunk each

	arrived chan<- struct{}
	mu      sync.Mutex
	there   []int // chunks that each split may hand out
	asked   chan struct{}
	group   sync.WaitGroup
	once    sync.Once
	ended   int
}

func (a *announced) Bounded() bool                  { return a.bounded }
func (a *announced) Listen(arrived chan<- struct{}) { a.arrived = arrived }
func (a *announced) Close() error                   { close(a.asked); a.group.Wait(); a.ended++; return nil }

func (a *announced) Open() ([]connector.Split, error) {
	all, err := a.memory.Open()
	a.there, a.asked = make([]int, len(all)), make(chan struct{}, 1)
	for i, s := range all {
		all[i] = &announcedSplit{s, a, i}
	}
	return all, err
}

// tell lets everything come, in a goroutine beside the reading.
func (a *announced) tell() {
	for _, split := range a.order {
		<-a.asked
		a.mu.Lock()
		a.there[split]++
		a.mu.Unlock()
		select {
		case a.arrived <- struct{}{}:
		default:
		}
	}
}

type announcedSplit struct {
	connector.Split
	table  *announced
	number int
}

func (s *announcedSplit) Poll(now int64) (connector.Chunk, int64, error) {
	s.table.once.Do(func() { s.table.group.Go(s.table.tell) })
	s.table.mu.Lock()
	there := s.table.there[s.number]
	s.table.mu.Unlock()
	if int64(there) > s.Offset() || there == len(s.table.splits[s.number]) {
		c, wake, err := s.Split.Poll(now)
		if err == io.EOF && !s.table.bounded {
			return nil, connector.Never, nil
		}
		return c, wake, err
	}
	select {
	case s.table.asked <- struct{}{}:
	default:
	}
	return nil, connector.Never, nil
}

// TestWhatArrivesFirstDoesNotDecide: a replay of a live source is the same whichever split has its rows first.
func TestWhatArrivesFirstDoesNotDecide(t *testing.T) {
	data := random(11, 400, 20, 3, 30)
	orders := map[string][]int{}
	for i := range data.splits {
		for range data.splits[i] {
			orders["split by split"] = append(orders["split by split"], i)
		}
	}
	orders["backwards"] = slices.Clone(orders["split by split"])
	slices.Reverse(orders["backwards"])
	for round := 0; len(orders["in turn"]) < len(orders["backwards"]); round++ {
		for i := range data.splits {
			if round < len(data.splits[i]) {
				orders["in turn"] = append(orders["in turn"], i)
			}
		}
	}
	want := &lines{}
	run(t, windowed(1, want, data), shape{1, 1, 8192}.options())
	for name, order := range orders {
		for _, s := range shapes {
			out := &lines{}
			source := &announced{memory: data, bounded: true, order: order}
			graph := windowed(s.tasks, out, data)
			graph.Sources[0].Reader = source
			run(t, graph, s.options())
			if len(out.got) == 0 || !slices.Equal(out.got, want.got) {
				t.Fatalf("%s, %s: %s", name, s, firstDifference(out.got, want.got))
			}
			if source.ended != 1 {
				t.Errorf("%s: closed %d times", name, source.ended)
			}
		}
	}
}

// stopping is a decoder that ends the statement with the third chunk.
type stopping struct {
	connector.Decoder
	chunks *int
	stop   func()
}

func (d stopping) Decode(c connector.Chunk, memory *vector.Pool, maxRows int, each func(*vector.Batch) error) (connector.Decoded, error) {
	if *d.chunks++; *d.chunks == 3 {
		d.stop()
	}
	return d.Decoder.Decode(c, memory, maxRows, each)
}

type stoppable struct {
	*announced
	chunks int
	stop   func()
}

func (s *stoppable) NewDecoder() (connector.Decoder, error) {
	d, err := s.announced.NewDecoder()
	return stopping{d, &s.chunks, s.stop}, err
}

// TestSignalWakes: a statement that has nothing to do goes on when a live source tells of rows; no clock moves.
func TestSignalWakes(t *testing.T) {
	m := &memory{splits: [][]chunk{{{rows: []row{{1, 5 * second, 0}}}}, {{rows: []row{{2, 7 * second, 0}}}, {rows: []row{{3, 9 * second, 0}}}}}}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	source := &stoppable{announced: &announced{memory: m, order: []int{1, 0, 1}}, stop: stop}
	graph := windowed(1, &lines{}, m)
	graph.Sources[0].Reader = source
	o := shape{1, 1, 8192}.options()
	o.Clock = &fixedClock{}
	j, err := New(graph, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Run(ctx); err != nil {
		t.Fatal(err)
	}
	if source.chunks != 3 || source.ended != 1 {
		t.Errorf("%d chunks, closed %d times", source.chunks, source.ended)
	}
}
