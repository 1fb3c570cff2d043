package flowspec

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// Defaults of watermark_strategy, in microseconds. Flow's documents have them.
const (
	second = 1_000_000

	defaultBound           = 60 * second
	defaultIdle            = 60 * second
	defaultIdleRatio       = 0.4
	defaultPercentileDelay = 60 * second
	defaultHalfLife        = 10 * 60 * second
	defaultDrift           = 20 * 60 * second
	defaultGroup           = "default-alignment-group"
)

func (r *reader) strategy(n *Node, at source.Span) Strategy {
	s := Strategy{Percentile: Percentile{Value: 100, Delay: defaultPercentileDelay}}
	if n == nil {
		return s
	}
	s.At = at
	f := r.fields(n, at, "watermark_strategy")
	s.Assigner = r.assigner(f)
	if n := f.take("watermark_generator"); n != nil {
		s.Generator = r.generator(n, f.key("watermark_generator"))
	}
	if n := f.take("watermark_alignment"); n != nil {
		s.Alignment = r.alignment(n, f.key("watermark_alignment"))
	}
	if n := f.take("watermark_percentile"); n != nil {
		s.Percentile = r.percentile(n, f.key("watermark_percentile"), "watermark_percentile")
	}
	f.done()
	return s
}

func (r *reader) assigner(f *fields) Assigner {
	n := f.take("event_timestamp_assigner")
	a := r.fields(n, f.key("event_timestamp_assigner"), "event_timestamp_assigner")
	out := Assigner{Column: a.word("column")}
	format, written := a.choice("format", "seconds", "milliseconds", "iso8601")
	out.Format = Format(format)
	out.Limit = a.boolean("limit_by_system_timestamp", false)
	a.done()
	if written && out.Column.Text == "" {
		r.fail(codeStrategy, a.key("format"), r.lacking(n, "name the column: column: ts", "column"), "a format is for a column, and none is named")
	}
	return out
}

func (r *reader) generator(n *Node, at source.Span) *Generator {
	f := r.fields(n, at, "watermark_generator")
	g := &Generator{At: at, UseSource: f.boolean("use_source_watermark", false), Bound: f.duration("out_of_orderness_bound", defaultBound), Groups: Groups{MaxUnavailable: 1, MinAvailable: 1}, Late: Percentile{Value: 100}}
	if n.Get("out_of_orderness_bound") == nil && !g.UseSource {
		r.warn(at, "out_of_orderness_bound is not written, so it is 1 minute; versions of Flow differ in that")
	}
	if n := f.take("idle_partitions"); n != nil {
		i := r.fields(n, f.key("idle_partitions"), "idle_partitions")
		g.Idle = &Idle{Duration: i.duration("duration", defaultIdle), MaxRatio: i.ratio("max_ratio", defaultIdleRatio)}
		i.done()
	}
	if n := f.take("unavailable_partition_groups"); n != nil {
		u := r.fields(n, f.key("unavailable_partition_groups"), "unavailable_partition_groups")
		g.Groups.MaxUnavailable = u.whole("max_unavailable_groups", 1, 0, 1<<30)
		if u.node.Get("max_groups") != nil {
			g.Groups.MaxUnavailable = u.whole("max_groups", 0, 0, 1<<30)
		}
		g.Groups.MinAvailable = u.whole("min_available_groups", 1, 0, 1<<30)
		u.done()
	}
	if n := f.take("late_data_partitions"); n != nil {
		g.Late = r.percentile(n, f.key("late_data_partitions"), "late_data_partitions")
	}
	f.done()
	return g
}

func (r *reader) percentile(n *Node, at source.Span, what string) Percentile {
	f := r.fields(n, at, what)
	p := Percentile{Value: f.whole("value", 100, 0, 100), Delay: f.duration("delay", defaultPercentileDelay)}
	f.done()
	return p
}

func (r *reader) alignment(n *Node, at source.Span) *Alignment {
	f := r.fields(n, at, "watermark_alignment")
	a := &Alignment{At: at, Group: f.word("group_name"), DriftBound: f.duration("drift_bound", defaultDrift)}
	if a.Group.Text == "" {
		a.Group = Word{defaultGroup, at}
	}
	if n := f.take("read_delays"); n != nil {
		a.ReadDelays = r.delays(f, n, "read_delays")
	}
	f.done()
	return a
}

// watermarks checks watermark_strategy. Flow: a generator and an alignment are for sources.
func (r *reader) watermarks(p *Pipeline, c *Computation) {
	s := &c.Strategy
	if !c.Class.Source {
		const hint = "write it for the computations that read sources; here watermarks follow from those of the inputs"
		if g := s.Generator; g != nil {
			r.fail(codeStrategy, g.At, hint, "a watermark_generator is for sources, and computation '%s' reads streams", c.ID.Text)
		}
		if a := s.Alignment; a != nil {
			r.fail(codeStrategy, a.At, hint, "a watermark_alignment is for sources, and computation '%s' reads streams", c.ID.Text)
		}
	}
	if w := s.Assigner.Column; w.Text != "" {
		for _, o := range c.Outputs {
			if stream := p.Stream(o.Text); stream != nil {
				r.assigns(s.Assigner, stream)
			}
		}
	}
	if g := s.Generator; g != nil {
		if g.Idle != nil && g.Idle.Duration == 0 {
			r.fail(codeStrategy, g.At, "write a length, such as \"1m\", or leave idle_partitions out", "idle_partitions has a duration of 0")
		}
		if g.UseSource && (g.Idle != nil || g.Late.Value < 100) {
			r.warn(g.At, "use_source_watermark takes the watermark of the queue as it is, so the other parts of watermark_generator say nothing")
		}
	}
	if a := s.Alignment; a != nil {
		for _, d := range a.ReadDelays {
			r.delayed(p, c, d)
		}
	}
}

// assigns wants a column that can hold event time in the way that is said.
func (r *reader) assigns(a Assigner, s *Stream) {
	at := find(s.Schema, a.Column.Text)
	if at < 0 {
		r.fail(codeStrategy, a.Column.At, r.nearest(a.Column.Text, columnNames(s.Schema)), "stream '%s' has no column '%s'", s.ID.Text, a.Column.Text)
		return
	}
	t := s.Schema[at].Type
	switch {
	case t.IsTime():
	case a.Format == ISO8601 && !t.IsText():
		r.fail(codeStrategy, a.Column.At, "write format: seconds or milliseconds", "column '%s' of stream '%s' is %s, and a time in ISO 8601 is a text", a.Column.Text, s.ID.Text, s.Schema[at].Wording)
	case a.Format != ISO8601 && !t.IsInteger():
		hint := "compute a whole number in a query"
		if t.IsText() {
			hint = "write format: iso8601 if it holds times such as 2026-01-01T00:00:00Z"
		}
		r.fail(codeStrategy, a.Column.At, hint, "column '%s' of stream '%s' is %s, and a count of seconds or milliseconds is a whole number", a.Column.Text, s.ID.Text, s.Schema[at].Wording)
	}
}

// delayed wants what is waited for to be a stream of another computation.
func (r *reader) delayed(p *Pipeline, c *Computation, d Delay) {
	if name, stream, found := strings.Cut(d.Stream.Text, "/"); found {
		if other := p.Computation(name); other != nil && other != c && (other.Source(stream) != nil || other.Timer(stream) != nil) {
			return
		}
	} else if w := p.Writer(d.Stream.Text); w != nil && w != c {
		return
	} else if w == c {
		r.fail(codeGraph, d.Stream.At, "name a stream of another computation", "computation '%s' waits for its own stream '%s'", c.ID.Text, d.Stream.Text)
		return
	}
	var all []string
	for _, other := range p.Computations {
		if other != c {
			all = append(all, texts(other.Outputs)...)
		}
	}
	r.fail(codeGraph, d.Stream.At, r.nearest(d.Stream.Text, all), "no other computation has a stream '%s'", d.Stream.Text)
}
