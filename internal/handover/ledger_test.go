package handover

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/watermark"
)

// TestLedgerPromisesWhatIsWritten acknowledges rows in any order, and wants of every promise that it is the greatest whose rows are all written, and that its ends are behind them.
func TestLedgerPromisesWhatIsWritten(t *testing.T) {
	type row struct {
		stretch   *Stretch
		partition int32
		offset    int64
		number    int // of the rise before it
	}
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 0))
		l := NewLedger("ts")
		var flying, written []row
		rises := []watermark.Frontier{watermark.Unset}
		var next [3]int64
		for range 150 {
			switch rng.IntN(5) {
			case 0, 1:
				s, _ := l.Sent(1)
				p := rng.IntN(3)
				flying = append(flying, row{s, int32(p), next[p], len(rises)})
				next[p]++
			case 2, 3:
				if len(flying) > 0 {
					i := rng.IntN(len(flying))
					r := flying[i]
					flying = append(flying[:i], flying[i+1:]...)
					written = append(written, r)
					l.Acknowledged(r.stretch, r.partition, r.offset)
				}
			case 4:
				f := max(rises[len(rises)-1], 0) + watermark.Frontier(rng.IntN(3))*1000
				if f > rises[len(rises)-1] {
					rises = append(rises, f)
				}
				l.Advance(f, true)
			}
			oldest := len(rises)
			for _, r := range flying {
				oldest = min(oldest, r.number)
			}
			p, _ := l.Promise()
			if want := rises[oldest-1]; p.Frontier != want {
				t.Fatalf("seed %d: promise %d, want %d", seed, p.Frontier, want)
			}
			for _, r := range written {
				if p.reached(r.partition, r.offset) {
					t.Fatalf("seed %d: %+v does not cover row %d of partition %d", seed, p.Ends, r.offset, r.partition)
				}
			}
		}
	}
}

func TestLedgerIsIdleWithNothingOnItsWay(t *testing.T) {
	l := NewLedger("ts")
	l.Advance(1000, false)
	if p, _ := l.Promise(); p.State != Idle || p.Frontier != 1000 {
		t.Fatalf("idle at 1000, and the promise is %+v", p)
	}
	s, woken := l.Sent(1)
	if !woken {
		t.Error("readers were told that the writer is idle, and it does not know")
	}
	if _, again := l.Sent(1); again {
		t.Error("woken twice")
	}
	l.Advance(2000, false)
	if p, _ := l.Promise(); p.State != Open || p.Frontier != 1000 {
		t.Errorf("rows are on their way, and the promise is %+v", p)
	}
	l.Acknowledged(s, 0, 0)
	l.Acknowledged(s, 0, -1)
	if p, blind := l.Promise(); p.State != Idle || p.Frontier != 2000 || !blind {
		t.Errorf("all rows are written, one of them nobody knows where, and the promise is %+v, blind %t", p, blind)
	}
	l.Advance(watermark.Final, true)
	if p, _ := l.Promise(); p.State != Open || p.Frontier != 2000 {
		t.Errorf("after the end the promise is %+v", p)
	}
}

func TestLedgerCoversTheRowsOfOthers(t *testing.T) {
	l := NewLedger("ts")
	s, _ := l.Sent(2)
	l.Acknowledged(s, 0, 10)
	l.Cover(map[int32]int64{0: 5, 1: 7, 2: 0})
	l.Acknowledged(s, 1, 3)
	p, _ := l.Promise()
	if want := []End{{0, 11}, {1, 7}}; !slices.Equal(p.Ends, want) {
		t.Errorf("the ends are %v, want %v", p.Ends, want)
	}
}
