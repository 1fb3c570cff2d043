package function

import (
	"bytes"
	"unicode/utf8"
)

// substring is where SUBSTRING cuts. Flink 2.3: a start of 0 is the first character, a negative one counts from the end, one before the beginning
// gives the empty string.
func substring(s []byte, c *Call, i int) (from, to int, ok bool) {
	start := int(c.Args[1].Int(i))
	length := len(s)
	if len(c.Args) == 3 {
		length = int(c.Args[2].Int(i))
	}
	if length < 0 {
		return 0, 0, false
	}
	switch {
	case start > 0:
		start--
	case start < 0:
		if start += utf8.RuneCount(s); start < 0 {
			return 0, 0, true
		}
	}
	from = byteOffset(s, start)
	return from, from + byteOffset(s[from:], length), true
}

// splitIndex is where the part of SPLIT_INDEX lies. An empty separator does not split.
func splitIndex(s []byte, c *Call, i int) (from, to int, ok bool) {
	separator, index := c.Args[1].Bytes(i), c.Args[2].Int(i)
	if index < 0 || len(s) == 0 {
		return 0, 0, false
	}
	for {
		end := -1
		if len(separator) > 0 {
			end = bytes.Index(s[from:], separator)
		}
		switch {
		case index == 0 && end < 0:
			return from, len(s), true
		case index == 0:
			return from, from + end, true
		case end < 0:
			return 0, 0, false
		}
		from += end + len(separator)
		index--
	}
}
