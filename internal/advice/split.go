package advice

import (
	"math"

	"github.com/DataDog/sketches-go/ddsketch"

	"github.com/tidemark-sql/tidemark/watermark"
)

// Accuracy is by how much of itself a quantile can be wrong.
const Accuracy = 0.01

// sketchBins are more than times of the years 1 to 9999 need, so that nothing is ever put together to save room; see ddsketch.LogCollapsingLowestDenseDDSketch.
const sketchBins = 4096

// lengths are many lengths of time above 0, in microseconds, of which quantiles are known. The zero value has none.
type lengths struct {
	n      int64
	sketch *ddsketch.DDSketch // nil until there is one
}

// add adds a length n times.
func (l *lengths) add(micros, n int64) {
	if micros <= 0 {
		return
	}
	if l.sketch == nil {
		l.sketch = newSketch()
	}
	l.n += n
	if err := l.sketch.AddWithCount(float64(micros), float64(n)); err != nil {
		panic("tidemark bug: a length of time is out of range: " + err.Error())
	}
}

func newSketch() *ddsketch.DDSketch {
	s, err := ddsketch.LogCollapsingLowestDenseDDSketch(Accuracy, sketchBins)
	if err != nil {
		panic("tidemark bug: " + err.Error())
	}
	return s
}

// merge adds those of other.
func (l *lengths) merge(other *lengths) {
	if other.sketch == nil {
		return
	}
	if l.sketch == nil {
		l.sketch = newSketch()
	}
	l.n += other.n
	if err := l.sketch.MergeWith(other.sketch); err != nil {
		panic("tidemark bug: " + err.Error())
	}
}

// quantile is the least length that so many of 10,000 of all are no longer than; all are those of l, and zeros that make it n. It is wrong by at most Accuracy of itself.
func (l *lengths) quantile(n, of10k int64) int64 {
	zeros := n - l.n
	rank := (n*of10k+9_999)/10_000 - 1 // from 0
	if rank < zeros || l.n == 0 {
		return 0
	}
	at := 0.0
	if l.n > 1 {
		at = math.Min((float64(rank-zeros)+0.5)/float64(l.n-1), 1) // between two ranks, so that rounding decides nothing
	}
	v, err := l.sketch.GetValueAtQuantile(at)
	if err != nil {
		panic("tidemark bug: " + err.Error())
	}
	return int64(math.Round(v))
}

// rows are what is known of the rows of one split, or of several.
type rows struct {
	name       string
	n          int64 // with a time
	nulls      int64
	disordered int64
	behind     lengths // by how much rows are older than the newest before them
	worst      Worst
	oldest     int64 // NoTime until there is a row
	newest     int64
}

// Worst is the row that is furthest out of order.
type Worst struct {
	// Behind is by how much it is older than Newest, the newest one before it in its split, in microseconds; 0 if no row is out of order.
	Behind, Time, Newest int64
	// Split is where it was, and Row its number among the rows of that split, from 1.
	Split string
	Row   int64
}

func newRows(name string) *rows {
	return &rows{name: name, oldest: watermark.NoTime, newest: watermark.NoTime}
}

// split is one that is being read.
type split struct {
	*rows        // may be those of several
	name  string // its own
	read  int64
	// newest is what rows are held against, NoTime before the first.
	newest int64
	status watermark.Status
	// readAt is when it was read last, or when it joined, by the wall clock.
	readAt int64
}

// observe reads a run. Rows later than limit say nothing of time. Needs get the delay that each row would need if the split had a watermark of its own.
func (s *split) observe(times []int64, limit, tick int64, needs *tally) {
	newest, oldest := s.newest, int64(math.MaxInt64)
	counted := int64(len(times))
	for k, t := range times {
		if t > newest && t <= limit {
			newest = t
			if oldest == math.MaxInt64 {
				oldest = t
			}
			continue
		}
		if t == watermark.NoTime {
			s.nulls++
			counted--
			continue
		}
		if t > limit {
			continue
		}
		oldest = min(oldest, t)
		if t < newest {
			s.disorder(t, newest, s.read+int64(k)+1)
		}
		needs.add(int64(watermark.FromInclusive(newest, tick).Sub(t)))
	}
	s.read += int64(len(times))
	s.newest = newest
	s.n += counted
	s.rows.newest = max(s.rows.newest, newest)
	if oldest != math.MaxInt64 && (s.oldest == watermark.NoTime || oldest < s.oldest) {
		s.oldest = oldest
	}
}

func (s *split) disorder(t, newest, row int64) {
	by := int64(watermark.Frontier(newest).Sub(t))
	s.disordered++
	s.behind.add(by, 1)
	if by > s.worst.Behind {
		s.worst = Worst{Behind: by, Time: t, Newest: newest, Split: s.name, Row: row}
	}
}
