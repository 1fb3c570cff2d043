package broker

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// A segment file is batches of records one after the other, as they go over the wire. Where a batch has what:
const (
	lengthAt     = 8
	behindLength = 12
	epochAt      = 12
	magicAt      = 16
	crcAt        = 17
	attributesAt = 21
	lastDeltaAt  = 23
	producerAt   = 43
	batchHead    = 61 // the smallest batch
)

// What an attribute of a batch says.
const (
	codecBits     = 0x07
	transactional = 0x10
	control       = 0x20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// stored is a batch in a segment file.
type stored struct {
	at         int   // byte in the file
	base, end  int64 // offsets of the first record, and behind the last
	epoch      int32
	timestamp  int64 // the greatest, in milliseconds
	attributes uint16

	producer      int64
	producerEpoch int16
}

// segment is what a segment file holds up to the byte good. If that is not its end, then torn says that a batch begins there which was not written
// whole, and otherwise damage says what is wrong.
type segment struct {
	batches []stored
	good    int
	torn    bool
	damage  string
}

// readSegment looks at all batches of a file whose first has the offset base.
func readSegment(raw []byte, base int64) segment {
	var s segment
	next := base
	for s.good < len(raw) {
		left := raw[s.good:]
		if len(left) < behindLength {
			s.torn = true
			break
		}
		size := behindLength + int64(int32(binary.BigEndian.Uint32(left[lengthAt:])))
		switch {
		case size < batchHead:
			s.damage = "the length of a batch is wrong"
			return s
		case size > int64(len(left)):
			if s.torn = !holdsBatch(left); !s.torn {
				s.damage = "the length of a batch is wrong"
			}
			return s
		}
		b := stored{
			at: s.good, base: int64(binary.BigEndian.Uint64(left)), epoch: int32(binary.BigEndian.Uint32(left[epochAt:])),
			attributes: binary.BigEndian.Uint16(left[attributesAt:]), timestamp: int64(binary.BigEndian.Uint64(left[lastDeltaAt+12:])),
		}
		b.producer, b.producerEpoch = int64(binary.BigEndian.Uint64(left[producerAt:])), int16(binary.BigEndian.Uint16(left[producerAt+8:]))
		b.end = b.base + int64(int32(binary.BigEndian.Uint32(left[lastDeltaAt:]))) + 1
		switch {
		case left[magicAt] != 2:
			s.damage = fmt.Sprintf("a batch has the version %d, and 2 is what there is", left[magicAt])
		case crc32.Checksum(left[attributesAt:size], castagnoli) != binary.BigEndian.Uint32(left[crcAt:]):
			s.damage = "the checksum of a batch is wrong"
		case b.base < next || len(s.batches) == 0 && b.base != base || b.end <= b.base:
			s.damage = fmt.Sprintf("a batch has the offset %d, and %d comes next", b.base, next)
		}
		if s.damage != "" {
			return s
		}
		next = b.end
		s.batches = append(s.batches, b)
		s.good += int(size)
	}
	return s
}

// holdsBatch reports whether a whole batch is at the beginning of raw, whatever its length says. What was not written whole has nowhere the
// checksum that it will have at its end.
func holdsBatch(raw []byte) bool {
	if len(raw) < batchHead {
		return false
	}
	want := ^binary.BigEndian.Uint32(raw[crcAt:])
	sum := ^uint32(0)
	for i, c := range raw[attributesAt:] {
		sum = castagnoli[byte(sum)^c] ^ sum>>8
		if sum == want && attributesAt+i+1 >= batchHead {
			return true
		}
	}
	return false
}
