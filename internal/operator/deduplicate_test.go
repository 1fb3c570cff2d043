package operator

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// passed is an output that notes the first column of what it is given.
type passed struct{ got []int64 }

func (p *passed) Emit(b *dataflow.Batch) error {
	for k := range b.Rows().Count() {
		p.got = append(p.got, b.Cols[0].Int(b.Rows().At(k)))
	}
	b.Release()
	return nil
}

func (p *passed) Advance(dataflow.Progress) error { return nil }

// ids are rows of an id and the time at which they were written.
func ids(pool *vector.Pool, rows ...[2]int64) *dataflow.Batch {
	return idRows(pool.Get(), len(rows), func(i int) (int64, int64) { return rows[i][0], rows[i][1] })
}

func idRows(a *vector.Arena, n int, row func(i int) (int64, int64)) *dataflow.Batch {
	b := &dataflow.Batch{Batch: vector.Batch{N: n, Arena: a, Cols: []*vector.Vector{a.Flat(vector.Int64, n), a.Flat(vector.Int64, n)}}}
	for i := range n {
		b.Cols[0].Ints[i], b.Cols[1].Ints[i] = row(i)
	}
	return b
}

// A row is passed over if its id is known, or if it was written before the system watermark; ids are forgotten when that has passed the last row that had them. YTsaurus Flow says so of messages.
func TestDeduplicate(t *testing.T) {
	pool := &vector.Pool{}
	for _, restart := range []bool{false, true} {
		d, out := NewDeduplicate(DeduplicateSpec{ID: []int{0}, IDKinds: intKey, System: 1}), &passed{}
		step := func(want string, known int, rows ...[2]int64) {
			t.Helper()
			if restart {
				next := NewDeduplicate(d.spec)
				if err := next.Restore([][]byte{d.Snapshot(nil)}, func(uint64) bool { return true }); err != nil {
					t.Fatal(err)
				}
				next.counts.Dropped.Store(d.counts.Dropped.Load())
				next.counts.Filtered.Store(d.counts.Filtered.Load())
				d = next
			}
			out.got = nil
			if err := d.Process(ids(pool, rows...), out); err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(out.got); got != want || d.live != known || d.Size().Groups != int64(known) {
				t.Errorf("got %s and %d ids, want %s and %d", got, d.live, want, known)
			}
		}
		step("[1 2 3]", 3, [2]int64{1, 10}, [2]int64{1, 10}, [2]int64{2, 20}, [2]int64{1, 12}, [2]int64{3, 15})
		step("[]", 3, [2]int64{2, 20})
		d.SetSystem(12) // not beyond the last of 1
		step("[4]", 4, [2]int64{1, 12}, [2]int64{5, 11}, [2]int64{4, 12})
		d.SetSystem(13)
		step("[6]", 3, [2]int64{1, 12}, [2]int64{6, 13}) // 1 is not known any more, and too old
		d.SetSystem(watermark.Final)
		step("[]", 0, [2]int64{7, 100})
		if dropped, filtered := d.counts.Dropped.Load(), d.counts.Filtered.Load(); dropped != 3 || filtered != 4 {
			t.Errorf("%d dropped, %d filtered", dropped, filtered)
		}
	}
}

// Millions of ids go through, and no more are kept than the system watermark leaves, in the table and in a snapshot.
func TestDeduplicateForgets(t *testing.T) {
	total := int64(3_000_000)
	if testing.Short() {
		total = 300_000
	}
	const behind, lot = 5_000, 1_000
	pool, r := &vector.Pool{}, rand.New(rand.NewPCG(1, 2))
	d, out := NewDeduplicate(DeduplicateSpec{ID: []int{0}, IDKinds: intKey, System: 1}), &passed{}
	most, bytes := 0, int64(0)
	for now := int64(0); now < total; now += lot {
		b := idRows(pool.Get(), lot, func(i int) (int64, int64) {
			at := now + int64(i)
			if i%4 == 3 { // again, of what is still on its way
				at = max(at-r.Int64N(behind-2*lot), 0)
			}
			return at * 7919, at
		})
		if err := d.Process(b, out); err != nil {
			t.Fatal(err)
		}
		d.SetSystem(watermark.Frontier(now + lot - behind))
		most, bytes = max(most, d.live), max(bytes, d.Size().Bytes)
	}
	seen := map[int64]bool{}
	for _, id := range out.got {
		if seen[id] {
			t.Fatalf("id %d passed twice", id)
		}
		seen[id] = true
	}
	if most > behind+lot || bytes > 1<<20 || len(d.Snapshot(nil)) > 32*behind {
		t.Errorf("%d ids were kept, %d bytes, a snapshot of %d", most, bytes, len(d.Snapshot(nil)))
	}
}

func BenchmarkDeduplicate(b *testing.B) {
	pool, now := &vector.Pool{}, int64(0)
	d := NewDeduplicate(DeduplicateSpec{ID: []int{0}, IDKinds: intKey, System: 1})
	run(b, d, func() *dataflow.Batch {
		d.SetSystem(watermark.Frontier(now - 100_000))
		return two(pool.Get(), func(int) (int64, int64) { now++; return now * 7919, now })
	})
}
