package operator

import "github.com/tidemark-sql/tidemark/internal/state"

const keyWindowsStateVersion = 1

// Snapshot implements dataflow.Stateful. The bytes are, all numbers little-endian in eight bytes: the version (one byte), the number of keys, and for each key, as first seen: the key, its clock, of the next version when it had its last row, the number of its panes, and for each of these its
// start and each accumulator. Keys and accumulators are in their own encodings.
func (w *KeyWindows) Snapshot(dst []byte) []byte {
	dst = appendInt64(append(dst, w.life.version(keyWindowsStateVersion)), int64(w.live))
	for id := range uint32(w.keys.Len()) {
		if len(w.panes[id]) == 0 {
			continue
		}
		dst = w.life.append(appendInt64(w.keys.Encode(dst, id), w.clocks[id]), id)
		dst = appendInt64(dst, int64(len(w.panes[id])))
		for _, p := range w.panes[id] {
			dst = appendInt64(dst, p.start)
			for _, acc := range w.accs {
				dst = acc.Encode(dst, p.group)
			}
		}
	}
	return dst
}

// Restore implements dataflow.Stateful. Every key is read into a table of its own first: only the key tells whether it belongs here.
func (w *KeyWindows) Restore(parts [][]byte, owns func(hash uint64) bool) error {
	one, into := state.NewKeys(w.spec.KeyKinds), make([]uint32, 1)
	for _, part := range parts {
		d := &decoder{src: part}
		timed := d.timedVersion(keyWindowsStateVersion)
		for range d.count() {
			one.Reset()
			if _, ok := d.key(one); !ok {
				break
			}
			clock, written := d.int64(), d.written(timed)
			if !owns(one.Hash(0)) {
				w.skipPanes(d)
				continue
			}
			known := w.keys.Len()
			w.keys.Merge(one, into)
			d.once(int(into[0]) == known)
			w.grow()
			w.clocks[into[0]] = clock
			w.life.restore(into[0], w.keys.Len(), written)
			for range d.count() {
				w.restorePane(d, into[0])
			}
			if len(w.panes[into[0]]) > 0 {
				w.live++
			}
		}
		if err := d.end(); err != nil {
			return err
		}
	}
	return nil
}

func (w *KeyWindows) restorePane(d *decoder, id uint32) {
	start := d.int64()
	if d.err != nil {
		return
	}
	if all := w.panes[id]; start < 0 || start > w.latest() || len(all) > 0 && all[len(all)-1].start >= start {
		d.fail("its panes are in no order")
		return
	}
	group := w.group()
	w.panes[id] = append(w.panes[id], pane{start, group})
	w.restoreGroup(d, group)
}

// skipPanes reads the panes of a key of another task.
func (w *KeyWindows) skipPanes(d *decoder) {
	for range d.count() {
		d.int64()
		group := w.group()
		w.restoreGroup(d, group)
		w.drop(group)
	}
}

func (w *KeyWindows) restoreGroup(d *decoder, group uint32) {
	for _, acc := range w.accs {
		acc.Grow(w.groups)
		rest, err := acc.Decode(d.src, group)
		if err != nil {
			d.fail(err.Error())
			return
		}
		d.src = rest
	}
}
