package state

import (
	"bytes"
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/vector"
)

// A compacted table holds the keys that are alive, in their order, and finds them again.
func TestCompact(t *testing.T) {
	for _, c := range allKinds {
		a := (&vector.Pool{}).Get()
		keys := NewKeys(c.kinds)
		ids := make([]uint32, len(c.ids))
		in := &Input{Cols: c.cols(a), Rows: vector.All(len(c.ids))}
		keys.Find(in, ids)
		compacted, old := Compact(keys, func(id uint32) bool { return id%2 == 0 })
		var want []uint32
		for id := range uint32(keys.Len()) {
			if id%2 == 0 {
				want = append(want, id)
			}
		}
		if !slices.Equal(old, want) || compacted.Len() != len(want) {
			t.Fatalf("%s: kept %v of %d keys, want %v", c.name, old, keys.Len(), want)
		}
		for id, was := range old {
			if compacted.Hash(uint32(id)) != keys.Hash(was) || !bytes.Equal(compacted.Encode(nil, uint32(id)), keys.Encode(nil, was)) {
				t.Errorf("%s: key %d is not what %d was", c.name, id, was)
			}
		}
		compacted.Find(in, ids)
		if compacted.Len() != keys.Len() {
			t.Errorf("%s: %d keys after all were found again, want %d", c.name, compacted.Len(), keys.Len())
		}
	}
}
