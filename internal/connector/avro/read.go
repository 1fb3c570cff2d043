package avro

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/connector/format"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// reader reads pieces.
type reader struct {
	decoder *format.AvroDecoder
	bare    bool // no column is needed: rows are only counted
	// Of the last file: pieces of one mostly follow each other.
	path   string
	header header
	plan   *format.AvroPlan

	raw    []byte  // scratch: the piece as it lies in the file
	blocks []block // scratch: of a stretch
}

// block is records in the text of a stretch.
type block struct {
	at    int64 // where in the file it begins
	count int64
	end   int // where its records end
}

// stretchBytes is how many bytes of records are unpacked before they are read. A small file can hold very many.
const stretchBytes = 4 << 20

// Read implements filesystem.PieceReader.
func (r *reader) Read(path string, number int, pool *vector.Pool, maxRows int, each func(*vector.Batch) error) error {
	f, err := os.Open(path)
	if err != nil {
		return failed(path, err)
	}
	defer f.Close()
	p, err := r.piece(path, f, number)
	if err != nil {
		return failed(path, err)
	}
	defer func() { r.raw = p.raw }()
	for p.more() {
		text, err := r.stretch(p)
		if err != nil {
			return failed(path, err)
		}
		if err := r.rows(path, text, pool, maxRows, each); err != nil {
			return err
		}
	}
	return nil
}

// rows gives the rows of the blocks of a stretch.
func (r *reader) rows(path string, text []byte, pool *vector.Pool, maxRows int, each func(*vector.Batch) error) (err error) {
	rows := int64(0)
	for _, b := range r.blocks {
		rows += b.count
	}
	if rows == 0 {
		return nil
	}
	if r.bare {
		return count(rows, pool, maxRows, each)
	}
	r.decoder.Use(r.plan)
	r.decoder.Begin(pool.Get(), text, int(min(rows, int64(maxRows))))
	n, at := 0, 0
	for _, b := range r.blocks {
		for k := range b.count {
			if n == maxRows {
				if err := each(r.decoder.End()); err != nil {
					return err
				}
				r.decoder.Begin(pool.Get(), text, int(min(rows, int64(maxRows))))
				n = 0
			}
			if at, err = r.decoder.Next(at, b.end); err != nil {
				return r.after(each, fault.Errorf(fault.Data, "read %s: row %d of the block at byte %d: %w", path, k+1, b.at, err))
			}
			n, rows = n+1, rows-1
		}
		if at != b.end {
			return r.after(each, fault.Errorf(fault.Data, "read %s: the block at byte %d has more than its %d rows; the file is damaged", path, b.at, b.count))
		}
	}
	return each(r.decoder.End())
}

// after gives the rows before an error, and returns it.
func (r *reader) after(each func(*vector.Batch) error, wrong error) error {
	b := r.decoder.End()
	if b.N == 0 {
		b.Release()
		return wrong
	}
	if err := each(b); err != nil {
		return err
	}
	return wrong
}

// count gives rows without columns.
func count(rows int64, pool *vector.Pool, maxRows int, each func(*vector.Batch) error) error {
	for ; rows > 0; rows -= int64(maxRows) {
		a := pool.Get()
		if err := each(&vector.Batch{Cols: a.Columns(0), N: int(min(rows, int64(maxRows))), Arena: a}); err != nil {
			return err
		}
	}
	return nil
}

// piece finds where the blocks of a piece begin.
func (r *reader) piece(path string, f *os.File, number int) (*piece, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	size := info.Size()
	if path != r.path {
		r.path = ""
		if r.header, err = readHeader(f, size); err != nil {
			return nil, err
		}
		if r.plan, err = r.decoder.Plan(r.header.schema); err != nil {
			return nil, err
		}
		r.path = path
	}
	from, to := int64(number)*pieceBytes, (int64(number)+1)*pieceBytes
	// A block belongs to the piece in which it begins, which is behind a marker.
	base := max(from-markerBytes, 0)
	if from <= r.header.end {
		base = r.header.end
	}
	p := &piece{f: f, base: base, size: size, raw: r.raw[:0], end: min(to, size)}
	if base >= to {
		return p, nil
	}
	if err := p.fill(int(p.end - base)); err != nil {
		return nil, err
	}
	if base < from {
		first := bytes.Index(p.raw, r.header.marker[:])
		if first < 0 {
			p.end = base
			return p, nil
		}
		p.at = first + markerBytes
	}
	return p, nil
}

// stretch gives the records of the next blocks of a piece, one behind the other, in memory that nobody else has.
func (r *reader) stretch(p *piece) (text []byte, err error) {
	r.blocks = r.blocks[:0]
	if !r.bare {
		text = make([]byte, 0, min(4*(len(p.raw)-p.at), stretchBytes))
	}
	for p.more() && len(text) < stretchBytes {
		b := block{at: p.base + int64(p.at)}
		if text, p.at, err = p.block(&r.header, r.bare, p.at, text, &b); err != nil {
			return nil, fmt.Errorf("the block at byte %d: %w", b.at, err)
		}
		r.blocks = append(r.blocks, b)
	}
	return text, nil
}

// piece is a range of a file that is read as far as it is needed.
type piece struct {
	f          io.ReaderAt
	base, size int64
	raw        []byte // from base on
	at         int    // in raw: where the next block begins
	end        int64  // blocks that begin here or behind belong to other pieces
}

// more reports whether there is another block.
func (p *piece) more() bool { return p.base+int64(p.at) < p.end }

// fill makes sure of n bytes of raw.
func (p *piece) fill(n int) error {
	have := len(p.raw)
	if have >= n {
		return nil
	}
	if int64(n) > p.size-p.base {
		return errCut
	}
	p.raw = slices.Grow(p.raw, n-have)[:n]
	if _, err := p.f.ReadAt(p.raw[have:], p.base+int64(have)); err != nil {
		if err == io.EOF {
			err = errCut
		}
		return err
	}
	return nil
}

// longest is how many bytes the numbers before a block take at most.
const longest = 20

// block appends the records of the block at raw[at] to text, unless they are only counted, and tells what stands behind it.
func (p *piece) block(h *header, bare bool, at int, text []byte, b *block) (_ []byte, after int, err error) {
	if err := p.fill(int(min(int64(at+longest), p.size-p.base))); err != nil {
		return nil, 0, err
	}
	c := cursor{buf: p.raw, at: at}
	b.count = c.long()
	size := c.long()
	if c.short || b.count < 0 || size < 0 {
		return nil, 0, errCut
	}
	if size > maxBlock {
		return nil, 0, errTooLarge
	}
	end := c.at + int(size)
	if err := p.fill(end + markerBytes); err != nil {
		return nil, 0, err
	}
	if !bytes.Equal(p.raw[end:end+markerBytes], h.marker[:]) {
		return nil, 0, errCut
	}
	before := len(text)
	if bare {
		// How many bytes they take would show if they were unpacked.
		if b.count > maxBlock+maxEmptyRows {
			return nil, 0, tooMany(b.count)
		}
		return text, end + markerBytes, nil
	}
	if text, err = h.codec.open(text, p.raw[c.at:end]); err != nil {
		return nil, 0, fmt.Errorf("the file is damaged: %w", err)
	}
	// A row may take no bytes, so that a count alone could keep a reader busy for ever.
	if b.end = len(text); b.count > int64(b.end-before)+maxEmptyRows {
		return nil, 0, tooMany(b.count)
	}
	return text, end + markerBytes, nil
}

// maxEmptyRows is how many rows without bytes a block may have.
const maxEmptyRows = 1 << 20

func tooMany(rows int64) error {
	return fmt.Errorf("%d rows do not fit in it; the file is damaged", rows)
}
