package advice

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/numfmt"
)

// mostSplits is how many splits a text shows: those that are furthest out of order.
const mostSplits = 20

// Text writes the report for people.
func (r *Report) Text() string {
	var b strings.Builder
	b.WriteString(r.Table + ": " + numfmt.Plural(r.Rows+r.NullTimes, "row", "rows"))
	if n := r.splits(); n > 1 {
		fmt.Fprintf(&b, " in %s splits", numfmt.Grouped(n))
	}
	if r.Rows > 0 {
		fmt.Fprintf(&b, ", %s from %v to %v", r.Column, *r.Oldest, *r.Newest)
	}
	b.WriteString("\n")
	if r.Rows > 0 {
		r.disorder(&b)
		r.delays(&b)
		r.advice(&b)
	}
	r.found(&b)
	return b.String()
}

// splits is how many there are.
func (r *Report) splits() int64 {
	n := int64(0)
	for i := range r.Splits {
		n += int64(r.Splits[i].Splits)
	}
	return n
}

func (r *Report) disorder(b *strings.Builder) {
	b.WriteString("\nOut of order: by how much a row is older than the newest before it in its split\n")
	t := table{{"", "rows", "out of order", "", "50 %", "90 %", "99 %", "99.9 %", "99.99 %", "largest"}}
	row := func(name string, rows int64, d *Disorder) {
		largest := Length(0)
		if d.Worst != nil {
			largest = d.Worst.By
		}
		cells := []string{name, numfmt.Grouped(rows), numfmt.Grouped(d.Rows), percent(d.Rows, rows)}
		for _, l := range []Length{d.P50, d.P90, d.P99, d.P999, d.P9999} {
			cells = append(cells, min(l.rounded(), largest).String())
		}
		t = append(t, append(cells, largest.String()))
	}
	shown := r.furthest()
	for i := range shown {
		s := &shown[i]
		name := s.Name
		if name == "" {
			name = numfmt.Plural(int64(s.Splits), "other split", "other splits")
		}
		row(name, s.Rows, &s.Disorder)
	}
	if left := len(r.Splits) - len(shown); left > 0 {
		t = append(t, []string{numfmt.Plural(int64(left), "split less so", "splits less so")})
	}
	if len(r.Splits) > 1 {
		row("together", r.Rows, &r.Disorder)
	}
	t.write(b)
	if w := r.Disorder.Worst; w != nil {
		fmt.Fprintf(b, "  furthest: row %s of %s, of %v, was %v older\n", numfmt.Grouped(w.Row), w.Split, w.Time, w.By)
	}
	if r.splits() > 1 {
		fmt.Fprintf(b, "  the slowest split holds the watermark %v behind the newest row at the median, %v at 99 %%, beside the delay", r.Held.P50.rounded(), r.Held.P99.rounded())
		if r.bounded {
			b.WriteString("; splits with an end are read in turn, a chunk at a time")
		}
		b.WriteString("\n")
	}
}

// furthest are the splits that are shown, in their order.
func (r *Report) furthest() []Split {
	if len(r.Splits) <= mostSplits {
		return r.Splits
	}
	by := func(s *Split) Length {
		if s.Disorder.Worst == nil {
			return 0
		}
		return s.Disorder.Worst.By
	}
	places := make([]int, len(r.Splits))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(i, j int) int { return cmp.Compare(by(&r.Splits[j]), by(&r.Splits[i])) })
	places = places[:mostSplits]
	slices.Sort(places)
	var shown []Split
	for _, i := range places {
		shown = append(shown, r.Splits[i])
	}
	return shown
}

func (r *Report) delays(b *strings.Builder) {
	b.WriteString("\nDelays: rows that would be late")
	several := r.splits() > 1
	if several {
		b.WriteString(", behind the least watermark of the splits or that of their own")
	}
	b.WriteString("\n")
	head := []string{"", "late", "", "results come"}
	if several {
		head = append(head, "late by own split")
	}
	t := table{head}
	constant := r.Present != nil && r.Present.Delay != nil
	for _, d := range r.Delays {
		cells := []string{d.Delay.String(), numfmt.Grouped(d.Late), percent(d.Late, r.Rows), later(d.Later, constant)}
		if several {
			cells = append(cells, numfmt.Grouped(d.Alone))
		}
		t = append(t, cells)
	}
	t.write(b)
	if p := r.Present; p != nil {
		fmt.Fprintf(b, "  now: %s made %s late, %s", r.Watermark, numfmt.Plural(p.Late, "row", "rows"), percent(p.Late, r.Rows))
		if w := p.Worst; w != nil {
			fmt.Fprintf(b, "; the latest, of %v in %s, came when the watermark was %v past it", w.Time, w.Split, w.By)
		}
		b.WriteString("\n")
	}
}

// later says when results come, against now or against no delay.
func later(l Length, constant bool) string {
	switch {
	case l == 0 && constant:
		return "as now"
	case l == 0:
		return "at once"
	case l < 0:
		return (-l).String() + " sooner"
	}
	return l.String() + " later"
}

// advice writes the targets, those with the same delay together.
func (r *Report) advice(b *strings.Builder) {
	b.WriteString("\nAdvice: the shortest delay, rounded up, for so many rows on time\n")
	for i := 0; i < len(r.Targets); {
		t := &r.Targets[i]
		shares := []string{}
		for ; i < len(r.Targets) && r.Targets[i].SQL == t.SQL && same(r.Targets[i].Alone, t.Alone); i++ {
			shares = append(shares, r.Targets[i].OnTime)
		}
		fmt.Fprintf(b, "  %s %%: ", strings.Join(shares, ", "))
		if t.Delay == nil {
			fmt.Fprintf(b, "no delay up to %v is enough; %s would be late\n", Length(rungs[len(rungs)-1]), numfmt.Plural(t.Late, "row", "rows"))
			continue
		}
		fmt.Fprintf(b, "%v, %s late", *t.Delay, numfmt.Plural(t.Late, "row", "rows"))
		if t.Alone != nil && *t.Alone != *t.Delay && r.splits() > 1 {
			fmt.Fprintf(b, "; %v if no slower split held the watermark back", *t.Alone)
		}
		fmt.Fprintf(b, "\n    %s\n", t.SQL)
	}
}

func same(a, b *Length) bool { return a == b || a != nil && b != nil && *a == *b }

func (r *Report) found(b *strings.Builder) {
	if len(r.Findings) == 0 {
		return
	}
	b.WriteString("\nFindings\n")
	for _, f := range r.Findings {
		fmt.Fprintf(b, "  %s: %s\n", f.Name, f.Text)
		for _, remedy := range f.Remedies {
			fmt.Fprintf(b, "    = %s\n", remedy)
		}
	}
}

// table is lines of cells, the first of each to the left and the others to the right.
type table [][]string

func (t table) write(b *strings.Builder) {
	var widths []int
	for _, line := range t {
		for i, cell := range line {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, line := range t {
		text := ""
		for i, cell := range line {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i == 0 {
				text = "  " + cell + pad
			} else {
				text += "  " + pad + cell
			}
		}
		b.WriteString(strings.TrimRight(text, " ") + "\n")
	}
}
