package format

import "bytes"

// skipPlain steps over an object that has no other in it, or an array without any in it; 0 if it is not sure to be one. Its end is the first bracket that
// closes, unless that stands in a string: then the quotes before it are odd, or some are escaped. To look for four bytes in turn is quicker than to go from
// string to string, as each search goes by many bytes at once.
func skipPlain(buf []byte, i, end int) int {
	inside := buf[i+1 : end]
	closing := bytes.IndexByte(inside, buf[i]+2) // ']' and '}' stand two behind what they close
	if closing < 0 {
		return 0
	}
	inside = inside[:closing]
	other := byte('{')
	if buf[i] == '[' {
		other = '}' // which closes nothing if it does not belong to an object, and is for skipCounting to tell
	}
	if bytes.IndexByte(inside, other) >= 0 || bytes.IndexByte(inside, '\\') >= 0 || bytes.Count(inside, quote)&1 != 0 || buf[i] == '[' && bytes.IndexByte(inside, '[') >= 0 {
		return 0
	}
	return i + closing + 2
}

var quote = []byte{'"'}
