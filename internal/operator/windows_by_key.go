package operator

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/window"
	"github.com/tidemark-sql/tidemark/watermark"
)

// KeyWindowsSpec describes a KeyWindows. Its output columns are the keys, the aggregates, window_start and window_end.
type KeyWindowsSpec struct {
	Spec       window.Spec // TUMBLE or HOP
	Delay      int64       // microseconds
	Time       int         // input column
	Keys       []int
	KeyKinds   []vector.Kind
	Aggregates []Aggregate
	// TTL is how long a key is kept that has no more rows, in microseconds; then its open windows are gone with it. 0 is for ever.
	TTL int64
	// Ordered gives every result a place in dataflow.Order, because there are several tasks; Level is its place there among the results of a row.
	Ordered bool
	Level   int
	Memory  *vector.Pool
}

// KeyWindows aggregates per key and window, where the rows of a key tell its time: each may end windows of its own key, which leave at once, in ascending order. Rows are added to panes, the pieces of time between two
// starts of windows, and the panes of a window are merged when it ends. A row of which all windows have ended is dropped. At the end of the input all windows end, by key group, and within one in the order in which the keys were seen first. YDB: HOP; no window begins before 1970, and no row that comes here is older.
type KeyWindows struct {
	spec   KeyWindowsSpec
	keys   state.Keys
	clocks []int64  // by key: windows that end here or before have ended
	panes  [][]pane // by key, ascending; there are none of a key that is not kept
	live   int      // keys that are kept
	life   lifetimes
	accs   []function.Accumulator
	groups int      // that there ever were
	free   []uint32 // groups that are empty
	passed watermark.Frontier
	counts dataflow.Counts

	ids      []uint32
	adds     []uint32 // groups of rows that are still to be added
	rows     []int32
	ended    []endedWindow
	places   []dataflow.Order // of those, if they have some
	by       causes           // of those
	src, dst []uint32
	filtered filtered
}

// pane is what came of a key from start on, for as long as the slide.
type pane struct {
	start int64
	group uint32
}

// endedWindow is a result that is still to be sent; its group is its own.
type endedWindow struct {
	window.Window
	key, group uint32
}

// NewKeyWindows makes the operator.
func NewKeyWindows(spec KeyWindowsSpec) *KeyWindows {
	w := &KeyWindows{spec: spec, keys: state.NewKeys(spec.KeyKinds), passed: watermark.Unset, life: lifetimes{ttl: spec.TTL}}
	for _, a := range spec.Aggregates {
		w.accs = append(w.accs, a.New())
	}
	return w
}

// Counts implements dataflow.Counted.
func (w *KeyWindows) Counts() *dataflow.Counts { return &w.counts }

// SetNow implements dataflow.Clocked.
func (w *KeyWindows) SetNow(now int64) { w.life.now = now }

// Process implements dataflow.Operator.
func (w *KeyWindows) Process(b *dataflow.Batch, out dataflow.Output) error {
	n := b.Rows().Count()
	w.counts.In.Add(int64(n))
	for _, k := range w.spec.Keys {
		oneZero(b.Cols[k : k+1])
	}
	err := b.Segments(
		func(lo, hi int) error { return w.absorb(b, lo, hi, out) },
		func(f watermark.Frontier) error { return w.Advance(dataflow.Progress{Frontier: f, Active: true}, out) })
	b.Release()
	w.life.sweep(n, len(w.panes), w.expire)
	if state.Crowded(w.keys.Len(), w.keys.Len()-w.live) {
		w.compact()
	}
	return err
}

// expire forgets a key whose time is over, as if it had never had a row.
func (w *KeyWindows) expire(id uint32) {
	if len(w.panes[id]) == 0 || !w.life.expired(id) {
		return
	}
	for _, p := range w.panes[id] {
		w.drop(p.group)
	}
	w.panes[id], w.clocks[id] = nil, watermark.NoTime
	w.live--
}

// compact makes room where keys were that are not kept any more.
func (w *KeyWindows) compact() {
	keys, old := state.Compact(w.keys, func(id uint32) bool { return len(w.panes[id]) > 0 })
	clocks, panes := make([]int64, len(old)), make([][]pane, len(old))
	for id, was := range old {
		clocks[id], panes[id] = w.clocks[was], w.panes[was]
	}
	w.life.compact(old)
	w.keys, w.clocks, w.panes = keys, clocks, panes
}

// Advance implements dataflow.Operator.
func (w *KeyWindows) Advance(p dataflow.Progress, out dataflow.Output) error {
	ends := p.Frontier == watermark.Final && w.passed != watermark.Final
	w.passed = max(w.passed, p.Frontier)
	if ends {
		if err := w.endAll(out); err != nil {
			return err
		}
	}
	return out.Advance(p)
}

// endAll ends all windows.
func (w *KeyWindows) endAll(out dataflow.Output) error {
	all := make([]uint32, w.keys.Len())
	for id := range all {
		all[id] = uint32(id)
	}
	group := func(id uint32) int { return state.Group(w.keys.Hash(id)) }
	slices.SortStableFunc(all, func(a, b uint32) int { return cmp.Compare(group(a), group(b)) })
	w.by = causes{released: watermark.Final}
	var at dataflow.Order
	for _, id := range all {
		w.expire(id)
		w.end(id, math.MaxInt64)
		if w.spec.Ordered {
			if row := uint64(group(id)); row != at.Row {
				at = dataflow.Order{Row: row}
			}
			at = w.place(at)
		}
		if err := w.sendFull(out); err != nil {
			return err
		}
	}
	return w.send(out)
}

func (w *KeyWindows) absorb(b *dataflow.Batch, lo, hi int, out dataflow.Output) error {
	rows, times := stretch(b, lo, hi), b.Cols[w.spec.Time]
	w.by = causesOf(b, w.passed)
	in := keyInput(b, w.spec.Keys, rows)
	w.ids = extended(w.ids[:0], rows.Count())
	w.keys.Find(&in, w.ids)
	w.grow()
	slide := w.spec.Spec.SlideWidth()
	for k, id := range w.ids {
		row := rows.At(k)
		if times.IsNull(row) {
			return errNullTime
		}
		w.expire(id)
		t := times.Int(row)
		start := timefmt.FloorDiv(t, slide) * slide
		last := start + w.spec.Spec.Size
		switch {
		case start > w.latest():
			w.counts.Filtered.Add(1)
			continue
		case last <= w.clocks[id]:
			w.counts.Drop(dataflow.Dropped{Time: t, Deadline: last, Frontier: watermark.Frontier(w.clocks[id])})
			continue
		}
		w.counts.Absorbed.Add(1)
		w.life.write(id)
		w.adds, w.rows = append(w.adds, w.pane(id, start)), append(w.rows, int32(row))
		if now := start - w.spec.Delay; now > w.clocks[id] {
			if len(w.panes[id]) > 0 && w.panes[id][0].start+slide <= now {
				w.add(b)
			}
			w.end(id, now)
			if b.Order != nil {
				w.place(b.Order[row])
			}
			if err := w.sendFull(out); err != nil {
				return err
			}
		}
	}
	w.add(b)
	return w.send(out)
}

// latest is the start of the last pane there can be: behind it there are no numbers for its windows.
func (w *KeyWindows) latest() int64 { return math.MaxInt64 - 2*w.spec.Spec.Size }

func (w *KeyWindows) grow() {
	for len(w.clocks) < w.keys.Len() {
		w.clocks, w.panes = append(w.clocks, watermark.NoTime), append(w.panes, nil)
	}
	w.life.grow(w.keys.Len())
}

// add adds the rows of b that have their groups.
func (w *KeyWindows) add(b *dataflow.Batch) {
	if len(w.adds) == 0 {
		return
	}
	for i, acc := range w.accs {
		acc.Grow(w.groups)
		w.spec.Aggregates[i].add(acc, b, w.adds, vector.Rows{Sel: w.rows, N: b.N}, &w.filtered)
	}
	w.adds, w.rows = w.adds[:0], w.rows[:0]
}

// group is an empty one.
func (w *KeyWindows) group() uint32 {
	if n := len(w.free); n > 0 {
		id := w.free[n-1]
		w.free = w.free[:n-1]
		return id
	}
	w.groups++
	return uint32(w.groups - 1)
}

func (w *KeyWindows) drop(group uint32) {
	for _, acc := range w.accs {
		acc.Grow(w.groups)
		acc.Clear(group)
	}
	w.free = append(w.free, group)
}

// pane is the group of a pane of a key.
func (w *KeyWindows) pane(id uint32, start int64) uint32 {
	all := w.panes[id]
	at := sort.Search(len(all), func(i int) bool { return all[i].start >= start })
	if at == len(all) || all[at].start != start {
		if len(all) == 0 {
			w.live++
		}
		all = slices.Insert(all, at, pane{start, w.group()})
		w.panes[id] = all
	}
	return all[at].group
}

// end ends the windows of a key up to now. Rows that are in them have been added.
func (w *KeyWindows) end(id uint32, now int64) {
	slide, size := w.spec.Spec.SlideWidth(), w.spec.Spec.Size
	all := w.panes[id]
	before := w.clocks[id]
	w.clocks[id] = max(now, before)
	if len(all) == 0 {
		return
	}
	end := max(all[0].start+slide, size)
	if before != watermark.NoTime {
		end = max(end, timefmt.FloorDiv(before, slide)*slide+slide)
	}
	for first := 0; end <= now; end += slide {
		for first < len(all) && all[first].start < end-size {
			first++
		}
		if first == len(all) {
			break
		}
		if all[first].start >= end { // none in this window: on to the first that has one
			end = all[first].start
			continue
		}
		behind := first
		for behind < len(all) && all[behind].start < end {
			behind++
		}
		w.close(id, window.Window{Start: end - size, End: end}, all[first:behind])
	}
	gone := 0
	for gone < len(all) && all[gone].start <= now-size {
		w.drop(all[gone].group)
		gone++
	}
	if w.panes[id] = slices.Delete(all, 0, gone); len(w.panes[id]) == 0 {
		w.live--
	}
}

// Size implements dataflow.Sized. A pane of a key is a group.
func (w *KeyWindows) Size() dataflow.Size {
	n := dataflow.Size{Groups: int64(w.live), Bytes: w.keys.Bytes() + bytesOf(w.accs) + 40*int64(w.keys.Len())}
	for _, all := range w.panes {
		n.Groups += int64(len(all))
		n.Bytes += 16 * int64(len(all))
	}
	return n
}
