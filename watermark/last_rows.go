package watermark

// MaxLastRows is the most that Strategy.LastRows can be: 16 bytes each in every split, 16 MB.
const MaxLastRows = 1_000_000

// lastRows knows the least time of the last n rows of a split that have one. It keeps those that no later row is older than; the oldest of them is the least.
type lastRows struct {
	ring   []timed // a power of two long
	head   int     // of the oldest
	length int
	rows   int64
}

// timed is the time of a row, and its place among the rows with a time.
type timed struct{ time, place int64 }

func (l *lastRows) at(k int) *timed { return &l.ring[(l.head+k)&(len(l.ring)-1)] }

// add takes the next row and tells the least time of the last n.
func (l *lastRows) add(t int64, n int64) int64 {
	for l.length > 0 && l.at(l.length-1).time >= t {
		l.length--
	}
	for l.length > 0 && l.at(0).place <= l.rows-n {
		l.head = (l.head + 1) & (len(l.ring) - 1)
		l.length--
	}
	l.put(timed{t, l.rows})
	l.rows++
	return l.at(0).time
}

func (l *lastRows) put(x timed) {
	if l.length == len(l.ring) {
		wider := make([]timed, max(8, 2*len(l.ring)))
		for k := range l.length {
			wider[k] = *l.at(k)
		}
		l.ring, l.head = wider, 0
	}
	l.length++
	*l.at(l.length - 1) = x
}

// capped is the candidates of a run of split i, each at most the least time of the last rows up to its own. The slice is reused.
func (c *Core) capped(i int, times, candidates []int64) []int64 {
	if len(c.scratch) < len(times) {
		c.scratch = make([]int64, len(times))
	}
	l, out := &c.last[i], c.scratch[:len(times)]
	for k, t := range times {
		out[k] = candidates[k]
		if t != NoTime {
			out[k] = min(out[k], l.add(t, c.lastN))
		}
	}
	return out
}
