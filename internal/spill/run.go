package spill

import (
	"io"
	"math"
	"math/bits"
)

// run is a file of records in their order. Some of them are dead: their keys are hot again, have been shown, or are in another run.
type run struct {
	id       uint64 // in addresses; 1 to maxRuns
	identity string
	file     *file
	size     int64
	tail     []byte // the end of it that is not in the file yet
	open     bool   // is still written
	alive    bitmap // by unit: a record begins here that is not dead
	records  int    // that were ever written
	longest  int64
	count    int   // of the living
	living   int64 // their bytes
	blocks   []int64
	head     cursor // on the first that lives, if count > 0
}

const (
	// maxRuns is how many runs a table can have, and maxBytes how large each of them can be: what addresses can say.
	maxRuns  = 255
	maxBytes = unit << 32
	// writeBytes is how much is written at a time.
	writeBytes = 256 << 10
	// blockBytes is how far apart the places are of which a run knows in memory what is due there.
	blockBytes = 64 << 10
)

func (r *run) address(at int64) uint64 { return r.id<<32 | uint64(at/unit) }

// append writes a record behind the others, all of which are before it, and tells where it is.
func (r *run) append(rec *Record) (at int64, err error) {
	if len(rec.Key) > math.MaxUint32 || len(rec.Value) > math.MaxUint32 {
		return 0, errTooLarge
	}
	at = r.size
	before := len(r.tail)
	r.tail = rec.appendTo(r.tail)
	n := int64(len(r.tail) - before)
	r.size += n
	r.alive = r.alive.with(int(at / unit))
	for int64(len(r.blocks))*blockBytes <= at {
		r.blocks = append(r.blocks, rec.Due)
	}
	if r.count == 0 {
		r.head.begin(at, rec.Due)
	}
	r.records++
	r.count++
	r.living += n
	r.longest = max(r.longest, n)
	if len(r.tail) < writeBytes {
		return at, nil
	}
	return at, r.flush()
}

// flush brings all of it into the file.
func (r *run) flush() error {
	if len(r.tail) == 0 {
		return nil
	}
	_, err := r.file.Write(r.tail)
	if cap(r.tail) > 2*writeBytes {
		r.tail = nil
	}
	r.tail = r.tail[:0]
	return r.file.space.failed("be written", err)
}

// finish says that nothing more is written.
func (r *run) finish() error {
	err := r.flush()
	r.tail, r.open = nil, false
	return err
}

// readAt reads len(b) bytes, all of which are in the run.
func (r *run) readAt(b []byte, at int64) error {
	if written := r.size - int64(len(r.tail)); at+int64(len(b)) > written {
		n := max(0, written-at)
		copy(b[n:], r.tail[at+n-written:])
		b = b[:n]
	}
	if len(b) == 0 {
		return nil
	}
	n, err := r.file.ReadAt(b, at)
	if n == len(b) {
		return nil
	}
	if err == io.EOF {
		err = errDamaged
	}
	return r.file.space.failed("be read", err)
}

// damaged is the error for a record that does not read.
func (r *run) damaged() error { return r.file.space.failed("be read", errDamaged) }

// bytes is the memory that the run takes.
func (r *run) bytes() int64 {
	return int64(8*cap(r.alive) + 8*cap(r.blocks) + cap(r.tail) + cap(r.head.buf))
}

// bitmap has a bit for each unit of a run.
type bitmap []uint64

// with is the bitmap with a bit set that is behind all others.
func (m bitmap) with(i int) bitmap {
	for i/64 >= len(m) {
		m = append(m, 0)
	}
	m[i/64] |= 1 << (i % 64)
	return m
}

func (m bitmap) has(i int) bool { return i/64 < len(m) && m[i/64]>>(i%64)&1 != 0 }

func (m bitmap) clear(i int) { m[i/64] &^= 1 << (i % 64) }

// next is the first bit at i or behind it that is set, or -1.
func (m bitmap) next(i int) int {
	if i/64 >= len(m) {
		return -1
	}
	for w, x := i/64, m[i/64]>>(i%64)<<(i%64); ; x = m[w] {
		if x != 0 {
			return 64*w + bits.TrailingZeros64(x)
		}
		if w++; w == len(m) {
			return -1
		}
	}
}
