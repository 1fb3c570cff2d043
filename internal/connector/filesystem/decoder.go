package filesystem

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/format"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// decoder reads ranges, and decodes their records and those of blocks.
type decoder struct {
	pieces  PieceReader // of containers; then records and framer are nil
	records format.Decoder
	framer  format.Framer
	marked  bool // a file may begin with a byte order mark
	header  bool // the first record of a file is no row
	maxLine int64
	// metadata are the keys of the columns of a batch, "" for one that stands in records. It is nil if all do.
	metadata []string
	rest     []byte // scratch: the lines of a chunk that its first batch had no room for
	left     []connector.Misread
}

func (d *decoder) Decode(c connector.Chunk, memory *vector.Pool, maxRows int, each func(*vector.Batch) error) (connector.Decoded, error) {
	if p, ok := c.(*piece); ok {
		if err := p.file.fence.check(p.file.path); err != nil {
			return connector.Decoded{}, err
		}
		return connector.Decoded{}, d.pieces.Read(p.file.path, p.number, memory, maxRows, func(b *vector.Batch) error {
			d.addMetadata(b, p.file)
			return each(b)
		})
	}
	skipped := d.records.Skipped()
	d.left = nil
	var err error
	switch c := c.(type) {
	case *chunk:
		err = d.decodeRange(c, memory, maxRows, each)
	case *block:
		err = d.decodeBlock(c, memory, maxRows, each)
	}
	return connector.Decoded{Skipped: d.records.Skipped() - skipped, Misread: d.left}, err
}

// decodeRange reads whole lines into the memory of the batch.
func (d *decoder) decodeRange(c *chunk, memory *vector.Pool, maxRows int, each func(*vector.Batch) error) error {
	arena := memory.Get()
	t, broken := readLines(c, arena, d.maxLine)
	t = d.behead(t)
	b, taken, err := format.Decode(d.records, d.framer, arena, t.lines, maxRows)
	// What a batch points to goes away with it, so the lines left over move before it is given away.
	d.rest = append(d.rest[:0], t.lines[taken:]...)
	t.at += int64(taken)
	if err := d.emit(c.file, b, t.at-int64(taken), err, each); err != nil {
		return err
	}
	for rest := d.rest; len(rest) > 0; {
		arena := memory.Get()
		lines := arena.Bytes(prefix(rest, maxRows))
		rest = rest[copy(lines, rest):]
		b, _, err := format.Decode(d.records, d.framer, arena, lines, maxRows)
		if err := d.emit(c.file, b, t.at, err, each); err != nil {
			return err
		}
		t.at += int64(len(lines))
	}
	return broken
}

// decodeBlock decodes records where they are: the memory is nobody else's, and the batches keep it.
func (d *decoder) decodeBlock(b *block, memory *vector.Pool, maxRows int, each func(*vector.Batch) error) error {
	for t := d.behead(text{b.text, b.at}); len(t.lines) > 0; {
		batch, taken, err := format.Decode(d.records, d.framer, memory.Get(), t.lines, maxRows)
		if err := d.emit(b.file, batch, t.at, err, each); err != nil {
			return err
		}
		t = text{t.lines[taken:], t.at + int64(taken)}
	}
	return nil
}

// behead leaves out the byte order mark and the header if t is the beginning of a file.
func (d *decoder) behead(t text) text {
	if t.at > 0 {
		return t
	}
	first := 0
	if d.marked {
		first = format.ByteOrderMark(t.lines)
	}
	if d.header && len(t.lines) > first {
		_, first, _ = d.framer.Next(t.lines, first)
	}
	return text{t.lines[first:], int64(first)}
}

// emit gives b away, whose records begin at offset base of the text of f, and then reports the error that its decoding ended with.
func (d *decoder) emit(f file, b *vector.Batch, base int64, err error, each func(*vector.Batch) error) error {
	for _, m := range format.Misread(d.records) {
		m.Origin = f.path
		m.Offset += base
		d.left = append(d.left, m)
	}
	if b.N == 0 {
		b.Release()
	} else {
		d.addMetadata(b, f)
		if err := each(b); err != nil {
			return err
		}
	}
	if row, ok := errors.AsType[*format.RowError](err); ok {
		return fmt.Errorf("%s: %w", placeName(f, base+int64(row.Offset)), err)
	}
	return err
}

// addMetadata puts what is known of the file between the columns that were decoded: first those of the records, then what their format tells beside them.
func (d *decoder) addMetadata(b *vector.Batch, f file) {
	if d.metadata == nil {
		return
	}
	cols, decoded, told := b.Arena.Columns(len(d.metadata)), b.Cols, b.Cols
	for _, key := range d.metadata {
		if key == "" {
			told = told[1:]
		}
	}
	for i, key := range d.metadata {
		switch key {
		case "":
			cols[i], decoded = decoded[0], decoded[1:]
		case "file.path":
			cols[i] = constantText(b.Arena, f.path)
		case "file.name":
			cols[i] = constantText(b.Arena, filepath.Base(f.path))
		case "file.size":
			cols[i] = constantInt(b.Arena, f.size)
		case "file.modification-time":
			cols[i] = constantInt(b.Arena, f.modified/1000*1000)
		default:
			cols[i], told = told[0], told[1:]
		}
	}
	b.Cols = cols
}

func constantText(a *vector.Arena, s string) *vector.Vector {
	v := a.Constant(vector.Bytes)
	v.Buf = a.Bytes(len(s))
	copy(v.Buf, s)
	v.Views[0] = vector.View{Len: uint32(len(s))}
	return v
}

func constantInt(a *vector.Arena, n int64) *vector.Vector {
	v := a.Constant(vector.Int64)
	v.Ints[0] = n
	return v
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
