package operator

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// decoder reads a snapshot; after the first fault every read gives zero and err says what was wrong.
type decoder struct {
	src []byte
	err error
}

func (d *decoder) int64() int64 {
	if len(d.src) < 8 {
		d.fail("it ends too early")
		return 0
	}
	v := int64(binary.LittleEndian.Uint64(d.src))
	d.src = d.src[8:]
	return v
}

// count reads how many things follow. Each of them takes a byte at least, except for the only group without keys and aggregates.
func (d *decoder) count() int64 {
	n := d.int64()
	if n < 0 || n > int64(len(d.src))+1 {
		d.fail("it counts more than it holds")
		return 0
	}
	return n
}

// number reads how often something is there.
func (d *decoder) number(least int64) int64 {
	n := d.int64()
	if d.err == nil && n < least {
		d.fail("it counts less than it can")
	}
	return n
}

// once wants what was read to be new.
func (d *decoder) once(isNew bool) {
	if !isNew {
		d.fail("a key is there twice")
	}
}

// errKeyTwice is what becomes of a record of a key that is there already.
var errKeyTwice = errors.New("read state: a key is there twice")

// row reads a row of columns of kinds as package state writes it; nil after a fault.
func (d *decoder) row(kinds []vector.Kind) []byte {
	row, rest, err := state.CutRow(kinds, d.src)
	if err != nil {
		d.fail(err.Error())
		return nil
	}
	d.src = rest
	return row
}

// key reads a key into keys and tells its number; ok is false after a fault.
func (d *decoder) key(keys state.Keys) (id uint32, ok bool) {
	id, rest, err := keys.Decode(d.src)
	if err != nil {
		d.fail(err.Error())
		return 0, false
	}
	d.src = rest
	return id, true
}

// end wants nothing to be left.
func (d *decoder) end() error {
	if d.err == nil && len(d.src) > 0 {
		d.fail("something is behind it")
	}
	return d.err
}

func (d *decoder) version(want byte) {
	if len(d.src) == 0 || d.src[0] != want {
		d.fail(fmt.Sprintf("it is not of version %d", want))
		return
	}
	d.src = d.src[1:]
}

func (d *decoder) fail(why string) {
	if d.err == nil {
		d.err = fmt.Errorf("read state: %s", why)
	}
	d.src = nil
}

// oneOf reads a version that may be any of those.
func (d *decoder) oneOf(versions ...byte) byte {
	if len(d.src) == 0 || !slices.Contains(versions, d.src[0]) {
		d.fail(fmt.Sprintf("it is of none of the versions %d", versions))
		return 0
	}
	v := d.src[0]
	d.src = d.src[1:]
	return v
}

// int64s is a column of numbers.
type int64s []byte

func (c int64s) at(k int) int64 { return int64(binary.LittleEndian.Uint64(c[8*k:])) }

// int64s reads a column of n numbers; nil after a fault.
func (d *decoder) int64s(n int) int64s {
	if len(d.src)/8 < n {
		d.fail("it ends too early")
		return nil
	}
	return int64s(d.take(8 * n))
}

// keys reads a column of n keys into keys and tells the numbers of those that are owned, state.Foreign of the others; ok is false after a fault.
func (d *decoder) keys(keys state.Keys, n int, owns func(hash uint64) bool) (ids []uint32, ok bool) {
	if d.err != nil || n > len(d.src)+1 {
		d.fail("it counts more than it holds")
		return nil, false
	}
	ids = make([]uint32, n)
	rest, err := keys.DecodeColumn(d.src, ids, owns)
	if err != nil {
		d.fail(err.Error())
		return nil, false
	}
	d.src = rest
	return ids, true
}

// groups reads the states that the calls have for the groups ids into accs, which have them, empty, and passes over those of state.Foreign.
func (d *decoder) groups(calls []Aggregate, accs []function.Accumulator, ids []uint32) {
	for i, acc := range accs {
		rest, err := function.DecodeGroups(acc, d.src, ids, calls[i].New)
		if err != nil {
			d.fail(err.Error())
			return
		}
		d.src = rest
	}
}

// ownedOf is how many of ids are not state.Foreign.
func ownedOf(ids []uint32) (n int) {
	for _, id := range ids {
		if id != state.Foreign {
			n++
		}
	}
	return n
}

// stateBlock is how many rows are written together, at most: as many are read before it is known whose they are.
const stateBlock = 4096

// appendBlocks appends the number of rows, and blocks of those rows of cols: the number of rows in the block, what front appends for them, and the rows as state.AppendRows writes them.
func appendBlocks(dst []byte, cols []*vector.Vector, rows []int32, front func(dst []byte, rows []int32) []byte) []byte {
	dst = appendInt64(dst, int64(len(rows)))
	for some := range slices.Chunk(rows, stateBlock) {
		dst = state.AppendRows(front(appendInt64(dst, int64(len(some))), some), cols, some)
	}
	return dst
}

// blocks reads what appendBlocks wrote: of each block front reads what is in front of n rows, and keep gets them, for the time of the call.
func (d *decoder) blocks(memory *vector.Pool, kinds []vector.Kind, front func(n int), keep func(cols []*vector.Vector, n int)) {
	for left := d.count(); left > 0 && d.err == nil; {
		n := d.block(left)
		left -= int64(n)
		front(n)
		if d.err != nil {
			return
		}
		a := memory.Get()
		a.ForState() // rows can have any size
		cols, rest, err := state.ReadRows(a, kinds, n, d.src)
		if err != nil {
			d.fail(err.Error())
		} else {
			d.src = rest
			keep(cols, n)
		}
		a.Release()
	}
}

// block reads how many rows there are in a block, of those that are left.
func (d *decoder) block(left int64) int {
	n := d.int64()
	if n < 1 || n > min(left, stateBlock) {
		d.fail("it counts more than it holds, or nothing")
		return 0
	}
	return int(n)
}

// take reads n bytes.
func (d *decoder) take(n int) []byte {
	if len(d.src) < n {
		d.fail("it ends too early")
		return nil
	}
	b := d.src[:n]
	d.src = d.src[n:]
	return b
}

// ownedRows is those of n rows whose keys are owned; without keys all are.
func ownedRows(cols []*vector.Vector, keys []int, n int, owns func(hash uint64) bool) vector.Rows {
	if len(keys) == 0 {
		return vector.All(n)
	}
	hashes := make([]uint64, n)
	state.HashRows(pick(cols, keys), vector.All(n), hashes)
	mine := vector.Rows{Sel: make([]int32, 0, n), N: n}
	for k, hash := range hashes {
		if owns(hash) {
			mine.Sel = append(mine.Sel, int32(k))
		}
	}
	return mine
}

// appendInt64s appends the members of a column that have the numbers ids.
func appendInt64s(dst []byte, column []int64, ids []uint32) []byte {
	at := len(dst)
	dst = slices.Grow(dst, 8*len(ids))[:at+8*len(ids)]
	out := dst[at:]
	for k, id := range ids {
		binary.LittleEndian.PutUint64(out[8*k:], uint64(column[id]))
	}
	return dst
}

// upTo is the numbers below n, in the memory of ids, which is made of such numbers.
func upTo(ids []uint32, n int) []uint32 {
	for len(ids) < n {
		ids = append(ids, uint32(len(ids)))
	}
	return ids[:n]
}

func appendInt64(dst []byte, v int64) []byte { return binary.LittleEndian.AppendUint64(dst, uint64(v)) }

// pick is some of cols.
func pick[T any](cols []T, some []int) []T {
	list := make([]T, len(some))
	for i, c := range some {
		list[i] = cols[c]
	}
	return list
}

// hashOf is the hash of the keys of a single row.
func hashOf(cols []*vector.Vector, keys []int) uint64 {
	hash := make([]uint64, 1)
	state.HashRows(pick(cols, keys), vector.All(1), hash)
	return hash[0]
}
