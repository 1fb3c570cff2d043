package format

import (
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// rows is a batch that a decoder fills, row by row.
type rows struct {
	columns []column
	arena   *vector.Arena
	room    int // rows that the columns have memory for
	n       int // rows that are whole; values and NULLs are written to the one behind them
}

// column is a needed field and where its values go.
type column struct {
	types.Field
	vector *vector.Vector
	stamp  int64 // of the last row that had the field, for a decoder that finds fields by name
	length int   // of the last timestamp's text
	node   *node // of a nested type
	data   []byte
	// verbatim says that its values are texts as they stand in a record, and unsigned, if it is not 0, that they are numbers of so many bits without a sign.
	verbatim bool
	unsigned uint8
	iso      bool // times may be written with a T
}

// fits reports whether v has no more bits than the column.
func (c *column) fits(v int64) bool { return v >= 0 && (c.unsigned >= 63 || v < 1<<c.unsigned) }

// ownBytes reports whether values of t do not stand in the records as they are, and so have a buffer of their own.
func ownBytes(t types.Type) bool { return t.IsNested() || t.IsBytes() }

// begin starts a batch whose strings point into buf.
func (r *rows) begin(a *vector.Arena, buf []byte, room int) {
	r.arena, r.room, r.n = a, max(room, 1), 0
	for i := range r.columns {
		c := &r.columns[i]
		c.vector = a.Flat(vector.KindOf(c.Type), r.room)
		switch {
		case ownBytes(c.Type):
			c.data = a.Bytes(16 * r.room)[:0]
		case c.vector.Kind == vector.Bytes:
			c.vector.Buf = buf
		}
	}
}

// grow doubles the room, for callers who expected fewer rows.
func (r *rows) grow() {
	room := 2 * r.room
	for i := range r.columns {
		c := &r.columns[i]
		old := c.vector
		c.vector = r.arena.Flat(old.Kind, room)
		c.vector.Buf = old.Buf
		copy(c.vector.Bools, old.Bools)
		copy(c.vector.Ints, old.Ints)
		copy(c.vector.Wides, old.Wides)
		copy(c.vector.Floats, old.Floats)
		copy(c.vector.Views, old.Views)
		if old.Valid != nil {
			c.vector.Valid = r.arena.AllValid(room)
			for k := range r.n {
				if !old.Valid.Get(k) {
					c.vector.Valid.Clear(k)
				}
			}
		}
	}
	r.room = room
}

// end gives the batch away.
func (r *rows) end() *vector.Batch {
	n := r.n
	b := &vector.Batch{Cols: r.arena.Columns(len(r.columns)), N: n, Arena: r.arena}
	for i := range r.columns {
		c := &r.columns[i]
		v := c.vector
		v.Cut(n)
		if c.data != nil {
			v.Buf, c.data = c.data, nil
		}
		b.Cols[i], c.vector = v, nil
	}
	r.arena = nil
	return b
}

// setNull makes row n of c NULL. The bitmap comes with the first NULL.
func (r *rows) setNull(c *column, n int) {
	v := c.vector
	v.Zero(n)
	if v.Valid == nil {
		v.Valid = r.arena.AllValid(r.room)
	}
	v.Valid.Clear(n)
}

// forget takes back the NULLs of row n, which was given up and whose place the next row takes.
func (r *rows) forget(n int) {
	for i := range r.columns {
		if valid := r.columns[i].vector.Valid; valid != nil {
			valid.Set(n)
		}
	}
}

// copyValue makes row to of c what row from is.
func (r *rows) copyValue(c *column, to, from int) {
	v := c.vector
	if v.IsNull(from) {
		r.setNull(c, to)
		return
	}
	switch v.Kind {
	case vector.Bool:
		v.Bools[to] = v.Bools[from]
	case vector.Int64:
		v.Ints[to] = v.Ints[from]
	case vector.Int128:
		v.Wides[to] = v.Wides[from]
	case vector.Float64:
		v.Floats[to] = v.Floats[from]
	case vector.Bytes:
		v.Views[to] = v.Views[from]
	}
}
