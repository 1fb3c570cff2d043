// Package summary tells people what became of the rows of a statement: how many there were, which were late, where the watermark is and why it is not further, and what to write
// to mend what does not look right.
package summary

import (
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/tidemark-sql/tidemark/internal/numfmt"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Write writes what became of a run: rows in and out, late rows of both kinds with the worst of each, the watermarks, the time.
func Write(w io.Writer, s runtime.Stats, took time.Duration) {
	read := int64(0)
	for _, src := range s.Sources {
		read += src.Rows
	}
	rate := ""
	if seconds := took.Seconds(); read > 10_000 && seconds > 0 {
		rate = fmt.Sprintf(" (%s rows/s)", numfmt.Grouped(int64(float64(read)/seconds)))
	}
	fmt.Fprintf(w, "%s in, %s out in %s%s\n", rows(read), rows(s.Results()), took.Round(time.Millisecond), rate)
	for i, name := range Sources(&s) {
		summarizeSource(w, name, &s.Sources[i])
	}
	for _, sink := range s.Sinks {
		if !onTheWay(sink.System) {
			continue
		}
		name := "result"
		if sink.Name != "" {
			name = "into " + sink.Name
		}
		fmt.Fprintf(w, "  %s: system watermark %s\n", name, mark(sink.System, true))
	}
	for i := range s.Sources {
		for _, n := range Notices(&s.Sources[i]) {
			fmt.Fprintf(w, "  note: %s\n", n.Text)
			for _, r := range n.Remedies {
				fmt.Fprintf(w, "    = %s\n", r)
			}
		}
	}
	for i := range s.Operators {
		o := &s.Operators[i]
		if o.Keeps == nil || o.Out == 0 {
			continue
		}
		one, several := "late row", "late rows"
		if !o.Keeps.Late {
			one, several = "record that could not be read", "records that could not be read"
		}
		fmt.Fprintf(w, "  %s: %s kept in %s\n", s.Sources[o.Keeps.Source].Name, numfmt.Plural(o.Out, one, several), o.Keeps.Table)
	}
	labels := make([]string, len(s.Operators))
	for i := range s.Operators {
		labels[i] = s.Operators[i].Label
	}
	for i, label := range distinct(labels, "") {
		op := &s.Operators[i]
		if op.Tells != "" && op.Filtered > 0 {
			fmt.Fprintf(w, "  %s left out, %s\n", rows(op.Filtered), op.Tells)
		}
		if op.Late > 0 {
			fmt.Fprintf(w, "  %s: %s late, and handled as the others\n", label, rows(op.Late))
		}
		if op.Dropped == 0 {
			continue
		}
		late := "every window"
		if op.Orders {
			late = "the order of time"
		}
		fmt.Fprintf(w, "  %s: %s dropped, too late for %s", label, rows(op.Dropped), late)
		if d := op.Worst; d != nil {
			fmt.Fprintf(w, "; the latest, of %s, came when the watermark was %s past it", timefmt.EventTime(d.Time, op.Instant), length(d.Past()))
		}
		fmt.Fprintln(w)
	}
}

// Sources names the sources of a job, so that several readings of a table are told apart.
func Sources(s *runtime.Stats) []string {
	names := make([]string, len(s.Sources))
	for i := range s.Sources {
		names[i] = s.Sources[i].Name
	}
	return distinct(names, " reading")
}

// distinct tells names that are there several times apart: "bids (1st reading)", "bids (2nd reading)", where what is " reading". The order is
// that of the statement.
func distinct(names []string, what string) []string {
	all, seen := map[string]int{}, map[string]int{}
	for _, name := range names {
		all[name]++
	}
	out := make([]string, len(names))
	for i, name := range names {
		if out[i] = name; all[name] > 1 {
			seen[name]++
			out[i] = fmt.Sprintf("%s (%s%s)", name, ordinal(seen[name]), what)
		}
	}
	return out
}

func ordinal(n int) string {
	ending := "th"
	if tens := n / 10 % 10; tens != 1 {
		switch n % 10 {
		case 1:
			ending = "st"
		case 2:
			ending = "nd"
		case 3:
			ending = "rd"
		}
	}
	return strconv.Itoa(n) + ending
}

func summarizeSource(w io.Writer, name string, src *runtime.SourceStats) {
	if src.Skipped > 0 {
		fmt.Fprintf(w, "  %s: %s left out, which could not be read\n", name, rows(src.Skipped))
	}
	if src.NullTime > 0 {
		fmt.Fprintf(w, "  %s: %s left out, without event time ('table.exec.source.rowtime-null-handling')\n", name, rows(src.NullTime))
	}
	if src.Watermark == nil || !src.Watermarked || src.Strategy.Emission == (watermark.AtEnd{}) {
		return
	}
	if src.Late > 0 {
		fmt.Fprintf(w, "  %s: %s of %s late at the source", name, numfmt.Grouped(src.Late), numfmt.Grouped(src.Rows))
		if src.Diverted > 0 {
			fmt.Fprint(w, " and left out")
		}
		worst, split := src.Watermark.Worst()
		fmt.Fprintf(w, "; the latest, of %s", timefmt.EventTime(worst.Time, src.Instant))
		switch {
		case split < 0:
			fmt.Fprint(w, " in a split that was read to its end before")
		case len(src.Splits) > 1:
			fmt.Fprintf(w, " in %s", src.Splits[split])
		}
		fmt.Fprintf(w, ", came when the watermark was %s past it\n", length(worst.Past()))
	} else {
		fmt.Fprintf(w, "  %s: no row late at the source\n", name)
	}
	fmt.Fprintf(w, "  %s: watermark %s\n", name, reached(src))
}

func rows(n int64) string { return numfmt.Plural(n, "row", "rows") }

// length writes a length of time in two units at most: "2 d 3 h", "1.250 s".
func length(micros int64) string {
	ms := micros / 1000
	switch {
	case ms < 1000:
		return fmt.Sprintf("%d ms", ms)
	case ms < 60_000:
		return fmt.Sprintf("%d.%03d s", ms/1000, ms%1000)
	case ms < 3_600_000:
		return fmt.Sprintf("%d min %d s", ms/60_000, ms/1000%60)
	case ms < 86_400_000:
		return fmt.Sprintf("%d h %d min", ms/3_600_000, ms/60_000%60)
	}
	return fmt.Sprintf("%d d %d h", ms/86_400_000, ms/3_600_000%24)
}
