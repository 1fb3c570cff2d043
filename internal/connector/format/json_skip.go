package format

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// skip steps over the value at buf[i] and returns what stands behind it, or -1.
func (d *JSONDecoder) skip(i, end int) int {
	buf := d.buf
	switch buf[i] {
	case '"':
		closing := closingQuote(buf, i+1, end)
		if closing < 0 {
			return d.failAt(openString, i)
		}
		return closing + 1
	case '{', '[':
		return d.skipNested(i, end)
	}
	after := scalarEnd(buf, i)
	if d.depth > 0 {
		after = cutAtBracket(buf, i, after)
	}
	if after == i {
		return d.failAt(wantValue, i)
	}
	return after
}

// scalarEnd finds the end of the number, true, false or null at buf[i]. Looking at eight bytes at once is not only
// quick: with lengths that differ from row to row, a loop over bytes would be mispredicted in most of them.
func scalarEnd(buf []byte, i int) int {
	if i+8 <= len(buf) {
		w := binary.LittleEndian.Uint64(buf[i:])
		// In each term the lowest high bit marks the first byte of one of the three kinds; bits above it may be false.
		comma, brace := w^','*ones, w^'}'*ones
		if ends := ((comma-ones)&^comma | (brace-ones)&^brace | (w-'#'*ones)&^w) & highs; ends != 0 {
			return i + bits.TrailingZeros64(ends)>>3
		}
		i += 8
	}
	for !endsScalar(buf[i]) {
		i++
	}
	return i
}

// endsScalar tells the bytes before which a number, true, false or null is over: a comma, a brace, and white space and
// quotes with all that lies below '#'. What else ends a scalar does not follow one that is the value of a member.
func endsScalar(c byte) bool { return c == ',' || c == '}' || c < '#' }

// skipNested steps over the object or array at buf[i].
func (d *JSONDecoder) skipNested(i, end int) int {
	if after := skipPlain(d.buf, i, end); after > 0 {
		return after
	}
	return d.skipCounting(i, end)
}

// skipCounting counts brackets without telling the two kinds apart.
func (d *JSONDecoder) skipCounting(i, end int) int {
	buf, depth := d.buf, 0
	for at := i; at < end; at++ {
		switch buf[at] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return at + 1
			}
		case '"':
			closing := closingQuote(buf, at+1, end)
			if closing < 0 {
				return d.failAt(openString, at)
			}
			at = closing
		}
	}
	return d.failAt(cutOff, end)
}

// closingQuote finds the quote that ends the string whose text begins at buf[i], or -1.
func closingQuote(buf []byte, i, end int) int {
	for at := i; ; at++ {
		k := bytes.IndexByte(buf[at:end], '"')
		if k < 0 {
			return -1
		}
		at += k
		if buf[at-1] != '\\' {
			return at
		}
		// The quote is escaped if an odd number of backslashes stands before it.
		back := at
		for back > i && buf[back-1] == '\\' {
			back--
		}
		if (at-back)&1 == 0 {
			return at
		}
	}
}
