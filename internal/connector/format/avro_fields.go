package format

import (
	"encoding/binary"
	"math"
	"math/bits"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// avroOp reads or skips one field of a record. What most fields are is told by a code and read in one loop, as a call of a step, and one more for its
// union, would take longer than the reading.
type avroOp struct {
	code avroCode
	// The bytes of the branches of a union of null and one other type.
	union       bool
	null, value byte
	column      *column // nil: the field is skipped
	whole       avroWhole
	size        int      // bytes of what is skipped
	step        avroStep // of a byCall
}

// avroCode is what a field is.
type avroCode uint8

const (
	byCall avroCode = iota
	wholeNumber
	doubleNumber
	textString
	skipNumber
	skipSized
	skipFixed
)

// op works out how to read a field into c, or to skip it if c is nil.
func (p *avroPlanner) op(w *avroType, c *column) (avroOp, error) {
	op := avroOp{column: c}
	if null, other, ok := w.orNull(); ok && (c == nil || !c.Type.NotNull) {
		op.union, op.null, op.value, w = true, byte(null<<1), byte((1-null)<<1), other
	}
	if c == nil {
		return op.skipping(p, w)
	}
	if w.kind == "int" || w.kind == "long" {
		if whole, ok := wholeOf(w, c.Type); ok && whole.step == 1 {
			op.code, op.whole = wholeNumber, whole
			return op, nil
		}
	}
	switch {
	case w.kind == "double" && c.Type.Kind == types.Double:
		op.code = doubleNumber
		return op, nil
	case w.kind == "string" && c.Type.IsText():
		op.code = textString
		return op, nil
	}
	var err error
	op.step, err = p.read(w, target{column: c, node: c.node, top: true})
	return op, err
}

func (op avroOp) skipping(p *avroPlanner, w *avroType) (avroOp, error) {
	switch w.kind {
	case "int", "long", "enum":
		op.code = skipNumber
		return op, nil
	case "bytes", "string":
		op.code = skipSized
		return op, nil
	}
	if size, ok := w.fixedSize(); ok {
		op.code, op.size = skipFixed, size
		return op, nil
	}
	var err error
	op.step, err = p.skip(w)
	return op, err
}

// orNull takes a union of null and another type apart.
func (w *avroType) orNull() (null int, other *avroType, ok bool) {
	if w.kind != "union" || len(w.branches) != 2 {
		return 0, nil, false
	}
	if w.branches[1].kind == "null" {
		null = 1
	}
	other = w.branches[1-null]
	return null, other, w.branches[null].kind == "null" && other.kind != "null"
}

// fixedSize is how many bytes each value of w takes, if that is always the same.
func (w *avroType) fixedSize() (n int, ok bool) {
	switch w.kind {
	case "null":
		return 0, true
	case "boolean":
		return 1, true
	case "float":
		return 4, true
	case "double":
		return 8, true
	case "fixed":
		return w.size, true
	}
	return 0, false
}

// record reads the record at buf[at] into row n and returns what stands behind it, or -1.
func (d *AvroDecoder) record(ops []avroOp, at, n int) int {
	for i := range ops {
		op := &ops[i]
		if op.union {
			// Nearly always the number of the branch is one byte.
			null := at < d.end && d.buf[at] == op.null
			if null || at < d.end && d.buf[at] == op.value {
				at++
			} else if null, at = d.branch(op, at); at < 0 {
				return -1
			}
			if null {
				if op.column != nil {
					d.setNull(op.column, n)
				}
				continue
			}
		}
		switch op.code {
		case wholeNumber:
			var v int64
			if v, at = d.long(at); at >= 0 && (v < op.whole.least || v > op.whole.greatest) {
				return d.fail(op.column, "%d is out of the range of %s", v, op.column.Type.Nullable())
			}
			op.column.vector.Ints[n] = v * op.whole.scale
		case doubleNumber:
			from := at
			if at = d.fixed(at, 8); at > 0 {
				op.column.vector.Floats[n] = math.Float64frombits(binary.LittleEndian.Uint64(d.buf[from:]))
			}
		case textString:
			var from int
			if from, at = d.bytes(at); at < 0 {
				return -1
			}
			if text := d.buf[from:at]; !isASCII(text) && !utf8.Valid(text) {
				return d.fail(op.column, "%s", lineFaults[notUTF8].message)
			}
			op.column.vector.Views[n] = vector.View{Off: uint32(from), Len: uint32(at - from)}
		case skipNumber:
			if at+8 <= d.end {
				if ends := ^binary.LittleEndian.Uint64(d.buf[at:]) & highs; ends != 0 {
					at += bits.TrailingZeros64(ends)>>3 + 1
					continue
				}
			}
			_, at = d.long(at)
		case skipSized:
			_, at = d.bytes(at)
		case skipFixed:
			at = d.fixed(at, op.size)
		default:
			at = op.step(d, at, n)
		}
		if at < 0 {
			return -1
		}
	}
	return at
}

// branch reads which branch of the union of op comes.
func (d *AvroDecoder) branch(op *avroOp, at int) (null bool, after int) {
	branch, after := d.long(at)
	if after >= 0 && (branch < 0 || branch > 1) {
		return false, d.fail(op.column, "branch %d of a union of 2", branch)
	}
	return branch == int64(op.null>>1), after
}

// long reads a number of variable length; after is -1 if there is none.
func (d *AvroDecoder) long(at int) (v int64, after int) {
	if at >= d.end || at+8 > len(d.buf) {
		return d.lastLong(at)
	}
	if c := d.buf[at]; c < 0x80 {
		return int64(c>>1) ^ -int64(c&1), at + 1
	}
	// The first byte without a high bit is the last one. Of each byte 7 bits count; they are moved together in pairs, fours and eights.
	w := binary.LittleEndian.Uint64(d.buf[at:])
	ends := ^w & highs
	size := bits.TrailingZeros64(ends)>>3 + 1
	if ends == 0 || at+size > d.end {
		return d.lastLong(at)
	}
	w &= ^uint64(0) >> (64 - 8*size) &^ highs
	w = w&0x007f007f007f007f | w&0x7f007f007f007f00>>1
	w = w&0x00003fff00003fff | w&0x3fff00003fff0000>>2
	w = w&0x0fffffff | w&0x0fffffff00000000>>4
	return int64(w>>1) ^ -int64(w&1), at + size
}

// lastLong reads one of more than eight bytes, or near the end of the records.
func (d *AvroDecoder) lastLong(at int) (v int64, after int) {
	v, size := binary.Varint(d.buf[at:d.end])
	if size <= 0 {
		return 0, d.fail(nil, "the record is cut off or its bytes are not Avro")
	}
	return v, at + size
}
