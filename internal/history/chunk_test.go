package history

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// content is a sheet as it can be compared.
func content(s *sheet) map[string]int64 {
	all := map[string]int64{}
	for _, c := range s.columns {
		for k, n := range c.values {
			if c.mask&(1<<k) != 0 {
				all[fmt.Sprintf("%s %s %d", c.series.Name, c.label, k)] = n
			}
		}
	}
	return all
}

// What is written into a chunk is read from it, whatever the values.
func TestChunk(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	kinds := []func(k int) int64{
		func(int) int64 { return 0 },
		func(int) int64 { return math.MinInt64 },
		func(k int) int64 { return int64(k) * 60_000 },
		func(k int) int64 { return 1_000 + random.Int64N(50) },
		func(k int) int64 { return random.Int64() - random.Int64() },
		func(k int) int64 { return []int64{math.MinInt64, math.MaxInt64, 0, -1}[k%4] },
		func(k int) int64 {
			if k == 30 {
				return 1 << 40
			}
			return int64(k % 2)
		},
	}
	for round := range 200 {
		s := newSheet()
		for i := range 1 + random.IntN(30) {
			l := line{All[random.IntN(len(All))], []string{"", "a", "clicks-7"}[random.IntN(3)]}
			kind := kinds[(i+round)%len(kinds)]
			for k := range perHour {
				if round%3 == 0 || random.IntN(3) > 0 || k == 59 {
					s.column(l).set(k, kind(k))
				}
			}
		}
		got := newSheet()
		if err := got.read(appendChunk(nil, s.columns)); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(content(got), content(s)) {
			t.Fatalf("round %d: wrote %v, read %v", round, content(s), content(got))
		}
	}
}

// Columns that do not change take a few bytes in an hour, and those that do what their changes take.
func TestChunksAreSmall(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		name  string
		value func(k int) int64
		most  int
	}{
		{"nothing", func(int) int64 { return 0 }, 3},
		{"always the same", func(int) int64 { return 123_456 }, 6},
		{"a straight line", func(k int) int64 { return 1_000_000 * int64(k) }, 10},
		{"noise of ten bits", func(int) int64 { return 5_000 + random.Int64N(1024) }, 85},
		{"one that sticks out", func(k int) int64 { return 1 << 50 * int64(1-min(1, max(k-20, 20-k))) }, 80},
	} {
		s := newSheet()
		for k := range perHour {
			s.column(line{recordsIn, ""}).set(k, c.value(k))
		}
		if n := len(appendChunk(nil, s.columns)) - len(appendChunk(nil, nil)) - 2; n > c.most {
			t.Errorf("%s takes %d bytes, want at most %d", c.name, n, c.most)
		}
	}
}

func FuzzChunk(f *testing.F) {
	s := newSheet()
	for k := range 10 {
		s.add(k, []Value{{recordsIn, "", int64(k * k)}, {late, "clicks", 0}, {splitLate, "clicks-1", int64(-k)}})
	}
	f.Add(appendChunk(nil, s.columns))
	f.Add([]byte{1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 3, packed, 2, 64})
	f.Fuzz(func(t *testing.T, b []byte) {
		s := newSheet()
		if s.read(b) != nil || len(s.columns) == 0 {
			return
		}
		again := newSheet()
		if err := again.read(appendChunk(nil, s.columns)); err != nil || !reflect.DeepEqual(content(again), content(s)) {
			t.Fatalf("%x: %v", b, err)
		}
	})
}
