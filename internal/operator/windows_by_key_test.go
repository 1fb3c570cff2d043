package operator

import (
	"testing"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/window"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Millions of keys go through, each for a while, and no more are kept than have had a row within their time to live, in memory and in a snapshot; whoever is restored from that keeps the same.
func TestKeyWindowsForgets(t *testing.T) {
	const lot, ttl, minute = 1_000, 5_000, 60_000_000
	total := int64(1_000_000)
	if testing.Short() {
		total = 100_000
	}
	pool := &vector.Pool{}
	spec := KeyWindowsSpec{Spec: window.Spec{Kind: window.Hop, Slide: minute, Size: 5 * minute}, Time: 1, Keys: []int{0}, KeyKinds: intKey, TTL: ttl, Memory: pool}
	w := NewKeyWindows(spec)
	most, bytes := 0, int64(0)
	for now := int64(1); now < total; now += lot {
		w.SetNow(now)
		b := idRows(pool.Get(), lot, func(i int) (int64, int64) { return (now + int64(i)) * 7919, minute * int64(1+i%3) })
		if err := w.Process(b, releasing{}); err != nil {
			t.Fatal(err)
		}
		most, bytes = max(most, w.live), max(bytes, w.Size().Bytes)
	}
	state := w.Snapshot(nil)
	if limit := 2 * (ttl + 2*lot); most > limit || bytes > 4<<20 || len(state) > 64*limit {
		t.Errorf("%d keys were kept, %d bytes, a snapshot of %d", most, bytes, len(state))
	}
	next := NewKeyWindows(spec)
	if err := next.Restore([][]byte{state}, func(uint64) bool { return true }); err != nil {
		t.Fatal(err)
	}
	next.SetNow(w.life.now)
	if next.live != w.live {
		t.Errorf("%d keys were restored of %d", next.live, w.live)
	}
	next.SetNow(w.life.now + ttl)
	if err := next.Advance(dataflow.Progress{Frontier: watermark.Final, Active: true}, releasing{}); err != nil {
		t.Fatal(err)
	}
	if out := next.counts.Out.Load(); out != 0 || next.live != 0 {
		t.Errorf("%d windows of keys whose time is over left, and %d keys stayed", out, next.live)
	}
}
