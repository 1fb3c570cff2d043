package pattern

import (
	"cmp"
	"fmt"
	"slices"
)

// Node is a row of a match, with those before it. Matches that begin alike share them; nothing in a Node changes.
type Node struct {
	Prev     *Node // nil: the first row
	Time     int64 // of the row, microseconds
	Seq      int64 // how many rows of the partition came before it
	Row      int32 // the caller's
	Variable uint8
}

// Run is a way to read rows: a partial match, or a whole one.
type Run struct {
	Last *Node
	// Seq and Time are those of the first row.
	Seq, Time int64
	State     int32 // what it waits for; of a whole match nothing
}

// Matcher is what is known of a partition. The zero value has seen no row.
type Matcher struct {
	// Partial is the partial matches, those that began first in front.
	Partial []Run
	// Whole is matches that wait, because one that began before them may still become one, and decides whether they count. In the order of Partial.
	Whole []Run
	// Seq is how many rows there were.
	Seq int64

	spare []Run // memory for the next Partial
}

// Definitions tells whether a row can be a variable behind the rows of a partial match, of which before is the last (nil: none).
type Definitions interface {
	Holds(variable int, before *Node, row int32) (bool, error)
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
func (a *Automaton) Step(m *Matcher, row int32, time int64, d Definitions, found []*Node) ([]*Node, error) {
	s := stepper{Automaton: a, defs: d, row: row, time: time, seq: m.Seq, partial: m.spare[:0]}
	m.Seq++
	for _, r := range m.Partial {
		if err := s.follow(r); err != nil {
			return found, err
		}
	}
	if err := s.follow(Run{Seq: -1, State: a.start}); err != nil {
		return found, err
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
func (a *Automaton) Expire(m *Matcher, time int64, found []*Node) ([]*Node, error) {
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
	partial, whole []Run
}

// follow finds what r becomes with the row.
func (s *stepper) follow(r Run) error {
	for at := r.State; at >= 0; at = s.states[at].proceed {
		st := &s.states[at]
		ok, err := s.defs.Holds(st.variable, r.Last, s.row)
		if err == nil && ok && st.unless >= 0 {
			ok, err = s.defs.Holds(st.unless, r.Last, s.row)
			ok = !ok
		}
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		next := Run{Last: &Node{Prev: r.Last, Time: s.time, Seq: s.seq, Row: s.row, Variable: uint8(st.variable)}, Seq: r.Seq, Time: r.Time, State: st.take}
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

// settle takes the matches that no earlier one can prevent any more.
func (a *Automaton) settle(m *Matcher, found []*Node) ([]*Node, error) {
	for len(m.Whole) > 0 && (len(m.Partial) == 0 || m.Whole[0].Seq <= m.Partial[0].Seq) {
		match := m.Whole[0].Last
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
		return r.Last.Seq + 1, nil
	}
	seq = -1
	for n := r.Last; n != nil; n = n.Prev {
		if int(n.Variable) == a.skip.Variable {
			seq = n.Seq
			if a.skip.To == LastOf {
				break
			}
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

// Valid reports whether a run that was read from disk can be one of a's.
func (a *Automaton) Valid(r Run, whole bool) bool {
	if whole {
		return r.State == end && r.Last != nil
	}
	return r.State >= 0 && int(r.State) < len(a.states) && r.Last != nil
}
