package state

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/vector"
)

// column makes a column of Go values; nil is NULL.
func column(a *vector.Arena, k vector.Kind, values ...any) *vector.Vector {
	b := vector.NewBuilder(a, k, len(values))
	for _, v := range values {
		switch v := v.(type) {
		case nil:
			b.AppendNull()
		case bool:
			b.AppendBool(v)
		case int:
			b.AppendInt(int64(v))
		case float64:
			b.AppendFloat(v)
		case string:
			b.AppendBytes([]byte(v))
		}
	}
	return b.Done()
}

// text prints row i of some columns.
func text(cols []*vector.Vector, i int) string {
	out := ""
	for _, v := range cols {
		switch {
		case v.IsNull(i):
			out += "NULL "
		case v.Kind == vector.Bool:
			out += fmt.Sprint(v.Bool(i), " ")
		case v.Kind == vector.Int64:
			out += fmt.Sprint(v.Int(i), " ")
		case v.Kind == vector.Float64:
			out += fmt.Sprint(v.Float(i), " ")
		default:
			out += fmt.Sprintf("%q ", v.Bytes(i))
		}
	}
	return out
}

// keysOf is one kind of key with rows of which some are equal, and the numbers that they get.
type keysOf struct {
	name  string
	kinds []vector.Kind
	cols  func(a *vector.Arena) []*vector.Vector
	ids   []uint32
}

var (
	aNaN     = math.Float64frombits(0xFFF8000000000123)
	allKinds = []keysOf{
		{"int", []vector.Kind{vector.Int64}, func(a *vector.Arena) []*vector.Vector {
			return []*vector.Vector{column(a, vector.Int64, 7, 0, 7, nil, -1, 0, nil, math.MaxInt64, math.MinInt64)}
		}, []uint32{0, 1, 0, 2, 3, 1, 2, 4, 5}},
		{"string", []vector.Kind{vector.Bytes}, func(a *vector.Arena) []*vector.Vector {
			return []*vector.Vector{column(a, vector.Bytes, "b", "", "a", nil, "b", "a\x00", "abcdefgh", "", nil)}
		}, []uint32{0, 1, 2, 3, 0, 4, 5, 1, 3}},
		{"double", []vector.Kind{vector.Float64}, func(a *vector.Arena) []*vector.Vector {
			return []*vector.Vector{column(a, vector.Float64, 0.0, math.Copysign(0, -1), math.NaN(), aNaN, nil, 1.5, math.Inf(1), math.Inf(-1), 1.5)}
		}, []uint32{0, 0, 1, 1, 2, 3, 4, 5, 3}},
		{"bool", []vector.Kind{vector.Bool}, func(a *vector.Arena) []*vector.Vector {
			return []*vector.Vector{column(a, vector.Bool, true, nil, false, true, false, nil, true, true, true)}
		}, []uint32{0, 1, 2, 0, 2, 1, 0, 0, 0}},
		{"two strings", []vector.Kind{vector.Bytes, vector.Bytes}, func(a *vector.Arena) []*vector.Vector {
			return []*vector.Vector{
				column(a, vector.Bytes, "a", "ab", "", nil, "a", nil, "", "x", "x"),
				column(a, vector.Bytes, "bc", "c", "abc", "", "bc", nil, nil, "y", "y"),
			}
		}, []uint32{0, 1, 2, 3, 0, 4, 5, 6, 6}},
		{"string, int, double and a constant", []vector.Kind{vector.Bytes, vector.Int64, vector.Float64, vector.Int64}, func(a *vector.Arena) []*vector.Vector {
			five := a.Constant(vector.Int64)
			five.Ints[0] = 5
			return []*vector.Vector{
				column(a, vector.Bytes, "a", "a", "a", "b", "a", nil, "a", "a", "a"),
				column(a, vector.Int64, 1, 2, 1, 1, 1, 1, nil, 1, 1),
				column(a, vector.Float64, 1.0, 1.0, 1.0, 1.0, 2.0, 1.0, 1.0, nil, 1.0), five,
			}
		}, []uint32{0, 1, 0, 2, 3, 4, 5, 6, 0}},
		{"a constant int", []vector.Kind{vector.Int64}, func(a *vector.Arena) []*vector.Vector {
			five := a.Constant(vector.Int64)
			five.Ints[0] = 5
			return []*vector.Vector{five}
		}, make([]uint32, 9)},
		{"NULL in every row", []vector.Kind{vector.Int64}, func(a *vector.Arena) []*vector.Vector {
			return []*vector.Vector{a.NullConstant(vector.Int64)}
		}, make([]uint32, 9)},
		{"no column", nil, func(*vector.Arena) []*vector.Vector { return nil }, make([]uint32, 9)},
	}
)

// Keys are numbered in the order of first sight, and everything that is known of a key agrees: its hash, its columns, its encoding.
func TestKeys(t *testing.T) {
	for _, c := range allKinds {
		t.Run(c.name, func(t *testing.T) {
			a := (&vector.Pool{}).Get()
			cols, n := c.cols(a), len(c.ids)
			hashes := make([]uint64, n)
			HashRows(cols, vector.All(n), hashes)
			keys := NewKeys(c.kinds)
			got := make([]uint32, n)
			keys.Find(&Input{Cols: cols, Rows: vector.All(n)}, got)
			if !slices.Equal(got, c.ids) {
				t.Fatalf("numbers %v, want %v", got, c.ids)
			}
			if want := int(slices.Max(c.ids)) + 1; keys.Len() != want {
				t.Fatalf("%d keys, want %d", keys.Len(), want)
			}

			other := NewKeys(c.kinds)
			other.Find(&Input{Cols: cols, Rows: vector.All(n), Hashes: hashes}, got)
			if !slices.Equal(got, c.ids) {
				t.Errorf("with hashes: numbers %v", got)
			}

			back := keys.Columns(a, got, nil)
			for i := range n {
				if hashes[i] != keys.Hash(got[i]) {
					t.Errorf("row %d: HashRows says %x, Hash %x", i, hashes[i], keys.Hash(got[i]))
				}
				want := text(cols, i)
				if want == "-0 " {
					want = "0 "
				}
				if text(back, i) != want {
					t.Errorf("row %d: the columns of the key are %s, want %s", i, text(back, i), want)
				}
			}

			copied := NewKeys(c.kinds)
			var all []byte
			for id := range uint32(keys.Len()) {
				all = keys.Encode(all, id)
			}
			for id := range uint32(keys.Len()) {
				again, rest, err := copied.Decode(all)
				if err != nil || again != id || copied.Hash(again) != keys.Hash(id) {
					t.Fatalf("key %d is read back as %d, hash %x, error %v", id, again, copied.Hash(again), err)
				}
				all = rest
			}
			if len(all) != 0 {
				t.Errorf("%d bytes are left", len(all))
			}
		})
	}
}

// Rows named by a selection are those that count, by position in the selection; hashes stay with their rows.
func TestKeysOfSelectedRows(t *testing.T) {
	for _, c := range allKinds {
		a := (&vector.Pool{}).Get()
		cols, n := c.cols(a), len(c.ids)
		rows := vector.Rows{Sel: []int32{1, 3, 4, 8}, N: n}
		hashes, all := make([]uint64, n), make([]uint64, n)
		HashRows(cols, rows, hashes)
		HashRows(cols, vector.All(n), all)
		ids := make([]uint32, len(rows.Sel))
		keys := NewKeys(c.kinds)
		keys.Find(&Input{Cols: cols, Rows: rows, Hashes: hashes}, ids)
		for k, row := range rows.Sel {
			if hashes[row] != all[row] || keys.Hash(ids[k]) != all[row] {
				t.Errorf("%s: row %d has hash %x, its key %x, want %x", c.name, row, hashes[row], keys.Hash(ids[k]), all[row])
			}
		}
		if hashes[0] != 0 {
			t.Errorf("%s: a row was hashed that is not selected", c.name)
		}
	}
}

// Tables agree with a map through growth, reuse and merging.
func TestKeysAgainstMap(t *testing.T) {
	for _, kind := range []vector.Kind{vector.Int64, vector.Bytes} {
		keys, other := NewKeys([]vector.Kind{kind}), NewKeys([]vector.Kind{kind})
		for round := range 3 {
			r := rand.New(rand.NewPCG(uint64(round), 5))
			want := map[any]uint32{}
			find := func(keys Keys, seen map[any]uint32) {
				for range 20 {
					a := (&vector.Pool{}).Get()
					var values []any
					for range 500 {
						// Multiples of a power of two would collide under a weak hash.
						n := r.IntN(4000) << 20
						switch {
						case n == 0:
							values = append(values, nil)
						case kind == vector.Int64:
							values = append(values, n)
						default:
							values = append(values, fmt.Sprint(n))
						}
					}
					ids := make([]uint32, len(values))
					keys.Find(&Input{Cols: []*vector.Vector{column(a, kind, values...)}, Rows: vector.All(len(values))}, ids)
					for i, v := range values {
						id, ok := seen[v]
						if !ok {
							id = uint32(len(seen))
							seen[v] = id
						}
						if ids[i] != id {
							t.Fatalf("%v has number %d, want %d", v, ids[i], id)
						}
					}
				}
			}
			find(keys, want)
			theirs := map[any]uint32{}
			find(other, theirs)
			into := make([]uint32, other.Len())
			keys.Merge(other, into)
			for id := range uint32(other.Len()) {
				if keys.Hash(into[id]) != other.Hash(id) || !bytes.Equal(keys.Encode(nil, into[id]), other.Encode(nil, id)) {
					t.Fatalf("key %d became another one", id)
				}
			}
			for v, id := range theirs {
				if have, ok := want[v]; ok && into[id] != have {
					t.Fatalf("%v was merged into %d, not %d", v, into[id], have)
				}
			}
			keys.Reset()
			other.Reset()
			if keys.Len() != 0 {
				t.Fatal("a reset table is not empty")
			}
		}
	}
}

// Every task owns one range of key groups, and every group has one owner.
func TestOwner(t *testing.T) {
	for _, n := range []int{1, 2, 3, 7, 100, Groups} {
		last, groups := 0, make([]int, n)
		for g := range Groups {
			owner := Owner(uint64(g)<<52|uint64(g*7919), n)
			if owner < last || owner > last+1 {
				t.Fatalf("%d tasks: group %d belongs to %d, the one before to %d", n, g, owner, last)
			}
			last = owner
			groups[owner]++
		}
		if last != n-1 || slices.Max(groups)-slices.Min(groups) > 1 {
			t.Errorf("%d tasks: the last owner is %d, shares are from %d to %d", n, last, slices.Min(groups), slices.Max(groups))
		}
	}
}

// Version 1 of the hash decides where state lies in snapshots that exist. These values never change.
func TestHashesNeverChange(t *testing.T) {
	for _, c := range goldenHashes {
		a := (&vector.Pool{}).Get()
		got := make([]uint64, 1)
		HashRows(c.cols(a), vector.All(1), got)
		if got[0] != c.hash {
			t.Errorf("%s: %#016x, want %#016x", c.key, got[0], c.hash)
		}
	}
}

var goldenHashes = []struct {
	key  string
	cols func(a *vector.Arena) []*vector.Vector
	hash uint64
}{
	{"0", one(vector.Int64, 0), 0x81d76a8c851682fd},
	{"1", one(vector.Int64, 1), 0xf90d7596a5a4e985},
	{"-1", one(vector.Int64, -1), 0xb27b77bb7e21e0b2},
	{"NULL", one(vector.Int64, nil), 0x5851f42d4c957f2d},
	{"'NULL' of a string", one(vector.Bytes, nil), 0x0d0eded7dd59b070},
	{"''", one(vector.Bytes, ""), 0xe5cf6a83d5aae432},
	{"'tidemark'", one(vector.Bytes, "tidemark"), 0xf076d361daf0cf1f},
	{"a longer string", one(vector.Bytes, "a longer string of 31 characters"), 0x7c10a5eecfe0a827},
	{"1.5", one(vector.Float64, 1.5), 0x53ea381a5a7352e0},
	{"-0", one(vector.Float64, math.Copysign(0, -1)), 0x6c6068134498df77},
	{"NaN", one(vector.Float64, math.NaN()), 0x16d6651cf9e1b832},
	{"TRUE", one(vector.Bool, true), 0x8cae9b6ec1a22f8b},
	{"(1, 'a')", func(a *vector.Arena) []*vector.Vector {
		return []*vector.Vector{column(a, vector.Int64, 1), column(a, vector.Bytes, "a")}
	}, 0x090b4318ecdfa20c},
	{"()", func(*vector.Arena) []*vector.Vector { return nil }, 0x1e0d8e2fd31ff5c4},
}

func one(k vector.Kind, v any) func(*vector.Arena) []*vector.Vector {
	return func(a *vector.Arena) []*vector.Vector { return []*vector.Vector{column(a, k, v)} }
}

// FuzzDecode: whatever bytes say, there is a key that is encoded as just these bytes, or an error.
func FuzzDecode(f *testing.F) {
	f.Add([]byte{1, 7, 0, 0, 0, 0, 0, 0, 0}, uint8(0))
	f.Add([]byte{0}, uint8(1))
	f.Add([]byte{1, 2, 0, 0, 0, 'a', 'b', 1, 1, 0, 0, 0, 0, 0, 0, 0}, uint8(4))
	f.Add([]byte{1, 0xFF, 0xFF, 0xFF, 0xFF}, uint8(1))
	f.Add([]byte{1, 0, 0, 0, 0, 0, 0, 0, 0x80}, uint8(2)) // -0
	f.Add([]byte{2}, uint8(3))
	f.Fuzz(func(t *testing.T, src []byte, kind uint8) {
		keys := NewKeys(allKinds[int(kind)%len(allKinds)].kinds)
		id, rest, err := keys.Decode(src)
		if err != nil {
			return
		}
		if again := keys.Encode(nil, id); !bytes.Equal(again, src[:len(src)-len(rest)]) {
			t.Errorf("%x is encoded as %x", src[:len(src)-len(rest)], again)
		}
		a := (&vector.Pool{}).Get()
		cols := keys.Columns(a, []uint32{id}, nil)
		hash := make([]uint64, 1)
		if HashRows(cols, vector.All(1), hash); hash[0] != keys.Hash(id) {
			t.Errorf("hash %x of the columns, %x of the key", hash[0], keys.Hash(id))
		}
	})
}
