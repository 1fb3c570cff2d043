package function

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/state"
)

// TestManyStates: the states of many groups are those of each, one behind the other; read at once they make the same groups, and those of others are passed over.
func TestManyStates(t *testing.T) {
	for _, c := range aggregateCases() {
		o := c.overload(t)
		random := rand.New(rand.NewPCG(1, 1))
		args, ids, rows := randomInput(random, o, 40)
		acc := filled(o, args, ids, rows)
		written := []uint32{4, 0, 2, 3}
		var want []byte
		for _, id := range written {
			want = acc.Encode(want, id)
		}
		got := EncodeGroups(acc, []byte("front"), written)
		if !bytes.Equal(got, append([]byte("front"), want...)) {
			t.Errorf("%s: written at once as %x, one by one as %x", c.name, got[len("front"):], want)
			continue
		}
		read := o.New()
		read.Grow(lawGroups)
		into := []uint32{1, state.Foreign, 0, 4}
		rest, err := DecodeGroups(read, append(slices.Clone(want), "behind"...), into, o.New)
		if err != nil || string(rest) != "behind" {
			t.Errorf("%s: %v, %q is left", c.name, err, rest)
			continue
		}
		empty := filled(o, args, nil, rows)
		for k, id := range into {
			if id != state.Foreign && !bytes.Equal(read.Encode(nil, id), acc.Encode(nil, written[k])) {
				t.Errorf("%s: group %d came back as another one", c.name, written[k])
			}
		}
		for _, id := range []uint32{2, 3} {
			if !bytes.Equal(read.Encode(nil, id), empty.Encode(nil, id)) {
				t.Errorf("%s: group %d, which was not read, is not empty", c.name, id)
			}
		}
		for n := range want {
			read := o.New()
			read.Grow(lawGroups)
			if _, err := DecodeGroups(read, want[:n], into, o.New); err == nil {
				t.Errorf("%s: %d of %d bytes decode", c.name, n, len(want))
			}
		}
	}
}
