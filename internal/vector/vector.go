package vector

import (
	"fmt"

	"github.com/tidemark-sql/tidemark/internal/int128"
)

// View is a string or binary value: Len bytes of the vector's Buf from Off on.
type View struct{ Off, Len uint32 }

// Vector is one column. Exactly one of Bools, Ints, Wides, Floats and Views is in use, as Kind says; it holds one value per
// row, or a single value at index 0 if Const. A value whose validity bit is clear is NULL and its slot holds anything.
//
// A Vector that has been put into an emitted batch is immutable, except to the one who owns that batch.
type Vector struct {
	Kind   Kind
	Const  bool
	Valid  Bitmap // nil: nothing is NULL; a constant has its bit at index 0
	Bools  []uint8
	Ints   []int64
	Wides  []int128.Int
	Floats []float64
	Views  []View
	Buf    []byte // what Views point into; shared, never written through a Vector
}

// Mask turns a row number into an index: i & Mask() is i for a flat vector and 0 for a constant. Kernels use it to serve both
// shapes with one loop.
func (v *Vector) Mask() int {
	if v.Const {
		return 0
	}
	return -1
}

// Len is the number of values that v holds: 1 if constant, else one for each row of its batch.
func (v *Vector) Len() int {
	switch v.Kind {
	case Bool:
		return len(v.Bools)
	case Int64:
		return len(v.Ints)
	case Int128:
		return len(v.Wides)
	case Float64:
		return len(v.Floats)
	default:
		return len(v.Views)
	}
}

// IsNull reports whether row i is NULL.
func (v *Vector) IsNull(i int) bool { return v.Valid != nil && !v.Valid.Get(i&v.Mask()) }

// Bool is the value of row i of a Bool vector.
func (v *Vector) Bool(i int) bool { return v.Bools[i&v.Mask()] != 0 }

// Int is the value of row i of an Int64 vector.
func (v *Vector) Int(i int) int64 { return v.Ints[i&v.Mask()] }

// Wide is the value of row i of an Int128 vector.
func (v *Vector) Wide(i int) int128.Int { return v.Wides[i&v.Mask()] }

// Float is the value of row i of a Float64 vector.
func (v *Vector) Float(i int) float64 { return v.Floats[i&v.Mask()] }

// Bytes is the value of row i of a Bytes vector. It is valid as long as the batch is; who keeps it copies it.
func (v *Vector) Bytes(i int) []byte {
	w := v.Views[i&v.Mask()]
	return v.Buf[w.Off : w.Off+w.Len : w.Off+w.Len]
}

// Cut shortens v to its first n values.
func (v *Vector) Cut(n int) {
	switch v.Kind {
	case Bool:
		v.Bools = v.Bools[:n]
	case Int64:
		v.Ints = v.Ints[:n]
	case Int128:
		v.Wides = v.Wides[:n]
	case Float64:
		v.Floats = v.Floats[:n]
	case Bytes:
		v.Views = v.Views[:n]
	}
}

// Zero gives slot i, of a value that is NULL, the same contents everywhere.
func (v *Vector) Zero(i int) {
	switch v.Kind {
	case Bool:
		v.Bools[i] = 0
	case Int64:
		v.Ints[i] = 0
	case Int128:
		v.Wides[i] = int128.Int{}
	case Float64:
		v.Floats[i] = 0
	case Bytes:
		v.Views[i] = View{}
	}
}

// Values is what can be read by position: a column, and the elements of an array or fields of a row (package nested). Which method to ask says the
// layout.
type Values interface {
	IsNull(i int) bool
	Bool(i int) bool
	Int(i int) int64
	Wide(i int) int128.Int
	Float(i int) float64
	Bytes(i int) []byte
}

// IsNullConst reports whether v is NULL in every row.
func (v *Vector) IsNullConst() bool { return v.Const && v.Valid != nil && !v.Valid.Get(0) }

// Rows says which rows of a batch a computation is about: those in Sel, or the first N if Sel is nil. Sel ascends.
type Rows struct {
	Sel []int32
	N   int
}

// All is the rows 0 to n-1.
func All(n int) Rows { return Rows{N: n} }

// Count tells how many rows r names.
func (r Rows) Count() int {
	if r.Sel != nil {
		return len(r.Sel)
	}
	return r.N
}

// At is the row number of the k-th row that r names.
func (r Rows) At(k int) int {
	if r.Sel != nil {
		return int(r.Sel[k])
	}
	return k
}

// Batch is columns of one length.
type Batch struct {
	Cols []*Vector
	// N is the number of rows that each flat column holds.
	N int
	// Sel names the rows that are part of the batch, ascending; nil means all N.
	Sel []int32
	// Ops is the change that each row stands for; nil means that every row is an insert.
	Ops []Op
	// Arena is where the memory of the batch comes from. It goes wherever the batch goes.
	Arena *Arena
}

// Rows names the selected rows of b.
func (b *Batch) Rows() Rows { return Rows{b.Sel, b.N} }

// Release gives the memory of b back; b and everything it pointed to must not be used any more.
func (b *Batch) Release() {
	if b.Arena != nil {
		b.Arena.Release()
		b.Arena = nil
	}
	b.Cols = nil
}

// Op is the kind of change in a changelog.
type Op uint8

// The changes, in Flink's order.
const (
	Insert Op = iota
	UpdateBefore
	UpdateAfter
	Delete
)

// String spells the op as Flink does: +I, -U, +U, -D.
func (o Op) String() string {
	if int(o) >= len(opNames) {
		panic(fmt.Sprintf("tidemark bug: op %d", o))
	}
	return opNames[o]
}

var opNames = [...]string{"+I", "-U", "+U", "-D"}
