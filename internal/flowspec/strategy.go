package flowspec

import "github.com/tidemark-sql/tidemark/internal/sql/source"

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
	if written && out.Column.Text == "" {
		r.fail(codeStrategy, a.key("format"), "name the column: column: ts", "a format is for a column, and none is named")
	}
	a.done()
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
