package advice

import (
	"math"
	"sync"

	"github.com/tidemark-sql/tidemark/watermark"
)

// maxSplits is how many splits are told apart; the rows of those that come later are counted together.
const maxSplits = 1000

// Study looks at the rows of a table. It is a runtime.Witness: Turned, Read and Ticked are called by who reads, one at a time, and Report by anybody at any time.
type Study struct {
	mu       sync.Mutex
	table    Table
	core     *watermark.Core // the table's own
	now      int64
	numbered []split
	rows     []*rows // in the order in which their splits came
	others   *rows   // of splits that came too late for that; nil if none did
	left     int     // how many splits those are

	delays *ladder
	alone  tally // what rows would need if every split had a watermark of its own

	newest   int64   // event time
	readAt   int64   // when a row was read last, by the wall clock
	held     lengths // by how much the frontier of no delay was behind that, by row
	late     int64   // by the table's own watermark
	worst    Late
	ahead    int64 // rows from the future
	farthest int64 // the time of the furthest
}

// Late is the row that came furthest behind the watermark.
type Late struct {
	// Past is by how much the watermark was past it, in microseconds, as Flink counts it; the row was late even if that is 0.
	Past, Time int64
	Split      string
	Row        int64
}

// NewStudy begins to look at a table, of which core makes the watermarks. now is the wall clock in microseconds.
func NewStudy(t Table, core *watermark.Core, now int64) *Study {
	s := &Study{table: t, core: core, now: now, delays: newLadder(&t, now), newest: watermark.NoTime}
	s.alone = newTally(s.delays.delays)
	return s
}

// Turned implements runtime.Witness.
func (s *Study) Turned(number int, name string, to watermark.Status, now int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = max(s.now, now)
	known := number < len(s.numbered)
	was := watermark.Finished
	if known {
		was = s.numbered[number].status
	} else {
		s.numbered = append(s.numbered, split{})
	}
	for w := range s.delays.all {
		w.turned(number, was, to, known, now)
	}
	x := &s.numbered[number]
	if was == watermark.Finished {
		*x = split{rows: s.kept(name), name: name, newest: watermark.NoTime, readAt: now}
	}
	x.status = to
}

// kept is where the rows of one more split are counted.
func (s *Study) kept(name string) *rows {
	if len(s.rows) < maxSplits {
		r := newRows(name)
		s.rows = append(s.rows, r)
		return r
	}
	if s.others == nil {
		s.others = newRows("")
	}
	s.left++
	return s.others
}

// counted are all rows, by split.
func (s *Study) counted() []*rows {
	if s.others == nil {
		return s.rows
	}
	return append(s.rows[:len(s.rows):len(s.rows)], s.others)
}

// Read implements runtime.Witness.
func (s *Study) Read(number int, times []int64, values []int32, found *watermark.Observed, now int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = max(s.now, now)
	x := &s.numbered[number]
	x.readAt, s.readAt = now, now
	s.count(x, times, found)
	limit := int64(math.MaxInt64)
	if ahead := int64(s.table.Strategy.MaxAhead); ahead > 0 {
		limit = now + ahead
	}
	s.future(times, now+farAhead)
	before := x.newest
	x.observe(times, limit, s.table.tick(), &s.alone)
	s.newest = max(s.newest, x.newest)
	s.delays.read(number, times, values, before, limit, now, s.core.ValueName)
	if f := s.delays.none.core.Frontier(); f != watermark.Unset && s.newest != watermark.NoTime {
		s.held.add(int64(watermark.FromInclusive(s.newest, s.table.tick()).Sub(int64(f))), int64(len(times)))
	}
}

// count counts what the table's own watermark made late.
func (s *Study) count(x *split, times []int64, found *watermark.Observed) {
	s.late += int64(len(found.Late))
	for k, row := range found.Late {
		if past := found.Behind[k].Past(times[row]); past > s.worst.Past || s.worst.Row == 0 {
			s.worst = Late{Past: past, Time: times[row], Split: x.name, Row: x.read + int64(row) + 1}
		}
	}
}

// farAhead is from how far ahead of the clock rows are from the future.
const farAhead = minute

func (s *Study) future(times []int64, limit int64) {
	for _, t := range times {
		if t > limit {
			s.ahead++
			s.farthest = max(s.farthest, t)
		}
	}
}

// Ticked implements runtime.Witness.
func (s *Study) Ticked(stalled, setBack, now int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = now
	for i := range s.numbered {
		s.numbered[i].readAt -= setBack
	}
	s.readAt -= setBack
	for w := range s.delays.all {
		w.ticked(stalled, setBack, now)
	}
}
