package state

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/vector"
)

// filled is a table with the keys of c.
func (c keysOf) filled() Keys {
	keys := NewKeys(c.kinds)
	keys.Find(&Input{Cols: c.cols((&vector.Pool{}).Get()), Rows: vector.All(len(c.ids))}, make([]uint32, len(c.ids)))
	return keys
}

func everybody(uint64) bool { return true }

// A column brings back the keys that were written, in any order and as often, those that are owned and no others, into a table that has some of them already or none.
func TestColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, c := range allKinds {
		keys := c.filled()
		for _, n := range []int{0, 1, 2, keys.Len(), 5 * keys.Len()} {
			ids := make([]uint32, n)
			for k := range ids {
				ids[k] = uint32(r.IntN(keys.Len()))
			}
			column := keys.EncodeColumn([]byte("in front"), ids)
			for _, owns := range []func(uint64) bool{everybody, func(hash uint64) bool { return hash&1 == 0 }} {
				for _, into := range []Keys{NewKeys(c.kinds), c.filled()} {
					got := make([]uint32, n)
					rest, err := into.DecodeColumn(append(bytes.Clone(column), "behind"...)[len("in front"):], got, owns)
					if err != nil || string(rest) != "behind" {
						t.Fatalf("%s: %v, %q is left", c.name, err, rest)
					}
					for k, id := range got {
						switch hash := keys.Hash(ids[k]); {
						case !owns(hash) && id != Foreign:
							t.Errorf("%s: a key that is not owned has number %d", c.name, id)
						case owns(hash) && (id == Foreign || !bytes.Equal(into.Encode(nil, id), keys.Encode(nil, ids[k]))):
							t.Errorf("%s: key %d came back as %d, another one", c.name, ids[k], id)
						}
					}
					// What was read is found again, as it would be had it come in rows.
					all := make([]uint32, len(c.ids))
					into.Find(&Input{Cols: c.cols((&vector.Pool{}).Get()), Rows: vector.All(len(c.ids))}, all)
					if into.Len() != keys.Len() {
						t.Errorf("%s: %d keys after all were found again, want %d", c.name, into.Len(), keys.Len())
					}
				}
			}
		}
	}
}

// A table that is filled by columns grows as others do.
func TestColumnsOfManyKeys(t *testing.T) {
	for _, kind := range []vector.Kind{vector.Int64, vector.Bytes} {
		a := (&vector.Pool{}).Get()
		b := vector.NewBuilder(a, kind, 0)
		const n = 10_000
		for i := range n {
			if kind == vector.Int64 {
				b.AppendInt(int64(i) << 20)
			} else {
				b.AppendBytes(bytes.Repeat([]byte{byte(i), byte(i >> 8)}, 1+i%5))
			}
		}
		cols := []*vector.Vector{b.Done()}
		keys, ids := NewKeys([]vector.Kind{kind}), make([]uint32, n)
		keys.Find(&Input{Cols: cols, Rows: vector.All(n)}, ids)
		into := NewKeys([]vector.Kind{kind})
		for some := range slices.Chunk(ids, 3000) {
			if _, err := into.DecodeColumn(keys.EncodeColumn(nil, some), make([]uint32, len(some)), everybody); err != nil {
				t.Fatal(err)
			}
		}
		again := make([]uint32, n)
		into.Find(&Input{Cols: cols, Rows: vector.All(n)}, again)
		if into.Len() != n || !slices.Equal(again, ids) {
			t.Errorf("%v: %d keys, want %d with the same numbers", kind, into.Len(), n)
		}
	}
}

// FuzzDecodeColumn: whatever bytes say, they are a column of keys that are written as just these bytes, or an error.
func FuzzDecodeColumn(f *testing.F) {
	for i, c := range allKinds {
		keys := c.filled()
		ids := make([]uint32, keys.Len())
		for k := range ids {
			ids[k] = uint32(k)
		}
		f.Add(keys.EncodeColumn(nil, ids), uint8(len(ids)), uint8(i))
	}
	f.Fuzz(func(t *testing.T, src []byte, n, kind uint8) {
		keys := NewKeys(allKinds[int(kind)%len(allKinds)].kinds)
		ids := make([]uint32, n)
		rest, err := keys.DecodeColumn(src, ids, everybody)
		if err != nil {
			return
		}
		if again := keys.EncodeColumn(nil, ids); !bytes.Equal(again, src[:len(src)-len(rest)]) {
			t.Errorf("%x is written as %x", src[:len(src)-len(rest)], again)
		}
		none := NewKeys(allKinds[int(kind)%len(allKinds)].kinds)
		foreign := make([]uint32, n)
		if left, err := none.DecodeColumn(src, foreign, func(uint64) bool { return false }); err != nil || len(left) != len(rest) || none.Len() != 0 {
			t.Errorf("of others: %v, %d bytes left, %d keys", err, len(left), none.Len())
		}
	})
}
