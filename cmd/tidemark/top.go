package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"text/tabwriter"
	"time"

	"github.com/tidemark-sql/tidemark/internal/client"
	"github.com/tidemark-sql/tidemark/internal/metrics"
	"github.com/tidemark-sql/tidemark/internal/server/api"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
)

func topVerb(f *flags) action {
	var a asking
	a.flags(f)
	every := f.Duration("every", 2*time.Second, "`time` from one look to the next")
	once := f.Bool("once", false, "show two looks' difference once and leave; so it is where standard output is no terminal")
	return func(ctx context.Context, args []string, stdout, _ io.Writer) error {
		if len(args) > 0 {
			return usageErrorf("tidemark top takes no arguments")
		}
		if *every < 100*time.Millisecond {
			return usageErrorf("--every is %s; it must be at least 100ms", *every)
		}
		return top(ctx, a.client(), *every, !*once && terminal(stdout), stdout)
	}
}

// line is a statement as it was at a moment.
type line struct {
	api.Statement
	at              time.Time
	in, out         float64
	behind          float64 // -1: nobody knows
	late            float64
	inMark, outMark float64 // milliseconds; NaN without
}

// top shows statements again and again, or once.
func top(ctx context.Context, c *client.Client, every time.Duration, live bool, stdout io.Writer) error {
	before, err := looks(ctx, c)
	if err != nil {
		return err
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(every):
		}
		now, err := looks(ctx, c)
		if err != nil {
			return err
		}
		text := topTable(before, now)
		if live {
			// From the upper left corner on, over what was there.
			text = append([]byte("\x1b[H"), bytes.ReplaceAll(append(text, "\x1b[J"...), []byte("\n"), []byte("\x1b[K\n"))...)
		}
		if _, err := stdout.Write(text); err != nil {
			return writeFault(err)
		}
		if !live {
			return nil
		}
		before = now
	}
}

// looks looks at all statements that run.
func looks(ctx context.Context, c *client.Client) ([]line, error) {
	all, err := c.List(ctx)
	if err != nil {
		return nil, err
	}
	var lines []line
	for _, s := range all {
		l := line{Statement: s, at: time.Now(), behind: -1, inMark: math.NaN(), outMark: math.NaN()}
		if s.Status.Phase == "RUNNING" || s.Status.Phase == "DEGRADED" {
			m, err := c.Metrics(ctx, s.Name)
			if err != nil {
				return nil, err
			}
			l.read(m)
		}
		lines = append(lines, l)
	}
	return lines, nil
}

// read takes from samples what a line shows.
func (l *line) read(m api.Metrics) {
	for _, s := range m.Samples {
		switch s.Name {
		case metrics.Prefix + "num_records_in":
			l.in = s.Value
		case metrics.Prefix + "num_records_out":
			l.out = s.Value
		case metrics.Prefix + "pending_records":
			l.behind = max(0, l.behind) + s.Value
		case metrics.Prefix + "num_late_records_in":
			l.late += s.Value
		case metrics.Prefix + "current_input_watermark_milliseconds":
			l.inMark = least(l.inMark, s.Value)
		case metrics.Prefix + "current_output_watermark_milliseconds":
			l.outMark = least(l.outMark, s.Value)
		}
	}
}

func least(a, b float64) float64 {
	if math.IsNaN(a) {
		return b
	}
	return min(a, b)
}

// topTable is what there is to see of statements that run, and how many there are beside.
func topTable(before, now []line) []byte {
	was := map[string]line{}
	for _, l := range before {
		was[l.Metadata.UID] = l
	}
	var text bytes.Buffer
	others := map[string]int{}
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "NAME\tPHASE\tBEHIND\tIN/S\tOUT/S\tINPUT DELAY\tOUTPUT DELAY\tLATE\t")
	for _, l := range now {
		if l.Status.Phase != "RUNNING" && l.Status.Phase != "DEGRADED" {
			others[l.Status.Phase]++
			continue
		}
		old, there := was[l.Metadata.UID]
		in, out := "-", "-"
		if passed := l.at.Sub(old.at).Seconds(); there && passed > 0 && l.in >= old.in {
			in, out = fmt.Sprintf("%.0f", (l.in-old.in)/passed), fmt.Sprintf("%.0f", max(0, l.out-old.out)/passed)
		}
		behind := "-"
		if l.behind >= 0 {
			behind = fmt.Sprintf("%.0f", l.behind)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%.0f\t\n", l.Name, l.Status.Phase, behind, in, out, delayText(l.inMark, l.at), delayText(l.outMark, l.at), l.late)
	}
	w.Flush()
	for _, phase := range []string{"PENDING", "STOPPING", "STOPPED", "COMPLETED", "FAILED", "DELETING"} {
		if n := others[phase]; n > 0 {
			fmt.Fprintf(&text, "%d %s  ", n, phase)
		}
	}
	if len(others) > 0 {
		text.WriteByte('\n')
	}
	return text.Bytes()
}

// delayText says how far a watermark, in milliseconds, is behind the clock.
func delayText(mark float64, now time.Time) string {
	if math.IsNaN(mark) {
		return "-"
	}
	return timefmt.Delay(int64(mark)*1000, now.UnixMicro())
}
