package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/window"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Advice is something about the watermarks of a statement that works and may not be what was meant.
type Advice struct {
	// Name is that of a kind of advice, a constant of this package.
	Name string
	// Text is what is found, with the values and where they come from; Remedy is what to write.
	Text, Remedy string
	// Scan is what it is about.
	Scan *Scan
}

// Warns tells advice that whoever starts the statement is to know from what is merely worth knowing.
func (a Advice) Warns() bool {
	return slices.Contains([]string{AdviceNoDelay, AdviceOverDrift, AdviceGroup, AdviceIdleOption}, a.Name)
}

// The kinds of advice.
const (
	AdviceNoDelay     = "watermark-without-delay"
	AdviceNoTimeout   = "no-idle-timeout"
	AdviceDimension   = "dimension-without-timeout"
	AdviceOverDrift   = "idle-timeout-over-drift"
	AdviceTimeless    = "alignment-without-time"
	AdviceUnaligned   = "windows-without-alignment"
	AdviceShortWindow = "window-shorter-than-drift"
	AdviceGroup       = "alignment-group-in-confluent"
	AdviceClock       = "replay-by-the-clock"
	AdviceIdleOption  = "option-without-effect"
	AdviceLateUnread  = "late-rows-unread"
	AdviceUntimedJoin = "join-without-time"
)

// adviser looks at statements that run together.
type adviser struct {
	replay, timed bool
	lateRead      map[catalog.Path]bool // tables whose late rows are read
	said          map[saying]bool
	all           []Advice
}

// saying is advice about a table, to be given once.
type saying struct {
	name, text string
	table      catalog.Path
}

// Advise looks at statements that run together.
func Advise(all []*Statement) []Advice {
	a := &adviser{lateRead: map[catalog.Path]bool{}, said: map[saying]bool{}}
	var scans []*Scan
	for _, s := range all {
		scans = append(scans, Scans(s.Root)...)
		a.timed = a.timed || needsTime(s.Root)
	}
	a.replay = Replays(scans)
	for _, s := range scans {
		if s.Late == watermark.OnlyLate {
			a.lateRead[s.Table.Path] = true
		}
	}
	for _, s := range scans {
		if _, snapshot := s.Strategy.Emission.(watermark.AtEnd); snapshot {
			return nil // no row is late, and all options of watermarks wait for other statements
		}
		a.options(s)
		if s.Table.Watermark == nil || s.Late == watermark.OnlyLate {
			continue
		}
		a.delay(s)
		a.idleness(s)
		a.dimension(s)
		a.alignment(s)
		a.lateRows(s)
	}
	for _, s := range all {
		a.windows(s.Root, nil)
	}
	return a.all
}

// Replays reports whether all scans are bounded: their statement is a replay.
func Replays(scans []*Scan) bool {
	return !slices.ContainsFunc(scans, func(s *Scan) bool { return !s.Strategy.Bounded })
}

// needsTime reports whether something in n waits for watermarks or looks at them.
func needsTime(n Node) bool {
	switch n := n.(type) {
	case *WindowAssign, *WindowAggregate, *WindowTopN, *Over, *Match, *Sort, *CurrentWatermark, *TemporalJoin:
		return true
	case *Join:
		if n.Timed() {
			return true
		}
	case *Scan:
		return n.Late != watermark.PassLate
	}
	return slices.ContainsFunc(n.Children(), needsTime)
}

// say adds advice, once for each table.
func (a *adviser) say(name string, s *Scan, remedy, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if said := (saying{name, text, s.Table.Path}); !a.said[said] {
		a.said[said] = true
		a.all = append(a.all, Advice{Name: name, Text: text, Remedy: remedy, Scan: s})
	}
}

// delay looks at what the watermark leaves for rows that are out of order.
func (a *adviser) delay(s *Scan) {
	w := s.Table.Watermark
	if d, ok := Delay(w); ok && d <= 0 && !s.Strategy.InCode() && !s.Strategy.handedOver() {
		name := catalog.Quote(s.Table.Columns[w.Column].Name)
		if _, ok := w.Expr.(*expr.Column); ok {
			name = w.Text
		}
		a.say(AdviceNoDelay, s, fmt.Sprintf("write WATERMARK FOR %s AS %s - INTERVAL '5' SECOND", name, name), "the watermark allows no delay, so a row older than the newest is late")
	}
}

func (a *adviser) idleness(s *Scan) {
	if s.Strategy.handedOver() {
		return // writers say when a split need not be waited for
	}
	timeout := longestTimeout(s.Strategy.Idleness)
	_, origin := s.Strategy.field("idle-timeout")
	drift, driftOrigin := s.Strategy.Alignment.Drift, s.Strategy.DriftOrigin
	_, periodic := s.Strategy.Emission.(watermark.Periodic)
	switch _, never := s.Strategy.Idleness.(watermark.Never); {
	case s.Strategy.Bounded && periodic:
		_, emit := s.Strategy.field("emit")
		remedy := "leave it out"
		if emit == "'"+OptionGenerator+"'" {
			remedy = "leave the generator out, and declare the table with WATERMARK FOR, if it is to go by its rows"
		}
		a.say(AdviceClock, s, remedy, "the table is bounded, and its watermark is sent by the clock (%s), so that results depend on how fast it is read", emit)
	case s.Strategy.Bounded && !never:
		a.say(AdviceClock, s, "leave it out", "the table is bounded, and falls idle by the clock (%s), so that results depend on how fast it is read", origin)
	case a.replay:
	case never && drift > 0:
		a.say(AdviceOverDrift, s, s.setTimeout(drift)+", or "+s.setDrift(0), "no idle timeout (%s): a split that falls silent stops all others once they are %s ahead (%s)", origin, timefmt.Length(drift), driftOrigin)
	case never && periodic:
		a.say(AdviceNoTimeout, s, s.setTimeout(watermark.ProgressiveTo), "no idle timeout (%s): a split that falls silent holds back every window", origin)
	case drift > 0 && timeout > drift:
		a.say(AdviceOverDrift, s, s.setTimeout(drift)+", or "+s.setDrift(timeout), "the idle timeout is up to %s (%s), longer than the drift of %s (%s): the other splits stop until a silent one is idle",
			timefmt.Length(timeout), origin, timefmt.Length(drift), driftOrigin)
	}
}

func (a *adviser) dimension(s *Scan) {
	d := s.Strategy.Dimension
	if d == nil || d.Timeout > 0 || a.replay {
		return
	}
	_, origin := s.Strategy.field("dimension timeout")
	var names []string
	for _, c := range s.Strategy.By {
		names = append(names, c.Name)
	}
	a.say(AdviceDimension, s, fmt.Sprintf("add '%s' = '…' to the table", OptionDimensionTimeout),
		"the watermark is the least over the values of %s, and there is no timeout for all of them (%s): one that falls silent holds back every window", strings.Join(names, ", "), origin)
}

// longestTimeout is how long a split can be silent at most before it is idle, 0 if no such time is said.
func longestTimeout(i watermark.Idleness) int64 {
	switch i := i.(type) {
	case watermark.Fixed:
		return i.Timeout
	case watermark.Stepped:
		return i.Timeout
	case watermark.Progressive:
		return i.To
	case watermark.Lift:
		return i.After
	}
	return 0
}

func (a *adviser) alignment(s *Scan) {
	if _, grouped := s.Table.Options[OptionAlignGroup]; grouped && s.Strategy.Profile == catalog.Confluent {
		a.say(AdviceGroup, s, fmt.Sprintf("leave '%s' and '%s' out and write SET '%s' = '…', or SET '%s' = 'flink'", OptionAlignGroup, OptionAlignDrift, catalog.KeyDrift, catalog.KeyProfile),
			"Confluent Cloud aligns all tables of a statement and takes no group; here the table is aligned with those of the same group alone")
	}
	if drift := s.Strategy.Alignment.Drift; drift > 0 && !a.replay && !a.timed {
		a.say(AdviceTimeless, s, s.setDrift(0), "nothing in this statement waits for watermarks, and alignment by %s (%s) can slow down the reading of a backlog", timefmt.Length(drift), s.Strategy.DriftOrigin)
	}
}

// options finds options of the table that say nothing.
func (a *adviser) options(s *Scan) {
	idle := func(key, why string) {
		if _, ok := s.Table.Options[key]; ok {
			a.say(AdviceIdleOption, s, "leave it out", "'%s' has no effect: %s", key, why)
		}
	}
	if s.Table.Options[OptionCapture] != "durable" {
		idle(OptionCaptured, "no late rows are kept")
	}
	if s.Table.Options[connector.OptionErrors] != connector.LogErrors {
		idle(connector.OptionErrorTarget, "what cannot be read is not kept")
	}
	switch {
	case s.Table.Watermark == nil:
		for _, o := range WatermarkOptions {
			idle(o.Key, "the table has no watermark")
		}
	case a.replay:
		idle(OptionAlignGroup, "the tables of the statement are bounded, and what is furthest behind is read first")
	case s.Strategy.Alignment.Drift == 0:
		idle(OptionAlignGroup, "drift or update interval are 0, which is no alignment")
	default:
		idle(OptionAlignEvery, "a split goes on as soon as it may")
	}
}

func (a *adviser) lateRows(s *Scan) {
	if s.Late == watermark.DivertLate && s.Strategy.Shown && !a.lateRead[s.Table.Path] {
		_, origin := s.Strategy.field("late rows")
		a.say(AdviceLateUnread, s, "read `"+s.Table.Name+LateSuffix+"` in another statement, or in this statement set", "rows that are late are left out (%s), and this statement does not read them", origin)
	}
}

// windows looks at joins, and at what waits for the end of windows. Above is the shortest of the windows above n, nil if there are none.
func (a *adviser) windows(n Node, above *Windowing) {
	var here *Windowing
	switch n := n.(type) {
	case *WindowAggregate:
		here = n.Windows
	case *WindowTopN:
		here = n.Windows
	case *Join:
		if n.Windows != nil {
			here = n.Windows.Windows
		}
		a.untimedJoin(n)
	case *Scan:
		if n.Table.Watermark != nil && n.Late != watermark.OnlyLate && !a.replay && above != nil {
			a.windowed(n, above)
		}
		return
	}
	if here != nil && (above == nil || here.length() < above.length()) {
		above = here
	}
	for _, c := range n.Children() {
		a.windows(c, above)
	}
}

func (a *adviser) windowed(s *Scan, w *Windowing) {
	switch drift := s.Strategy.Alignment.Drift; {
	case drift == 0 && !s.Strategy.sessionDrift():
	case drift == 0:
		timeout := longestTimeout(s.Strategy.Idleness)
		a.say(AdviceUnaligned, s, s.setDrift(max(timeout, commonDrift)), "windows wait for the split that is furthest behind, and nothing keeps the others near it (drift 0, %s): a backlog fills the state with windows to come", s.Strategy.DriftOrigin)
	case w.length() < drift:
		remedy := "if the table is fast: " + s.setDrift(w.length())
		if timeout := longestTimeout(s.Strategy.Idleness); !s.Strategy.handedOver() && (timeout == 0 || timeout > w.length()) { // handed over, nobody falls idle by a timeout
			remedy += "; " + s.setTimeout(w.length())
		}
		a.say(AdviceShortWindow, s, remedy, "windows of %s are shorter than the drift of %s (%s): a fast split can be many windows ahead, which are all kept",
			timefmt.Length(w.length()), timefmt.Length(drift), s.Strategy.DriftOrigin)
	}
}

// commonDrift is what Confluent Cloud has unless it is told.
const commonDrift = 5 * timefmt.Minute

// length is how long the windows are; of sessions, how long they are at least.
func (w *Windowing) length() int64 {
	if w.Spec.Kind == window.Session {
		return w.Spec.Gap
	}
	return w.Spec.Size
}

// field finds what is shown of the strategy.
func (s *Strategy) field(name string) (value, origin string) {
	for _, f := range s.Fields {
		if f.Name == name {
			return f.Value, f.Origin
		}
	}
	return "", ""
}

// setTimeout says how to give the scan an idle timeout, where the one that it has comes from.
func (n *Scan) setTimeout(micros int64) string {
	_, origin := n.Strategy.field("idle-timeout")
	return writing(origin, catalog.KeyIdleTimeout, micros)
}

// setDrift says how to give the scan a drift, likewise.
func (n *Scan) setDrift(micros int64) string {
	return writing(n.Strategy.DriftOrigin, catalog.KeyDrift, micros)
}

// sessionDrift tells that the drift is what the session says of all tables: no option of this one says it, nor does the way in which its watermark is made.
func (s *Strategy) sessionDrift() bool {
	place, _, _ := strings.Cut(s.DriftOrigin, " ")
	return place == "SET" || place == "profile"
}

// writing gives what an origin says another length: the origin of a level names what is written there; a profile, or an option that says something else, is overruled by a SET.
func writing(origin, setting string, micros int64) string {
	length := timefmt.Length(micros)
	named := strings.IndexByte(origin, '\'')
	switch {
	case strings.HasPrefix(origin, "SET "):
		return fmt.Sprintf("%s = '%s'", origin, length)
	case origin == programOrigin:
		return "have the program say " + length
	case named > 0:
		return fmt.Sprintf("write %s = '%s'", origin[named:], length)
	}
	return fmt.Sprintf("SET '%s' = '%s'", setting, length)
}
