package pattern

import (
	"cmp"
	"fmt"
	"slices"
)

// Run is a way to read rows: a partial match, or a whole one. Rows have numbers: how many of the partition came before.
type Run struct {
	Last *Node
	// Seq and Time are the number and the time (microseconds) of the first row, End is the number of the last.
	Seq, Time, End int64
	State          int32 // what it waits for; of a whole match nothing
}

// Matcher is what is known of a partition. The zero value has seen no row.
type Matcher struct {
	// Partial is the partial matches, those that began first in front.
	Partial []Run
	// Whole is matches that wait, because one that began before them may still become one, and decides whether they count. In the order of Partial.
	Whole []Run
	// Seq is how many rows there were.
	Seq int64
	// Rows are the last of them, the caller's, from the first on that one of the matches has.
	Rows []int32

	spare []Run    // memory for the next Partial
	alone [1]int32 // that for a row which no match has yet
}

// Match is the rows of r, which is one of m's.
func (m *Matcher) match(r Run) Match { return Match{r.Last, r.End, m.Rows, m.Seq - int64(len(m.Rows))} }

// trim forgets the rows that no match has. Those that were found keep theirs.
func (m *Matcher) trim() {
	first := m.Seq
	for _, list := range [][]Run{m.Partial, m.Whole} {
		if len(list) > 0 {
			first = min(first, list[0].Seq)
		}
	}
	m.Rows = m.Rows[int64(len(m.Rows))-min(m.Seq-first, int64(len(m.Rows))):]
	if len(m.Rows) == 0 && cap(m.Rows) < 8 {
		m.Rows = nil
	}
}

// Definitions tells which rows can be a variable.
type Definitions interface {
	// Known tells whether a row can be the variable, if that is known without looking at others.
	Known(variable int, row int32) (can, known bool)
	// Holds tells whether the last row of a partial match can be its variable.
	Holds(variable int, with Match) (bool, error)
}

// MaxPartial bounds the partial matches of one partition.
const MaxPartial = 1 << 16

// ErrTooMany is what a row gets that makes more than MaxPartial partial matches.
var ErrTooMany = fmt.Errorf("more than %d partial matches of one partition", MaxPartial)

// SkipError is a match behind which the search cannot go on.
type SkipError struct {
	// Missing says that no row of the match is the variable; otherwise it is that of the first row, from which the same match would be found forever.
	Missing bool
}

func (e *SkipError) Error() string {
	if e.Missing {
		return "the match has no row of the variable"
	}
	return "the variable is that of the first row of the match"
}

// Step takes the next row of the partition and appends the matches that it brings about to found, in their order.
func (a *Automaton) Step(m *Matcher, row int32, time int64, d Definitions, found []Match) ([]Match, error) {
	s := stepper{Automaton: a, defs: d, row: row, time: time, seq: m.Seq, partial: m.spare[:0]}
	if len(m.Rows) > 0 {
		m.Rows = append(m.Rows, row)
		s.rows = m.Rows
	} else {
		m.alone[0] = row
		s.rows = m.alone[:]
	}
	m.Seq++
	s.first = m.Seq - int64(len(s.rows))
	for _, r := range m.Partial {
		if err := s.follow(r); err != nil {
			return found, err
		}
	}
	if err := s.follow(Run{Seq: -1, End: s.seq - 1, State: a.start}); err != nil {
		return found, err
	}
	if len(m.Rows) == 0 && len(s.partial)+len(s.whole) > 0 {
		m.Rows = append(m.Rows, row)
	}
	if len(s.partial) > MaxPartial {
		return found, ErrTooMany
	}
	clear(m.Partial)
	m.spare, m.Partial = m.Partial[:0], s.partial
	if len(s.whole) > 0 {
		m.Whole = append(m.Whole, s.whole...)
		slices.SortStableFunc(m.Whole, func(x, y Run) int { return cmp.Compare(x.Seq, y.Seq) })
	}
	return a.settle(m, found)
}

// Expire gives up the partial matches that began too long before time, and appends the matches that waited for them to found. Flink 2.3: within is reached too late.
func (a *Automaton) Expire(m *Matcher, time int64, found []Match) ([]Match, error) {
	if a.within == 0 {
		return found, nil
	}
	n := 0
	for n < len(m.Partial) && time-m.Partial[n].Time >= a.within {
		n++
	}
	if n == 0 {
		return found, nil
	}
	m.Partial = slices.Delete(m.Partial, 0, n)
	return a.settle(m, found)
}

// Expires is the time of a row that gives up a partial match of m first; ok is false if none will.
func (a *Automaton) Expires(m *Matcher) (time int64, ok bool) {
	if a.within == 0 || len(m.Partial) == 0 {
		return 0, false
	}
	return m.Partial[0].Time + a.within, true
}

// stepper is the work on one row.
type stepper struct {
	*Automaton
	defs           Definitions
	row            int32
	time, seq      int64
	rows           []int32 // of matches, this one the last
	first          int64   // the number of the first of them
	partial, whole []Run
}

// follow finds what r becomes with the row.
func (s *stepper) follow(r Run) error {
	for at := r.State; at >= 0; at = s.states[at].proceed {
		st := &s.states[at]
		ok, err := s.can(st.variable, r)
		if err == nil && ok && st.unless >= 0 {
			ok, err = s.can(st.unless, r)
			ok = !ok
		}
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		next := Run{Last: extend(r.Last, st.variable, s.seq), Seq: r.Seq, Time: r.Time, End: s.seq, State: st.take}
		if r.Last == nil {
			next.Seq, next.Time = s.seq, s.time
		}
		if s.ends(st.take) {
			whole := next
			whole.State = end
			s.whole = append(s.whole, whole)
		}
		if st.take >= 0 {
			s.partial = append(s.partial, next)
		}
	}
	return nil
}

// can tells whether the row can be variable behind the rows of r.
func (s *stepper) can(variable int, r Run) (bool, error) {
	if can, known := s.defs.Known(variable, s.row); known {
		return can, nil
	}
	return s.defs.Holds(variable, Match{r.Last, r.End, s.rows, s.first}.with(variable))
}

// settle takes the matches that no earlier one can prevent any more.
func (a *Automaton) settle(m *Matcher, found []Match) ([]Match, error) {
	defer m.trim()
	for len(m.Whole) > 0 && (len(m.Partial) == 0 || m.Whole[0].Seq <= m.Partial[0].Seq) {
		match := m.match(m.Whole[0])
		from, err := a.resume(m.Whole[0])
		if err != nil {
			return found, err
		}
		gone := func(r Run) bool { return r.Seq < from }
		m.Partial = slices.DeleteFunc(m.Partial, gone)
		m.Whole = slices.DeleteFunc(m.Whole, gone)
		found = append(found, match)
	}
	return found, nil
}

// resume is the first row at which a match behind r may begin.
func (a *Automaton) resume(r Run) (seq int64, err error) {
	switch a.skip.To {
	case NextRow:
		return r.Seq + 1, nil
	case PastLastRow:
		return r.End + 1, nil
	}
	seq = -1
	for n, end := r.Last, r.End; n != nil; n, end = n.Prev, n.From-1 {
		if int(n.Variable) == a.skip.Variable {
			if a.skip.To == LastOf {
				seq = end
				break
			}
			seq = n.From
		}
	}
	switch seq {
	case -1:
		return 0, &SkipError{Missing: true}
	case r.Seq:
		return 0, &SkipError{}
	}
	return seq, nil
}

// Valid reports whether a run that was read from disk can be one of a's, in m, whose Seq and Rows are there. That its stretches follow one another is for the caller to see.
func (a *Automaton) Valid(m *Matcher, r Run, whole bool) bool {
	if r.Last == nil || r.End < r.Last.From || r.End >= m.Seq || r.Seq < m.Seq-int64(len(m.Rows)) {
		return false
	}
	if whole {
		return r.State == end
	}
	return r.End == m.Seq-1 && r.State >= 0 && int(r.State) < len(a.states)
}
