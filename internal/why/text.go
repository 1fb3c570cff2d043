package why

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/watermark"
)

// What has to follow SQL, since a statement keeps its tables and its settings as they were when it was made.
const (
	thenRemake    = "then delete this statement and make it again: it keeps its tables as they were when it was made"
	thenRemakeSet = "a setting goes with a statement when it is made: delete this one, and make it again with that"
)

// tell writes the sentence of a source, what ends the waiting, and what to do.
func (s *Source) tell(stats *runtime.SourceStats, now int64) {
	switch s.State {
	case Ended:
		s.Text = fmt.Sprintf("'%s' has come to its end", s.Name)
	case Idle:
		s.Text = fmt.Sprintf("every split of '%s' is idle, and its watermark stays at %s; other tables of the statement do not wait for it", s.Name, s.mark(s.Frontier))
		s.Releases = []string{"a row in any split wakes it up"}
	case Awaited:
		s.Text = fmt.Sprintf("'%s' waits for the first row of %s", s.Name, strings.Join(s.Awaited, ", "))
		s.Releases = []string{"such a row, or, if the table has a timeout for values, the end of it"}
	case Quiet:
		s.quiet(stats)
	case Moving:
		if beyond := stats.Watermark.Beyond; beyond > 0 {
			s.present(s.Frontier.Add(beyond), now)
			return
		}
		s.Text = fmt.Sprintf("the watermark of '%s' follows its rows: it is at %s", s.Name, s.mark(s.Frontier))
		s.behind(now)
	case Held:
		s.held(stats, now)
	}
}

// quiet tells of a source that sends no watermark, or none yet.
func (s *Source) quiet(stats *runtime.SourceStats) {
	e, periodic := stats.Strategy.Emission.(watermark.Periodic)
	switch {
	case stats.Awaits != "":
		s.Text = fmt.Sprintf("'%s' is not read before '%s' has been, which it is joined with", s.Name, stats.Awaits)
		s.Releases = []string{fmt.Sprintf("the end of '%s'", stats.Awaits)}
	case periodic && e.Interval == 0:
		s.Text = fmt.Sprintf("'%s' sends no watermark before the end of its input, because 'pipeline.auto-watermark-interval' is 0", s.Name)
		s.Remedies = []Remedy{{"let it send one every 200 ms", "SET 'pipeline.auto-watermark-interval' = '200 ms'", thenRemakeSet}}
	case stats.Rows == 0:
		s.Text = fmt.Sprintf("'%s' has had no row yet", s.Name)
		s.Releases = []string{"its first row"}
	case s.Frontier == watermark.Unset:
		s.Text = fmt.Sprintf("'%s' has sent no watermark yet", s.Name)
		if periodic {
			s.Releases = []string{"one is sent every " + timefmt.Length(e.Interval)}
		}
	default:
		s.Text = fmt.Sprintf("the watermark of '%s' is at %s", s.Name, s.mark(s.Frontier))
	}
}

// behind says how far a watermark that moves is behind the newest row, as it was declared to be.
func (s *Source) behind(now int64) {
	h := s.Holders[0]
	if h.LastTime == watermark.NoTime || h.Frontier == watermark.Unset {
		return
	}
	delay := max(0, h.LastTime-int64(h.Frontier))
	s.Text += fmt.Sprintf(", %s behind the newest row of %s", span(delay), h.Split)
	s.Releases = []string{fmt.Sprintf("a window fires once every split that holds has had a row from %s after its end, or later", span(delay))}
	if delay >= timefmt.Minute {
		s.Remedies = append(s.Remedies, Remedy{Text: "results come as much later as the watermark is declared to wait; tidemark advise tells from the data how much is needed"})
	}
	if past := now - h.LastTime; s.Instant && past > timefmt.Minute {
		s.Text += fmt.Sprintf("; that row is %s old, so the rows themselves come late or a backlog is being read", span(past))
	}
}

// present tells of a watermark that moves with the clock, since the rows promise more, up to beyond.
func (s *Source) present(beyond watermark.Frontier, now int64) {
	s.Text = fmt.Sprintf("the present holds the watermark of '%s': it is at %s and moves with the clock, while its rows would take it to %s", s.Name, s.mark(s.Frontier), s.mark(beyond))
	s.Releases = []string{
		"a window fires when the clock has come to its end, whatever rows there are",
		fmt.Sprintf("the watermark follows its rows again when the clock has come to that, in %s", span(int64(beyond)-now)),
	}
	s.Remedies = []Remedy{{Text: "if the rows are not meant to be of the future, look at the column, the unit and the time zone that their event time is taken from"}}
}

// held tells of splits that hold the watermark.
func (s *Source) held(stats *runtime.SourceStats, now int64) {
	stuck := 0
	for _, h := range s.Holders {
		if h.Doing != Reading {
			stuck++
		}
	}
	first := s.Holders[0]
	where := "has not been set"
	if s.Frontier != watermark.Unset {
		where = "stays at " + s.mark(s.Frontier)
	}
	s.Text = fmt.Sprintf("the watermark of '%s' %s because of %s, which %s", s.Name, where, first.Split, s.doing(&first, now))
	switch {
	case stuck == 2:
		s.Text += "; 1 more split holds it as well"
	case stuck > 2:
		s.Text += fmt.Sprintf("; %d more splits hold it as well", stuck-1)
	}
	s.release(stats, &first)
	s.remedy(stats, &first)
}

// doing is what a split does, as the rest of a sentence about it.
func (s *Source) doing(h *Holder, now int64) string {
	length := span(now - h.Since)
	last := ""
	if h.LastTime != watermark.NoTime {
		last = ", and whose last row was of " + s.time(h.LastTime)
	}
	of := ""
	if h.Value != "" {
		of = fmt.Sprintf(" of '%s'", h.Value)
	}
	switch h.Doing {
	case Empty:
		return "has had no row in " + length
	case Silent:
		return "has had no row" + of + " for " + length + last
	case Timeless:
		return fmt.Sprintf("has had %d rows, none of which had an event time that moves it", h.Read)
	case Paused:
		return "is not read, for " + length + ", because it is further ahead of others than alignment allows" + last
	case Stalled:
		return "has rows that cannot be taken, for " + length + ": what is behind it in the statement is slower" + last
	case Unreachable:
		return "cannot be read, and has had no row for " + length + last
	case InFlight:
		return "has rows in the statement that are not completed yet: a sink or a checkpoint is slow" + last
	case Upstream:
		if h.Upstream != "" {
			return fmt.Sprintf("waits for the watermark of its writer %s", h.Upstream)
		}
		return "waits for the watermark of who writes it"
	}
	return "has rows" + last
}

// release tells what ends the waiting.
func (s *Source) release(stats *runtime.SourceStats, h *Holder) {
	switch h.Doing {
	case Empty, Silent:
		s.Releases = append(s.Releases, "a row in "+h.Split)
		stall := gate(stats)
		switch {
		case stall.Gating > 0:
			s.Releases = append(s.Releases, fmt.Sprintf("rows in %d of the %d splits that are empty: of %d no more than a share of %g may be let go", stall.Gating, stall.Empty, stall.Total, stall.Ratio))
		case h.IdleIn == watermark.NeverIdle && stats.Strategy.Idleness == (watermark.Never{}):
			s.Releases = append(s.Releases, "nothing else: the table has no idle timeout, so a silent split is waited for for ever")
		case h.IdleIn > 0:
			s.Releases = append(s.Releases, fmt.Sprintf("its idle timeout (%s), in %s", stats.Strategy.Idleness, span(h.IdleIn)))
		case h.IdleIn == 0 && !stats.Strategy.LooksAhead():
			s.Releases = append(s.Releases, "its idle timeout, now")
		case h.IdleIn == 0:
			s.Releases = append(s.Releases, "nothing more: it is let go, and counts as a clock that is behind by the bound")
		}
	case Timeless:
		s.Releases = append(s.Releases, "a row in "+h.Split+" with an event time")
	case Paused:
		s.Releases = append(s.Releases, "splits that are behind come near, or turn idle")
	case Stalled:
		s.Releases = append(s.Releases, "the statement has worked off what it has")
	case Unreachable:
		s.Releases = append(s.Releases, "the split can be read again")
	case InFlight:
		s.Releases = append(s.Releases, "the sink has taken the rows, or the next checkpoint is done")
	case Upstream:
		s.Releases = append(s.Releases, "who writes the table goes on, or closes its watermark")
	}
}

// remedy tells what a person can do.
func (s *Source) remedy(stats *runtime.SourceStats, h *Holder) {
	add := func(r Remedy) { s.Remedies = append(s.Remedies, r) }
	idleTimeout := func(text, length string) {
		if place := elsewhere(stats, "idle-timeout"); place != "" {
			add(Remedy{Text: text + ": change " + place})
			return
		}
		add(Remedy{text, fmt.Sprintf("ALTER TABLE %s SET ('scan.watermark.idle-timeout' = '%s')", catalog.Quote(s.Table), length), thenRemake})
	}
	switch h.Doing {
	case Empty, Silent:
		switch {
		case gate(stats).Gating > 0:
			s.letGo(stats, add)
		case h.IdleIn == watermark.NeverIdle:
			idleTimeout("do not wait for silent splits for longer than 10 s", "10 s")
		case h.IdleIn > 10_000_000:
			idleTimeout("wait less for silent splits", "5 s")
		}
		if h.Doing == Empty {
			add(Remedy{Text: "no more partitions than writers fill, if some stay empty for good: the keys of the rows decide which partition they go to"})
		} else {
			add(Remedy{Text: "heartbeat rows from whoever writes, if silence is normal"})
		}
	case Timeless:
		add(Remedy{Text: "look at the event times of its rows: NULL, or further ahead of the clock than 'watermark.max-ahead' allows"})
	case Paused:
		if place := elsewhere(stats, "alignment drift"); place != "" {
			add(Remedy{Text: "let splits drift further apart: change " + place})
			return
		}
		add(Remedy{"let splits drift further apart", "SET 'sql.tables.scan.watermark-alignment.max-allowed-drift' = '0'", thenRemakeSet})
	case Stalled:
		add(Remedy{Text: "look at the task with the most busy time, or at the sink"})
	case Upstream:
		add(Remedy{Text: "look at the statement that writes the table"})
	}
}

// gate is Snapshot.Stall as it will be once the splits that are silent have been for long enough, also if all of them are; the zero value where no share bounds how many are let go.
func gate(stats *runtime.SourceStats) watermark.Stall {
	lift, ok := stats.Strategy.Idleness.(watermark.Lift)
	if !ok {
		return watermark.Stall{}
	}
	stall := watermark.Stall{Ratio: lift.Ratio}
	for i := range stats.Watermark.Splits {
		p := &stats.Watermark.Splits[i]
		if p.Frontier == watermark.Final {
			continue
		}
		stall.Total++
		if l := p.Lookahead; l.Unreachable || l.InFlight > 0 || p.Read > 0 && p.Silent < breath {
			continue
		}
		stall.Empty++
		if p.IdleIn == watermark.NeverIdle {
			stall.Gating++
		}
	}
	return stall
}

// letGo tells how to let more empty splits go.
func (s *Source) letGo(stats *runtime.SourceStats, add func(Remedy)) {
	const text = "let more splits go that are empty, if that many are silent for good"
	if place := elsewhere(stats, "idle share"); place != "" {
		add(Remedy{Text: text + ": change " + place})
		return
	}
	add(Remedy{text, fmt.Sprintf("ALTER TABLE %s SET ('watermark.idle.max-ratio' = '1')", catalog.Quote(s.Table)), thenRemake})
}

// ofSQL are what the origins of values begin with that SQL can change.
var ofSQL = []string{"WITH", "SET", "OPTIONS", "profile", "replay", "program", "WATERMARK", "default", "'"}

// elsewhere is where a value of the strategy is said, if that is not in SQL: in the spec of a pipeline, as "watermark_strategy 'idle_partitions'"; "" if it is.
func elsewhere(stats *runtime.SourceStats, name string) string {
	for _, x := range stats.Settings {
		if x.Name == name && !slices.ContainsFunc(ofSQL, func(begin string) bool { return strings.HasPrefix(x.Origin, begin) }) {
			return x.Origin
		}
	}
	return ""
}

// mark writes a watermark.
func (s *Source) mark(f watermark.Frontier) string {
	switch f {
	case watermark.Unset:
		return "no time"
	case watermark.Final:
		return "the end of time"
	}
	return s.time(f.W() * 1000)
}

func (s *Source) time(micros int64) string { return timefmt.EventTime(micros, s.Instant) }

// span writes a length of time for people.
func span(micros int64) string {
	switch {
	case micros < 0:
		return "0 s"
	case micros < 9_950_000:
		return fmt.Sprintf("%.1f s", float64(micros)/1e6)
	case micros < 120_000_000:
		return fmt.Sprintf("%d s", micros/1_000_000)
	case micros < 7_200_000_000:
		return fmt.Sprintf("%d min %d s", micros/60_000_000, micros/1_000_000%60)
	case micros < 2*timefmt.Day:
		return fmt.Sprintf("%d h %d min", micros/3_600_000_000, micros/60_000_000%60)
	}
	return fmt.Sprintf("%d d %d h", micros/timefmt.Day, micros/3_600_000_000%24)
}

// Text is the answer for a terminal: a line for each operator that waits, a paragraph for each source that holds the statement, and a line for each of the others.
func (a Answer) Text() string {
	if len(a.Sources) == 0 && len(a.Waiting) == 0 {
		return "nothing in this statement waits for watermarks\n"
	}
	var b strings.Builder
	for _, w := range a.Waiting {
		fmt.Fprintf(&b, "%s\n", w.Text)
	}
	for _, s := range a.Sources {
		fmt.Fprintf(&b, "%s\n", s.Text)
		if !s.Holds {
			continue
		}
		for _, r := range s.Releases {
			fmt.Fprintf(&b, "  ends with: %s\n", r)
		}
		for _, r := range s.Remedies {
			fmt.Fprintf(&b, "  = %s\n", r.Text)
			if r.SQL != "" {
				fmt.Fprintf(&b, "      %s;\n", r.SQL)
			}
			if r.Then != "" {
				fmt.Fprintf(&b, "      %s\n", r.Then)
			}
		}
	}
	return b.String()
}
