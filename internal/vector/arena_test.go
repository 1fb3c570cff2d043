package vector

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/tidemark-sql/tidemark/internal/invariant"
)

// What is cut off an arena overlaps nothing else that was cut since the last Release, however often the slab has grown.
func TestArenaSlicesDoNotOverlap(t *testing.T) {
	pool := &Pool{}
	r := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		a := pool.Get()
		type piece struct {
			ints []int64
			mark int64
		}
		var pieces []piece
		for i := range 50 {
			p := piece{a.Ints(r.IntN(500)), int64(i)}
			for k := range p.ints {
				p.ints[k] = p.mark
			}
			if len(p.ints) != cap(p.ints) {
				t.Fatal("appending to a slice would run into the next one")
			}
			pieces = append(pieces, p)
		}
		for _, p := range pieces {
			for _, v := range p.ints {
				if v != p.mark {
					t.Fatalf("piece %d was overwritten with %d", p.mark, v)
				}
			}
		}
		a.Release()
	}
}

// After one batch an arena has the size that such batches need, and gets the next one for nothing.
func TestArenaIsReused(t *testing.T) {
	pool := &Pool{}
	batch := func() {
		a := pool.Get()
		for range 20 {
			a.Flat(Int64, 300)
			a.Flat(Float64, 300)
			a.Flat(Bool, 300)
			a.Flat(Bytes, 300)
			a.Sel(300)
			a.AllValid(300)
			a.Columns(4)
		}
		a.Release()
	}
	batch()
	if n := testing.AllocsPerRun(10, batch); n > 0 {
		t.Errorf("%v allocations per batch", n)
	}
	a := pool.Get()
	if b := pool.Get(); a == b {
		t.Error("one arena has two owners")
	}
	first := unsafe.SliceData(a.Ints(1))
	a.Release()
	if again := unsafe.SliceData(pool.Get().Ints(1)); again != first {
		t.Error("released memory is not reused")
	}
}

func TestReleasedMemoryIsPoisoned(t *testing.T) {
	if !invariant.Enabled {
		t.Skip("only in builds with -tags invariants")
	}
	a := (&Pool{}).Get()
	ints, floats, bools, views, sel, words := a.Ints(3), a.Floats(3), a.Bytes(3), a.Views(3), a.Sel(3), a.Words(3)
	v := a.Flat(Int64, 3)
	clear(ints)
	clear(floats)
	clear(bools)
	clear(views)
	clear(sel)
	clear(words)
	a.Release()
	if ints[0] == 0 || floats[0] == 0 || bools[0] == 0 || views[0] == (View{}) || sel[0] == 0 || words[0] == 0 {
		t.Error("released memory looks as before")
	}
	if v.Ints != nil {
		t.Error("a released vector still has values")
	}
}

func TestReleasingTwiceIsABug(t *testing.T) {
	if !invariant.Enabled {
		t.Skip("only in builds with -tags invariants")
	}
	a := (&Pool{}).Get()
	a.Release()
	defer func() {
		if recover() == nil {
			t.Error("no panic: the arena would have two owners")
		}
	}()
	a.Release()
}

func TestBitmap(t *testing.T) {
	a := (&Pool{}).Get()
	for _, n := range []int{0, 1, 63, 64, 65, 127, 128, 1000} {
		ones, zeroes := a.AllValid(n), a.AllNull(n)
		if got := ones.Count(n); got != n {
			t.Errorf("%d bits: %d are set", n, got)
		}
		if got := zeroes.Count(n); got != 0 {
			t.Errorf("%d bits: %d are set", n, got)
		}
		for i := 0; i < n; i += 7 {
			ones.Clear(i)
			zeroes.Set(i)
		}
		for i := range n {
			if third := i%7 == 0; ones.Get(i) == third || zeroes.Get(i) != third {
				t.Fatalf("bit %d of %d", i, n)
			}
		}
		if a, b := ones.Count(n), zeroes.Count(n); a+b != n || b != (n+6)/7 {
			t.Errorf("%d bits: %d and %d", n, a, b)
		}
	}
	if none := Bitmap(nil); !none.Get(5) || none.Count(9) != 9 {
		t.Error("a nil bitmap is all ones")
	}
}

// cells are the values of a column as Go values; nil is NULL.
func cells(v *Vector, n int) []any {
	out := make([]any, n)
	for i := range out {
		switch {
		case v.IsNull(i):
		case v.Kind == Bool:
			out[i] = v.Bool(i)
		case v.Kind == Int64:
			out[i] = v.Int(i)
		case v.Kind == Float64:
			out[i] = v.Float(i)
		default:
			out[i] = string(v.Bytes(i))
		}
	}
	return out
}

func value(k Kind, i int) any {
	switch k {
	case Bool:
		return i%3 == 0
	case Int64:
		return int64(i)
	case Float64:
		return float64(i) / 2
	default:
		return string(make([]byte, i%5)) + string(rune('a'+i%26))
	}
}

func appendValue(b *Builder, v any) {
	switch v := v.(type) {
	case nil:
		b.AppendNull()
	case bool:
		b.AppendBool(v)
	case int64:
		b.AppendInt(v)
	case float64:
		b.AppendFloat(v)
	case string:
		b.AppendBytes([]byte(v))
	}
}

var kinds = []Kind{Bool, Int64, Float64, Bytes}

// A builder grows past its capacity; NULLs may begin before, at and after that.
func TestBuilder(t *testing.T) {
	for _, k := range kinds {
		for _, firstNull := range []int{0, 15, 16, 17, 40, 1 << 20} {
			a := (&Pool{}).Get()
			b := NewBuilder(a, k, 0)
			var want []any
			for i := range 100 {
				v := value(k, i)
				if i == firstNull || i > firstNull && i%3 == 0 {
					v = nil
				}
				want = append(want, v)
				appendValue(b, v)
			}
			v := b.Done()
			if b.Len() != 100 || v.Len() != 100 || !slices.Equal(cells(v, 100), want) {
				t.Errorf("%v, first NULL at %d: %v, want %v", k, firstNull, cells(v, v.Len()), want)
			}
			if hasNulls := firstNull < 100; (v.Valid != nil) != hasNulls {
				t.Errorf("%v: a bitmap is there: %v, NULLs are there: %v", k, v.Valid != nil, hasNulls)
			}
			again := NewBuilder(a, k, 0)
			for i := range 100 {
				again.AppendFrom(v, i)
			}
			if got := cells(again.Done(), 100); !slices.Equal(got, want) {
				t.Errorf("%v: copied row by row: %v", k, got)
			}
		}
	}
}

// Take copies values: the source may be overwritten afterwards.
func TestTake(t *testing.T) {
	for _, k := range kinds {
		source, a := (&Pool{}).Get(), (&Pool{}).Get()
		b := NewBuilder(source, k, 0)
		var all []any
		for i := range 80 {
			v := value(k, i)
			if i%7 == 3 {
				v = nil
			}
			all = append(all, v)
			appendValue(b, v)
		}
		v := b.Done()
		rows := []int32{79, 0, 3, 3, 64, 10}
		out := v.Take(a, rows)
		empty := v.Take(a, nil)
		clear(v.Bools)
		clear(v.Ints)
		clear(v.Floats)
		clear(v.Buf)
		clear(v.Valid)
		var want []any
		for _, r := range rows {
			want = append(want, all[r])
		}
		if got := cells(out, len(rows)); !slices.Equal(got, want) {
			t.Errorf("%v: %v, want %v", k, got, want)
		}
		if empty.Len() != 0 {
			t.Errorf("%v: no rows give %d values", k, empty.Len())
		}
		null := a.NullConstant(k).Take(a, rows)
		if !null.Const || !null.IsNull(5) {
			t.Errorf("%v: a constant NULL becomes %v", k, cells(null, 1))
		}
	}
}
