package advice

import (
	"slices"

	"github.com/tidemark-sql/tidemark/watermark"
)

// Report is what a study has found so far. As JSON, lengths are milliseconds, event times are text, and shares are parts of 1.
type Report struct {
	Table     string `json:"table"`
	Column    string `json:"column"`
	Watermark string `json:"watermark,omitempty"`
	// Rows have a time, NullTimes are those that have none.
	Rows      int64 `json:"rows"`
	NullTimes int64 `json:"null_times"`
	// Oldest and Newest are the first and the last event time, nil without rows.
	Oldest *Time `json:"oldest,omitempty"`
	Newest *Time `json:"newest,omitempty"`
	// Disorder is that of all rows, each held against its own split.
	Disorder Disorder `json:"out_of_order"`
	Splits   []Split  `json:"splits"`
	// Present is what the table's own watermark made late, nil if it has none for this column.
	Present *Present `json:"present,omitempty"`
	Delays  []Delay  `json:"delays"`
	Targets []Target `json:"advice"`
	// Held is by how much the slowest split holds the watermark behind the newest row, beside the delay, row by row.
	Held     Held      `json:"held"`
	Findings []Finding `json:"findings"`

	bounded bool
}

// Split is the rows of one split.
type Split struct {
	// Name is empty for splits that came when MaxSplits others were there; Splits is how many they are, 1 otherwise.
	Name      string   `json:"name"`
	Splits    int      `json:"splits"`
	Rows      int64    `json:"rows"`
	NullTimes int64    `json:"null_times"`
	Oldest    *Time    `json:"oldest,omitempty"`
	Newest    *Time    `json:"newest,omitempty"`
	Disorder  Disorder `json:"out_of_order"`
}

// Disorder is by how much rows are older than the newest row before them in their split, which is nothing for those in order. Quantiles are over all rows, those in order among them, and
// wrong by at most Accuracy of themselves.
type Disorder struct {
	Rows  int64     `json:"rows"` // that are out of order
	Share float64   `json:"share"`
	P50   Length    `json:"p50_ms"`
	P90   Length    `json:"p90_ms"`
	P99   Length    `json:"p99_ms"`
	P999  Length    `json:"p99_9_ms"`
	P9999 Length    `json:"p99_99_ms"`
	Worst *Furthest `json:"worst,omitempty"`
}

// Furthest is the row that is furthest out of order, or latest.
type Furthest struct {
	By    Length `json:"by_ms"`
	Time  Time   `json:"time"`
	Split string `json:"split"`
	// Row is its number among those of its split, from 1.
	Row int64 `json:"row"`
}

// Present is what became of the rows by the table's own watermark.
type Present struct {
	// Delay is how far it is behind the column, nil if that is no constant length.
	Delay *Length `json:"delay_ms,omitempty"`
	Late  int64   `json:"late"`
	Share float64 `json:"share"`
	// Worst came latest; its By is how far the watermark was past it.
	Worst *Furthest `json:"worst,omitempty"`
}

// Delay is what a delay would do.
type Delay struct {
	Delay Length `json:"delay_ms"`
	// Late would be so many rows, held against the least watermark of all splits, and Alone if each were held against that of its own split.
	Late  int64   `json:"late"`
	Share float64 `json:"share"`
	Alone int64   `json:"late_in_own_split"`
	// Later is by how much results would come later than they do now, or if the table has no constant delay, than without one.
	Later Length `json:"later_ms"`
	// Now says that it is what the table has.
	Now bool `json:"now,omitempty"`
}

// Target is the shortest round delay for a share of the rows.
type Target struct {
	// OnTime is that share in percent, as text: 99.9.
	OnTime string `json:"on_time_percent"`
	// Delay is nil if no delay up to 90 days is enough. Alone is the one for rows that are held against their own split, which does not count on a slower one.
	Delay *Length `json:"delay_ms,omitempty"`
	Alone *Length `json:"delay_for_own_split_ms,omitempty"`
	Late  int64   `json:"late"`
	Later Length  `json:"later_ms"`
	SQL   string  `json:"sql,omitempty"`
}

// Held is quantiles over the rows, wrong by at most Accuracy of themselves.
type Held struct {
	P50 Length `json:"p50_ms"`
	P99 Length `json:"p99_ms"`
}

// targets are the shares of rows that advice is given for, in percent, and one of how many rows may be late.
var targets = []struct {
	percent string
	of      int64
}{{"99", 100}, {"99.9", 1_000}, {"99.99", 10_000}, {"100", 0}}

// Report tells what was found up to now.
func (s *Study) Report() *Report {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := newRows("")
	r := &Report{Table: s.table.Name, Column: s.table.Column, Watermark: s.table.Watermark, bounded: s.table.Bounded}
	for _, x := range s.counted() {
		all.merge(x)
		out := Split{Name: x.name, Splits: 1, Rows: x.n, NullTimes: x.nulls, Oldest: s.time(x.oldest), Newest: s.time(x.newest), Disorder: s.disorder(x)}
		if x == s.others {
			out.Splits = s.left
		}
		r.Splits = append(r.Splits, out)
	}
	r.Rows, r.NullTimes, r.Oldest, r.Newest, r.Disorder = all.n, all.nulls, s.time(all.oldest), s.time(all.newest), s.disorder(all)
	r.Held = Held{Length(s.held.quantile(r.Rows+r.NullTimes, 5_000)), Length(s.held.quantile(r.Rows+r.NullTimes, 9_900))}
	r.Present = s.present(r.Rows)
	r.Targets = s.targets(r.Rows)
	for i := range s.delays.delays {
		if s.shows(i, r.Targets) {
			r.Delays = append(r.Delays, s.delay(i, r.Rows))
		}
	}
	r.Findings = s.findings(r, all)
	return r
}

// merge adds the rows of another split.
func (r *rows) merge(x *rows) {
	r.n += x.n
	r.nulls += x.nulls
	r.disordered += x.disordered
	r.behind.merge(&x.behind)
	if x.worst.Behind > r.worst.Behind {
		r.worst = x.worst
	}
	if x.oldest != watermark.NoTime && (r.oldest == watermark.NoTime || x.oldest < r.oldest) {
		r.oldest = x.oldest
	}
	r.newest = max(r.newest, x.newest)
}

func (s *Study) disorder(x *rows) Disorder {
	q := func(of10k int64) Length { return Length(min(x.behind.quantile(x.n, of10k), x.worst.Behind)) }
	d := Disorder{Rows: x.disordered, Share: share(x.disordered, x.n), P50: q(5_000), P90: q(9_000), P99: q(9_900), P999: q(9_990), P9999: q(9_999)}
	if w := x.worst; w.Behind > 0 {
		d.Worst = &Furthest{Length(w.Behind), Time{w.Time, s.table.Instant}, w.Split, w.Row}
	}
	return d
}

func share(n, of int64) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

func (s *Study) present(rows int64) *Present {
	if s.table.Watermark == "" {
		return nil
	}
	p := &Present{Late: s.late, Share: share(s.late, rows)}
	if d := Length(s.table.Delay); d >= 0 {
		p.Delay = &d
	}
	if w := s.worst; w.Row > 0 {
		p.Worst = &Furthest{Length(w.Past), Time{w.Time, s.table.Instant}, w.Split, w.Row}
	}
	return p
}

func (s *Study) targets(rows int64) []Target {
	if rows == 0 {
		return nil
	}
	var all []Target
	for _, x := range targets {
		allowed := int64(0)
		if x.of > 0 {
			allowed = rows / x.of
		}
		t := Target{OnTime: x.percent}
		if i, ok := s.delays.enough(allowed, s.alone.short); ok {
			d := Length(s.delays.delays[i])
			t.Alone = &d
		}
		if i, ok := s.delays.enough(allowed, s.delays.late); ok {
			d := Length(s.delays.delays[i])
			t.Delay, t.Late, t.Later, t.SQL = &d, s.delays.late(i), s.later(int64(d)), s.table.alter(int64(d))
		} else {
			t.Late = s.delays.late(len(s.delays.delays) - 1)
		}
		all = append(all, t)
	}
	return all
}

// later is by how much results come later with a delay.
func (s *Study) later(delay int64) Length { return Length(delay - max(s.table.Delay, 0)) }

func (s *Study) delay(i int, rows int64) Delay {
	d, late := s.delays.delays[i], s.delays.late(i)
	return Delay{Delay: Length(d), Late: late, Share: share(late, rows), Alone: s.alone.short(i), Later: s.later(d), Now: d == s.table.Delay}
}

// shows reports whether delay number i says something: it is none or the table's, or one of those that are asked for or advised, or a landmark, from the last that saves hardly a row to the one before all are saved.
func (s *Study) shows(i int, advised []Target) bool {
	d := s.delays.delays[i]
	if d == 0 || d == s.table.Delay || slices.Contains(s.table.Delays, d) {
		return true
	}
	for _, t := range advised {
		if t.Delay != nil && int64(*t.Delay) == d {
			return true
		}
	}
	if !slices.Contains(landmarks, d) {
		return false
	}
	var before, after int64 // landmarks beside d
	for _, l := range landmarks {
		if l < d {
			before = l
		} else if l > d {
			after = l
			break
		}
	}
	late := func(d int64) int64 { return s.delays.late(s.delays.find(d)) }
	some := func(d int64) bool { return late(d) <= late(0)-late(0)/50-1 }
	saves := some(d) || after > 0 && some(after)
	return saves && late(before) > late(rungs[len(rungs)-1]) && late(d) > 0
}
