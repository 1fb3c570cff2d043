package state

import (
	"encoding/binary"
	"math/bits"
)

// Groups is the number of key groups. It is fixed: a key's group is part of what a snapshot means.
const Groups = 4096

// Group is the key group of a hash.
func Group(hash uint64) int { return int(hash >> 52) }

// Owner is the task, of n, that owns the group of a hash. Every task owns a contiguous range of groups.
func Owner(hash uint64, n int) int { return Group(hash) * n / Groups }

// Version 1 of the hash of keys: a wyhash-style folded multiplication over the canonical encoding, in words of eight bytes.
const (
	seed  = 0x9E3779B97F4A7C15
	mul1  = 0xA0761D6478BD642F
	mul2  = 0xE7037ED1A0B428DB
	final = 0x8EBC6AF09C88C6E3
)

func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

// HashInt is the hash of a key that is one whole number, the commonest kind of key.
func HashInt(v int64) uint64 { return mix(uint64(v)^mul1, seed) ^ mix(uint64(v)^final, mul2) }

// HashNull is the hash of the key NULL.
const HashNull = 0x5851F42D4C957F2D

// HashBytes is the hash of a key in its canonical encoding.
func HashBytes(b []byte) uint64 {
	h := uint64(seed) ^ uint64(len(b))
	for len(b) >= 8 {
		h = mix(h^binary.LittleEndian.Uint64(b), mul1)
		b = b[8:]
	}
	var tail uint64
	for i, c := range b {
		tail |= uint64(c) << (8 * i)
	}
	h = mix(h^tail, mul2)
	return mix(h^final, seed)
}
