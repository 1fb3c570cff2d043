package format

import "bytes"

// csvFramer finds records whose line feeds may stand in quotes or behind an escape.
type csvFramer struct{ csvOptions }

// Next implements Framer. It looks at single bytes only where the line has a quote or an escape.
func (f csvFramer) Next(text []byte, at int) (end, next int, whole bool) {
	k := bytes.IndexByte(text[at:], '\n')
	line := text[at:]
	if k >= 0 {
		line = line[:k]
	}
	if f.quote >= 0 && bytes.IndexByte(line, byte(f.quote)) >= 0 || f.escape >= 0 && bytes.IndexByte(line, byte(f.escape)) >= 0 {
		if !f.comment(line) {
			return f.walk(text, at)
		}
	}
	if k < 0 {
		return len(text), len(text), false
	}
	return at + k, at + k + 1, true
}

// walk finds the end of the record by going from value to value, the first of which may stand behind a byte order mark.
func (f csvFramer) walk(text []byte, at int) (end, next int, whole bool) {
	for i := at + ByteOrderMark(text[at:]); ; {
		for f.trim && i < len(text) && text[i] == ' ' {
			i++
		}
		if i < len(text) && int(text[i]) == f.quote {
			if i = f.closing(text, i+1); i < 0 {
				break
			}
			i++
		}
		for ; i < len(text) && text[i] != f.delimiter && text[i] != '\n'; i++ {
			if int(text[i]) == f.escape {
				i++
			}
		}
		if i >= len(text) {
			break
		}
		if text[i] == '\n' {
			return i, i + 1, true
		}
		i++
	}
	return len(text), len(text), false
}

// closing is the quote that ends the value whose text begins at text[i], or -1.
func (o *csvOptions) closing(text []byte, i int) int {
	for ; i < len(text); i++ {
		switch int(text[i]) {
		case o.escape:
			i++
		case o.quote:
			if i+1 == len(text) || int(text[i+1]) != o.quote {
				return i
			}
			i++
		}
	}
	return -1
}
