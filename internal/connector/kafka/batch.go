package kafka

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
)

// Where the parts of a record batch are, as the Kafka protocol has them since its version 0.11.
const (
	lengthAt     = 8 // counts what is behind it
	epochAt      = 12
	magicAt      = 16
	crcAt        = 17
	attributesAt = 21
	lastDeltaAt  = 23
	firstTimeAt  = 27
	maxTimeAt    = 35
	producerAt   = 43
	sequenceAt   = 53
	countAt      = 57
	recordsAt    = 61
)

// The bits of a batch's attributes.
const (
	codecBits     = 0x07
	logAppendTime = 0x08
	transactional = 0x10
	control       = 0x20
)

// batch is one record batch as the broker sent it.
type batch []byte

var errBatch = errors.New("the broker sent a record batch that cannot be read")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// nextBatch cuts the first batch off data, of which it stays a part. The last one may have been cut by the broker; then there is none.
func nextBatch(data []byte) (b batch, rest []byte, err error) {
	if len(data) < recordsAt {
		return nil, nil, nil
	}
	length := int64(binary.BigEndian.Uint32(data[lengthAt:])) + epochAt
	if data[magicAt] != 2 || length < recordsAt {
		return nil, nil, errBatch
	}
	if int64(len(data)) < length {
		return nil, nil, nil
	}
	return batch(data[:length]), data[length:], nil
}

func (b batch) base() int64       { return int64(binary.BigEndian.Uint64(b)) }
func (b batch) epoch() int32      { return int32(binary.BigEndian.Uint32(b[epochAt:])) }
func (b batch) attributes() uint8 { return b[attributesAt+1] }
func (b batch) count() int        { return int(int32(binary.BigEndian.Uint32(b[countAt:]))) }
func (b batch) producer() int64   { return int64(binary.BigEndian.Uint64(b[producerAt:])) }
func (b batch) sequence() int32   { return int32(binary.BigEndian.Uint32(b[sequenceAt:])) }
func (b batch) firstTime() int64  { return int64(binary.BigEndian.Uint64(b[firstTimeAt:])) }
func (b batch) maxTime() int64    { return int64(binary.BigEndian.Uint64(b[maxTimeAt:])) }

// end is the offset behind the batch. Compaction takes records out of a batch and leaves this as it was.
func (b batch) end() int64 { return b.base() + int64(binary.BigEndian.Uint32(b[lastDeltaAt:])) + 1 }

func (b batch) intact() bool {
	return binary.BigEndian.Uint32(b[crcAt:]) == crc32.Checksum(b[attributesAt:], castagnoli)
}

// aborts reports whether b is the marker of a transaction that was given up.
func (b batch) aborts() bool {
	if b.attributes()&control == 0 || b.attributes()&codecBits != 0 {
		return false
	}
	w := walk{rest: b[recordsAt:]}
	var r record
	// The key is a version and a type, two bytes each; 0 is abort.
	return w.record(&r) && len(r.key) >= 4 && binary.BigEndian.Uint16(r.key[2:]) == 0
}

// record is one record, whose parts point into the batch.
type record struct {
	offset    int64 // from the batch's base until the decoder makes it whole
	timestamp int64 // milliseconds, likewise from the batch's first
	key       []byte
	value     []byte // nil of a tombstone
	keyAt     int    // where they begin in the memory that is decoded
	valueAt   int
	headers   []byte // the headers as they stand
	count     int    // of headers
	batch     batch
}

// walk goes over the records of a batch, decompressed.
type walk struct {
	rest []byte
	end  int // where the memory ends of which rest is the last part
}

// record reads the next one into r, and reports whether there is one.
func (w *walk) record(r *record) bool {
	length := w.varint()
	if w.rest == nil || length < 1 || length > int64(len(w.rest)) {
		return false
	}
	after := w.rest[length:]
	body := walk{w.rest[1:length], w.end - len(after)}
	r.timestamp = body.varint()
	r.offset = body.varint()
	r.key = body.bytes()
	r.keyAt = body.end - len(body.rest) - len(r.key)
	r.value = body.bytes()
	r.valueAt = body.end - len(body.rest) - len(r.value)
	r.count = int(body.varint())
	if body.rest == nil || r.count < 0 {
		return false
	}
	r.headers = body.rest
	w.rest = after
	return true
}

// header reads the next header of a record.
func (w *walk) header() (key, value []byte, ok bool) {
	key = w.bytes()
	value = w.bytes()
	return key, value, w.rest != nil
}

// varint reads a number in zigzag form; rest is nil if there is none.
func (w *walk) varint() (v int64) {
	v, w.rest = varint(w.rest)
	return v
}

// varint takes a number in zigzag form from the front of b; rest is nil if there is none. Most are a byte, and for them nothing is called.
func varint(b []byte) (v int64, rest []byte) {
	if len(b) > 0 && b[0] < 0x80 {
		return int64(b[0]>>1) ^ -int64(b[0]&1), b[1:]
	}
	return longVarint(b)
}

func longVarint(b []byte) (v int64, rest []byte) {
	v, n := binary.Varint(b)
	if n <= 0 {
		return 0, nil
	}
	return v, b[n:]
}

// bytes reads a length and as many bytes; nil if the length is -1.
func (w *walk) bytes() []byte {
	n := w.varint()
	if w.rest == nil || n < 0 {
		return nil
	}
	if n > int64(len(w.rest)) {
		w.rest = nil
		return nil
	}
	b := w.rest[:n:n]
	w.rest = w.rest[n:]
	return b
}
