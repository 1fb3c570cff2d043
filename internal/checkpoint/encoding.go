package checkpoint

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
)

// A file is, all numbers little-endian:
//
//	header    8 bytes "TMCHKPT\n", version uint32, zero uint32, tag uint64
//	bytes     those of its sections that no older file has, one after the other
//	index     number of files uint32; for each file that bytes of a section are in, beside this one, ascending: id of its checkpoint uint64, its tag uint64;
//	          for each section: length of its name uint16, name, number of extents uint32; for each extent, which together are its bytes:
//	          file uint32 (0 is this one, n is the n-th of those above), offset uint64, length uint64, CRC-32C uint32
//	footer    number of sections uint32, length of the index uint32, offset of the index uint64, id of the checkpoint uint64,
//	          CRC-32C of header, index and the footer so far uint32, 4 bytes "end\n"
//
// The tag is random, so that a file is not taken for another one that had its number. Extents of this file come in the order of their bytes and leave none out; those of other files do not overlap, and name the file
// that has the bytes, however old it is. So every byte is under exactly one checksum, and no change of one goes unnoticed.
//
// Version 1 had no tag and no other files: the index was, for each section: length of its name uint16, name, offset uint64, length uint64, CRC-32C uint32.
const (
	magic         = "TMCHKPT\n"
	ending        = "end\n"
	version       = 2
	firstVersion  = 1
	headerSize    = 24
	oldHeaderSize = 16
	footerSize    = 32
	extentSize    = 24
	maxName       = 1 << 10
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// origin is a file that has bytes of sections: that of a checkpoint, which may be one that is not kept any more.
type origin struct {
	id  int64
	tag uint64
}

// extent is a stretch of bytes, and where it is.
type extent struct {
	file           int64 // the checkpoint in whose file it is
	offset, length int64
	sum            uint32
}

func (e extent) end() int64 { return e.offset + e.length }

type section struct {
	name    string
	extents []extent
}

func (s *section) length() (n int64) {
	for _, e := range s.extents {
		n += e.length
	}
	return n
}

// contents is what a file says of itself.
type contents struct {
	origin
	others   []origin // files that bytes of sections are in, ascending
	sections []section
}

// referred is how many bytes of each file the sections are of, its own among them.
func (c *contents) referred() map[int64]int64 {
	all := map[int64]int64{}
	for _, s := range c.sections {
		for _, e := range s.extents {
			all[e.file] += e.length
		}
	}
	return all
}

func header(tag uint64) []byte {
	b := append(make([]byte, 0, headerSize), magic...)
	b = binary.LittleEndian.AppendUint32(b, version)
	b = binary.LittleEndian.AppendUint32(b, 0)
	return binary.LittleEndian.AppendUint64(b, tag)
}

// tail is the index and the footer of a file whose own bytes end at offset.
func (c *contents) tail(offset int64) []byte {
	number := map[int64]uint32{c.id: 0}
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(c.others)))
	for i, o := range c.others {
		number[o.id] = uint32(i + 1)
		b = binary.LittleEndian.AppendUint64(b, uint64(o.id))
		b = binary.LittleEndian.AppendUint64(b, o.tag)
	}
	for _, s := range c.sections {
		b = binary.LittleEndian.AppendUint16(b, uint16(len(s.name)))
		b = append(b, s.name...)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(s.extents)))
		for _, e := range s.extents {
			b = binary.LittleEndian.AppendUint32(b, number[e.file])
			b = binary.LittleEndian.AppendUint64(b, uint64(e.offset))
			b = binary.LittleEndian.AppendUint64(b, uint64(e.length))
			b = binary.LittleEndian.AppendUint32(b, e.sum)
		}
	}
	index := len(b)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(c.sections)))
	b = binary.LittleEndian.AppendUint32(b, uint32(index))
	b = binary.LittleEndian.AppendUint64(b, uint64(offset))
	b = binary.LittleEndian.AppendUint64(b, uint64(c.id))
	b = binary.LittleEndian.AppendUint32(b, crc32.Update(crc32.Checksum(header(c.tag), castagnoli), castagnoli, b))
	return append(b, ending...)
}

// errDamaged is what is wrong with a file that is not, or not any more, what was written. Its text is half a sentence about the file.
type errDamaged string

func (e errDamaged) Error() string { return string(e) }

const (
	torn     errDamaged = "it is cut off"
	foreign  errDamaged = "it is not a checkpoint"
	changed  errDamaged = "its table of contents has changed since it was written"
	nonsense errDamaged = "its table of contents makes no sense"
)

// readHeader reads the header of a file: what is under its checksum, the version, and the tag, 0 in version 1.
func readHeader(r io.ReaderAt) (head []byte, v uint32, tag uint64, err error) {
	head = make([]byte, oldHeaderSize, headerSize)
	if err := readFull(r, head, 0); err != nil {
		return nil, 0, 0, err
	}
	if string(head[:len(magic)]) != magic {
		return nil, 0, 0, foreign
	}
	v = binary.LittleEndian.Uint32(head[8:])
	if v > version {
		return nil, 0, 0, errDamaged(fmt.Sprintf("it has version %d, and this program reads versions up to %d: it was written by a newer one", v, version))
	}
	if v == firstVersion {
		return head, v, 0, nil
	}
	head = head[:headerSize]
	if err := readFull(r, head[oldHeaderSize:], oldHeaderSize); err != nil {
		return nil, 0, 0, err
	}
	return head, v, binary.LittleEndian.Uint64(head[oldHeaderSize:]), nil
}

// readTail reads the index of a file of size bytes. It reads at most what the file holds, whatever the file says.
func readTail(r io.ReaderAt, size int64) (*contents, error) {
	if size < oldHeaderSize+footerSize {
		return nil, torn
	}
	head, v, tag, err := readHeader(r)
	if err != nil {
		return nil, err
	}
	foot := make([]byte, footerSize)
	if err := readFull(r, foot, size-footerSize); err != nil {
		return nil, err
	}
	if string(foot[footerSize-len(ending):]) != ending {
		return nil, torn
	}
	count, length := binary.LittleEndian.Uint32(foot), int64(binary.LittleEndian.Uint32(foot[4:]))
	offset := int64(binary.LittleEndian.Uint64(foot[8:]))
	if offset != size-footerSize-length || offset < int64(len(head)) {
		return nil, changed
	}
	b := make([]byte, length)
	if err := readFull(r, b, offset); err != nil {
		return nil, err
	}
	sum := crc32.Update(crc32.Update(crc32.Checksum(head, castagnoli), castagnoli, b), castagnoli, foot[:footerSize-8])
	if sum != binary.LittleEndian.Uint32(foot[footerSize-8:]) {
		return nil, changed
	}
	c := &contents{origin: origin{int64(binary.LittleEndian.Uint64(foot[16:])), tag}}
	d := &indexDecoder{src: b}
	if v == firstVersion {
		d.oldSections(c, count)
	} else {
		d.origins(c)
		d.sections(c, count)
	}
	if d.bad || len(d.src) > 0 || !c.sound(int64(len(head)), offset) {
		return nil, nonsense
	}
	return c, nil
}

// sound reports whether the extents of the file itself are its bytes from begin to end, and those of the others are apart from each other.
func (c *contents) sound(begin, end int64) bool {
	var elsewhere []extent
	for _, s := range c.sections {
		for _, e := range s.extents {
			switch {
			case e.offset < 0 || e.length < 0 || e.end() < e.offset:
				return false
			case e.file != c.id:
				elsewhere = append(elsewhere, e)
			case e.offset != begin:
				return false
			default:
				begin = e.end()
			}
		}
	}
	slices.SortFunc(elsewhere, func(a, b extent) int { return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.offset, b.offset)) })
	for i, e := range elsewhere {
		if e.offset < headerSize || i > 0 && elsewhere[i-1].file == e.file && elsewhere[i-1].end() > e.offset {
			return false
		}
	}
	return begin == end
}

// indexDecoder reads an index; after the first error everything it reads is zero.
type indexDecoder struct {
	src []byte
	bad bool
}

func (d *indexDecoder) take(n int) []byte {
	if n > len(d.src) {
		d.src, d.bad = nil, true
		return make([]byte, n)
	}
	b := d.src[:n]
	d.src = d.src[n:]
	return b
}

func (d *indexDecoder) uint32() uint32 { return binary.LittleEndian.Uint32(d.take(4)) }
func (d *indexDecoder) int64() int64   { return int64(binary.LittleEndian.Uint64(d.take(8))) }

func (d *indexDecoder) name() string {
	n := int(binary.LittleEndian.Uint16(d.take(2)))
	if n > maxName {
		d.src, d.bad = nil, true
		return ""
	}
	return string(d.take(n))
}

func (d *indexDecoder) origins(c *contents) {
	last := int64(0)
	for range d.uint32() {
		o := origin{d.int64(), uint64(d.int64())}
		if d.bad || o.id <= last || o.id >= c.id {
			d.src, d.bad = nil, true
			return
		}
		last = o.id
		c.others = append(c.others, o)
	}
}

func (d *indexDecoder) sections(c *contents, count uint32) {
	for range count {
		s := section{name: d.name()}
		for range d.uint32() {
			if len(d.src) < extentSize {
				d.src, d.bad = nil, true
				return
			}
			file := d.uint32()
			e := extent{c.id, d.int64(), d.int64(), d.uint32()}
			switch {
			case file > uint32(len(c.others)):
				d.bad = true
			case file > 0:
				e.file = c.others[file-1].id
			}
			s.extents = append(s.extents, e)
		}
		if d.bad {
			return
		}
		c.sections = append(c.sections, s)
	}
}

func (d *indexDecoder) oldSections(c *contents, count uint32) {
	for range count {
		s := section{name: d.name(), extents: []extent{{c.id, d.int64(), d.int64(), d.uint32()}}}
		if d.bad {
			return
		}
		c.sections = append(c.sections, s)
	}
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
