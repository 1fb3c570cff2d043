package history

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"

	"github.com/tidemark-sql/tidemark/internal/fault"
)

// A file is records behind each other:
//
//	marker: 4 bytes, length of the payload: 4 bytes, CRC-32C of the payload: 4 bytes, payload
//
// Numbers are little-endian. What is no record is passed over up to the next marker behind which there is one; behind the last one it is cut off before anything is appended.
var marker = []byte{0xf5, 'T', 'm', 'H'}

const (
	headBytes = 12
	// mostPayload is how long a payload can be: a greater length is damage.
	mostPayload = 64 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func appendRecord(dst, payload []byte) []byte {
	dst = append(dst, marker...)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(payload)))
	dst = binary.LittleEndian.AppendUint32(dst, crc32.Checksum(payload, castagnoli))
	return append(dst, payload...)
}

// payloadOf is the payload of the record that b begins with, nil if it begins with none.
func payloadOf(b []byte) []byte {
	if len(b) < headBytes || !bytes.HasPrefix(b, marker) {
		return nil
	}
	n := int(binary.LittleEndian.Uint32(b[4:]))
	if n > mostPayload || n > len(b)-headBytes {
		return nil
	}
	payload := b[headBytes : headBytes+n : headBytes+n]
	if crc32.Checksum(payload, castagnoli) != binary.LittleEndian.Uint32(b[8:]) {
		return nil
	}
	return payload
}

// records calls f for each record, with the place at which it begins, and returns where the last one ends.
func records(b []byte, f func(at int, payload []byte)) (end int) {
	for at := 0; ; {
		next := bytes.Index(b[at:], marker)
		if next < 0 {
			return end
		}
		at += next
		if payload := payloadOf(b[at:]); payload != nil {
			f(at, payload)
			at += headBytes + len(payload)
			end = at
		} else {
			at++
		}
	}
}

// place is where a record is in its file.
type place struct {
	at     int64
	length int32 // of the payload
}

// bytes is what the record takes.
func (p place) bytes() int64 { return headBytes + int64(p.length) }

// file is a file that is appended to.
type file struct {
	path string
	f    *os.File
	size int64 // up to where it is whole
}

// openFile opens a file, which is made if it is not there, and reads its records. They are in room, which grows to the size of the file, until the next one is opened with it.
func openFile(path string, room *[]byte, f func(at place, payload []byte)) (*file, error) {
	opened, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, failed("open", err)
	}
	b, err := readWhole(opened, *room)
	if err != nil {
		opened.Close()
		return nil, failed("read", err)
	}
	*room = b[:0]
	end := records(b, func(at int, payload []byte) { f(place{int64(at), int32(len(payload))}, payload) })
	x := &file{path, opened, int64(end)}
	if end < len(b) {
		err = x.cut()
	}
	return x, err
}

// readWhole reads a file into b, or into a larger one if that is too small.
func readWhole(f *os.File, b []byte) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if int64(cap(b)) < info.Size() {
		b = make([]byte, info.Size())
	}
	b = b[:info.Size()]
	n, err := io.ReadFull(f, b)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil // it is empty, or shorter than it was
	}
	return b[:n], err
}

// cut cuts off what stands behind the end.
func (x *file) cut() error {
	if err := x.f.Truncate(x.size); err != nil {
		return failed("write", err)
	}
	return nil
}

// append writes records, and nothing of them if it fails. They are on the disk once sync has returned.
func (x *file) append(records []byte) error {
	if _, err := x.f.WriteAt(records, x.size); err != nil {
		return errors.Join(failed("write", err), x.cut())
	}
	x.size += int64(len(records))
	return nil
}

func (x *file) sync() error {
	if err := x.f.Sync(); err != nil {
		return failed("write", err)
	}
	return nil
}

// read reads the payload of a record; it is errDamaged if that is not what was written.
func (x *file) read(p place) ([]byte, error) {
	b := make([]byte, p.bytes())
	if _, err := x.f.ReadAt(b, p.at); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, errDamaged
		}
		return nil, failed("read", err)
	}
	payload := payloadOf(b)
	if payload == nil {
		return nil, errDamaged
	}
	return payload, nil
}

func failed(what string, err error) error {
	return fault.Wrap(fault.OfIO(err), fmt.Errorf("%s the history of statements: %w", what, err))
}
