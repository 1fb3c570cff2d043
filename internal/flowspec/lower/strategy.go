package lower

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/flowspec"
	"github.com/tidemark-sql/tidemark/internal/plan"
)

// level is the watermark strategy of a source as options of its table. Flow: without a generator nothing is ignored, and the bound is 0.
func (l *lowering) level(c *flowspec.Computation, s *flowspec.Source) plan.Level {
	level := plan.Level{Origin: "watermark_strategy", Options: connector.Options{}, Spelled: map[string]string{}}
	set := func(option, value, name string) { level.Options[option], level.Spelled[option] = value, name }
	w := c.Strategy
	set(plan.OptionGenerator, "lookahead", "watermark_generator")
	set(plan.OptionIdleTimeout, "0", "idle_partitions")
	if c.Query != nil { // rows that it leaves out have no event time
		set(plan.OptionNullTime, "SKIP_WATERMARK", "query")
	}
	set(plan.OptionHalfLife, "0", "unavailable_partition_groups")
	if g := w.Generator; g != nil {
		if g.Idle != nil && g.Idle.MaxRatio > 0 {
			set(plan.OptionIdleTimeout, length(g.Idle.Duration), "idle_partitions.duration")
			set(plan.OptionLiftRatio, strconv.FormatFloat(g.Idle.MaxRatio, 'g', -1, 64), "idle_partitions.max_ratio")
		}
		if g.Groups.MaxUnavailable > 0 {
			set(plan.OptionHalfLife, length(s.HalfLife), "unavailable_time_half_decay_period")
			set(plan.OptionMaxDown, strconv.Itoa(g.Groups.MaxUnavailable), "unavailable_partition_groups.max_unavailable_groups")
			set(plan.OptionMinUp, strconv.Itoa(g.Groups.MinAvailable), "unavailable_partition_groups.min_available_groups")
		}
		set(plan.OptionLatePercent, strconv.Itoa(g.Late.Value), "late_data_partitions.value")
		set(plan.OptionLateDelay, length(g.Late.Delay), "late_data_partitions.delay")
	}
	set(plan.OptionInFlightPercent, strconv.Itoa(w.Percentile.Value), "watermark_percentile.value")
	set(plan.OptionInFlightDelay, length(w.Percentile.Delay), "watermark_percentile.delay")
	if a := w.Alignment; a != nil {
		set(plan.OptionAlignGroup, a.Group.Text, "watermark_alignment.group_name")
		set(plan.OptionAlignDrift, length(a.DriftBound), "watermark_alignment.drift_bound")
		if delays := l.readDelays(c, a); delays != "" {
			set(plan.OptionReadDelays, delays, "watermark_alignment.read_delays")
		}
	}
	return level
}

// bound is how far the watermark of a source is behind, in microseconds.
func bound(c *flowspec.Computation) int64 {
	if g := c.Strategy.Generator; g != nil {
		return g.Bound
	}
	return 0
}

// length writes a length of time for an option.
func length(micros int64) string {
	if micros%1000 == 0 {
		return fmt.Sprintf("%d ms", micros/1000)
	}
	return fmt.Sprintf("%d us", micros)
}

// readDelays names the sources behind the streams that are waited for.
func (l *lowering) readDelays(c *flowspec.Computation, a *flowspec.Alignment) string {
	var parts []string
	for _, d := range a.ReadDelays {
		for _, name := range l.origins(d.Stream.Text, map[string]bool{}) {
			parts = append(parts, name+": "+length(d.Delay))
		}
	}
	return strings.Join(parts, ", ")
}

// origins are the sources that a stream comes from, as their tables are called.
func (l *lowering) origins(stream string, seen map[string]bool) []string {
	if id, name, found := strings.Cut(stream, "/"); found && l.spec.Computation(id) != nil && l.spec.Computation(id).Source(name) != nil {
		return []string{stream}
	}
	id, _, timer := strings.Cut(stream, "/")
	c := l.spec.Writer(stream)
	if c == nil && timer {
		c = l.spec.Computation(id)
	}
	if c == nil || seen[c.ID.Text] {
		return nil
	}
	seen[c.ID.Text] = true
	var all []string
	for _, s := range c.Sources {
		all = append(all, sourceName(c, s))
	}
	for _, w := range c.Inputs {
		all = append(all, l.origins(w.Text, seen)...)
	}
	return all
}

// sourceName is what a source stream is called outside of its computation, as in Flow.
func sourceName(c *flowspec.Computation, s *flowspec.Source) string {
	return c.ID.Text + "/" + s.Name.Text
}
