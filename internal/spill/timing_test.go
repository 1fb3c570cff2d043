package spill

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/cputime"
	"github.com/tidemark-sql/tidemark/internal/state"
)

// benchmarkKeys is how many keys are cold in benchmarks; an operation is one key.
const benchmarkKeys = 10_000_000

// cold fills a table as an operator does that has room for a tenth of the keys: in ten runs, of keys in any order. Values have 40 bytes.
func cold(b *testing.B, n int) (t *Table, writing time.Duration) {
	b.Helper()
	space := In(b.TempDir())
	t = space.Table()
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
		from := cputime.Used()
		if err := t.Write(len(records), func(i int) Record { return records[i] }); err != nil {
			b.Fatal(err)
		}
		writing += cputime.Used() - from
	}
	return t, writing
}

func keyOf(k int64) []byte { return binary.LittleEndian.AppendUint64([]byte{1}, uint64(k)) }

// perKey reports the processor time of n keys. The time of the clock says little on a machine that others use.
func perKey(b *testing.B, used time.Duration, n int) {
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(used.Nanoseconds())/float64(n), "cpu-ns/key")
}

func BenchmarkWrite(b *testing.B) {
	for range b.N {
		t, writing := cold(b, benchmarkKeys)
		perKey(b, writing, benchmarkKeys)
		b.ReportMetric(float64(t.Bytes())/benchmarkKeys, "B/key")
		b.ReportMetric(float64(t.index.bytes)/benchmarkKeys, "index-B/key")
	}
}

// BenchmarkTake takes keys in batches as they come from a source, and writes them back a million at a time.
func BenchmarkTake(b *testing.B) {
	t, _ := cold(b, benchmarkKeys)
	r := rand.New(rand.NewPCG(2, 2))
	wanted := make([]Key, 0, 4096)
	var hot []Record
	var taking, writing, longest time.Duration
	taken, written := 0, 0
	timed := func(f func() error) time.Duration {
		from := cputime.Used()
		if err := f(); err != nil {
			b.Fatal(err)
		}
		return cputime.Used() - from
	}
	for range b.N {
		wanted = wanted[:0]
		for range cap(wanted) {
			k := r.Int64N(benchmarkKeys)
			wanted = append(wanted, Key{state.HashInt(k), keyOf(k)})
		}
		used := timed(func() error {
			return t.Take(wanted, func(i int, value []byte) error {
				hot = append(hot, Record{Hash: wanted[i].Hash, Key: wanted[i].Key, Value: slices.Clone(value)})
				return nil
			})
		})
		taking, longest = taking+used, max(longest, used)
		if len(hot) < benchmarkKeys/10 {
			continue
		}
		for i := range hot {
			hot[i].Due = r.Int64N(3_600_000_000)
		}
		slices.SortFunc(hot, func(a, b Record) int { return compare(&a, &b) })
		writing += timed(func() error { return t.Write(len(hot), func(i int) Record { return hot[i] }) })
		written += len(hot)
		hot = hot[:0]
	}
	taken = written + len(hot)
	perKey(b, taking, taken)
	b.ReportMetric(float64(writing.Nanoseconds())/float64(max(written, 1)), "cpu-ns/written")
	b.ReportMetric(longest.Seconds()*1e3, "longest-ms")
	b.ReportMetric(float64(t.size)/float64(t.live), "bytes/living")
}

func BenchmarkTakeDue(b *testing.B) {
	for range b.N {
		t, _ := cold(b, benchmarkKeys)
		from, n := cputime.Used(), 0
		if err := t.TakeDue(Never, func(r Record) error {
			n += len(r.Value)
			return nil
		}); err != nil || n != 40*benchmarkKeys {
			b.Fatal(n, err)
		}
		perKey(b, cputime.Used()-from, benchmarkKeys)
	}
}

// BenchmarkTakeDueOneByOne asks for what is due at every time that there is, as sessions are when each ends at another one.
func BenchmarkTakeDueOneByOne(b *testing.B) {
	for range b.N {
		t, _ := cold(b, benchmarkKeys)
		from := cputime.Used()
		for due, ok := t.Next(); ok; due, ok = t.Next() {
			if err := t.TakeDue(due, func(Record) error { return nil }); err != nil {
				b.Fatal(err)
			}
		}
		perKey(b, cputime.Used()-from, benchmarkKeys)
	}
}
