package state

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/int128"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var rowKinds = []vector.Kind{vector.Int64, vector.Bytes, vector.Bool, vector.Float64, vector.Int128, vector.Bytes}

// someRows are n rows of rowKinds, some columns with NULLs and some without, and a constant.
func someRows(n int) []*vector.Vector {
	a := (&vector.Pool{}).Get()
	var cols []*vector.Vector
	for i, k := range rowKinds {
		b := vector.NewBuilder(a, k, n)
		for row := range n {
			switch {
			case i%2 == 1 && row%3 == 0:
				b.AppendNull()
			case k == vector.Int64:
				b.AppendInt(int64(row) - 1)
			case k == vector.Bytes:
				b.AppendBytes([]byte("tidemark"[:row%9]))
			case k == vector.Bool:
				b.AppendBool(row%2 == 0)
			case k == vector.Float64:
				b.AppendFloat([]float64{math.Copysign(0, -1), math.NaN(), 1.5}[row%3])
			default:
				b.AppendWide(int128.Int{Lo: uint64(row), Hi: -1})
			}
		}
		cols = append(cols, b.Done())
	}
	if n > 0 {
		c := a.Flat(vector.Bytes, 1)
		c.Const, c.Buf, c.Views[0] = true, []byte("same"), vector.View{Len: 4}
		cols[5] = c
	}
	return cols
}

// Rows come back as they were, those that were asked for, in that order, also negative zeroes and what stands behind them.
func TestManyRows(t *testing.T) {
	for _, n := range []int{0, 1, 8, 9, 100} {
		cols := someRows(n)
		var some []int32
		for row := n - 1; row >= 0; row -= 2 {
			some = append(some, int32(row))
		}
		for _, rows := range [][]int32{nil, some} {
			src := AppendRows([]byte("in front"), cols, rows)[len("in front"):]
			got, rest, err := ReadRows((&vector.Pool{}).Get(), rowKinds, len(rows), append(src, "behind"...))
			if err != nil || string(rest) != "behind" {
				t.Fatalf("%d rows: %v, %q is left", n, err, rest)
			}
			for k, row := range rows {
				if was, is := AppendRow(nil, cols, int(row)), AppendRow(nil, got, k); !bytes.Equal(was, is) {
					t.Errorf("row %d of %d came back as %x, and was %x", row, n, is, was)
				}
			}
			for cut := range src {
				if _, rest, err := ReadRows((&vector.Pool{}).Get(), rowKinds, len(rows), slices.Clone(src[:cut])); err == nil {
					t.Fatalf("%d of %d bytes are taken for %d rows, %d are left", cut, len(src), len(rows), len(rest))
				}
			}
		}
	}
}

// FuzzReadRows: whatever bytes say, they are rows that are written as just these bytes, or an error.
func FuzzReadRows(f *testing.F) {
	for _, n := range []int{0, 1, 9} {
		rows := make([]int32, n)
		for k := range rows {
			rows[k] = int32(k)
		}
		f.Add(AppendRows(nil, someRows(n), rows), uint8(n))
	}
	f.Fuzz(func(t *testing.T, src []byte, n uint8) {
		cols, rest, err := ReadRows((&vector.Pool{}).Get(), rowKinds, int(n), src)
		if err != nil {
			return
		}
		rows := make([]int32, n)
		for k := range rows {
			rows[k] = int32(k)
		}
		if again := AppendRows(nil, cols, rows); !bytes.Equal(again, src[:len(src)-len(rest)]) {
			t.Errorf("%x is written as %x", src[:len(src)-len(rest)], again)
		}
	})
}

// BenchmarkRows writes and reads 4096 rows of three whole numbers and a string.
func BenchmarkRows(b *testing.B) {
	const n = 4096
	kinds := []vector.Kind{vector.Int64, vector.Int64, vector.Int64, vector.Bytes}
	pool := &vector.Pool{}
	a := pool.Get()
	cols, rows := make([]*vector.Vector, len(kinds)), make([]int32, n)
	for i, k := range kinds {
		c := vector.NewBuilder(a, k, n)
		for row := range n {
			rows[row] = int32(row)
			if k == vector.Bytes {
				c.AppendBytes([]byte("tidemark"[:row%9]))
			} else {
				c.AppendInt(int64(row))
			}
		}
		cols[i] = c.Done()
	}
	src := AppendRows(nil, cols, rows)
	b.Run("write", func(b *testing.B) {
		for b.Loop() {
			src = AppendRows(src[:0], cols, rows)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
	})
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			a := pool.Get()
			if _, _, err := ReadRows(a, kinds, n, src); err != nil {
				b.Fatal(err)
			}
			a.Release()
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
	})
}
