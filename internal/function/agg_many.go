package function

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/state"
)

// EncodeGroups appends the states of the groups ids, in that order: what Encode of each would.
func EncodeGroups(acc Accumulator, dst []byte, ids []uint32) []byte {
	if m, ok := acc.(many); ok {
		dst = slices.Grow(dst, m.width()*len(ids))
		at := len(dst)
		dst = dst[:at+m.width()*len(ids)]
		m.encodeMany(dst[at:], ids)
		return dst
	}
	for _, id := range ids {
		dst = acc.Encode(dst, id)
	}
	return dst
}

// DecodeGroups reads what EncodeGroups wrote for as many groups into the groups ids, which are empty, and passes over the states of those that are state.Foreign. It returns what follows.
// New makes an accumulator like acc.
func DecodeGroups(acc Accumulator, src []byte, ids []uint32, New func() Accumulator) (rest []byte, err error) {
	if m, ok := acc.(many); ok {
		n := m.width() * len(ids)
		if len(src) < n {
			return nil, errTruncated
		}
		m.decodeMany(src[:n], ids)
		return src[n:], nil
	}
	var other Accumulator // of all others the only group
	for _, id := range ids {
		if id != state.Foreign {
			src, err = acc.Decode(src, id)
		} else {
			if other == nil {
				other = New()
				other.Grow(1)
			}
			other.Clear(0)
			src, err = other.Decode(src, 0)
		}
		if err != nil {
			return nil, err
		}
	}
	return src, nil
}

// many is an Accumulator whose states all have the same width and may have any bytes, so that many are written and read in less time than one by one.
type many interface {
	width() int
	// encodeMany writes the states of the groups ids to dst, which has just the room for them.
	encodeMany(dst []byte, ids []uint32)
	// decodeMany reads as many states as there are ids from src, which has just them, and passes over those of state.Foreign.
	decodeMany(src []byte, ids []uint32)
}

func putInt64(dst []byte, at int, v int64) { binary.LittleEndian.PutUint64(dst[at:], uint64(v)) }
func getInt64(src []byte, at int) int64    { return int64(binary.LittleEndian.Uint64(src[at:])) }

func (s *count) width() int { return 8 }

func (s *count) encodeMany(dst []byte, ids []uint32) {
	for k, id := range ids {
		putInt64(dst, 8*k, s.counts[id])
	}
}

func (s *count) decodeMany(src []byte, ids []uint32) {
	for k, id := range ids {
		if id != state.Foreign {
			s.counts[id] = getInt64(src, 8*k)
		}
	}
}

func (s *sum[T]) width() int { return 16 }

func (s *sum[T]) encodeMany(dst []byte, ids []uint32) {
	for k, id := range ids {
		g := &s.groups[id]
		putInt64(dst, 16*k, g.n)
		putInt64(dst, 16*k+8, s.bits(g.sum))
	}
}

func (s *sum[T]) decodeMany(src []byte, ids []uint32) {
	for k, id := range ids {
		if id != state.Foreign {
			s.groups[id] = total[T]{n: getInt64(src, 16*k), sum: s.ofBits(getInt64(src, 16*k+8))}
		}
	}
}

func (s *decimalSum) width() int { return 32 }

func (s *decimalSum) encodeMany(dst []byte, ids []uint32) {
	for k, id := range ids {
		g := &s.groups[id]
		putInt64(dst, 32*k, g.n)
		putInt64(dst, 32*k+8, int64(g.low))
		putInt64(dst, 32*k+16, int64(g.middle))
		putInt64(dst, 32*k+24, g.high)
	}
}

func (s *decimalSum) decodeMany(src []byte, ids []uint32) {
	for k, id := range ids {
		if id != state.Foreign {
			s.groups[id] = decimalTotal{n: getInt64(src, 32*k), low: uint64(getInt64(src, 32*k+8)), middle: uint64(getInt64(src, 32*k+16)), high: getInt64(src, 32*k+24)}
		}
	}
}

func (s *dispersion) width() int { return 24 }

func (s *dispersion) encodeMany(dst []byte, ids []uint32) {
	for k, id := range ids {
		m := &s.groups[id]
		putInt64(dst, 24*k, m.n)
		putInt64(dst, 24*k+8, int64(math.Float64bits(m.mean)))
		putInt64(dst, 24*k+16, int64(math.Float64bits(m.squares)))
	}
}

func (s *dispersion) decodeMany(src []byte, ids []uint32) {
	for k, id := range ids {
		if id != state.Foreign {
			s.groups[id] = moments{getInt64(src, 24*k), math.Float64frombits(uint64(getInt64(src, 24*k+8))), math.Float64frombits(uint64(getInt64(src, 24*k+16)))}
		}
	}
}

func (s *extreme) width() int { return 9 }

func (s *extreme) encodeMany(dst []byte, ids []uint32) {
	for k, id := range ids {
		g := &s.groups[id]
		dst[9*k] = bit(g.some)
		putInt64(dst, 9*k+1, g.key)
	}
}

func (s *extreme) decodeMany(src []byte, ids []uint32) {
	for k, id := range ids {
		if id != state.Foreign {
			s.groups[id] = extremeKey{getInt64(src, 9*k+1), src[9*k] != 0}
		}
	}
}
