package state

import (
	"errors"
	"fmt"
	"math"

	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Keys numbers distinct keys densely, in the order in which they were first seen. NULL is a key like any other, equal to itself, as in
// GROUP BY. Not safe for concurrent use.
type Keys interface {
	// Len is how many keys there are; they have the numbers 0 to Len-1.
	Len() int
	// Find writes the number of the key of the k-th row of in to ids[k], for all rows of in, adding keys that are new.
	Find(in *Input, ids []uint32)
	// Merge finds every key of from, which must be of the same kind, in its order, adding what is new, and writes the numbers to ids.
	Merge(from Keys, ids []uint32)
	// Hash is the hash of key id.
	Hash(id uint32) uint64
	// Columns appends the key columns for ids, in that order, to cols, in memory of arena a.
	Columns(a *vector.Arena, ids []uint32, cols []*vector.Vector) []*vector.Vector
	// Encode appends the canonical encoding of key id to dst.
	Encode(dst []byte, id uint32) []byte
	// Decode adds the key that stands at the start of src and returns its number and what follows it.
	Decode(src []byte) (id uint32, rest []byte, err error)
	// EncodeColumn appends the keys ids, in that order and as often as they stand there, in a form that is written and read at once.
	EncodeColumn(dst []byte, ids []uint32) []byte
	// DecodeColumn reads len(ids) keys that EncodeColumn wrote. It adds those that are new and owned, writes the numbers of all that are owned to ids, and Foreign for the others, and
	// returns what follows.
	DecodeColumn(src []byte, ids []uint32, owns func(hash uint64) bool) (rest []byte, err error)
	// Bytes is about how much memory the table takes.
	Bytes() int64
	// Reset removes all keys and keeps the memory.
	Reset()
	// Used estimates the memory that the keys take, without the room that the table keeps for more.
	Used() int
}

// Foreign stands for a key that was read and belongs to somebody else.
const Foreign = math.MaxUint32

// Input is the keys of some rows of a batch.
type Input struct {
	Cols []*vector.Vector
	Rows vector.Rows
	// Hashes, by row of the batch, if they are known already.
	Hashes []uint64
}

// NewKeys makes an empty table for keys of the given columns. No column at all is a single key, that of a global aggregate.
func NewKeys(kinds []vector.Kind) Keys {
	if len(kinds) == 1 && kinds[0] == vector.Int64 {
		return newIntKeys()
	}
	return newByteKeys(kinds)
}

// HashRows writes the hash of the key of every row of rows to out, which is indexed by row of the batch.
func HashRows(cols []*vector.Vector, rows vector.Rows, out []uint64) {
	if len(cols) == 1 && cols[0].Kind == vector.Int64 {
		hashInts(cols[0], rows, out)
		return
	}
	var buf []byte
	for k := range rows.Count() {
		row := rows.At(k)
		buf = appendKey(buf[:0], cols, row)
		out[row] = HashBytes(buf)
	}
}

func hashInts(v *vector.Vector, rows vector.Rows, out []uint64) {
	mask := v.Mask()
	if rows.Sel == nil && v.Valid == nil {
		for row := range rows.N {
			out[row] = HashInt(v.Ints[row&mask])
		}
		return
	}
	for k := range rows.Count() {
		row := rows.At(k)
		if v.IsNull(row) {
			out[row] = HashNull
		} else {
			out[row] = HashInt(v.Ints[row&mask])
		}
	}
}

// errNotCanonical is what becomes of bytes that no encoder writes: accepted, they would make two keys of one.
var errNotCanonical = errors.New("state holds a key that is not in its canonical encoding")

func errTruncated(what string) error { return fmt.Errorf("state ends in the middle of %s", what) }
