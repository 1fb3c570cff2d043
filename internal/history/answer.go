package history

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
)

// MostSteps is how many values of a line are told at once.
const MostSteps = 2_000

// Question is what somebody wants to see. Times are minutes since the epoch.
type Question struct {
	// ID is that of the statement.
	ID string
	// From is the first minute, To the one behind the last, and Step how many minutes a value stands for; a Step that would give more than MostSteps values is lengthened.
	From, To, Step int64
	// Wants says which series are wanted; nil is all but those of splits.
	Wants func(*Series) bool
}

// Answer is what is known.
type Answer struct {
	From, Step int64
	Lines      []Line
	// Notes are sentences about what is not there, without their ends.
	Notes []string
}

// Line is a line of a series. Values are for each step; Known says where there is one.
type Line struct {
	Series *Series
	Label  string
	Values []float64
	Known  []bool

	minutes []int64 // how many were folded
}

// Read answers a question. Chunks that are damaged are passed over, and told.
func (s *Store) Read(q Question) (Answer, error) {
	if q.Wants == nil {
		q.Wants = func(x *Series) bool { return !x.Wide() }
	}
	q.To = max(q.To, q.From)
	a := Answer{From: q.From, Step: max(q.Step, (q.To-q.From+MostSteps-1)/MostSteps, 1)}
	s.mu.RLock()
	defer s.mu.RUnlock()
	r := &reading{Question: q, answer: &a, lines: map[line]int{}, wide: slices.ContainsFunc(All, func(x *Series) bool { return x.Wide() && q.Wants(x) })}
	first, _ := hourOf(q.From)
	last, _ := hourOf(q.To - 1)
	for _, hour := range s.hoursOf(q.ID, first, last) {
		sheet, err := s.read(q.ID, hour, r.wide)
		if errors.Is(err, errDamaged) {
			r.damaged++
		} else if err != nil {
			return a, err
		}
		r.fold(hour, sheet)
	}
	slices.SortStableFunc(a.Lines, func(x, y Line) int {
		if x.Series != y.Series {
			return int(x.Series.code) - int(y.Series.code)
		}
		return strings.Compare(x.Label, y.Label)
	})
	a.Notes = append(r.notes(), s.dropNotes(timefmt.FloorDiv(first, hoursPerDay), timefmt.FloorDiv(last, hoursPerDay))...)
	return a, nil
}

// hoursOf are the hours of which there is something of a statement, in their order.
func (s *Store) hoursOf(id string, first, last int64) []int64 {
	there := map[int64]bool{}
	for hour, all := range s.hours {
		there[hour] = all[id] != nil
	}
	for _, d := range s.days {
		if d.number < timefmt.FloorDiv(first, hoursPerDay) || d.number > timefmt.FloorDiv(last, hoursPerDay) {
			continue
		}
		for i := range d.chunks {
			if d.chunks[i].id == id {
				there[d.chunks[i].hour] = true
			}
		}
	}
	var all []int64
	for hour, is := range there {
		if is && hour >= first && hour <= last {
			all = append(all, hour)
		}
	}
	slices.Sort(all)
	return all
}

// read puts together what there is of an hour. With the error errDamaged it is what could be read.
func (s *Store) read(id string, hour int64, wide bool) (*sheet, error) {
	all := newSheet()
	damaged := false
	if d := s.days[timefmt.FloorDiv(hour, hoursPerDay)]; d != nil {
		for i := range d.chunks {
			c := &d.chunks[i]
			if c.id != id || c.hour != hour || c.wide && !wide {
				continue
			}
			switch err := d.read(all, c); {
			case errors.Is(err, errDamaged):
				damaged = true
			case err != nil:
				return nil, err
			}
		}
	}
	if now := s.hours[hour][id]; now != nil {
		for _, c := range now.columns {
			var values []int64
			all.fill(c.line, c.mask, c.held(values))
		}
	}
	if damaged {
		return all, errDamaged
	}
	return all, nil
}

// reading is a question that is being answered.
type reading struct {
	Question
	answer  *Answer
	lines   map[line]int
	wide    bool // something of splits is wanted
	left    int64
	damaged int
}

// fold adds what an hour has.
func (r *reading) fold(hour int64, s *sheet) {
	if c := s.at[line{leftOut, ""}]; c != nil {
		r.left = max(r.left, slices.Max(c.held(nil)))
	}
	for _, c := range s.columns {
		if !r.Wants(c.series) {
			continue
		}
		for k, n := range c.values {
			if at := hour*perHour + int64(k); c.mask&(1<<k) != 0 && at >= r.From && at < r.To {
				r.line(c.line).add(int((at-r.From)/r.answer.Step), float64(n))
			}
		}
	}
}

// line is the line of the answer.
func (r *reading) line(l line) *Line {
	i, there := r.lines[l]
	if !there {
		i = len(r.answer.Lines)
		r.lines[l] = i
		n := (r.To - r.From + r.answer.Step - 1) / r.answer.Step
		r.answer.Lines = append(r.answer.Lines, Line{l.series, l.label, make([]float64, n), make([]bool, n), make([]int64, n)})
	}
	return &r.answer.Lines[i]
}

// add folds the next minute of a step.
func (l *Line) add(step int, n float64) {
	v := &l.Values[step]
	l.minutes[step]++
	switch {
	case !l.Known[step]:
		*v = n
	case l.Series.Fold == Sum:
		*v += n
	case l.Series.Fold == Last:
		*v = n
	case l.Series.Fold == Most:
		*v = max(*v, n)
	case l.Series.Fold == Mean:
		*v += (n - *v) / float64(l.minutes[step])
	}
	l.Known[step] = true
}

func (r *reading) notes() (all []string) {
	if r.left > 0 {
		all = append(all, fmt.Sprintf("%d lines are left out: %d for splits and %d others are kept of a statement", r.left, mostWide, mostLines))
	}
	if r.damaged > 0 {
		all = append(all, fmt.Sprintf("%d hours cannot be read: their file was damaged", r.damaged))
	}
	return all
}

// dropNotes tell what was dropped of some days because there was no room.
func (s *Store) dropNotes(first, last int64) (all []string) {
	splits, days := int64(0), int64(0)
	found := map[drop]bool{}
	for number, what := range s.dropped {
		if number < first || number > last {
			continue
		}
		if what == droppedDay && (!found[what] || number > days) {
			days = number
		}
		if what == droppedSplits && (!found[what] || number > splits) {
			splits = number
		}
		found[what] = true
	}
	room := fmt.Sprintf("is gone: the history of all statements can have %d MB", s.limit>>20)
	if found[droppedDay] {
		all = append(all, fmt.Sprintf("what was before the end of %s, or some of it, %s", dayName(days), room))
	}
	if found[droppedSplits] {
		all = append(all, fmt.Sprintf("what was known of splits before the end of %s %s", dayName(splits), room))
	}
	return all
}
