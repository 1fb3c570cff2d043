package statedir

import (
	"fmt"
	"io"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/watermark"
)

// WriteText tells people what statements have kept. now is the wall clock in microseconds, for ages. Errors are those of w.
func WriteText(w io.Writer, views []*View, now int64) error {
	p := &printer{w: w, now: now}
	for i, v := range views {
		if i > 0 {
			p.line(0, "")
		}
		p.view(v)
	}
	return p.err
}

// printer writes lines; after the first error it does nothing.
type printer struct {
	w   io.Writer
	now int64
	err error
}

func (p *printer) line(depth int, format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, "%s%s\n", strings.Repeat("  ", depth), source.Visible(fmt.Sprintf(format, args...)))
	}
}

func (p *printer) view(v *View) {
	p.line(0, "%s", v.Name)
	if v.SQL != "" {
		p.line(1, "%s", source.Short(strings.Join(strings.Fields(v.SQL), " ")))
	}
	switch {
	case v.Orphaned:
		p.line(1, "no checkpoint is there, only files that some referred to: the statement does not start; to begin anew, and write everything again, remove the folder")
	case len(v.Checkpoints) == 0:
		p.line(1, "no checkpoint yet")
	}
	for i := range v.Checkpoints {
		c := &v.Checkpoints[i]
		older := ""
		if c.OlderFiles > 0 {
			older = fmt.Sprintf(" and %s in %s", size(c.Elsewhere), plural(int64(c.OlderFiles), "older file"))
		}
		p.line(1, "checkpoint %d of %s, %s ago, %s%s", c.ID, instant(c.Taken), p.ago(c.Taken), size(c.Bytes), older)
		if c.Damage != "" {
			p.line(2, "damaged: %s (%s)", c.Damage, c.File)
		}
	}
	for _, name := range v.Aside {
		p.line(1, "%s could not be used and was set aside", name)
	}
	if c := v.Newest(); c != nil {
		p.content(c)
	} else if len(v.Checkpoints) > 0 {
		p.line(1, "no checkpoint is whole: the statement does not start; to begin anew, and write everything again, remove the folder")
	}
}

func (p *printer) content(c *Checkpoint) {
	x := c.Content
	if x.Finished {
		p.line(1, "checkpoint %d is the end of the statement: its input has ended, and it is not run again", c.ID)
		p.prepared(x)
		return
	}
	p.line(1, "in checkpoint %d:", c.ID)
	for i := range x.Sources {
		p.source(&x.Sources[i])
	}
	for i := range x.Operators {
		p.operator(&x.Operators[i])
	}
	p.line(2, "written: %s", rows(x.Written))
	p.prepared(x)
}

func (p *printer) prepared(x *Content) {
	if x.Prepared > 0 {
		p.line(2, "prepared by sinks, to be shown: %s", size(x.Prepared))
	}
}

func (p *printer) source(s *Source) {
	notes := rows(s.Counts.Rows) + " read"
	for _, n := range [...]struct {
		count int64
		what  string
	}{{s.Counts.Late, "late"}, {s.Counts.Skipped, "that could not be read"}, {s.Counts.NullTime, "without event time"}} {
		if n.count > 0 {
			notes += fmt.Sprintf(", %d %s", n.count, n.what)
		}
	}
	p.line(2, "table %s: %s, watermark %s", s.Table, notes, mark(s.Watermark.Frontier, s.Instant))
	for i, x := range s.Splits {
		status, late := fmt.Sprintf("at %d", x.Offset), ""
		if x.Done {
			status = "read to its end"
		}
		f := watermark.Unset
		if i < len(s.Watermark.Splits) {
			own := s.Watermark.Splits[i]
			if f = own.Frontier; own.Late > 0 {
				late = fmt.Sprintf(", %d of %s late, by %s at most", own.Late, rows(own.Read), timefmt.Length(own.Worst.Past()))
			}
		}
		p.line(3, "%s: %s, watermark %s%s", x.Name, status, mark(f, s.Instant), late)
	}
	if n := len(s.Finished); n > 0 {
		p.line(3, "%d more read to their ends", n)
	}
}

func (p *printer) operator(o *Operator) {
	if !o.State && o.Dropped == 0 {
		return
	}
	label := o.Label
	if label == "" {
		label = "operator"
	}
	held := "no state"
	if o.State {
		var parts []string
		if o.Size.Groups > 0 || o.Size.Rows == 0 {
			parts = append(parts, plural(o.Size.Groups, "group"))
		}
		if o.Size.Rows > 0 {
			parts = append(parts, rows(o.Size.Rows))
		}
		held = strings.Join(append(parts, size(o.Size.Bytes)), ", ")
	}
	if o.Dropped > 0 {
		held += fmt.Sprintf("; %s dropped for being late", rows(o.Dropped))
	}
	p.line(2, "%s (%s): %s", label, o.ID, held)
}

func (p *printer) ago(at int64) string { return age(max(p.now-at, 0)) }

// age is a length of time in its two largest units.
func age(micros int64) string {
	s := micros / timefmt.Second
	switch {
	case s < 60:
		return fmt.Sprintf("%d s", s)
	case s < 3600:
		return fmt.Sprintf("%d min %d s", s/60, s%60)
	case s < 86_400:
		return fmt.Sprintf("%d h %d min", s/3600, s/60%60)
	}
	return fmt.Sprintf("%d d %d h", s/86_400, s/3600%24)
}

func instant(micros int64) string {
	return string(timefmt.AppendTimestamp(nil, micros, 0, ' ', true))
}

// mark writes the watermark of a frontier; utc says that it is an instant, which gets a Z.
func mark(f watermark.Frontier, utc bool) string {
	switch f {
	case watermark.Unset:
		return "not set"
	case watermark.Final:
		return "beyond all times"
	}
	return string(timefmt.AppendTimestamp(nil, f.W()*1000, 3, ' ', utc))
}

func rows(n int64) string { return plural(n, "row") }

func plural(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func size(bytes int64) string {
	unit, n := "B", float64(bytes)
	for _, u := range []string{"kB", "MB", "GB", "TB"} {
		if n < 999.5 {
			break
		}
		n, unit = n/1000, u
	}
	if unit == "B" || n >= 99.5 {
		return fmt.Sprintf("%.0f %s", n, unit)
	}
	return fmt.Sprintf("%.1f %s", n, unit)
}
