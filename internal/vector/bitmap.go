package vector

import "math/bits"

// Bitmap has one bit per row, least significant first, as Arrow's validity buffers. A nil Bitmap stands for all ones.
type Bitmap []uint64

// BitmapWords is the number of words that n bits need.
func BitmapWords(n int) int { return (n + 63) >> 6 }

// Get tells bit i; every bit of a nil Bitmap is set.
func (b Bitmap) Get(i int) bool { return b == nil || b[i>>6]>>(uint(i)&63)&1 != 0 }

// Set makes bit i one.
func (b Bitmap) Set(i int) { b[i>>6] |= 1 << (uint(i) & 63) }

// Clear makes bit i zero.
func (b Bitmap) Clear(i int) { b[i>>6] &^= 1 << (uint(i) & 63) }

// SetAll makes the first n bits one.
func (b Bitmap) SetAll(n int) {
	for i := range b[:BitmapWords(n)] {
		b[i] = ^uint64(0)
	}
}

// Count tells how many of the first n bits are set.
func (b Bitmap) Count(n int) int {
	if b == nil {
		return n
	}
	total := 0
	for i := 0; i < n>>6; i++ {
		total += bits.OnesCount64(b[i])
	}
	if rest := uint(n) & 63; rest != 0 {
		total += bits.OnesCount64(b[n>>6] & (1<<rest - 1))
	}
	return total
}
