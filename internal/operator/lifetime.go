package operator

import (
	"math"

	"github.com/tidemark-sql/tidemark/internal/spill"
)

// lifetimes tell how long what an operator keeps for ids has not been written, by the wall clock. Flink 2.3: state that was not written for its time-to-live is as if it had never been there;
// reading it gives it no more time. Without a time to live all of it costs nothing.
type lifetimes struct {
	ttl     int64 // microseconds, 0 for ever
	now     int64
	began   int64   // the first now, or unwritten
	written []int64 // by id, unwritten for what comes from a program that did not say
	next    int     // where the search for what has expired goes on
}

// unwritten is the time of what was kept before anybody looked at the clock: its time begins when it is looked at first.
const unwritten = math.MinInt64

// grow makes room for n ids.
func (l *lifetimes) grow(n int) {
	if l.ttl > 0 {
		l.written = extended(l.written, n)
	}
}

// write notes that id was written now.
func (l *lifetimes) write(id uint32) {
	if l.ttl > 0 {
		l.written[id] = l.now
	}
}

// expired reports whether the time of id, which is kept, is over. Flink 2.3: state written at t is there no more at t + ttl.
func (l *lifetimes) expired(id uint32) bool {
	if l.ttl == 0 {
		return false
	}
	if l.written[id] == unwritten {
		l.written[id] = l.now
	}
	return l.written[id] <= l.now-l.ttl
}

// sweep looks at the next ids of which there are n, twice as many as rows that came, for each can add one: what nobody asks for any more is found in the end, and memory stays within what is kept.
func (l *lifetimes) sweep(rows, n int, look func(id uint32)) {
	if l.ttl == 0 || n == 0 {
		return
	}
	for range min(2*rows+1, n) {
		if l.next >= n {
			l.next = 0
		}
		look(uint32(l.next))
		l.next++
	}
}

// compact numbers ids anew; old are the numbers that those that stay had.
func (l *lifetimes) compact(old []uint32) {
	if l.ttl == 0 {
		return
	}
	written := make([]int64, len(old))
	for id, was := range old {
		written[id] = l.written[was]
	}
	l.written, l.next = written, 0
}

// version is that of a state: the given one, or the one behind it, in which it is said when things were written last.
func (l *lifetimes) version(plain byte) byte {
	if l.ttl > 0 {
		return plain + 1
	}
	return plain
}

// ends is when the time of id is over, and spill.Never if it never is. The time of what nobody has looked at begins now.
func (l *lifetimes) ends(id uint32) int64 {
	if l.ttl == 0 {
		return spill.Never
	}
	if l.written[id] == unwritten {
		l.written[id] = l.now
	}
	return l.written[id] + l.ttl
}

// append says when id was written last, if that is kept.
func (l *lifetimes) append(dst []byte, id uint32) []byte {
	if l.ttl > 0 {
		return appendInt64(dst, l.written[id])
	}
	return dst
}

// restore takes what was said of id, of which there are n now.
func (l *lifetimes) restore(id uint32, n int, written int64) {
	if l.ttl > 0 {
		l.grow(n)
		l.written[id] = written
	}
}

// timedVersion reads a version that may be the plain one or the one behind it, and tells whether it says when things were written.
func (d *decoder) timedVersion(plain byte) bool {
	if len(d.src) > 0 && d.src[0] == plain+1 {
		d.src = d.src[1:]
		return true
	}
	d.version(plain)
	return false
}

// written reads when something was written last.
func (d *decoder) written(timed bool) int64 {
	if timed {
		return d.int64()
	}
	return unwritten
}
