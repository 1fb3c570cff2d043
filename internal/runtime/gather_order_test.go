package runtime

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

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
			out := &lines{write: func(b *vector.Batch) error {
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
			}}
			b := newBuilder()
			b.fragment(Fragment{Tasks: len(c.senders), Inputs: 1, To: []Target{{Fragment: 1}}})
			b.fragment(Fragment{Tasks: 1, Inputs: 1, Sink: out})
			j, err := New(&b.graph, Options{Clock: &fixedClock{}})
			if err != nil {
				t.Fatal(err)
			}
			var cancel context.CancelFunc
			j.ctx, cancel = context.WithCancel(t.Context())
			defer cancel()
			receiver := j.tasks[1][0]
			for sender, sends := range c.senders {
				var messages []dataflow.Message
				number := 0
				for _, p := range sends {
					sent := p.batch(b.graph.Memory, int64(sender), number)
					for k, o := range p.rows {
						op := vector.Insert
						if p.changes && k%2 == 1 {
							op = vector.Delete
						}
						want = append(want, row{p, o, fmt.Sprint(sender, " ", number+k, " ", op)})
					}
					number += len(p.rows)
					messages = append(messages, dataflow.Message{Kind: dataflow.Rows, Batch: sent})
				}
				messages = append(messages, dataflow.Message{Kind: dataflow.Close})
				j.group.Go(func() {
					for _, m := range messages {
						if receiver.from[way{}].edges[sender].send(j.ctx.Done(), m) != nil {
							return
						}
					}
				})
			}
			slices.SortStableFunc(want, func(a, b row) int {
				return cmp.Or(cmp.Compare(a.released, b.released), cmp.Compare(a.rank, b.rank), a.Compare(b.Order))
			})
			receiver.inbox.begin(0)
			if err := receiver.from[way{}].ticket(0); err != nil {
				t.Fatal(err)
			}
			j.group.Wait()
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
