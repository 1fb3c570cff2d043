package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/watermark"
)

// summarize writes what became of a run: rows in and out, late rows of both kinds with the worst of each, the watermark, the time.
func summarize(w io.Writer, s runtime.Stats, took time.Duration) {
	read := int64(0)
	for _, src := range s.Sources {
		read += src.Rows
	}
	rate := ""
	if seconds := took.Seconds(); read > 10_000 && seconds > 0 {
		rate = fmt.Sprintf(" (%s rows/s)", count(int64(float64(read)/seconds)))
	}
	fmt.Fprintf(w, "%s in, %s out in %s%s\n", rows(read), rows(s.Written), took.Round(time.Millisecond), rate)
	for _, src := range s.Sources {
		summarizeSource(w, &src)
	}
	for _, op := range s.Operators {
		if op.Dropped == 0 {
			continue
		}
		fmt.Fprintf(w, "  %s: %s dropped, too late for every window", op.Label, rows(op.Dropped))
		if d := op.Worst; d != nil {
			fmt.Fprintf(w, "; the latest, of %s, came when the watermark was %s past it", instant(d.Time), past(d.Lateness()))
		}
		fmt.Fprintln(w)
	}
}

func summarizeSource(w io.Writer, src *runtime.SourceStats) {
	if src.Skipped > 0 {
		fmt.Fprintf(w, "  %s: %s left out, malformed ('json.ignore-parse-errors')\n", src.Name, rows(src.Skipped))
	}
	if src.NullTime > 0 {
		fmt.Fprintf(w, "  %s: %s left out, without event time ('table.exec.source.rowtime-null-handling')\n", src.Name, rows(src.NullTime))
	}
	if src.Watermark == nil || !src.Watermarked {
		return
	}
	if src.Late > 0 {
		fmt.Fprintf(w, "  %s: %s of %s late at the source", src.Name, count(src.Late), count(src.Rows))
		worst, where := worstOf(src)
		fmt.Fprintf(w, "; the latest, of %s", instant(worst.Time))
		if len(src.Splits) > 1 {
			fmt.Fprintf(w, " in %s", where)
		}
		fmt.Fprintf(w, ", came when the watermark was %s past it\n", past(worst.Lateness))
	} else {
		fmt.Fprintf(w, "  %s: no row late at the source\n", src.Name)
	}
	fmt.Fprintf(w, "  %s: watermark %s\n", src.Name, reached(src.Watermark))
}

func worstOf(src *runtime.SourceStats) (watermark.Worst, string) {
	var worst watermark.Worst
	where := ""
	for i, p := range src.Watermark.Splits {
		if p.Worst.Lateness > worst.Lateness {
			worst, where = p.Worst, src.Splits[i]
		}
	}
	return worst, where
}

// reached tells how far the rows took the watermark, and whether the input ended behind that.
func reached(s *watermark.Snapshot) string {
	if s.Frontier != watermark.Final {
		return mark(s.Frontier)
	}
	highest := watermark.Unset
	for _, p := range s.Splits {
		highest = max(highest, p.Frontier)
	}
	if highest == watermark.Unset {
		return "at the end of the input (no row moved it before)"
	}
	return mark(highest) + ", then the end of the input"
}

func mark(f watermark.Frontier) string {
	if f == watermark.Unset {
		return "not set yet: some split has sent no row"
	}
	return instant(f.W() * 1000)
}

func instant(micros int64) string {
	return string(timefmt.AppendTimestamp(nil, micros, 3, ' ', false))
}

func rows(n int64) string {
	if n == 1 {
		return "1 row"
	}
	return count(n) + " rows"
}

// count writes n with a comma every three digits.
func count(n int64) string {
	s := strconv.FormatInt(n, 10)
	var b strings.Builder
	for i, c := range s {
		if i > 0 && (len(s)-i)%3 == 0 && s[i-1] != '-' {
			b.WriteByte(',')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// past writes how far the watermark was beyond a row. Flink: lateness is W - t, and W is a millisecond less than the frontier.
func past(lateness int64) string { return length(lateness - 1000) }

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
