package filesystem

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/format"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// decoder reads ranges and decodes their lines.
type decoder struct {
	json    *format.JSONDecoder
	maxLine int64
	rest    []byte // scratch: the lines of a chunk that its first batch had no room for
}

func (d *decoder) Decode(c connector.Chunk, memory *vector.Pool, maxRows int, each func(*vector.Batch) error) (connector.Decoded, error) {
	skipped := d.json.Skipped()
	err := d.decode(c.(*chunk), memory, maxRows, each)
	return connector.Decoded{Skipped: d.json.Skipped() - skipped}, err
}

func (d *decoder) decode(c *chunk, memory *vector.Pool, maxRows int, each func(*vector.Batch) error) error {
	arena := memory.Get()
	t, broken := readLines(c, arena, d.maxLine)
	b, taken, err := d.json.Decode(arena, t.lines, maxRows)
	// What a batch points to goes away with it, so the lines left over move before it is given away.
	d.rest = append(d.rest[:0], t.lines[taken:]...)
	t.at += int64(taken)
	if err := d.emit(c, b, t.at-int64(taken), err, each); err != nil {
		return err
	}
	for rest := d.rest; len(rest) > 0; {
		arena := memory.Get()
		lines := arena.Bytes(prefix(rest, maxRows))
		rest = rest[copy(lines, rest):]
		b, _, err := d.json.Decode(arena, lines, maxRows)
		if err := d.emit(c, b, t.at, err, each); err != nil {
			return err
		}
		t.at += int64(len(lines))
	}
	return broken
}

// emit gives b away, whose lines begin at offset base of the file, and then reports the error that its decoding ended with.
func (d *decoder) emit(c *chunk, b *vector.Batch, base int64, err error, each func(*vector.Batch) error) error {
	if b.N == 0 {
		b.Release()
	} else if err := each(b); err != nil {
		return err
	}
	if row, ok := errors.AsType[*format.RowError](err); ok {
		return fmt.Errorf("%s: %w", place(c.file.path, base+int64(row.Offset)), err)
	}
	return err
}

// prefix is the length of the first n lines of text, or of all if there are fewer.
func prefix(text []byte, n int) int {
	end := 0
	for ; n > 0; n-- {
		k := bytes.IndexByte(text[end:], '\n')
		if k < 0 {
			return len(text)
		}
		end += k + 1
	}
	return end
}
