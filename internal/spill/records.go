package spill

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Records shows the living records of a run, in their order: data is its bytes and alive which of them live, as FrozenRun has both. Records are valid during the call. It
// believes nothing: whatever the bytes are, it shows them or fails.
func Records(data io.Reader, alive []byte, each func(Record) error) error {
	if len(alive)%8 != 0 {
		return fmt.Errorf("read state: which records live is %d bytes long, and not a multiple of 8", len(alive))
	}
	living := make(bitmap, len(alive)/8)
	for i := range living {
		living[i] = binary.LittleEndian.Uint64(alive[8*i:])
	}
	s := stream{in: bufio.NewReaderSize(data, writeBytes)}
	for i := living.next(0); i >= 0; {
		end := int64(-1) // of the record at most
		next := living.next(i + 1)
		if next >= 0 {
			end = int64(next) * unit
		}
		rec, err := s.record(int64(i)*unit, end)
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			err = errors.New("read state: it ends in the middle of a record")
		}
		if err != nil {
			return err
		}
		if err := each(rec); err != nil {
			return err
		}
		i = next
	}
	return nil
}

// stream is a run that comes in from its start.
type stream struct {
	in  *bufio.Reader
	at  int64
	buf []byte
}

// record reads the record at an offset, which ends before end unless that is negative.
func (s *stream) record(at, end int64) (Record, error) {
	if err := s.skip(at - s.at); err != nil {
		return Record{}, err
	}
	header, err := s.in.Peek(headerBytes)
	if err != nil {
		return Record{}, err
	}
	n := lengthAt(header)
	if end >= 0 && at+n > end {
		return Record{}, errors.New("read state: " + errDamaged.Error())
	}
	// Memory is taken for what comes in, and not for what a length says.
	s.buf = s.buf[:0]
	for int64(len(s.buf)) < n {
		had, more := len(s.buf), int(min(n-int64(len(s.buf)), writeBytes))
		s.buf = append(s.buf, make([]byte, more)...)
		if _, err := io.ReadFull(s.in, s.buf[had:]); err != nil {
			return Record{}, err
		}
	}
	s.at = at + n
	return recordAt(s.buf), nil
}

func (s *stream) skip(n int64) error {
	s.at += n
	for n > 0 {
		k, err := s.in.Discard(int(min(n, 1<<30)))
		if err != nil {
			return err
		}
		n -= int64(k)
	}
	return nil
}

// Restore adds those of the living records of a run that owns accepts, without a look at their values. data and alive are as for Records, and no key of them is in the table.
func (t *Table) Restore(data io.Reader, alive []byte, owns func(hash uint64) bool) error {
	w := t.Writer()
	err := Records(data, alive, func(rec Record) error {
		if !owns(rec.Hash) {
			return nil
		}
		if !w.inOrder(&rec) {
			return errors.New("read state: records are not in their order")
		}
		return w.add(&rec)
	})
	return errors.Join(err, w.Close())
}
