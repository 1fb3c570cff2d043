package function

import (
	"errors"

	"github.com/tidemark-sql/tidemark/internal/vector"
)

// text writes the strings of a result one after the other into one buffer.
type text struct {
	arena   *vector.Arena
	out     *vector.Vector
	buf     []byte
	start   int // of the value that is being written
	charged int // bytes of buf
}

// newText starts with room for capacity bytes in the arena.
func newText(c *Call, capacity int) text {
	capacity = max(capacity, 64)
	return text{arena: c.Arena, out: c.Out, buf: c.Arena.Bytes(capacity)[:0], charged: capacity}
}

// end makes what was appended to buf since the last end the value of row i.
func (t *text) end(i int) {
	vector.CheckValue(i, len(t.buf)-t.start)
	if len(t.buf) > t.charged {
		t.arena.Charge(len(t.buf) - t.charged)
		t.charged = len(t.buf)
	}
	t.out.Views[i] = vector.View{Off: uint32(t.start), Len: uint32(len(t.buf) - t.start)}
	t.start = len(t.buf)
}

// full reports whether the value that is being written is longer than any may be, which end makes an error of: who writes much of little stops then.
func (t *text) full() bool { return len(t.buf)-t.start > vector.MaxValue }

// done hands the buffer over.
func (t *text) done() { t.out.Buf = t.buf }

// size is the number of bytes of v in the rows of a call; the slot of a NULL says nothing.
func size(v *vector.Vector, rows vector.Rows) int {
	total := 0
	if rows.Sel == nil && v.Valid == nil && !v.Const {
		for _, view := range v.Views[:rows.N] {
			total += int(view.Len)
		}
		return total
	}
	for k := range rows.Count() {
		if i := rows.At(k); !v.IsNull(i) {
			total += int(v.Views[i&v.Mask()].Len)
		}
	}
	return total
}

// rewriting is the kernel of a function that writes a new string for each row; ok false makes it NULL. Who writes much of little asks Call.full.
func rewriting(write func(dst []byte, c *Call, i int) (out []byte, ok bool)) Kernel {
	return func(c *Call) error {
		capacity := 0
		for _, v := range c.Args {
			if v.Kind == vector.Bytes && !v.Const {
				capacity += size(v, c.Rows)
			}
		}
		w := newText(c, capacity)
		for k := range c.Rows.Count() {
			i := c.Rows.At(k)
			c.start = w.start
			var ok bool
			if w.buf, ok = write(w.buf, c, i); !ok {
				w.buf = w.buf[:w.start]
				c.SetNull(i)
			}
			w.end(i)
		}
		w.done()
		return nil
	}
}

// cutting is the kernel of a function whose result is a part of argument arg; it copies nothing. ok false makes it NULL.
func cutting(arg int, cut func(s []byte, c *Call, i int) (from, to int, ok bool)) Kernel {
	return func(c *Call) error {
		v := c.Args[arg]
		c.Out.Buf = v.Buf
		for k := range c.Rows.Count() {
			i := c.Rows.At(k)
			from, to, ok := cut(v.Bytes(i), c, i)
			if !ok {
				c.SetNull(i)
				from, to = 0, 0
			}
			c.Out.Views[i] = vector.View{Off: v.Views[i&v.Mask()].Off + uint32(from), Len: uint32(to - from)}
		}
		return nil
	}
}

// ErrNull is what the writer of a Writing kernel gives to make a row NULL.
var ErrNull = errors.New("NULL")

// Writing is the kernel of a function outside of this package that writes a new string for each row by appending to dst. An error is one of the row.
func Writing(write func(dst []byte, c *Call, i int) ([]byte, error)) Kernel {
	return func(c *Call) error {
		w := newText(c, 0)
		for k := range c.Rows.Count() {
			i := c.Rows.At(k)
			c.start = w.start
			out, err := write(w.buf, c, i)
			switch err {
			case nil:
				w.buf = out
			case ErrNull:
				w.buf = w.buf[:w.start]
				c.SetNull(i)
			default:
				return &RowError{Row: i, Err: err}
			}
			w.end(i)
		}
		w.done()
		return nil
	}
}
