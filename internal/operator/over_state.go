package operator

import (
	"math"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// compact forgets the rows that are gone, when they are most of those that are held, and the keys whose rows are too old.
func (o *Over) compact() {
	if (o.spec.Bounded && !o.spec.Rows || o.life.ttl > 0) && o.keys.Len() > 2*o.swept+1024 {
		o.sweep()
	}
	if !o.held.crowded() {
		return
	}
	alive := make([]int32, 0, o.held.n-o.held.gone)
	for _, r := range o.waiting {
		alive = append(alive, r.row)
	}
	for _, p := range o.parts {
		alive = append(alive, p.frame...)
	}
	number := o.held.keepOnly(alive, o.spec.Memory, o.spec.Kinds)
	for i := range o.waiting {
		o.waiting[i].row = number[o.waiting[i].row] // in the same order, so that the heap stays one
	}
	for _, p := range o.parts {
		for i, row := range p.frame {
			p.frame[i] = number[row]
		}
	}
}

// sweep forgets keys of which nothing is known any more. A late row can be too old for that from the start, and still waits.
func (o *Over) sweep() {
	waits := make([]bool, o.keys.Len())
	for _, r := range o.waiting {
		waits[r.id] = true
	}
	for id := range o.parts {
		if o.expired(uint32(id)) && !waits[id] {
			o.forget(uint32(id))
		}
	}
	keys, old := state.Compact(o.keys, func(id uint32) bool { return waits[id] || o.known(id) })
	number := make([]uint32, o.keys.Len())
	for id, was := range old {
		number[was] = uint32(id)
	}
	var parts []overPart
	var begun []bool
	for _, was := range old {
		if o.spec.Bounded {
			parts = append(parts, o.parts[was])
		} else {
			begun = append(begun, o.begun[was])
		}
	}
	for i, acc := range o.accs {
		o.accs[i] = moved(acc, o.spec.Aggregates[i].New(), old)
	}
	for i := range o.waiting {
		o.waiting[i].id = number[o.waiting[i].id]
	}
	o.life.compact(old)
	o.keys, o.parts, o.begun, o.swept = keys, parts, begun, len(old)
	o.waves.seen, o.waves.time = nil, nil
}

// known reports whether there is anything to know of a key but rows that wait.
func (o *Over) known(id uint32) bool {
	if o.spec.Bounded {
		return o.parts[id].expires != watermark.NoTime
	}
	return o.begun[id] && !o.life.expired(id)
}

// overStateVersion is that without times; the next one has them.
const overStateVersion = 1

// Snapshot implements dataflow.Stateful. The bytes are, all numbers little-endian in eight bytes: the version (one byte), the frontier, the number of keys; for each key, as first
// seen: the key, of version 2 when its first row left, or notBegun, and each accumulator in their own encodings, and if frames are bounded the time of the last row that left, when it expires, the number of rows of the frame, and those;
// then the number of rows that wait, and as they came for each its place and the row. Rows are as package state writes them.
func (o *Over) Snapshot(dst []byte) []byte {
	dst = appendInt64(append(dst, o.life.version(overStateVersion)), int64(o.frontier))
	dst = appendInt64(dst, int64(o.keys.Len()))
	cols := o.held.columns()
	for id := range uint32(o.keys.Len()) {
		dst = o.keys.Encode(dst, id)
		if o.life.ttl > 0 && !o.begun[id] {
			dst = appendInt64(dst, notBegun)
		} else {
			dst = o.life.append(dst, id)
		}
		for _, a := range o.accs {
			dst = a.Encode(dst, id)
		}
		if !o.spec.Bounded {
			continue
		}
		p := &o.parts[id]
		dst = appendInt64(appendInt64(appendInt64(dst, p.fired), p.expires), int64(len(p.frame)))
		for _, row := range p.frame {
			dst = state.AppendRow(dst, cols, int(row))
		}
	}
	waiting := slices.Clone(o.waiting)
	slices.SortFunc(waiting, func(a, b overRow) int { return int(a.row) - int(b.row) })
	dst = appendInt64(dst, int64(len(waiting)))
	for _, r := range waiting {
		dst = state.AppendRow(appendInt64(dst, r.place), cols, int(r.row))
	}
	return dst
}

// Restore implements dataflow.Stateful.
func (o *Over) Restore(parts [][]byte, owns func(hash uint64) bool) error {
	one := NewOver(o.spec)
	for i, part := range parts {
		d := &decoder{src: part}
		timed := d.timedVersion(overStateVersion)
		f := watermark.Frontier(d.int64())
		if i == 0 || f < o.frontier {
			o.frontier = f
		}
		for range d.count() {
			o.restoreKey(d, timed, one, owns)
			if d.err != nil {
				return d.err
			}
		}
		for range d.count() {
			o.restoreRow(d, f, owns)
		}
		if err := d.end(); err != nil {
			return err
		}
	}
	return nil
}

// notBegun is the time of a key of which rows wait and none has left.
const notBegun = math.MaxInt64

// restoreKey reads a key, into one first: only the key tells whether it belongs here.
func (o *Over) restoreKey(d *decoder, timed bool, one *Over, owns func(hash uint64) bool) {
	one.keys.Reset()
	_, rest, err := one.keys.Decode(d.src)
	written := int64(unwritten)
	if err == nil {
		d.src = rest
		written = d.written(timed)
		rest = d.src
	}
	for _, a := range one.accs {
		a.Reset()
		a.Grow(1)
		if err == nil {
			rest, err = a.Decode(rest, 0)
		}
	}
	if err != nil {
		d.fail(err.Error())
		return
	}
	d.src = rest
	mine := len(o.spec.Keys) == 0 || owns(one.keys.Hash(0))
	into := make([]uint32, 1)
	if mine {
		o.keys.Merge(one.keys, into)
		o.grow()
		if o.life.ttl > 0 && written != notBegun {
			o.begun[into[0]] = true
			o.life.restore(into[0], o.keys.Len(), written)
		}
		for i, a := range o.accs {
			if _, err := a.Decode(one.accs[i].Encode(nil, 0), into[0]); err != nil {
				d.fail(err.Error())
				return
			}
		}
	}
	if !o.spec.Bounded {
		return
	}
	p := overPart{fired: d.int64(), expires: d.int64()}
	for range d.count() {
		if cols, release := o.takeRow(d); cols != nil {
			if mine {
				p.frame = append(p.frame, o.held.add(cols, 0))
			}
			release()
		}
	}
	if mine {
		o.parts[into[0]] = p
	}
}

// takeRow reads a row, whose memory the caller releases; nil if there is none.
func (o *Over) takeRow(d *decoder) (cols []*vector.Vector, release func()) {
	row := d.row(o.spec.Kinds)
	if d.err != nil {
		return nil, nil
	}
	a := o.spec.Memory.Get()
	return state.RowColumns(a, o.spec.Kinds, [][]byte{row}), a.Release
}

// restoreRow reads a row that waits; f is the frontier of those who wrote it.
func (o *Over) restoreRow(d *decoder, f watermark.Frontier, owns func(hash uint64) bool) {
	place := d.int64()
	cols, release := o.takeRow(d)
	if cols == nil {
		return
	}
	defer release()
	if len(o.spec.Keys) > 0 && !owns(hashOf(cols, o.spec.Keys)) {
		return
	}
	time := cols[o.spec.Time]
	if time.IsNull(0) || place < time.Int(0) || watermark.Frontier(place) < f {
		d.fail("a row waits for what has been")
		return
	}
	id := make([]uint32, 1)
	o.keys.Find(&state.Input{Cols: pick(cols, o.spec.Keys), Rows: vector.All(1)}, id)
	o.grow()
	o.wait(place, time.Int(0), id[0], o.held.add(cols, 0))
}
