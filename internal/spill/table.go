package spill

import (
	"bytes"
	"errors"
	"slices"
)

// Table is the records of one operator instance, at most one for a key. It belongs to one goroutine. Errors are of class Resource; behind one of the disk the table is only good for being closed.
type Table struct {
	space *Space
	index index
	runs  []*run // that have living records, and the one that is written by a merge
	ids   [maxRuns + 1]*run
	len   int
	size  int64 // bytes of the runs, and how much of that lives
	live  int64
	merge *merge // that is under way; nil if none is
	owed  int64  // work for it, in bytes
	scans int    // that are under way

	least int64 // merging begins at this size of the runs
	most  int   // and at this number of them
	probe []uint64
	read  reading
	due   sequence
}

// Write adds n records, in their order: by Due, then key group, then key. Their keys are not in the table. A record is used up when the next is asked for.
func (t *Table) Write(n int, record func(i int) Record) error {
	if n == 0 {
		return nil
	}
	w := t.Writer()
	for i := range n {
		if err := w.Add(record(i)); err != nil {
			return err
		}
	}
	return w.Close()
}

// Maybe reports whether there can be a record for a key with this hash. It reads nothing, and is wrong about one in thousands that there is not.
func (t *Table) Maybe(hash uint64) bool { return t.index.maybe(hash) }

// Take removes the records of those of the wanted keys that there are, and shows their values with their places in wanted, in any order. A value is valid during the call.
func (t *Table) Take(wanted []Key, found func(i int, value []byte) error) error {
	const most = 1 << 16
	for first := 0; first < len(wanted); first += most {
		some := wanted[first:min(first+most, len(wanted))]
		if err := t.take(some, func(i int, value []byte) error { return found(first+i, value) }); err != nil {
			return err
		}
	}
	return nil
}

func (t *Table) take(wanted []Key, found func(i int, value []byte) error) error {
	t.probe = t.probe[:0]
	for i := range wanted {
		t.probe = t.index.probe(t.probe, wanted[i].Hash, uint64(i))
	}
	if len(t.probe) == 0 {
		return nil
	}
	slices.Sort(t.probe) // as they are on the disk
	var taken int64
	t.read.run = nil
	for k, p := range t.probe {
		r, at := t.place(p >> printBits)
		if r == nil || !r.alive.has(int(at/unit)) {
			continue // it was wanted twice
		}
		b, err := t.read.record(r, at, t.probe[k:])
		if err != nil {
			return err
		}
		i := int(p & printMask)
		rec := recordAt(b)
		if rec.Hash != wanted[i].Hash || !bytes.Equal(rec.Key, wanted[i].Key) {
			continue
		}
		n := int64(len(b))
		taken += n
		if err := t.remove(r, at, rec.Hash, n); err != nil {
			return err
		}
		if err := found(i, rec.Value); err != nil {
			return err
		}
	}
	for _, r := range t.runs {
		if err := r.settle(); err != nil {
			return err
		}
	}
	return t.work(2 * taken)
}

// place is the run and the offset of an address.
func (t *Table) place(address uint64) (*run, int64) {
	return t.ids[address>>32], int64(address&(1<<32-1)) * unit
}

// remove forgets a living record of n bytes. The head of its run may be dead behind it.
func (t *Table) remove(r *run, at int64, hash uint64, n int64) error {
	if err := t.index.remove(hash, r.address(at)); err != nil {
		return r.damaged()
	}
	t.len--
	return t.kill(r, at, n)
}

// kill makes a record of a run dead. A run without living records is let go of.
func (t *Table) kill(r *run, at, n int64) error {
	r.alive.clear(int(at / unit))
	r.count--
	r.living -= n
	t.live -= n
	if r.count > 0 || r.open {
		return nil
	}
	return t.drop(r)
}

func (t *Table) drop(r *run) error {
	t.runs = slices.DeleteFunc(t.runs, func(x *run) bool { return x == r })
	t.ids[r.id] = nil
	t.size -= r.size
	return r.file.release()
}

// settle puts the head of the run on the first living record.
func (r *run) settle() error {
	if r.count == 0 || r.alive.has(int(r.head.at/unit)) {
		return nil
	}
	_, err := r.head.seek(r.head.at)
	return err
}

// Len is how many records there are.
func (t *Table) Len() int { return t.len }

// Bytes is the memory that the table takes: the index, what it knows of its runs, and buffers.
func (t *Table) Bytes() int {
	n := int64(t.index.bytes + 8*cap(t.probe) + cap(t.read.buf))
	for _, r := range t.runs {
		n += r.bytes()
	}
	return int(n)
}

// Close gives all records up. What was frozen stays.
func (t *Table) Close() error {
	var err error
	for _, r := range t.runs {
		err = errors.Join(err, r.file.release())
	}
	*t = Table{space: t.space, least: t.least, most: t.most}
	return err
}
