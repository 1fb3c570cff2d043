package nested

import "github.com/tidemark-sql/tidemark/internal/vector"

// Expand makes one column of the elements of all arrays of v in the rows named, in order, whose kind is k. The elements of the j-th row named end before
// ends[j]; a NULL array has none.
func Expand(a *vector.Arena, v *vector.Vector, k vector.Kind, rows vector.Rows) (elems *vector.Vector, ends []int32) {
	n := rows.Count()
	ends = a.Sel(n)
	total := 0
	for j := range n {
		if i := rows.At(j); !v.IsNull(i) {
			total += ReadArray(v.Bytes(i), k).Len()
		}
	}
	b := vector.NewBuilder(a, k, total)
	array := new(Array) // one for all rows, since what is behind an interface is on the heap
	for j := range n {
		if i := rows.At(j); !v.IsNull(i) {
			*array = ReadArray(v.Bytes(i), k)
			for e := range array.Len() {
				b.AppendFrom(array, e)
			}
		}
		ends[j] = int32(b.Len())
	}
	return b.Done(), ends
}

// ExpandMap makes columns of the keys and the values of all maps of v in the rows named, as Expand does.
func ExpandMap(a *vector.Arena, v *vector.Vector, key, value vector.Kind, rows vector.Rows) (keys, values *vector.Vector, ends []int32) {
	n := rows.Count()
	ends = a.Sel(n)
	kb, vb := vector.NewBuilder(a, key, n), vector.NewBuilder(a, value, n)
	ks, vs := new(Array), new(Array)
	for j := range n {
		if i := rows.At(j); !v.IsNull(i) {
			*ks, *vs = ReadMap(v.Bytes(i), key, value)
			for e := range ks.Len() {
				kb.AppendFrom(ks, e)
				vb.AppendFrom(vs, e)
			}
		}
		ends[j] = int32(kb.Len())
	}
	return kb.Done(), vb.Done(), ends
}

// Pack makes arrays of the elements of a column, where ends is as Expand gives it, and writes them to out, a flat column of bytes, in the rows named.
func Pack(a *vector.Arena, elems *vector.Vector, ends []int32, rows vector.Rows, out *vector.Vector) {
	w := newWriter(a, out, size(elems)+(countSize+1)*len(ends))
	from := 0
	for j, end := range ends {
		checkBytes(rows.At(j), elems, from, int(end))
		w.buf = AppendArray(w.buf, elems.Kind, elems, from, int(end))
		w.end(rows.At(j))
		from = int(end)
	}
	w.done()
}

// PackMap makes maps of the entries of two columns, as Pack does.
func PackMap(a *vector.Arena, keys, values *vector.Vector, ends []int32, rows vector.Rows, out *vector.Vector) {
	w := newWriter(a, out, size(keys)+size(values)+(3*countSize+2)*len(ends))
	from := 0
	for j, end := range ends {
		checkBytes(rows.At(j), keys, from, int(end))
		checkBytes(rows.At(j), values, from, int(end))
		w.buf = AppendMap(w.buf, keys.Kind, keys, values.Kind, values, from, int(end))
		w.end(rows.At(j))
		from = int(end)
	}
	w.done()
}

// PackRows makes rows of columns, as Pack does.
func PackRows(a *vector.Arena, cols []*vector.Vector, rows vector.Rows, out *vector.Vector) {
	w := newWriter(a, out, (validSize(len(cols))+2*slotSize*len(cols))*rows.Count())
	for j := range rows.Count() {
		i := rows.At(j)
		w.buf = AppendRow(w.buf, cols, i)
		w.end(i)
	}
	w.done()
}

// Field makes the column of field f, of n, of the rows of v named, in a flat column of kind k for total rows; of a NULL row it is NULL.
func Field(a *vector.Arena, v *vector.Vector, f, n int, k vector.Kind, rows vector.Rows, total int) *vector.Vector {
	out := a.Flat(k, total)
	if k == vector.Bytes {
		out.Buf = v.Buf
	}
	for j := range rows.Count() {
		i := rows.At(j)
		if v.IsNull(i) || ReadRow(v.Bytes(i), n).IsNull(f) {
			if out.Valid == nil {
				out.Valid = a.AllValid(total)
			}
			out.Valid.Clear(i)
			out.Zero(i)
			continue
		}
		r := ReadRow(v.Bytes(i), n)
		switch k {
		case vector.Bool:
			out.Bools[i] = uint8(r.slot(f))
		case vector.Int64:
			out.Ints[i] = r.Int(f)
		case vector.Int128:
			out.Wides[i] = r.Wide(f)
		case vector.Float64:
			out.Floats[i] = r.Float(f)
		case vector.Bytes:
			slot := r.slot(f)
			out.Views[i] = vector.View{Off: v.Views[i&v.Mask()].Off + uint32(slot), Len: uint32(slot >> 32)}
		}
	}
	return out
}

// size is about how many bytes the values of v take.
func size(v *vector.Vector) int {
	n := v.Len() * max(width(v.Kind), 8)
	for _, w := range v.Views {
		n += int(w.Len)
	}
	return n
}

// checkBytes panics with a *vector.TooLarge if the strings lo to hi-1 of v are too much for a value of row i. They are counted before they are copied: a constant, or many views of one
// long string take little memory, and the value made of them may have no place anywhere.
func checkBytes(i int, v *vector.Vector, lo, hi int) {
	if v.Kind != vector.Bytes {
		return
	}
	n := 0
	for e := lo; e < hi; e++ {
		if !v.IsNull(e) {
			n += len(v.Bytes(e))
		}
	}
	vector.CheckValue(i, n)
}

// writer writes values of a column of bytes one after the other.
type writer struct {
	arena   *vector.Arena
	out     *vector.Vector
	buf     []byte
	start   int
	charged int // bytes of buf
}

func newWriter(a *vector.Arena, out *vector.Vector, capacity int) writer {
	return writer{arena: a, out: out, buf: a.Bytes(capacity)[:0], charged: capacity}
}

func (w *writer) end(i int) {
	vector.CheckValue(i, len(w.buf)-w.start)
	if len(w.buf) > w.charged {
		w.arena.Charge(len(w.buf) - w.charged)
		w.charged = len(w.buf)
	}
	w.out.Views[i] = vector.View{Off: uint32(w.start), Len: uint32(len(w.buf) - w.start)}
	w.start = len(w.buf)
}

func (w *writer) done() { w.out.Buf = w.buf }
