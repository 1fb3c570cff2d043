package checkpoint

import (
	"fmt"
	"hash"
	"hash/crc32"
	"io"
)

// AddStream is Add of a section that is never in memory as a whole: it holds what data gives until its end. An error is one of data; what the section holds is then of no use, and the writer is only good
// for being aborted.
func (w *Writer) AddStream(name string, data io.Reader) error {
	w.begin(name)
	e := &w.index[len(w.index)-1]
	b := make([]byte, 256<<10)
	for {
		n, err := data.Read(b)
		e.sum = crc32.Update(e.sum, castagnoli, b[:n])
		e.length += int64(n)
		w.write(b[:n])
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// Stream reads the section of that name piece by piece. That it is not what was written is told at its end, in place of io.EOF.
func (r *Reader) Stream(name string) (io.Reader, error) {
	for _, e := range r.index {
		if e.name == name {
			return &stream{reader: r, entry: e, sum: crc32.New(castagnoli)}, nil
		}
	}
	return nil, damage(r.ID, errDamaged(fmt.Sprintf("it has no section '%s'", name)))
}

type stream struct {
	reader *Reader
	entry  entry
	at     int64 // from the start of the section
	sum    hash.Hash32
}

// Read implements io.Reader.
func (s *stream) Read(b []byte) (int, error) {
	left := s.entry.length - s.at
	if left == 0 {
		if s.sum.Sum32() != s.entry.sum {
			return 0, damage(s.reader.ID, changedSection(s.entry.name))
		}
		return 0, io.EOF
	}
	b = b[:min(int64(len(b)), left)]
	if err := readFull(s.reader.file, b, s.entry.offset+s.at); err != nil {
		return 0, damage(s.reader.ID, err)
	}
	s.at += int64(len(b))
	s.sum.Write(b)
	return len(b), nil
}
