package datagen

import "math/bits"

// random is a sequence of 64-bit numbers whose elements can be had in any order: SplitMix64, whose state only counts.
type random uint64

const step = 0x9e3779b97f4a7c15

// at is element i.
func (r random) at(i int64) uint64 {
	z := uint64(r) + (uint64(i)+1)*step
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// seed makes a sequence for a column that others have nothing to do with (FNV-1a).
func seed(table, column string) random {
	h := uint64(0xcbf29ce484222325)
	for _, text := range [...]string{table, "\x00", column} {
		for i := range len(text) {
			h = (h ^ uint64(text[i])) * 0x100000001b3
		}
	}
	return random(h)
}

// unit turns a random number into one of [0, 1).
func unit(r uint64) float64 { return float64(r>>11) / (1 << 53) }

// between turns a random number into one of first to last, both included.
func between(r uint64, first, last int64) int64 {
	span := uint64(last) - uint64(first) + 1
	if span == 0 { // all of int64
		return int64(r)
	}
	high, _ := bits.Mul64(r, span)
	return int64(uint64(first) + high)
}
