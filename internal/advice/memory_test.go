package advice

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/tidemark-sql/tidemark/watermark"
)

// TestMemory: what a study keeps hangs on the number of splits, and not on how many rows there are or how far they are out of order.
func TestMemory(t *testing.T) {
	const splits = maxSplits + 50
	core, err := watermark.New(watermark.Strategy{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	flush := watermark.Strategy{Tick: 1, Idleness: watermark.Fixed{Timeout: minute, Flush: true}}
	before := heap()
	s := NewStudy(Table{Name: "t", Column: "ts", Delay: NoDelay, Strategy: flush}, core, 0)
	for k := range splits {
		s.Turned(k, fmt.Sprint("split ", k), watermark.Active, 0)
	}
	var sizes []uint64
	for round := range 2 {
		for k := range splits {
			times := []int64{int64(round) * day}
			for by := 1.0; by < 300_000*float64(day); by *= 2 { // 8 centuries
				times = append(times, times[0]-int64(math.Round(by)))
			}
			s.Read(k, times, nil, &watermark.Observed{}, 0)
		}
		sizes = append(sizes, heap()-before)
	}
	if got, most := sizes[1], uint64(maxSplits*25_000+splits*15_000); got > most || got > sizes[0]+sizes[0]/10 {
		t.Errorf("%d bytes, and at most %d are right; by round %v", got, most, sizes)
	}
	runtime.KeepAlive(s)
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
