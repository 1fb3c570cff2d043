package filesystem

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// firstTail is how much is read behind a range at first to find the end of its last line: more than most lines have.
const firstTail = 4 << 10

// maxLine is the length beyond which a line is taken for a file that has no lines. Only the last line of a chunk can be as long.
const maxLine = 64 << 20

// text is whole lines and where in the file they begin.
type text struct {
	lines []byte
	at    int64
}

// readLines reads the lines that begin in c, into memory of a unless the last is unusually long. If a line is longer than limit the lines before it
// are returned with the error.
func readLines(c *chunk, a *vector.Arena, limit int64) (text, error) {
	f, err := c.file.open()
	if err != nil {
		return text{}, err
	}
	defer f.Close()
	// The byte before the range tells whether a line begins with the range.
	base := max(c.from-1, 0)
	buf := a.Bytes(int(min(c.to+firstTail, c.file.size) - base))
	if err := readAt(f, c, buf, base); err != nil {
		return text{}, err
	}
	first := 0
	if c.from > 0 {
		first = bytes.IndexByte(buf[:c.to-base-1], '\n') + 1
		if first == 0 {
			return text{}, nil
		}
	}
	seen := int(c.to - base - 1)
	last := bytes.LastIndexByte(buf[:seen], '\n') + 1
	end := -1
	for tail := int64(firstTail); ; tail *= 2 {
		if k := bytes.IndexByte(buf[seen:], '\n'); k >= 0 {
			end = seen + k + 1
			break
		}
		seen = len(buf)
		rest := c.file.size - base - int64(seen)
		if rest == 0 {
			end = seen
			break
		}
		if int64(seen-last) > limit {
			break
		}
		buf = slices.Grow(buf, int(min(tail, rest)))[:seen+int(min(tail, rest))]
		if err := readAt(f, c, buf[seen:], base+int64(seen)); err != nil {
			return text{}, err
		}
	}
	at := base + int64(first)
	if end < 0 || int64(end-last) > limit {
		return text{buf[first:last], at}, fault.Errorf(fault.Data, "%s: the line is longer than %d bytes; the format reads one record a line",
			placeName(c.file, base+int64(last)), limit)
	}
	return text{buf[first:end], at}, nil
}

// readAt fills buf from offset on. A file that ends earlier than it did when it was found is an error: rows already handed on may be of the old one.
func readAt(f *os.File, c *chunk, buf []byte, offset int64) error {
	n, err := f.ReadAt(buf, offset)
	switch {
	case n == len(buf):
		return nil
	case errors.Is(err, io.EOF):
		return fault.Errorf(fault.External, "read %s at byte %d: the file ends here but had %d bytes when the statement began",
			c.file.path, offset+int64(n), c.file.size)
	}
	return fault.Errorf(fault.External, "read %s at byte %d: %w", c.file.path, offset+int64(n), err)
}
