package handover

import (
	"testing"

	"github.com/tidemark-sql/tidemark/watermark"
)

// TestSealedPromises: a writer of transactions promises what the checkpoint of the last committed one has, whatever it has sent, heard or had acknowledged since.
func TestSealedPromises(t *testing.T) {
	l := NewLedger("ts")
	expect := func(when string, f watermark.Frontier, state State, end int64) {
		t.Helper()
		p, blind := l.Promise()
		got := int64(0)
		if len(p.Ends) > 0 {
			got = p.Ends[0].Offset
		}
		if p.Frontier != f || p.State != state || got != end || blind {
			t.Errorf("%s: frontier %d, state %v, end %d, blind %t; want %d, %v, %d", when, p.Frontier, p.State, got, blind, f, state, end)
		}
	}
	l.Sent(2)
	first := l.Seal(100, true)
	expect("sealed", watermark.Unset, Open, 0)
	l.Sent(3)
	second := l.Seal(50, true) // a frontier that seems to fall is the one before
	l.Committed(first, 2, map[int32]int64{0: 7})
	expect("the first is committed", 100, Open, 7)
	l.Committed(second, 3, map[int32]int64{0: 12})
	expect("the second is committed", 100, Open, 12)
	empty := l.Seal(200, false)
	expect("without rows, before the checkpoint", 100, Open, 12)
	l.Committed(empty, 0, nil)
	expect("without rows", 200, Idle, 12)
	if _, woken := l.Sent(1); !woken {
		t.Error("who is idle writes without being told to say so")
	}
	last := l.Seal(watermark.Final, true)
	l.Committed(last, 1, map[int32]int64{0: 13})
	expect("at the end", 200, Open, 13)
}
