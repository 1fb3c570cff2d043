package spill

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/state"
)

// benchmarkKeys is how many keys are cold in benchmarks; an operation is one key.
const benchmarkKeys = 10_000_000

// cold fills a table as an operator does that has room for a tenth of the keys: in ten runs, of keys in any order. Values have 40 bytes.
func cold(b *testing.B, n int) *Table {
	b.Helper()
	space := In(b.TempDir())
	t := space.Table()
	b.Cleanup(func() {
		t.Close()
		space.Close()
	})
	r := rand.New(rand.NewPCG(1, 1))
	value := make([]byte, 40)
	keys := r.Perm(n)
	for part := range 10 {
		records := make([]Record, 0, n/10)
		for _, k := range keys[part*n/10 : (part+1)*n/10] {
			records = append(records, Record{Hash: state.HashInt(int64(k)), Due: r.Int64N(3_600_000_000), Key: keyOf(int64(k)), Value: value})
		}
		slices.SortFunc(records, func(a, b Record) int { return compare(&a, &b) })
		b.StartTimer()
		if err := t.Write(len(records), func(i int) Record { return records[i] }); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
	}
	return t
}

func keyOf(k int64) []byte { return binary.LittleEndian.AppendUint64([]byte{1}, uint64(k)) }

func BenchmarkWrite(b *testing.B) {
	var t *Table
	for b.Loop() {
		b.StopTimer()
		t = cold(b, benchmarkKeys)
		b.StartTimer()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchmarkKeys, "ns/key")
	b.ReportMetric(float64(t.Bytes())/benchmarkKeys, "B/key")
	b.ReportMetric(float64(t.index.bytes)/benchmarkKeys, "index-B/key")
}

// BenchmarkTake takes keys in batches as they come from a source, and writes them back a million at a time.
func BenchmarkTake(b *testing.B) {
	b.StopTimer()
	t := cold(b, benchmarkKeys)
	r := rand.New(rand.NewPCG(2, 2))
	wanted := make([]Key, 0, 4096)
	var hot []Record
	taken := 0
	for b.Loop() {
		b.StopTimer()
		wanted = wanted[:0]
		for range cap(wanted) {
			k := r.Int64N(benchmarkKeys)
			wanted = append(wanted, Key{state.HashInt(k), keyOf(k)})
		}
		b.StartTimer()
		err := t.Take(wanted, func(i int, value []byte) error {
			taken++
			hot = append(hot, Record{Hash: wanted[i].Hash, Key: wanted[i].Key, Value: slices.Clone(value)})
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
		if len(hot) < 1_000_000 {
			continue
		}
		b.StopTimer()
		for i := range hot {
			hot[i].Due = r.Int64N(3_600_000_000)
		}
		slices.SortFunc(hot, func(a, b Record) int { return compare(&a, &b) })
		b.StartTimer()
		if err := t.Write(len(hot), func(i int) Record { return hot[i] }); err != nil {
			b.Fatal(err)
		}
		hot = hot[:0]
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(taken), "ns/key")
	b.ReportMetric(float64(t.size)/float64(t.live), "bytes/living")
}

func BenchmarkTakeDue(b *testing.B) {
	b.StopTimer()
	for b.Loop() {
		b.StopTimer()
		t := cold(b, benchmarkKeys)
		b.StartTimer()
		n := 0
		if err := t.TakeDue(Never, func(r Record) error {
			n += len(r.Value)
			return nil
		}); err != nil || n != 40*benchmarkKeys {
			b.Fatal(n, err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchmarkKeys, "ns/key")
}

// BenchmarkTakeDueOneByOne asks for what is due at every time that there is, as sessions are when each ends at another one.
func BenchmarkTakeDueOneByOne(b *testing.B) {
	b.StopTimer()
	for b.Loop() {
		b.StopTimer()
		t := cold(b, benchmarkKeys)
		b.StartTimer()
		for {
			due, ok := t.Next()
			if !ok {
				break
			}
			if err := t.TakeDue(due, func(Record) error { return nil }); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchmarkKeys, "ns/key")
}
