package process

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Version 1 did not say how far timer streams had come.
const processStateVersion = 2

// Snapshot appends what is kept. The bytes are the version, how many timers were set so far, the frontiers of each input, the names of states, those of timer streams, by which watermark each fired last and how far it has come if others wait for it, those of outputs and how far each has come; for each key that something
// is kept of the key, its states by number of their name, and its timers: stream, trigger, event time, number. Counts and numbers are varints, frontiers and times eight bytes, little-endian.
func (x *Instance) Snapshot(dst []byte) []byte {
	dst = binary.AppendUvarint(append(dst, processStateVersion), uint64(x.number))
	dst = binary.AppendUvarint(dst, uint64(len(x.reached)))
	for _, r := range x.reached {
		dst = appendTimes(dst, int64(r.Event), int64(r.System))
	}
	dst = appendNames(dst, x.store.names)
	dst = binary.AppendUvarint(dst, uint64(len(x.spec.Timers)))
	for i := range x.spec.Timers {
		dst = appendTimes(appendBytes(dst, []byte(x.spec.Timers[i].Name)), int64(x.watches[i].fired), int64(x.came[i]))
	}
	dst = binary.AppendUvarint(dst, uint64(len(x.told)))
	for i, f := range x.told {
		dst = appendTimes(appendBytes(dst, []byte(x.spec.Outputs[i].Name)), int64(f))
	}
	set := x.timersByKey()
	n := 0
	for id := range x.store.parts {
		if x.store.parts[id].kept() {
			n++
		}
	}
	dst = binary.AppendUvarint(dst, uint64(n))
	for id := range x.store.parts {
		p := &x.store.parts[id]
		if !p.kept() {
			continue
		}
		dst = x.store.keys.Encode(dst, uint32(id))
		dst = binary.AppendUvarint(dst, uint64(len(p.cells)))
		for _, c := range p.cells {
			dst = appendBytes(binary.AppendUvarint(dst, uint64(c.name)), c.value)
		}
		own := set[:p.timers]
		set = set[p.timers:]
		dst = binary.AppendUvarint(dst, uint64(len(own)))
		for _, t := range own {
			dst = appendTimes(binary.AppendUvarint(dst, uint64(t.stream)), t.trigger, t.event)
			dst = binary.AppendUvarint(dst, uint64(t.number))
		}
	}
	return dst
}

// kept reports whether something is kept of a key.
func (p *part) kept() bool { return len(p.cells) > 0 || p.timers > 0 }

// timersByKey are all timers, those of a key together, in the order in which they were set. Rows wait for it: how many a key has tells where they belong, so that only those of one key have to be put in order.
func (x *Instance) timersByKey() []dueTimer {
	all, next := make([]dueTimer, x.pending), make([]int, len(x.store.parts))
	at := 0
	for id := range x.store.parts {
		next[id] = at
		at += int(x.store.parts[id].timers)
	}
	for stream, t := range x.timers {
		t.each(func(p *pending) {
			all[next[p.key]] = dueTimer{*p, stream}
			next[p.key]++
		})
	}
	at = 0
	for _, end := range next {
		if own := all[at:end]; len(own) > 1 {
			slices.SortFunc(own, func(a, b dueTimer) int { return cmp.Compare(a.number, b.number) })
		}
		at = end
	}
	return all
}

func appendTimes(dst []byte, times ...int64) []byte {
	for _, t := range times {
		dst = binary.LittleEndian.AppendUint64(dst, uint64(t))
	}
	return dst
}

func appendBytes(dst, value []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(value))), value...)
}

func appendNames(dst []byte, names []string) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(names)))
	for _, n := range names {
		dst = appendBytes(dst, []byte(n))
	}
	return dst
}

// Restore takes in what predecessors kept, of the keys that are owned here. It is called at most once, before everything else.
func (x *Instance) Restore(parts [][]byte, owns func(hash uint64) bool) error {
	for i, part := range parts {
		r := &reader{src: part}
		v := r.byte()
		if r.err == nil && (v == 0 || v > processStateVersion) {
			r.fail(fmt.Sprintf("it is of version %d, and not %d", v, processStateVersion))
		}
		x.restore(r, v, i == 0, owns)
		if r.err == nil && len(r.src) > 0 {
			r.fail("something is behind it")
		}
		if r.err != nil {
			return fmt.Errorf("read state: %s: %w", x.who, r.err)
		}
	}
	return nil
}

func (x *Instance) restore(r *reader, version byte, first bool, owns func(hash uint64) bool) {
	set := r.uint() // timers
	if n := r.count(16); r.err == nil && n != len(x.reached) {
		r.fail("it is of another number of inputs")
		return
	}
	for i := range x.reached {
		was := &x.reached[i]
		event, system := watermark.Frontier(r.time()), watermark.Frontier(r.time())
		if first || event < was.Event {
			was.Event = event
		}
		if first || system < was.System {
			was.System = system
		}
	}
	var names []uint32
	for range r.count(1) {
		names = append(names, x.store.name(string(r.bytes())))
	}
	streams := x.restoreStreams(r, version, first)
	x.restoreOutputs(r, first)
	one := state.NewKeys(x.store.kinds)
	for range r.count(1) {
		if x.restoreKey(r, one, names, streams, set, owns); r.err != nil {
			return
		}
	}
}

// restoreStreams reads the names of timer streams, and gives the number that each has now, -1 if none.
func (x *Instance) restoreStreams(r *reader, version byte, first bool) (streams []int) {
	for range r.count(9) {
		name, fired, came := string(r.bytes()), watermark.Frontier(r.time()), watermark.Unset
		if version > 1 {
			came = watermark.Frontier(r.time())
		}
		at := slices.IndexFunc(x.spec.Timers, func(t TimerStream) bool { return t.Name == name })
		if at >= 0 && (first || fired < x.watches[at].fired) {
			x.watches[at].fired = fired
		}
		if at >= 0 && (first || came < x.came[at]) {
			x.came[at] = came
		}
		streams = append(streams, at)
	}
	return streams
}

// restoreOutputs reads how far outputs have come.
func (x *Instance) restoreOutputs(r *reader, first bool) {
	for range r.count(9) {
		name, told := string(r.bytes()), watermark.Frontier(r.time())
		at := slices.IndexFunc(x.spec.Outputs, func(o Output) bool { return o.Name == name })
		if at >= 0 && (first || told < x.told[at]) {
			x.told[at] = told
		}
	}
}

func (x *Instance) restoreKey(r *reader, one state.Keys, names []uint32, streams []int, set uint64, owns func(hash uint64) bool) {
	one.Reset()
	if _, rest, err := one.Decode(r.src); err != nil {
		r.fail(err.Error())
		return
	} else {
		r.src = rest
	}
	mine, id := len(x.store.kinds) == 0 || owns(one.Hash(0)), make([]uint32, 1)
	if mine {
		x.store.keys.Merge(one, id)
		x.store.grow()
	}
	for range r.count(2) {
		name, value := r.uint(), r.bytes()
		if name >= uint64(len(names)) || r.err == nil && len(value) == 0 {
			r.fail("a state is not one")
			return
		}
		if mine {
			x.store.set(id[0], names[name], value)
		}
	}
	for range r.count(18) {
		stream, trigger, event, number := r.uint(), r.time(), r.time(), r.uint()
		if stream >= uint64(len(streams)) || number >= set {
			r.fail("a timer is not one")
			return
		}
		if at := streams[stream]; at < 0 {
			r.fail("it has timers of a stream that is not there any more")
		} else if t := x.timers[at]; mine {
			before := t.live
			t.add(pending{trigger, event, x.number, id[0]}) // those of a key come in their order, and several predecessors have counted by themselves
			x.number++
			added := int32(t.live - before)
			x.store.parts[id[0]].timers += added
			x.count(int64(added))
		}
	}
}

// reader reads a snapshot. Behind the first fault everything is zero.
type reader struct {
	src []byte
	err error
}

func (r *reader) fail(why string) {
	if r.err == nil {
		r.err = fmt.Errorf("%s", why)
	}
	r.src = nil
}

func (r *reader) byte() byte {
	if len(r.src) == 0 {
		r.fail("it ends too early")
		return 0
	}
	b := r.src[0]
	r.src = r.src[1:]
	return b
}

func (r *reader) uint() uint64 {
	v, n := binary.Uvarint(r.src)
	if n <= 0 {
		r.fail("it ends too early")
		return 0
	}
	r.src = r.src[n:]
	return v
}

// count reads how many things follow, each of which takes so many bytes at least.
func (r *reader) count(least int) int {
	n := r.uint()
	if n > uint64(len(r.src)/least) {
		r.fail("it counts more than it holds")
		return 0
	}
	return int(n)
}

func (r *reader) time() int64 {
	if len(r.src) < 8 {
		r.fail("it ends too early")
		return 0
	}
	v := int64(binary.LittleEndian.Uint64(r.src))
	r.src = r.src[8:]
	return v
}

func (r *reader) bytes() []byte {
	n := r.count(1)
	b := r.src[:n:n]
	r.src = r.src[n:]
	return b
}
