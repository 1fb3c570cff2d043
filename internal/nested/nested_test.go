package nested

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/int128"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var kinds = []vector.Kind{vector.Bool, vector.Int64, vector.Int128, vector.Float64, vector.Bytes}

// column makes n values of kind k, some of them NULL.
func column(a *vector.Arena, r *rand.Rand, k vector.Kind, n int) *vector.Vector {
	b := vector.NewBuilder(a, k, n)
	for range n {
		v := r.IntN(5) - 2
		switch {
		case r.IntN(4) == 0:
			b.AppendNull()
		case k == vector.Bool:
			b.AppendBool(v > 0)
		case k == vector.Int64:
			b.AppendInt(int64(v))
		case k == vector.Int128:
			b.AppendWide(int128.Int{Hi: int64(v), Lo: r.Uint64()})
		case k == vector.Float64:
			b.AppendFloat(float64(v) / 2)
		case k == vector.Bytes:
			b.AppendBytes(bytes.Repeat([]byte{'x'}, v+2))
		}
	}
	return b.Done()
}

func text(k vector.Kind, v vector.Values, i int) string {
	switch {
	case v.IsNull(i):
		return "NULL"
	case k == vector.Bool:
		return fmt.Sprint(v.Bool(i))
	case k == vector.Int64:
		return fmt.Sprint(v.Int(i))
	case k == vector.Int128:
		return v.Wide(i).String()
	case k == vector.Float64:
		return fmt.Sprint(v.Float(i))
	}
	return fmt.Sprintf("%q", v.Bytes(i))
}

// What is packed is read back the same, element by element and as a column.
func TestPackAndExpand(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	a := (&vector.Pool{}).Get()
	for range 200 {
		for _, k := range kinds {
			n := r.IntN(12)
			ends := make([]int32, n)
			total := int32(0)
			for i := range ends {
				total += int32(r.IntN(11))
				ends[i] = total
			}
			elems := column(a, r, k, int(total))
			arrays := a.Flat(vector.Bytes, n)
			Pack(a, elems, ends, vector.All(n), arrays)
			from := 0
			for i, end := range ends {
				array := ReadArray(arrays.Bytes(i), k)
				if array.Len() != int(end)-from {
					t.Fatalf("%d elements of %d", array.Len(), int(end)-from)
				}
				for e := range array.Len() {
					if got, want := text(k, array, e), text(k, elems, from+e); got != want {
						t.Fatalf("%s: element %d is %s, want %s", k, e, got, want)
					}
				}
				from = int(end)
			}
			again, endsAgain := Expand(a, arrays, k, vector.All(n))
			if fmt.Sprint(endsAgain) != fmt.Sprint(ends) {
				t.Fatalf("arrays end at %v, want %v", endsAgain, ends)
			}
			for e := range int(total) {
				if text(k, again, e) != text(k, elems, e) {
					t.Fatalf("%s: expanded element %d is %s", k, e, text(k, again, e))
				}
			}
		}
	}
}

// A constant is little, and an array or a map of them would be much: that is found before they are copied.
func TestTooLargeBeforeItIsMade(t *testing.T) {
	const elements = 100_000
	a := (&vector.Pool{}).Get()
	long := a.Constant(vector.Bytes)
	long.Buf = bytes.Repeat([]byte{'x'}, vector.MaxValue/100)
	keys := a.Flat(vector.Int64, elements)
	long.Views[0] = vector.View{Len: uint32(len(long.Buf))}
	for name, pack := range map[string]func(){
		"array":  func() { Pack(a, long, []int32{elements}, vector.All(1), a.Flat(vector.Bytes, 1)) },
		"keys":   func() { PackMap(a, long, keys, []int32{elements}, vector.All(1), a.Flat(vector.Bytes, 1)) },
		"values": func() { PackMap(a, keys, long, []int32{elements}, vector.All(1), a.Flat(vector.Bytes, 1)) },
	} {
		err := func() (err error) {
			defer vector.Catch(&err)
			pack()
			return nil
		}()
		if large, ok := errors.AsType[*vector.TooLarge](err); !ok || large.Row != 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Maps and rows come back the same.
func TestMapsAndRows(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	a := (&vector.Pool{}).Get()
	const n = 50
	var cols []*vector.Vector
	for range 2 {
		for _, k := range kinds {
			cols = append(cols, column(a, r, k, n))
		}
	}
	rows := a.Flat(vector.Bytes, n)
	PackRows(a, cols, vector.All(n), rows)
	for f, c := range cols {
		field := Field(a, rows, f, len(cols), c.Kind, vector.All(n), n)
		for i := range n {
			want := text(c.Kind, c, i)
			if got := text(c.Kind, ReadRow(rows.Bytes(i), len(cols)), f); got != want {
				t.Fatalf("field %d of row %d is %s, want %s", f, i, got, want)
			}
			if got := text(c.Kind, field, i); got != want {
				t.Fatalf("field %d of row %d in a column is %s, want %s", f, i, got, want)
			}
		}
	}
	for i, key := range kinds {
		value := kinds[(i+1)%len(kinds)]
		maps := a.Flat(vector.Bytes, 3)
		ends := []int32{7, 7, n}
		PackMap(a, cols[i], cols[(i+1)%len(kinds)], ends, vector.All(3), maps)
		keys, values, endsAgain := ExpandMap(a, maps, key, value, vector.All(3))
		if fmt.Sprint(endsAgain) != fmt.Sprint(ends) {
			t.Fatalf("maps end at %v", endsAgain)
		}
		for e := range n {
			if text(key, keys, e) != text(key, cols[i], e) || text(value, values, e) != text(value, cols[(i+1)%len(kinds)], e) {
				t.Fatalf("entry %d is %s: %s", e, text(key, keys, e), text(value, values, e))
			}
		}
	}
}

// Equal values have equal bytes, whatever stands in the slots of their NULLs and however a number is spelled.
func TestOneEncoding(t *testing.T) {
	x := &vector.Vector{Kind: vector.Float64, Floats: []float64{0, math.NaN(), 5}, Valid: vector.Bitmap{3}}
	y := &vector.Vector{Kind: vector.Float64, Floats: []float64{math.Copysign(0, -1), math.Float64frombits(0xFFF8000000000123), 6}, Valid: vector.Bitmap{3}}
	if !bytes.Equal(AppendArray(nil, vector.Float64, x, 0, 3), AppendArray(nil, vector.Float64, y, 0, 3)) {
		t.Error("equal arrays have other bytes")
	}
	for i := range 3 {
		if !bytes.Equal(AppendRow(nil, []*vector.Vector{x}, i), AppendRow(nil, []*vector.Vector{y}, i)) {
			t.Errorf("equal rows %d have other bytes", i)
		}
	}
}

// Rows that are not named are left alone, NULL arrays and rows are empty and NULL.
func TestSelectedRows(t *testing.T) {
	a := (&vector.Pool{}).Get()
	r := rand.New(rand.NewPCG(7, 8))
	elems := column(a, r, vector.Int64, 4)
	arrays := a.Flat(vector.Bytes, 5)
	some := vector.Rows{Sel: []int32{1, 4}, N: 5}
	Pack(a, elems, []int32{1, 4}, some, arrays)
	arrays.Valid = a.AllNull(5)
	arrays.Valid.Set(4)
	back, ends := Expand(a, arrays, vector.Int64, some)
	if fmt.Sprint(ends) != "[0 3]" || back.Len() != 3 {
		t.Errorf("ends %v of %d", ends, back.Len())
	}
}

func BenchmarkArrayElement(b *testing.B) {
	a := (&vector.Pool{}).Get()
	elems := column(a, rand.New(rand.NewPCG(1, 1)), vector.Int64, 8)
	bytes := AppendArray(nil, vector.Int64, elems, 0, 8)
	sum := int64(0)
	for b.Loop() {
		sum += ReadArray(bytes, vector.Int64).Int(5)
	}
}
