package runtime

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// placed is a batch of one sender: the places of its rows, ascending.
type placed struct {
	rows     []dataflow.Order
	released watermark.Frontier
	rank     int64
	changes  bool // it has Ops: every second row takes something back
	sparse   bool // its rows are every second of its columns
}

func places(rows ...uint64) (list []dataflow.Order) {
	for _, r := range rows {
		list = append(list, dataflow.Order{Row: r})
	}
	return list
}

// randomPlaces has n places, of which many are equal and some differ at a deeper level alone.
func randomPlaces(r *rand.Rand, n int) []dataflow.Order {
	var list []dataflow.Order
	for range n {
		list = append(list, dataflow.Order{Row: uint64(r.IntN(n)), Sub: [dataflow.OrderLevels]uint32{uint32(r.IntN(2)), uint32(r.IntN(2))}})
	}
	slices.SortFunc(list, dataflow.Order.Compare)
	return list
}

// batch has the columns sender and number, the count of the sender's rows before.
func (p placed) batch(memory *vector.Pool, sender int64, number int) *dataflow.Batch {
	step := 1
	if p.sparse {
		step = 2
	}
	a, n := memory.Get(), step*len(p.rows)
	b := &dataflow.Batch{Batch: vector.Batch{N: n, Arena: a, Cols: []*vector.Vector{a.Flat(vector.Int64, n), a.Flat(vector.Int64, n)}},
		Released: p.released, Rank: [2]int64{p.rank}, Order: make([]dataflow.Order, n)}
	if p.changes {
		b.Ops = make([]vector.Op, n)
	}
	for k, o := range p.rows {
		i := k * step
		b.Cols[0].Ints[i], b.Cols[1].Ints[i], b.Order[i] = sender, int64(number+k), o
		if p.changes && k%2 == 1 {
			b.Ops[i] = vector.Delete
		}
		if p.sparse {
			b.Sel = append(b.Sel, int32(i))
		}
	}
	return b
}

// TestRowsOfSeveralTasksMeetInOrder: what tasks send of a ticket comes by deadline, then rank, then place, then task, whatever they put into one batch; and no batch is much
// larger than it may be.
func TestRowsOfSeveralTasksMeetInOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	many := func(changes, sparse bool) (batches []placed) {
		all := randomPlaces(r, 7000)
		for len(all) > 0 {
			n := min(1+r.IntN(2500), len(all))
			batches = append(batches, placed{rows: all[:n], changes: changes, sparse: sparse})
			all = all[n:]
		}
		return batches
	}
	for _, c := range []struct {
		name    string
		senders [][]placed
		batches int // that come out: one whose rows need not be mixed with others comes as it is; 0 for many
	}{
		{"one sends", [][]placed{nil, {{rows: places(1, 2, 3)}}, nil}, 1},
		{"one after the other", [][]placed{{{rows: places(1, 2)}}, {{rows: places(3, 4)}}}, 2},
		{"in turns", [][]placed{{{rows: places(1, 3, 5)}}, {{rows: places(2, 4, 6)}}}, 1},
		{"in several batches", [][]placed{{{rows: places(1)}, {rows: places(4, 9)}}, {{rows: places(2, 3)}, {rows: places(8)}}}, 3},
		{"one place", [][]placed{{{rows: places(5, 5)}, {rows: places(5)}}, {{rows: places(5)}}, {{rows: places(4, 5, 5, 6)}}}, 1},
		{"by deadline", [][]placed{{{rows: places(7), released: 10}, {rows: places(1), released: 20}}, {{rows: places(6, 8), released: 10}, {rows: places(0), released: 20}}}, 3},
		{"by rank", [][]placed{{{rows: places(7), rank: 1}, {rows: places(1), rank: 2}}, {{rows: places(6, 8), rank: 1}, {rows: places(0), rank: 2}}}, 3},
		{"some with changes", [][]placed{{{rows: places(1, 4), changes: true}}, {{rows: places(2, 3)}}, {{rows: places(0, 5), changes: true, sparse: true}}}, 1},
		{"many", [][]placed{many(false, false), many(true, false), many(false, true)}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			type row struct {
				placed
				dataflow.Order
				text string
			}
			var want []row
			var got []string
			largest, batches := 0, 0
			write := func(b *vector.Batch) error {
				rows := b.Rows()
				largest = max(largest, rows.Count())
				batches++
				for k := range rows.Count() {
					i, op := rows.At(k), vector.Insert
					if b.Ops != nil {
						op = b.Ops[i]
					}
					got = append(got, fmt.Sprint(b.Cols[0].Int(i), " ", b.Cols[1].Int(i), " ", op))
				}
				return nil
			}
			memory, all := &vector.Pool{}, make([][]dataflow.Message, len(c.senders))
			for sender, sends := range c.senders {
				number := 0
				for _, p := range sends {
					sent := p.batch(memory, int64(sender), number)
					for k, o := range p.rows {
						op := vector.Insert
						if p.changes && k%2 == 1 {
							op = vector.Delete
						}
						want = append(want, row{p, o, fmt.Sprint(sender, " ", number+k, " ", op)})
					}
					number += len(p.rows)
					all[sender] = append(all[sender], dataflow.Message{Kind: dataflow.Rows, Batch: sent})
				}
			}
			slices.SortStableFunc(want, func(a, b row) int {
				return cmp.Or(cmp.Compare(a.released, b.released), cmp.Compare(a.rank, b.rank), a.Compare(b.Order))
			})
			gathered(t, all, false, &lines{write: write})
			if len(got) != len(want) {
				t.Fatalf("%d rows, want %d", len(got), len(want))
			}
			for i := range got {
				if got[i] != want[i].text {
					t.Fatalf("row %d is %s, want %s", i, got[i], want[i].text)
				}
			}
			if c.batches > 0 && batches != c.batches || largest > gatherRows+2500 {
				t.Errorf("%d batches, %d rows in the largest; want %d batches", batches, largest, c.batches)
			}
		})
	}
}

// gathered is what the sink of a fragment gets of the messages of a ticket that each task of another one sends it.
func gathered(t *testing.T, senders [][]dataflow.Message, phased bool, out connector.Sink) {
	t.Helper()
	b := newBuilder()
	b.fragment(Fragment{Tasks: len(senders), Inputs: 1, To: []Target{{Fragment: 1}}})
	b.fragment(Fragment{Tasks: 1, Inputs: 1, Sink: out})
	j, err := New(&b.graph, Options{Clock: &fixedClock{}})
	if err != nil {
		t.Fatal(err)
	}
	var cancel context.CancelFunc
	j.ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	receiver := j.tasks[1][0]
	g := receiver.from[way{}]
	g.phased = phased
	for sender, messages := range senders {
		j.group.Go(func() {
			for _, m := range append(messages, dataflow.Message{Kind: dataflow.Close}) {
				if g.edges[sender].send(j.ctx.Done(), m) != nil {
					return
				}
			}
		})
	}
	receiver.inbox.begin(0)
	if err := g.ticket(0); err != nil {
		t.Fatal(err)
	}
	j.group.Wait()
}

// What a task says of its progress counts at the end of a phase: the rows of the phase come by place wherever in it the word stands. A timer of the clock fires behind a system frontier that rises in the same
// ticket.
func TestProgressWithinAPhase(t *testing.T) {
	memory := &vector.Pool{}
	rows := func(phase uint64, sender int64, at ...uint64) dataflow.Message {
		return dataflow.Message{Kind: dataflow.Rows, Phase: phase, Batch: placed{rows: places(at...)}.batch(memory, sender, 0)}
	}
	says := func(phase uint64, f watermark.Frontier) dataflow.Message {
		return dataflow.Message{Kind: dataflow.Advance, Phase: phase, Progress: dataflow.Progress{Frontier: f, System: watermark.Unset, Active: true}}
	}
	var got []string
	gathered(t, [][]dataflow.Message{
		{says(0, 10), says(1, 11), rows(1, 0, 1, 5), says(1, 12), rows(1, 0, 6), says(2, 30), rows(3, 0, 2)},
		{rows(0, 1, 1), says(0, 9), rows(1, 1, 2, 3, 7), says(1, 13), says(2, 29), rows(2, 1, 1), rows(3, 1, 1)},
	}, true, &toldSink{lines{write: func(b *vector.Batch) error {
		rows := b.Rows()
		for k := range rows.Count() {
			got = append(got, fmt.Sprint(b.Cols[0].Int(rows.At(k)), " ", b.Cols[1].Int(rows.At(k))))
		}
		return nil
	}}, func(f watermark.Frontier) { got = append(got, fmt.Sprint("^", f)) }})
	if want := []string{"1 0", "^9", "0 0", "1 0", "1 1", "0 1", "0 0", "1 2", "^12", "1 0", "^29", "1 0", "0 0"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// toldSink is told how far its rows have come.
type toldSink struct {
	lines
	told func(f watermark.Frontier)
}

// Promise implements connector.Promising.
func (s *toldSink) Promise(f watermark.Frontier, _ bool) error { s.told(f); return nil }
