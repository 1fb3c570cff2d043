package vector

import "github.com/tidemark-sql/tidemark/internal/int128"

// Builder appends values row by row to columns of one batch, growing them as needed. It is for places that make few rows or cannot
// know their number; kernels write into Arena.Flat vectors instead.
type Builder struct {
	arena *Arena
	kind  Kind
	n     int
	vec   Vector
}

// slotSize is about what a row takes beside its string. It is charged too, since an array can have very many short strings.
const slotSize = 8

// NewBuilder makes a builder of a column of kind k in arena a, with room for capacity rows.
func NewBuilder(a *Arena, k Kind, capacity int) *Builder {
	b := &Builder{arena: a, kind: k}
	b.vec = *a.Flat(k, max(capacity, 16))
	return b
}

func (b *Builder) grow() int {
	i := b.n
	b.n++
	if i < b.room() {
		return i
	}
	old := b.vec
	b.arena.Charge(2 * i * slotSize)
	b.vec = *b.arena.Flat(b.kind, 2*i)
	copy(b.vec.Bools, old.Bools)
	copy(b.vec.Ints, old.Ints)
	copy(b.vec.Wides, old.Wides)
	copy(b.vec.Floats, old.Floats)
	copy(b.vec.Views, old.Views)
	b.vec.Buf = old.Buf
	if old.Valid != nil {
		b.vec.Valid = b.arena.AllValid(2 * i)
		copy(b.vec.Valid, old.Valid)
	}
	return i
}

func (b *Builder) room() int { return b.vec.Len() }

// AppendNull appends a NULL.
func (b *Builder) AppendNull() {
	i := b.grow()
	if b.vec.Valid == nil {
		b.vec.Valid = b.arena.AllValid(b.room())
	}
	b.vec.Valid.Clear(i)
	b.vec.Zero(i)
}

func (b *Builder) setValid(i int) {
	if b.vec.Valid != nil {
		b.vec.Valid.Set(i)
	}
}

// AppendBool appends v to a Bool column.
func (b *Builder) AppendBool(v bool) {
	i := b.grow()
	b.vec.Bools[i] = 0
	if v {
		b.vec.Bools[i] = 1
	}
	b.setValid(i)
}

// AppendInt appends v to an Int64 column.
func (b *Builder) AppendInt(v int64) { i := b.grow(); b.vec.Ints[i] = v; b.setValid(i) }

// AppendWide appends v to an Int128 column.
func (b *Builder) AppendWide(v int128.Int) { i := b.grow(); b.vec.Wides[i] = v; b.setValid(i) }

// AppendDigits appends the digits of a DECIMAL to the column of one: an Int64 column, whose numbers they have to be among, or an Int128 column.
func (b *Builder) AppendDigits(v int128.Int) {
	if b.vec.Kind == Int128 {
		b.AppendWide(v)
		return
	}
	small, _ := v.Int64()
	b.AppendInt(small)
}

// AppendFloat appends v to a Float64 column.
func (b *Builder) AppendFloat(v float64) { i := b.grow(); b.vec.Floats[i] = v; b.setValid(i) }

// AppendBytes appends a copy of v to a Bytes column.
func (b *Builder) AppendBytes(v []byte) {
	CheckValue(NoRow, len(v))
	CheckBytes(len(b.vec.Buf) + len(v))
	b.arena.Charge(len(v))
	i := b.grow()
	b.vec.Views[i] = View{uint32(len(b.vec.Buf)), uint32(len(v))}
	b.vec.Buf = append(b.vec.Buf, v...)
	b.setValid(i)
}

// AppendFrom appends value i of v, which must be of the same kind.
func (b *Builder) AppendFrom(v Values, i int) {
	if v.IsNull(i) {
		b.AppendNull()
		return
	}
	switch b.kind {
	case Bool:
		b.AppendBool(v.Bool(i))
	case Int64:
		b.AppendInt(v.Int(i))
	case Int128:
		b.AppendWide(v.Wide(i))
	case Float64:
		b.AppendFloat(v.Float(i))
	case Bytes:
		b.AppendBytes(v.Bytes(i))
	}
}

// Look makes v the column as it is, good until the next value is appended.
func (b *Builder) Look(v *Vector) {
	*v = b.vec
	v.Cut(b.n)
}

// Len tells how many rows were appended.
func (b *Builder) Len() int { return b.n }

// Done returns the column; the builder must not be used afterwards.
func (b *Builder) Done() *Vector {
	v := &b.arena.vectors.take(1)[0]
	b.Look(v)
	return v
}
