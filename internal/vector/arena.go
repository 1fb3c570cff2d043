package vector

import (
	"math"
	"sync"

	"github.com/tidemark-sql/tidemark/internal/int128"
	"github.com/tidemark-sql/tidemark/internal/invariant"
)

// Arena is the memory of one batch: slabs from which slices are cut until the whole arena is given back. Slices are not
// zeroed: whoever takes one writes every element that anyone will read. An Arena has one owner at a time and no lock.
type Arena struct {
	pool    *Pool
	idle    bool // in its pool; kept in builds with invariants
	charged int  // bytes of strings since the last Release
	limit   int  // of charged
	ints    slab[int64]
	wides   slab[int128.Int]
	floats  slab[float64]
	bytes   slab[byte]
	views   slab[View]
	sels    slab[int32]
	words   slab[uint64]
	vectors slab[Vector]
	ptrs    slab[*Vector]
}

// slab cuts pieces off buf. When buf is used up it goes to a larger one and lets the garbage collector have the old one once
// nobody points to it; after a few batches the slab has the size that batches need and allocates no more.
type slab[T any] struct {
	buf  []T
	used int
	need int   // taken since the last reset, over all buffers
	full [][]T // buffers used up since the last reset; kept in builds with invariants, to be poisoned too
}

func (s *slab[T]) take(n int) []T {
	s.need += n
	if len(s.buf)-s.used < n {
		if invariant.Enabled {
			s.full = append(s.full, s.buf[:s.used])
		}
		s.buf = make([]T, max(n, 2*len(s.buf), 64))
		s.used = 0
	}
	out := s.buf[s.used : s.used+n : s.used+n]
	s.used += n
	return out
}

func (s *slab[T]) reset() {
	if s.need > len(s.buf) {
		s.buf = nil
		if s.need <= slabLimit {
			s.buf = make([]T, s.need)
		}
	}
	s.used, s.need, s.full = 0, 0, nil
}

// slabLimit bounds what a slab keeps for the next batch, in elements: large strings are no reason to hold so much memory for good.
const slabLimit = 4 << 20

// Ints cuts n int64.
func (a *Arena) Ints(n int) []int64 { return a.ints.take(n) }

// Wides cuts n int128.Int.
func (a *Arena) Wides(n int) []int128.Int { return a.wides.take(n) }

// Floats cuts n float64.
func (a *Arena) Floats(n int) []float64 { return a.floats.take(n) }

// Bytes cuts n bytes for strings, which are charged; see TooLarge.
func (a *Arena) Bytes(n int) []byte {
	CheckBytes(n)
	a.Charge(n)
	return a.bytes.take(n)
}

// Views cuts n views.
func (a *Arena) Views(n int) []View { return a.views.take(n) }

// Sel cuts n row numbers.
func (a *Arena) Sel(n int) []int32 { return a.sels.take(n) }

// Words cuts n words.
func (a *Arena) Words(n int) []uint64 { return a.words.take(n) }

// Columns cuts a list of n columns.
func (a *Arena) Columns(n int) []*Vector { return a.ptrs.take(n) }

// AllValid makes a bitmap of n ones.
func (a *Arena) AllValid(n int) Bitmap {
	b := Bitmap(a.words.take(BitmapWords(n)))
	b.SetAll(n)
	return b
}

// AllNull makes a bitmap of n zeroes.
func (a *Arena) AllNull(n int) Bitmap {
	b := Bitmap(a.words.take(BitmapWords(n)))
	clear(b)
	return b
}

// Flat makes a vector of n values of kind k without NULLs, its values unset. A Bytes vector gets no buffer yet.
func (a *Arena) Flat(k Kind, n int) *Vector {
	v := &a.vectors.take(1)[0]
	*v = Vector{Kind: k}
	switch k {
	case Bool:
		v.Bools = a.bytes.take(n)
	case Int64:
		v.Ints = a.ints.take(n)
	case Int128:
		v.Wides = a.wides.take(n)
	case Float64:
		v.Floats = a.floats.take(n)
	case Bytes:
		v.Views = a.views.take(n)
	}
	return v
}

// Constant makes a constant vector, its value unset.
func (a *Arena) Constant(k Kind) *Vector {
	v := a.Flat(k, 1)
	v.Const = true
	return v
}

// NullConstant makes a vector that is NULL in every row.
func (a *Arena) NullConstant(k Kind) *Vector {
	v := a.Constant(k)
	v.Valid = a.AllNull(1)
	v.Zero(0)
	return v
}

// Release gives the arena back to its pool.
func (a *Arena) Release() {
	if invariant.Enabled {
		invariant.Check(!a.idle, "arena released twice")
		a.idle = true
		a.poison()
	}
	if a.limit == math.MaxInt {
		// What state took is no measure for batches.
		*a = Arena{pool: a.pool, idle: a.idle}
	}
	a.charged, a.limit = 0, MaxBatch
	a.ints.reset()
	a.wides.reset()
	a.floats.reset()
	a.bytes.reset()
	a.views.reset()
	a.sels.reset()
	a.words.reset()
	a.vectors.reset()
	a.ptrs.reset()
	a.pool.put(a)
}

// poison overwrites what was handed out, so that a test notices who still reads it.
func (a *Arena) poison() {
	a.ints.poison(math.MinInt64 + 0x0BAD)
	a.wides.poison(int128.Int{Hi: math.MinInt64 + 0x0BAD})
	a.floats.poison(math.Inf(-1))
	a.bytes.poison(0xDB)
	a.views.poison(View{math.MaxUint32, math.MaxUint32})
	a.sels.poison(math.MinInt32)
	a.words.poison(0xDBDBDBDBDBDBDBDB)
	a.vectors.poison(Vector{})
	a.ptrs.poison(nil)
}

func (s *slab[T]) poison(v T) {
	for _, b := range append(s.full, s.buf[:s.used]) {
		fill(b, v)
	}
}

func fill[T any](s []T, v T) {
	for i := range s {
		s[i] = v
	}
}

// Pool keeps arenas for reuse. It is safe for concurrent use; the zero value is ready.
type Pool struct {
	mu   sync.Mutex
	free []*Arena
}

// poolLimit bounds the arenas kept while idle; more are left to the garbage collector.
const poolLimit = 64

// Get hands out an arena, which the caller owns.
func (p *Pool) Get() *Arena {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.free); n > 0 {
		a := p.free[n-1]
		p.free = p.free[:n-1]
		a.idle = false
		return a
	}
	return &Arena{pool: p, limit: MaxBatch}
}

func (p *Pool) put(a *Arena) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.free) < poolLimit {
		p.free = append(p.free, a)
	}
}
