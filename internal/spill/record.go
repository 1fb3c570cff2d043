package spill

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"math"

	"github.com/tidemark-sql/tidemark/internal/state"
)

// Record is all that an operator has of one key.
type Record struct {
	Hash uint64 // of the key, as package state has it
	// Due is when the record is asked for at the latest, in whatever its operator counts: microseconds of event time or of the clock. Never is never.
	Due        int64
	Key, Value []byte
}

// Never is the Due of a record that is only asked for by its key. It is behind all others in their order.
const Never = math.MaxInt64

// Key names a record.
type Key struct {
	Hash uint64
	Key  []byte
}

// compare is the order of records: by Due, then by key group, then by key. Tasks own ranges of groups, so what several tasks have due at one time is, one behind the other,
// what one task would have.
func compare(a, b *Record) int {
	if c := cmp.Compare(a.Due, b.Due); c != 0 {
		return c
	}
	if c := cmp.Compare(state.Group(a.Hash), state.Group(b.Hash)); c != 0 {
		return c
	}
	return bytes.Compare(a.Key, b.Key)
}

// In a run a record is, all numbers little-endian: hash (8 bytes), Due (8), length of the key (4), length of the value (4), key, value, and zeros up to a multiple of unit.
// Runs are scratch and checkpoints have checksums of their own, so there is none here; but no length is believed that leads out of the run.
const (
	unit        = 16
	headerBytes = 24
)

// errDamaged is what becomes of a record that does not read.
var errDamaged = errors.New("a record is not as it was written")

// errTooLarge is what becomes of a key or a value whose length has no place in the header.
var errTooLarge = errors.New("the state of a key is larger than 4 GB")

// length is how many bytes r takes in a run.
func (r *Record) length() int64 { return padded(int64(len(r.Key)) + int64(len(r.Value))) }

func padded(content int64) int64 { return (headerBytes + content + unit - 1) &^ (unit - 1) }

func (r *Record) appendTo(dst []byte) []byte {
	end := len(dst) + int(r.length())
	dst = binary.LittleEndian.AppendUint64(dst, r.Hash)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(r.Due))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(r.Key)))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(r.Value)))
	dst = append(dst, r.Key...)
	dst = append(dst, r.Value...)
	for len(dst) < end {
		dst = append(dst, 0)
	}
	return dst
}

// lengthAt is the length of the record that begins with header.
func lengthAt(header []byte) int64 {
	return padded(int64(binary.LittleEndian.Uint32(header[16:])) + int64(binary.LittleEndian.Uint32(header[20:])))
}

// hashAt and dueAt are the hash and the Due of the record that begins with header.
func hashAt(header []byte) uint64 { return binary.LittleEndian.Uint64(header) }

func dueAt(header []byte) int64 { return int64(binary.LittleEndian.Uint64(header[8:])) }

// recordAt is the record at the start of b, which holds all of it; it points into b.
func recordAt(b []byte) Record {
	key := headerBytes + int(binary.LittleEndian.Uint32(b[16:]))
	value := key + int(binary.LittleEndian.Uint32(b[20:]))
	return Record{Hash: hashAt(b), Due: dueAt(b), Key: b[headerBytes:key:key], Value: b[key:value:value]}
}
