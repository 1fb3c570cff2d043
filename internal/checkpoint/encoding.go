package checkpoint

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// A file is, all numbers little-endian:
//
//	header    8 bytes "TMCHKPT\n", version uint32, zero uint32
//	sections  the bytes of each, one after the other
//	index     for each section: length of its name uint16, name, offset uint64, length uint64, CRC-32C uint32
//	footer    number of sections uint32, length of the index uint32, offset of the index uint64, id of the checkpoint uint64,
//	          CRC-32C of header, index and the footer so far uint32, 4 bytes "end\n"
//
// Every byte of the file is under exactly one checksum, so that no change of one goes unnoticed.
const (
	magic      = "TMCHKPT\n"
	ending     = "end\n"
	version    = 1
	headerSize = 16
	footerSize = 32
	maxName    = 1 << 10
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// entry is where a section is in its file.
type entry struct {
	name           string
	offset, length int64
	sum            uint32
}

func header() []byte {
	b := append(make([]byte, 0, headerSize), magic...)
	b = binary.LittleEndian.AppendUint32(b, version)
	return binary.LittleEndian.AppendUint32(b, 0)
}

// tail is the index and the footer of a file whose sections end at offset.
func tail(id int64, sections []entry, offset int64) []byte {
	var b []byte
	for _, e := range sections {
		b = binary.LittleEndian.AppendUint16(b, uint16(len(e.name)))
		b = append(b, e.name...)
		b = binary.LittleEndian.AppendUint64(b, uint64(e.offset))
		b = binary.LittleEndian.AppendUint64(b, uint64(e.length))
		b = binary.LittleEndian.AppendUint32(b, e.sum)
	}
	index := len(b)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(sections)))
	b = binary.LittleEndian.AppendUint32(b, uint32(index))
	b = binary.LittleEndian.AppendUint64(b, uint64(offset))
	b = binary.LittleEndian.AppendUint64(b, uint64(id))
	b = binary.LittleEndian.AppendUint32(b, crc32.Update(crc32.Checksum(header(), castagnoli), castagnoli, b))
	return append(b, ending...)
}

// errDamaged is what is wrong with a file that is not, or not any more, what was written. Its text is half a sentence about the file.
type errDamaged string

func (e errDamaged) Error() string { return string(e) }

const (
	torn     errDamaged = "it is cut off"
	foreign  errDamaged = "it is not a checkpoint"
	changed  errDamaged = "its table of contents has changed since it was written"
	sections errDamaged = "its table of contents makes no sense"
)

// readTail reads the index of a file of size bytes. It reads at most what the file holds, whatever the file says.
func readTail(r io.ReaderAt, size int64) (id int64, index []entry, err error) {
	if size < headerSize+footerSize {
		return 0, nil, torn
	}
	head, foot := make([]byte, headerSize), make([]byte, footerSize)
	if err := readFull(r, head, 0); err != nil {
		return 0, nil, err
	}
	if string(head[:len(magic)]) != magic {
		return 0, nil, foreign
	}
	if v := binary.LittleEndian.Uint32(head[8:]); v > version {
		return 0, nil, errDamaged(fmt.Sprintf("it has version %d, and this program reads versions up to %d: it was written by a newer one", v, version))
	}
	if err := readFull(r, foot, size-footerSize); err != nil {
		return 0, nil, err
	}
	if string(foot[footerSize-len(ending):]) != ending {
		return 0, nil, torn
	}
	count, length := binary.LittleEndian.Uint32(foot), int64(binary.LittleEndian.Uint32(foot[4:]))
	offset := binary.LittleEndian.Uint64(foot[8:])
	if offset != uint64(size-footerSize-length) || offset < headerSize {
		return 0, nil, changed
	}
	b := make([]byte, length)
	if err := readFull(r, b, int64(offset)); err != nil {
		return 0, nil, err
	}
	sum := crc32.Update(crc32.Update(crc32.Checksum(head, castagnoli), castagnoli, b), castagnoli, foot[:footerSize-8])
	if sum != binary.LittleEndian.Uint32(foot[footerSize-8:]) {
		return 0, nil, changed
	}
	at := uint64(headerSize)
	for range count {
		var e entry
		if e, b, err = readEntry(b, at); err != nil {
			return 0, nil, err
		}
		index = append(index, e)
		at += uint64(e.length)
	}
	if len(b) != 0 || at != offset {
		return 0, nil, sections
	}
	return int64(binary.LittleEndian.Uint64(foot[16:])), index, nil
}

// readEntry reads the entry of the section that begins at offset at.
func readEntry(b []byte, at uint64) (e entry, rest []byte, err error) {
	if len(b) < 2 {
		return e, nil, sections
	}
	n := int(binary.LittleEndian.Uint16(b))
	if n > maxName || len(b) < 2+n+20 {
		return e, nil, sections
	}
	e.name, b = string(b[2:2+n]), b[2+n:]
	offset, length := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
	if offset != at || length > 1<<62 {
		return e, nil, sections
	}
	e.offset, e.length, e.sum = int64(offset), int64(length), binary.LittleEndian.Uint32(b[16:])
	return e, b[20:], nil
}

// readFull reads len(b) bytes at offset; a file that ends before is torn.
func readFull(r io.ReaderAt, b []byte, offset int64) error {
	n, err := r.ReadAt(b, offset)
	if n == len(b) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		return torn
	}
	return err
}
