package function

import (
	"github.com/tidemark-sql/tidemark/internal/int128"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// writtenKeys tells which keys of a map that is written out, MAP[key, value, …], are the same. A few are compared with each other, more are found by their hash.
type writtenKeys struct {
	kind   vector.Kind
	n      int
	args   []*vector.Vector
	row    int
	packed []byte
	array  *nested.Array
	set    elementSet
}

// fewKeys is how many are compared with each other.
const fewKeys = 8

func newWrittenKeys(k vector.Kind, n int) *writtenKeys {
	return &writtenKeys{kind: k, n: n, array: new(nested.Array), set: elementSet{kind: k}}
}

// read takes the keys of a row; args are keys and values in turn.
func (w *writtenKeys) read(args []*vector.Vector, row int) {
	w.args, w.row = args, row
	if w.n <= fewKeys {
		return
	}
	w.packed = nested.AppendArray(w.packed[:0], w.kind, w, 0, w.n)
	*w.array = nested.ReadArray(w.packed, w.kind)
	w.set.reset(w.n)
	for e := range w.n {
		w.set.find(w.array, e).put(w.array, e)
	}
}

// same is the first and the last entry that have the key of entry e.
func (w *writtenKeys) same(e int) (first, last int) {
	if w.n > fewKeys {
		slot := w.set.find(w.array, e)
		if slot.array == nil {
			return e, e // NaN is equal to nothing
		}
		return slot.first, slot.at
	}
	first, last = e, e
	for other := range w.n {
		if sameValue(w.kind, w.args[2*e], w.row, w.args[2*other], w.row) {
			first, last = min(first, other), max(last, other)
		}
	}
	return first, last
}

// The keys of the row are vector.Values.

func (w *writtenKeys) IsNull(e int) bool     { return w.args[2*e].IsNull(w.row) }
func (w *writtenKeys) Bool(e int) bool       { return w.args[2*e].Bool(w.row) }
func (w *writtenKeys) Int(e int) int64       { return w.args[2*e].Int(w.row) }
func (w *writtenKeys) Wide(e int) int128.Int { return w.args[2*e].Wide(w.row) }
func (w *writtenKeys) Float(e int) float64   { return w.args[2*e].Float(w.row) }
func (w *writtenKeys) Bytes(e int) []byte    { return w.args[2*e].Bytes(w.row) }
