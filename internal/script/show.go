package script

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/watermark"
)

// showWatermark prints where the watermark of every table stands, or of one, and if there are several splits, what each of them has to do
// with it.
func (r *rig) showWatermark(b *Block) error {
	if b.Table != "" {
		if _, err := r.readTable(b); err != nil {
			return err
		}
	}
	stats := r.job.Stats()
	for _, s := range stats.Sources {
		if b.Table != "" && s.Name != b.Table {
			continue
		}
		w := s.Watermark
		fmt.Fprintf(&r.output, "%s %s", s.Name, appendWatermark(nil, w.Frontier.W(), s.Instant))
		if !w.Active {
			fmt.Fprint(&r.output, ", idle")
		}
		if s.Strategy.LooksAhead() {
			fmt.Fprintf(&r.output, ", system %s", appendWatermark(nil, w.System.W(), true))
		}
		if len(w.Awaited) > 0 {
			fmt.Fprintf(&r.output, ", waits for %s", strings.Join(w.Awaited, " and "))
		}
		fmt.Fprintln(&r.output)
		if len(w.Splits) == 1 && w.Splits[0].Lookahead == nil && s.Strategy.Dimension == nil {
			continue
		}
		for i := range w.Splits {
			split := &w.Splits[i]
			fmt.Fprintf(&r.output, "  %s %s, %s", s.Splits[i], appendWatermark(nil, split.Frontier.W(), s.Instant), split.Status)
			if slices.Contains(w.Holders, i) {
				fmt.Fprint(&r.output, ", holds")
			}
			if a := split.Lookahead; a != nil {
				fmt.Fprint(&r.output, ahead(a, s.Instant))
			}
			if split.Values > 0 {
				fmt.Fprintf(&r.output, ", least of %d: %s", split.Values, split.Least)
			}
			fmt.Fprintln(&r.output)
		}
		if x := w.Stall; x != (watermark.Stall{}) {
			fmt.Fprintf(&r.output, "  stands still: %d of %d splits are empty, %d more than may be let go\n", x.Empty, x.Total, x.Gating)
		}
	}
	if b.Table != "" {
		return nil
	}
	r.output.showPromises()
	for _, x := range stats.Streams() {
		fmt.Fprintf(&r.output, "stream %s %s, system %s\n", x.Name, appendWatermark(nil, x.Frontier.W(), false), appendWatermark(nil, x.System.W(), true))
	}
	for _, g := range stats.Groups() {
		fmt.Fprintf(&r.output, "group '%s' %s, system %s\n", g.Name, appendWatermark(nil, g.Frontier.W(), false), appendWatermark(nil, g.System.W(), true))
	}
	return nil
}

// showSystem prints the system watermark of every table read that has one, of its splits if there are several, and of every sink.
func (r *rig) showSystem() error {
	stats := r.job.Stats()
	show := func(what string, f watermark.Frontier) {
		fmt.Fprintf(&r.output, "%s %s\n", what, appendWatermark(nil, f.W(), true))
	}
	for _, s := range stats.Sources {
		if !s.Watermarked || !s.Strategy.LooksAhead() {
			continue
		}
		show(s.Name, s.Watermark.System)
		for i, split := range s.Watermark.Splits {
			if len(s.Splits) > 1 {
				show("  "+s.Splits[i], split.Lookahead.System)
			}
		}
	}
	for _, s := range stats.Sinks {
		if s.Name == "" {
			show("the result", s.System)
			continue
		}
		show("into "+s.Name, s.System)
	}
	return nil
}

// ahead is what there is to say of a split whose watermark looks ahead.
func ahead(a *watermark.LookaheadSnapshot, instant bool) string {
	var b strings.Builder
	if a.Unreachable {
		b.WriteString(", out of reach")
	}
	if a.Lifted != watermark.NotLifted {
		b.WriteString(", " + a.Lifted.String())
	}
	fmt.Fprintf(&b, "; fetched %s", appendWatermark(nil, a.Fetched.W(), instant))
	if a.InFlight > 0 {
		fmt.Fprintf(&b, ", completed %s, %d in flight", appendWatermark(nil, a.Completed.W(), instant), a.InFlight)
	}
	if a.Held {
		b.WriteString(", the next waits for others")
	}
	return b.String()
}

// showLate prints both counters of late rows, each with the row that was latest.
func (r *rig) showLate() error {
	stats := r.job.Stats()
	none := true
	for _, s := range stats.Sources {
		if s.Late == 0 {
			continue
		}
		none = false
		worst, _ := s.Watermark.Worst()
		diverted := ""
		if s.Diverted > 0 {
			diverted = " and diverted"
		}
		fmt.Fprintf(&r.output, "%s: %d late at the source%s, worst %s when the watermark was %s\n", s.Name, s.Late, diverted,
			appendEventTime(nil, worst.Time, s.Instant), appendWatermark(nil, worst.Frontier().W(), s.Instant))
	}
	for _, o := range stats.Operators {
		if o.Dropped == 0 {
			continue
		}
		none = false
		was := "whose last window ended at"
		if o.Orders {
			was = "where the order was at"
		}
		fmt.Fprintf(&r.output, "%s: %d dropped, worst %s %s %s\n", o.Label, o.Dropped,
			appendEventTime(nil, o.Worst.Time, o.Instant), was, appendEventTime(nil, o.Worst.Deadline, o.Instant))
	}
	if none {
		fmt.Fprintln(&r.output, "none")
	}
	return nil
}

// showCounts prints what became of the rows in every operator.
func (r *rig) showCounts() error {
	for _, o := range r.job.Stats().Operators {
		fmt.Fprintf(&r.output, "%s: in %d", o.Label, o.In)
		parts := []string{}
		for _, part := range []struct {
			name string
			n    int64
		}{{"filtered", o.Filtered}, {"absorbed", o.Absorbed}, {"dropped", o.Dropped}, {"late", o.Late}} {
			if part.n > 0 {
				parts = append(parts, fmt.Sprintf("%s %d", part.name, part.n))
				if part.name == "filtered" && o.Tells != "" {
					parts[len(parts)-1] += " (" + o.Tells + ")"
				}
			}
		}
		fmt.Fprintf(&r.output, "%s, out %d\n", strings.Join(append([]string{""}, parts...), ", "), o.Out)
	}
	return nil
}
