package timeline

import (
	"cmp"
	"slices"

	"github.com/tidemark-sql/tidemark/watermark"
)

// Mark is a watermark from a moment on.
type Mark struct {
	At int64
	F  watermark.Frontier
}

// Row is a row of the sample.
type Row struct {
	At, Time int64
	Late     bool
}

// Split is what is kept of one split.
type Split struct {
	Number int
	Rows   []Row
	Marks  []Mark
	Spells []Spell
}

// Picture is what is kept of a source from a moment on.
type Picture struct {
	Marks []Mark
	// Spells are those in which all splits were idle.
	Spells []Spell
	// Splits are in the order of their numbers.
	Splits []Split
}

// Picture reads what is kept from a moment on.
func (s *Source) Picture(from int64) Picture {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := Picture{Marks: s.line.marks(from), Spells: s.spells.since(from)}
	for _, x := range s.splits {
		p.Splits = append(p.Splits, Split{x.number, x.line.rows(from), x.line.marks(from), x.spells.since(from)})
	}
	slices.SortFunc(p.Splits, func(a, b Split) int { return cmp.Compare(a.Number, b.Number) })
	return p
}

// marks are the watermarks from a moment on, beginning with the one that held then.
func (l *line) marks(from int64) (all []Mark) {
	for _, s := range l.slots {
		m := Mark{max(s.at, from), s.mark}
		if n := len(all); n > 0 && all[n-1].F == m.F {
			continue
		}
		if n := len(all); n > 0 && all[n-1].At == m.At {
			all[n-1] = m
			continue
		}
		all = append(all, m)
	}
	if len(all) > 0 && all[0].F == watermark.Unset {
		all = all[1:]
	}
	return all
}

func (l *line) rows(from int64) (all []Row) {
	for _, s := range l.slots {
		if s.at < from {
			continue
		}
		if s.late != watermark.NoTime {
			all = append(all, Row{s.at, s.late, true})
		}
		if s.row != watermark.NoTime {
			all = append(all, Row{s.at, s.row, false})
		}
	}
	return all
}

// since are the spells that were not over at a moment.
func (s *spells) since(from int64) (all []Spell) {
	for _, x := range s.all {
		if x.To == 0 || x.To > from {
			x.From = max(x.From, from)
			all = append(all, x)
		}
	}
	return all
}

// Combined is the watermark of a statement with these sources: the least of those that are not idle, or of all if all are. It never falls.
func Combined(sources []Picture) (all []Mark) {
	var moments []int64
	for _, p := range sources {
		for _, m := range p.Marks {
			moments = append(moments, m.At)
		}
		for _, x := range p.Spells {
			if moments = append(moments, x.From); x.To != 0 {
				moments = append(moments, x.To)
			}
		}
	}
	slices.Sort(moments)
	reached := watermark.Unset
	for _, at := range slices.Compact(moments) {
		least, leastIdle, active := watermark.Final, watermark.Final, false
		for i := range sources {
			f, idle := sources[i].at(at)
			if leastIdle = min(leastIdle, f); !idle {
				least, active = min(least, f), true
			}
		}
		if !active {
			least = leastIdle
		}
		if least > reached {
			reached = least
			all = append(all, Mark{at, least})
		}
	}
	return all
}

// at is the watermark of a source at a moment, and whether it was idle.
func (p *Picture) at(moment int64) (f watermark.Frontier, idle bool) {
	f = watermark.Unset
	if i, found := slices.BinarySearchFunc(p.Marks, moment, func(m Mark, at int64) int { return cmp.Compare(m.At, at) }); found {
		f = p.Marks[i].F
	} else if i > 0 {
		f = p.Marks[i-1].F
	}
	for _, x := range p.Spells {
		idle = idle || x.From <= moment && (x.To == 0 || moment < x.To)
	}
	return f, idle
}
