package process

import (
	"bytes"
	"runtime"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// BenchmarkSnapshot writes what a checkpoint has of a million keys, each with a state of 100 bytes and a timer: rows wait while that is done. heap-B/key is what all of it takes in memory.
func BenchmarkSnapshot(b *testing.B) {
	const keys, lot = 1 << 20, 1 << 12
	value := bytes.Repeat([]byte{7}, 100)
	before := heapInUse()
	r := newRig(b, spec(code{message: func(c *Context, m *Message) error {
		c.SetState(c.StateName("s"), value)
		c.SetTimer(Request{Trigger: m.EventTime, EventTime: watermark.NoTime})
		return nil
	}}, 1, TimerStream{Name: "t", From: &Parents{Inputs: []int{0}}}))
	for first := 0; first < keys; first += lot {
		a := r.pool.Get()
		cols := []*vector.Vector{a.Flat(vector.Int64, lot), a.Flat(vector.Int64, lot), a.Flat(vector.Int64, lot)}
		for i := range lot {
			key := int64(first + i)
			cols[0].Ints[i], cols[2].Ints[i] = key, 1_000_000_000+key*7919%keys
		}
		if err := r.x.Messages(0, cols, vector.All(lot), nil, nil); err != nil {
			b.Fatal(err)
		}
		a.Release()
	}
	kept := heapInUse() - before
	var dst []byte
	for b.Loop() {
		dst = r.x.Snapshot(dst[:0])
	}
	_, _, told := r.x.Kept()
	b.ReportMetric(float64(kept)/keys, "heap-B/key")
	b.ReportMetric(float64(told)/keys, "told-B/key")
	b.ReportMetric(float64(len(dst))/keys, "file-B/key")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/keys, "ns/key")
}

func heapInUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
