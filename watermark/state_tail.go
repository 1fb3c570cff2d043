package watermark

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// What version 3 of the state has behind the splits, in their order:
//
//	4  number of values, then for each of them
//	     4  length, and its name
//	for each split
//	     8  frontier of its greatest candidate, Unset if there is none or the split is finished
//	     4  number of members, then for each of them
//	          4  number of its value
//	          8  frontier
//	     8  rows with a time
//	     4  number of those kept for the least time of the last rows, then for each of them, the oldest first
//	          8  place among the rows with a time
//	          8  time
//
// Values are those of members, and expected ones that need not be awaited any more. A strategy that divides rows by other values, or
// no more, leaves out members that it has no use for.
const stateTailVersion = 3

// tailed reports whether the state needs a tail.
func (c *Core) tailed() bool { return c.values != nil || c.lastN > 0 }

func (c *Core) appendTail(dst []byte) []byte {
	le := binary.LittleEndian
	var names []string
	numbers := map[int32]int{} // in the state
	write := func(value int32) {
		if _, ok := numbers[value]; !ok {
			numbers[value] = len(names)
			names = append(names, c.values.names[value])
		}
	}
	if c.values != nil {
		for n, waits := range c.values.awaited {
			if !waits {
				write(int32(n))
			}
		}
	}
	for i := range c.members {
		for _, m := range c.members[i].list {
			write(m.value)
		}
	}
	dst = le.AppendUint32(dst, uint32(len(names)))
	for _, name := range names {
		dst = le.AppendUint32(dst, uint32(len(name)))
		dst = append(dst, name...)
	}
	for i := range c.splits {
		reach, list := c.splits[i].frontier, []member(nil)
		if c.values != nil {
			reach, list = c.members[i].reach, c.members[i].list
		}
		if c.splits[i].status == Finished {
			reach = Unset
		}
		dst = le.AppendUint64(dst, uint64(reach))
		dst = le.AppendUint32(dst, uint32(len(list)))
		for _, m := range list {
			dst = le.AppendUint32(dst, uint32(numbers[m.value]))
			dst = le.AppendUint64(dst, uint64(m.frontier))
		}
		var last lastRows
		if c.lastN > 0 {
			last = c.last[i]
		}
		dst = le.AppendUint64(dst, uint64(last.rows))
		dst = le.AppendUint32(dst, uint32(last.length))
		for k := range last.length {
			x := last.at(k)
			dst = le.AppendUint64(dst, uint64(x.place))
			dst = le.AppendUint64(dst, uint64(x.time))
		}
	}
	return dst
}

// tail is what appendTail wrote, read and checked.
type tail struct {
	names  []string
	splits []splitTail
}

type splitTail struct {
	reach   Frontier
	members []member // by number in names
	last    lastRows
}

// noTail stands for the tail that version 2 does not have.
func noTail(splits []split) *tail {
	t := &tail{splits: make([]splitTail, len(splits))}
	for i := range splits {
		t.splits[i].reach = splits[i].frontier
	}
	return t
}

// readTail reads the tail for splits, and reports what is wrong with it.
func readTail(state []byte, tick int64, splits []split) (*tail, error) {
	r := reader{rest: state}
	t := &tail{splits: make([]splitTail, len(splits))}
	err := t.read(&r, tick, splits)
	if r.short || err == nil && len(r.rest) > 0 {
		return nil, errors.New("what is behind the splits has another length")
	}
	return t, err
}

func (t *tail) read(r *reader, tick int64, splits []split) error {
	seen := map[string]bool{}
	for range r.count(4) {
		name := string(r.bytes(r.count(1)))
		if seen[name] {
			return fmt.Errorf("value '%s' is there twice", name)
		}
		seen[name] = true
		t.names = append(t.names, name)
	}
	if len(t.names) > MaxValues {
		return fmt.Errorf("%d values", len(t.names))
	}
	for i := range splits {
		if err := t.splits[i].read(r, tick, len(t.names), &splits[i]); err != nil {
			return fmt.Errorf("split %d: %w", i, err)
		}
	}
	return nil
}

func (t *splitTail) read(r *reader, tick int64, values int, s *split) error {
	t.reach = Frontier(r.long())
	least := t.reach
	has := map[int32]bool{}
	for k := range r.count(12) {
		m := member{value: int32(r.word()), frontier: Frontier(r.long())}
		if m.value < 0 || int(m.value) >= values || has[m.value] {
			return errors.New("two members have one value, or one has none")
		}
		has[m.value] = true
		if !m.frontier.onTick(tick) || m.frontier == Unset {
			return fmt.Errorf("frontier %d of a member is not on the tick", m.frontier)
		}
		if k == 0 {
			least = m.frontier
		}
		least = min(least, m.frontier)
		t.members = append(t.members, m)
	}
	if !t.reach.onTick(tick) || s.status != Finished && least != s.frontier {
		return errors.New("its frontier is not that of its members")
	}
	t.last.rows = r.long()
	before := timed{math.MinInt64, -1}
	for range r.count(16) {
		x := timed{place: r.long(), time: r.long()}
		if x.place <= before.place || x.place >= t.last.rows || x.time <= before.time {
			return errors.New("its last rows are not in order")
		}
		before = x
		t.last.put(x)
	}
	if t.last.rows < 0 || t.last.rows > s.read || t.last.length > 0 && before.place != t.last.rows-1 {
		return errors.New("its last rows are not the last")
	}
	if s.status == Finished && (t.reach != Unset || len(t.members) > 0 || t.last.rows > 0) {
		return errors.New("it is finished and has members or last rows")
	}
	return nil
}

// take makes the tail part of a core whose splits have been restored.
func (c *Core) take(t *tail) {
	for i := range c.splits {
		c.widen()
		c.blank(i, c.armedAt)
		s, from := &c.splits[i], &t.splits[i]
		if s.status == Finished {
			continue
		}
		if c.lastN > 0 {
			c.last[i] = from.last
		}
		if c.values == nil {
			s.frontier = from.reach
			continue
		}
		m := &c.members[i]
		m.reach = from.reach
		for _, x := range from.members {
			if n, ok := c.values.number(t.names[x.value]); ok {
				m.join(n, x.frontier, c.armedAt, c.values.timeouts[n])
			}
		}
		s.frontier = m.frontier()
	}
	if c.values == nil {
		return
	}
	for n := range c.values.awaited {
		if c.values.awaited[n] && slices.Contains(t.names, c.values.names[n]) {
			c.values.release(int32(n))
		}
	}
}

// reader reads little-endian numbers; what is behind the end is 0 and noted.
type reader struct {
	rest  []byte
	short bool
}

func (r *reader) bytes(n int) []byte {
	if n > len(r.rest) {
		r.rest, r.short = nil, true
		return make([]byte, min(n, 8))
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) word() uint32 { return binary.LittleEndian.Uint32(r.bytes(4)) }

func (r *reader) long() int64 { return int64(binary.LittleEndian.Uint64(r.bytes(8))) }

// count is the number of things that follow, each at least so many bytes long.
func (r *reader) count(size int) int {
	n := int64(r.word())
	if n*int64(size) > int64(len(r.rest)) {
		r.rest, r.short = nil, true
		return 0
	}
	return int(n)
}
