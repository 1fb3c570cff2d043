package advice

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/numfmt"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Finding is something about a table that says more than its delays do, or why they say little.
type Finding struct {
	// Name is a constant of this package.
	Name string `json:"name"`
	Text string `json:"text"`
	// Remedies are what can be done about it, SQL where that does it.
	Remedies []string `json:"remedies,omitempty"`
}

// The names of findings.
const (
	FindingNoRows    = "no-rows"
	FindingFewRows   = "few-rows"
	FindingNullTimes = "null-times"
	FindingSeconds   = "seconds-for-milliseconds"
	FindingMillis    = "milliseconds-for-seconds"
	FindingFuture    = "rows-from-the-future"
	FindingConstant  = "one-time-for-all"
	FindingInOrder   = "never-out-of-order"
	FindingSilent    = "silent-splits"
	FindingApart     = "splits-apart"
	FindingIdle      = "late-after-idleness"
	FindingGenerator = "another-generator"
	FindingTooSmall  = "delay-too-small"
	FindingTooLarge  = "delay-too-large"
)

// worthless are the findings with which nothing can be said of the delay that the table has.
var worthless = []string{FindingSeconds, FindingMillis, FindingFuture, FindingConstant}

const (
	// fewRows are too few to tell 99.99 % from all.
	fewRows = 10_000
	// tooLate is the share of late rows, one in so many, above which a delay is too small.
	tooLate = 100
	// tooLong is how many times the delay for 99.99 % a delay can be before it is too large, if it is longer than that by a second.
	tooLong = 4
	// silence is how long a split of an unbounded table may have been silent while others were read.
	silence = 10 * second
	// apart is how far the newest rows of splits may be from each other, or a twentieth of the time that the rows span if that is more.
	apart = minute
)

// findings are what is found, that which makes the rest worthless first.
func (s *Study) findings(r *Report, all *rows) []Finding {
	found := []Finding{}
	say := func(name string, remedies []string, format string, args ...any) {
		found = append(found, Finding{name, fmt.Sprintf(format, args...), remedies})
	}
	t := &s.table
	if r.Rows == 0 {
		why := "no row has come"
		if r.NullTimes > 0 {
			why = fmt.Sprintf("%s came, and %s is NULL in all of them", numfmt.Plural(r.NullTimes, "row", "rows"), t.Column)
		}
		say(FindingNoRows, nil, "%s: there is nothing to advise", why)
		return found
	}
	if r.NullTimes > 0 {
		remedies := []string{"SET 'table.exec.source.rowtime-null-handling' = 'SKIP_WATERMARK', or 'DROP'"}
		fate := "which stops a statement that reads them"
		switch t.Strategy.NullTime {
		case watermark.Drop:
			fate, remedies = "and statements leave them out", nil
		case watermark.SkipWatermark:
			fate, remedies = "and statements let them pass", nil
		}
		say(FindingNullTimes, remedies, "in %s of %s, %s is NULL, %s; they do not count here", numfmt.Grouped(r.NullTimes), numfmt.Plural(r.NullTimes+r.Rows, "row", "rows"), t.Column, fate)
	}
	s.units(all, say)
	if s.ahead > 0 && t.Strategy.MaxAhead == 0 {
		say(FindingFuture, []string{fmt.Sprintf("ALTER TABLE %s SET ('watermark.max-ahead' = '1 h');", t.Name)},
			"%s from more than %v ahead of the clock, the furthest of %v: it takes the watermark there, and every row behind it is late, here too", numfmt.Plural(s.ahead, "row is", "rows are"), Length(farAhead), Time{s.farthest, t.Instant})
	}
	s.spread(r, all, say)
	if s.delays.never != nil && s.delays.never.late > 0 {
		say(FindingIdle, []string{fmt.Sprintf("ALTER TABLE %s SET ('scan.watermark.idle-timeout' = '…'), a longer one", t.Name)},
			"%s late whatever the delay: their split was idle before, and an idle split raises the watermark to its newest row", numfmt.Plural(s.delays.never.late, "row is", "rows are"))
	}
	if t.Strategy.Candidates != nil {
		say(FindingGenerator, nil, "the watermark is made by %v; the delays are counted as if it were %s less the delay", t.Strategy.Candidates, t.Column)
	}
	if !slices.ContainsFunc(found, func(f Finding) bool { return slices.Contains(worthless, f.Name) }) {
		s.judge(r, say)
	}
	if r.Rows < fewRows {
		say(FindingFewRows, nil, "%s little about 99.99 %% of all: look at 10,000 or more", numfmt.Plural(r.Rows, "row says", "rows say"))
	}
	return found
}

type say func(name string, remedies []string, format string, args ...any)

// The years between which a time that was read in the wrong unit makes sense.
var since2000, until2100 = timefmt.DaysOf(2000, 1, 1) * day, timefmt.DaysOf(2100, 1, 1) * day

// units looks at times that would make sense in another unit.
func (s *Study) units(all *rows, say say) {
	sensible := func(t int64) bool { return t >= since2000 && t < until2100 }
	switch {
	case all.oldest > 0 && all.newest < 366*day && sensible(all.oldest*1000) && sensible(all.newest*1000):
		say(FindingSeconds, []string{"TO_TIMESTAMP_LTZ(…, 0) takes seconds, TO_TIMESTAMP_LTZ(…, 3) milliseconds"},
			"all times are of %d: they look like seconds that were taken for milliseconds, and would be up to %v", year(all.newest), Time{all.newest * 1000, s.table.Instant})
	case !sensible(all.oldest) && sensible(all.oldest/1000) && sensible(all.newest/1000):
		say(FindingMillis, []string{"TO_TIMESTAMP_LTZ(…, 3) takes milliseconds, TO_TIMESTAMP_LTZ(…, 0) seconds"},
			"the times are up to %v: they look like milliseconds that were taken for seconds, or microseconds that were taken for milliseconds, and would be up to %v", Time{all.newest, s.table.Instant}, Time{all.newest / 1000, s.table.Instant})
	}
}

func year(t int64) int64 {
	y, _, _ := timefmt.DateOf(timefmt.FloorDiv(t, day))
	return y
}

// spread looks at how times are spread over rows and splits.
func (s *Study) spread(r *Report, all *rows, say say) {
	switch {
	case all.oldest == all.newest && r.Rows > 1:
		say(FindingConstant, nil, "all rows are of %v: is %s the time of what they tell?", Time{all.newest, s.table.Instant}, s.table.Column)
	case all.disordered == 0 && r.Rows > 1:
		say(FindingInOrder, nil, "%s never is out of order: if it is when a row was written, and not when something happened, no delay says anything about what is missing", s.table.Column)
	}
	var silent, behind []string
	limit := max(apart, (all.newest-all.oldest)/20)
	var far int64
	for i := range s.numbered {
		x := &s.numbered[i]
		finished := x.status == watermark.Finished
		switch {
		case !s.table.Bounded && !finished && x.status != watermark.Stalled && (x.newest == watermark.NoTime || s.readAt-x.readAt > silence):
			silent = append(silent, x.name)
		case x.newest == watermark.NoTime:
		case s.newest-x.newest > limit:
			behind = append(behind, x.name)
			far = max(far, s.newest-x.newest)
		}
	}
	if len(silent) > 0 && len(s.numbered) > 1 {
		say(FindingSilent, []string{fmt.Sprintf("ALTER TABLE %s SET ('scan.watermark.idle-timeout' = '30 s');", s.table.Name)},
			"%s silent: %s; a statement waits for such a split until its idle timeout is over, whatever the delay", numfmt.Plural(int64(len(silent)), "split is", "splits are"), some(silent))
	}
	if len(behind) > 0 {
		say(FindingApart, nil, "the newest rows of %s are up to %v behind that of the others: %s; while such a split is active it holds the watermark there, whatever the delay", numfmt.Plural(int64(len(behind)), "split", "splits"), Length(far), some(behind))
	}
}

// some names three at most.
func some(names []string) string {
	slices.Sort(names)
	if more := len(names) - 3; more > 0 {
		return strings.Join(names[:3], ", ") + " and " + numfmt.Plural(int64(more), "other", "others")
	}
	return strings.Join(names, ", ")
}

// judge looks at the delay that the table has.
func (s *Study) judge(r *Report, say say) {
	if r.Present == nil {
		return
	}
	var remedies []string
	if t := r.Targets[1]; t.SQL != "" {
		remedies = []string{t.SQL}
	}
	what := "the watermark " + s.table.Watermark
	if s.table.Default {
		what = "the default watermark"
	}
	late := r.Present.Late
	if s.table.Delay >= 0 {
		late = max(late, s.delays.late(s.delays.find(s.table.Delay))) // read fast, history is late less often
	}
	if s.delays.never != nil {
		late -= min(late, s.delays.never.late) // that is no matter of the delay
	}
	if late*tooLate > r.Rows {
		say(FindingTooSmall, remedies, "%s makes %s of %s late, %s: its delay is too small", what, numfmt.Grouped(late), numfmt.Plural(r.Rows, "row", "rows"), percent(late, r.Rows))
		return
	}
	if t := r.Targets[2]; s.table.Delay >= 0 && t.Delay != nil && r.Rows >= fewRows {
		enough := int64(*t.Delay)
		if t.Alone != nil {
			enough = max(enough, int64(*t.Alone)) // a slower split may be faster tomorrow
		}
		if s.table.Delay-enough >= second && s.table.Delay >= tooLong*enough {
			say(FindingTooLarge, []string{s.table.alter(enough)}, "%s waits for %v, and %v would do for 99.99 %% of the rows: its delay is larger than it need be, and results come %v later", what, Length(s.table.Delay), Length(enough), Length(s.table.Delay-enough))
		}
	}
}
