package history

import (
	"encoding/binary"
	"math/bits"
)

// A chunk is some columns of one statement in one hour:
//
//	mask of the hour: 8 bytes
//	then, for each label: its length and text, how many columns have it, and of each of these
//	  code of the series, way of writing (with ownMask: a mask of its own, 8 bytes), values
//
// Numbers are varints of package encoding/binary, masks little-endian.

// ownMask is set beside the way of writing if the column has not the minutes of the hour.
const ownMask = 0x80

func appendChunk(dst []byte, columns []*column) []byte {
	var common uint64
	var labels []string
	by := map[string][]*column{}
	for _, c := range columns {
		if bits.OnesCount64(c.mask) > bits.OnesCount64(common) {
			common = c.mask
		}
		if by[c.label] == nil {
			labels = append(labels, c.label)
		}
		by[c.label] = append(by[c.label], c)
	}
	dst = binary.LittleEndian.AppendUint64(dst, common)
	var values []int64
	for _, label := range labels {
		dst = appendText(dst, label)
		dst = binary.AppendUvarint(dst, uint64(len(by[label])))
		for _, c := range by[label] {
			dst = append(dst, c.series.code, 0)
			form := len(dst) - 1
			own := c.mask != common
			if own {
				dst = binary.LittleEndian.AppendUint64(dst, c.mask)
			}
			values = c.held(values[:0])
			var how byte
			if dst, how = appendValues(dst, values); own {
				how |= ownMask
			}
			dst[form] = how
		}
	}
	return dst
}

func appendText(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

// read reads a chunk into a sheet, over what is there. What belongs to a series that nobody knows any more is passed over.
func (s *sheet) read(chunk []byte) error {
	r := &reader{b: chunk}
	common := r.mask()
	for len(r.b) > 0 && !r.bad {
		label := r.text()
		for range r.count() {
			series, form := coded[r.byte()], r.byte()
			mask := common
			if form&ownMask != 0 {
				mask = r.mask()
			}
			if n := bits.OnesCount64(mask); n == 0 || mask>>perHour != 0 || form&^ownMask > varDeltas {
				r.fail()
			}
			if r.bad {
				return errDamaged
			}
			values := r.values(form&^ownMask, bits.OnesCount64(mask))
			if r.bad {
				return errDamaged
			}
			if series != nil {
				s.fill(line{series, label}, mask, values)
			}
		}
	}
	if r.bad {
		return errDamaged
	}
	return nil
}

func (s *sheet) fill(l line, mask uint64, values []int64) {
	c := s.column(l)
	if c == nil {
		return
	}
	for _, v := range values {
		c.set(bits.TrailingZeros64(mask), v)
		mask &= mask - 1
	}
}
