package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Strategy is the watermark strategy of a scan with the origin of every value.
type Strategy struct {
	watermark.Strategy
	// Fields are the values as they are shown, in a fixed order.
	Fields []StrategyField
	// Bounded tells that the table ends by itself. A statement of such tables only is a replay.
	Bounded bool
	// Profile is the session's, and DriftOrigin is where the drift of the alignment comes from, also if it is 0.
	Profile     catalog.Profile
	DriftOrigin string
	// Late is what becomes of rows that are late at the source, and Shown says that those which are left out can be read. Adjusts says that windows count those that pass; see Adjusts.
	Late    watermark.LateRows
	Adjusts bool
	Shown   bool
	// Captures says that those are kept, and Target in which table, empty for the usual one.
	Captures bool
	Target   string
	// By is what its dimension divides rows by.
	By []DividingColumn
	// Delays are the tables that this one waits for.
	Delays []watermark.ReadDelay
}

// StrategyField is one resolved value.
type StrategyField struct {
	Name, Value, Origin string
	// Live fields say nothing in a replay.
	Live bool
}

// InForce are the values that say something in a statement that is a replay, or is none.
func (s *Strategy) InForce(replay bool) []StrategyField {
	return slices.DeleteFunc(slices.Clone(s.Fields), func(f StrategyField) bool { return f.Live && replay })
}

// The options of a table that say how its watermark is made. Each line lists the spellings of one thing.
const (
	OptionEmit        = "scan.watermark.emit.strategy"
	OptionGap         = "scan.watermark.emit.on-event.gap"
	OptionIdleTimeout = "scan.watermark.idle-timeout"
	OptionAlignGroup  = "scan.watermark.alignment.group"
	OptionAlignDrift  = "scan.watermark.alignment.max-drift"
	OptionAlignEvery  = "scan.watermark.alignment.update-interval"
	OptionGranularity = "watermark.granularity"
	OptionMaxAhead    = "watermark.max-ahead"
	OptionDimension   = "watermark.dimension"
	OptionProducer    = "watermark.producer"
	OptionLastRows    = "watermark.last-n"
	OptionNullTime    = "watermark.null-time"
	OptionLate        = "late-handling.mode"
	OptionCapture     = "late-handling.capture"
	OptionCaptured    = "late-handling.capture.target"

	OptionHandover        = connector.OptionHandover
	OptionHandoverTimeout = connector.OptionHandoverTimeout

	OptionDimensionValues  = "watermark.dimension.values"
	OptionDimensionTimeout = "watermark.dimension.timeout"
)

// WatermarkOptions are the options of a table that this package reads, for the check of a WITH clause.
var WatermarkOptions = append([]connector.Spec{
	{Key: OptionEmit, Doc: "when the watermark is sent: on-periodic or on-event", Values: []string{"on-periodic", "on-event"},
		Default: "on-event for a bounded table, else on-periodic"},
	{Key: OptionGap, Doc: "rows of a split between two watermarks with on-event; 1 is every row",
		Default: "what '" + catalog.KeyEmitGap + "' says"},
	{Key: OptionIdleTimeout, Doc: "how long a split may be silent before it stops holding the watermark; 0 for ever, progressive: longer and longer",
		Default: "0 for a bounded table, else what '" + catalog.KeyIdleTimeout + "' says"},
	{Key: OptionAlignGroup, Doc: "tables of one statement with the same group wait for each other: a split that is too far ahead of the least watermark is not read"},
	{Key: OptionAlignDrift, Doc: "how far ahead that is; 0 is no alignment", Default: "what '" + catalog.KeyDrift + "' says, if no group is given"},
	{Key: OptionAlignEvery, Doc: "how often Flink looks at the watermarks; here a split goes on as soon as it may, and only 0 says something: no alignment", Default: "1 s"},
	{Key: OptionGranularity, Doc: "the watermark goes in steps of this length, with every row that takes it to the next; it is a bound that is not included, and there is none for idle splits to raise. As in YDB: 1 s there"},
	{Key: OptionMaxAhead, Doc: "how far a row may be ahead of the clock to move the watermark; one from further ahead flows on and is counted, and the watermark stays. 0 is no bound", Default: "0"},
	{Key: OptionDimension, Doc: "a column, or several with ';' between them: every value has a watermark of its own in each split, and that of the split is the least of them"},
	{Key: OptionProducer, Doc: "the column that tells who wrote a row: one more of the dimension"},
	{Key: OptionDimensionValues, Doc: "values, with ';' between them, that hold the watermark until their first row in any split"},
	{Key: OptionDimensionTimeout, Doc: "how long a value may be silent in a split before it stops holding it; 0 for ever. `10 s; refund = 1 h` says it for one value", Default: "0"},
	{Key: OptionLastRows, Doc: "no row takes the watermark of its split beyond the least time of so many rows, which end with it"},
	{Key: OptionHandover, Doc: "with true, statements that write to the table hand their watermark over to those that read it, which declare SOURCE_WATERMARK()", Values: []string{"true", "false"}, Default: "false"},
	{Key: OptionHandoverTimeout, Doc: "with hand-over: after how long without a word, 5 s to 1 d, a statement that writes to the table counts as gone", Default: "1 min"},
	{Key: OptionNullTime, Doc: "what becomes of a row whose time is NULL", Values: []string{"FAIL", "DROP", "SKIP_WATERMARK"},
		Default: "what '" + catalog.KeyNullTime + "' says"},
	{Key: OptionLate, Doc: "what becomes of rows that are late at the source: pass-through; filter, which leaves them out and shows them as `table$late`; drop, which only leaves them out, as YDB does; adjust, with which TUMBLE and HOP count them in the earliest window that is open, as YDB does",
		Values: []string{lateThrough, lateFilter, lateDrop, lateAdjust}, Default: lateThrough},
	{Key: OptionCapture, Doc: "durable: what filter leaves out is written to a table by every statement that writes to one, with the watermark that it came behind", Values: []string{captureNone, captureDurable}, Default: captureNone},
	{Key: OptionCaptured, Doc: "the table that late rows are written to", Default: "the name of the table and " + CapturedSuffix},
}, lookaheadOptions...)

// The values of OptionLate.
const (
	lateThrough = "pass-through"
	lateFilter  = "filter"
	lateDrop    = "drop"
	lateAdjust  = "adjust"
)

// ResolveStrategy finds the strategy of a scan: hints, behind which ProgramLevel may stand, win over the table's WITH clause, the first of them over the others, that over SET, and that over the profile, value
// by value. The error is a *connector.OptionError.
func ResolveStrategy(hints []Level, with connector.Options, session *catalog.Session, tick int64, bounded bool) (Strategy, error) {
	r := resolver{levels: append(slices.Clone(hints), Level{Origin: "WITH", Options: with}), session: session, tick: tick}
	s := Strategy{Strategy: watermark.Strategy{Tick: tick}, Bounded: bounded, Profile: session.Profile()}
	if mode, origin := session.Value(catalog.KeySnapshot); mode == catalog.SnapshotNow {
		s.Emission, s.Idleness = watermark.AtEnd{}, watermark.Never{}
		r.note("emit", "at the end", origin)
		s.NullTime = r.nullTime()
		s.Fields = r.fields
		return s, nil
	}
	handed, err := r.handsOver()
	if err != nil {
		return s, err
	}
	looks, err := r.looksAhead()
	if err != nil {
		return s, err
	}
	if handed {
		err = r.handedOver(&s)
	} else if looks {
		err = r.lookahead(&s)
	} else if err = r.code(&s); err != nil {
		return s, err
	} else if s.Emission, err = r.emission(bounded); err == nil {
		s.Idleness, err = r.idleness(bounded)
	}
	if err != nil {
		return s, err
	}
	if s.Alignment, err = r.alignment(); err != nil {
		return s, err
	}
	s.DriftOrigin, s.NullTime = r.driftOrigin, r.nullTime()
	if s.MaxAhead, err = r.maxAhead(); err != nil {
		return s, err
	}
	if s.Dimension, s.By, err = r.dimension(); err != nil {
		return s, err
	}
	if s.LastRows, err = r.lastRows(); err != nil {
		return s, err
	}
	if mode, origin, ok := r.option(OptionLate); ok && mode != lateThrough {
		if s.Adjusts = mode == lateAdjust; !s.Adjusts {
			s.Late = watermark.DivertLate
		}
		s.Shown = mode == lateFilter
		r.note("late rows", mode, origin)
	}
	if err := r.capture(&s); err != nil {
		return s, err
	}
	s.Fields = r.fields
	return s, nil
}

type resolver struct {
	levels  []Level
	session *catalog.Session
	tick    int64
	step    int64 // of the watermark, 0 for none
	looking bool  // the watermark looks ahead
	fields  []StrategyField
	// driftOrigin is where the drift of the alignment comes from.
	driftOrigin string
}

func (r *resolver) note(name, value, origin string) {
	r.fields = append(r.fields, StrategyField{Name: name, Value: value, Origin: origin})
}

// option finds an option of the table itself.
func (r *resolver) option(key string) (value, origin string, ok bool) {
	for _, l := range r.levels {
		if v, ok := l.Options[key]; ok {
			return v, l.origin(key), true
		}
	}
	return "", "", false
}

func (r *resolver) emission(bounded bool) (watermark.Emission, error) {
	how, origin, explicit := r.option(OptionEmit)
	gap, gapOrigin, gapSet := r.option(OptionGap)
	if gapSet && how != "on-event" {
		return nil, &connector.OptionError{Key: OptionGap, Message: fmt.Sprintf("'%s' counts only with on-event emission", OptionGap),
			Hint: fmt.Sprintf("add '%s' = 'on-event', or leave the gap out", OptionEmit)}
	}
	if step, origin, ok := r.option(OptionGranularity); ok {
		return r.granular(step, origin, explicit)
	}
	if !explicit && bounded {
		r.note("emit", "on-event", "replay of a bounded input")
		return watermark.OnEvent{Gap: 1}, nil
	}
	if how == "on-event" {
		if !gapSet {
			gap, gapOrigin = r.session.Value(catalog.KeyEmitGap)
		}
		n, err := strconv.ParseInt(strings.TrimSpace(gap), 10, 64)
		if err != nil || n < 1 {
			return nil, &connector.OptionError{Key: OptionGap, Message: fmt.Sprintf("option '%s' is '%s'", OptionGap, gap),
				Hint: "it must be a whole number of rows, 1 or more"}
		}
		r.note("emit", "on-event", origin)
		r.note("gap", strconv.FormatInt(n, 10), gapOrigin)
		return watermark.OnEvent{Gap: n}, nil
	}
	if !explicit {
		origin = "profile " + string(r.session.Profile())
	}
	interval, intervalOrigin := r.interval()
	p, _ := r.program().Emission.(watermark.Periodic)
	said := origin == programOrigin
	if said && p.Interval > 0 {
		interval, intervalOrigin = p.Interval, origin
	}
	e := watermark.Periodic{Interval: interval}
	r.note("emit", "on-periodic", origin)
	r.noteInterval(interval, intervalOrigin)
	switch {
	case said && p.EagerFor > 0:
		e.EagerFor = p.EagerFor
		r.note("eager", "all rows of the first "+timefmt.Length(p.EagerFor), origin)
	case r.session.Profile() == catalog.Confluent:
		e.EagerFor = watermark.DefaultEagerFor
		r.note("eager", "all rows of the first 200 ms", "profile confluent")
	}
	return e, nil
}

// interval is the time between two emissions by the clock.
func (r *resolver) interval() (micros int64, origin string) {
	text, origin := r.session.Value(catalog.KeyEmitInterval)
	micros, err := connector.ParseDuration(text)
	if err != nil {
		panic("tidemark bug: interval was not checked: " + err.Error())
	}
	return micros, origin
}

func (r *resolver) noteInterval(micros int64, origin string) {
	shown := timefmt.Length(micros)
	if micros == 0 {
		shown = "0: none before the end"
	}
	r.note("interval", shown, origin)
}

// granular is the emission of YDB.
func (r *resolver) granular(text, origin string, explicit bool) (watermark.Emission, error) {
	step, err := r.duration(OptionGranularity, text)
	switch {
	case err != nil:
		return nil, err
	case explicit:
		return nil, &connector.OptionError{Key: OptionGranularity, Message: fmt.Sprintf("'%s' and '%s' both say when the watermark is sent", OptionGranularity, OptionEmit), Hint: "leave one of them out"}
	case step < r.tick || step%r.tick != 0:
		return nil, &connector.OptionError{Key: OptionGranularity, Message: fmt.Sprintf("option '%s' is '%s'", OptionGranularity, text), Hint: "it must be a multiple of " + timefmt.Length(r.tick) + ", such as '1 s'"}
	}
	r.step = step
	r.note("emit", "in steps of "+timefmt.Length(step), origin)
	return watermark.Granular{Step: step}, nil
}

func (r *resolver) idleness(bounded bool) (watermark.Idleness, error) {
	text, origin, ok := r.option(OptionIdleTimeout)
	if !ok {
		if bounded {
			r.note("idle-timeout", "0", "replay of a bounded input")
			return watermark.Never{}, nil
		}
		text, origin = r.session.Value(catalog.KeyIdleTimeout)
	}
	if r.step > 0 {
		return r.stepped(text, origin, ok)
	}
	if strings.EqualFold(strings.TrimSpace(text), catalog.Progressive) {
		r.note("idle-timeout", timefmt.Length(watermark.ProgressiveFrom)+" to "+timefmt.Length(watermark.ProgressiveTo), origin)
		return watermark.Progressive{From: watermark.ProgressiveFrom, To: watermark.ProgressiveTo, Flush: r.flush(origin)}, nil
	}
	timeout, err := r.duration(OptionIdleTimeout, text)
	if err != nil {
		return nil, err
	}
	r.note("idle-timeout", timefmt.Length(timeout), origin)
	if timeout == 0 {
		return watermark.Never{}, nil
	}
	return watermark.Fixed{Timeout: timeout, Flush: r.flush(origin)}, nil
}

// steppedTimeout is what YDB has unless it is told.
const steppedTimeout = "5 s"

// stepped is the idleness of YDB, on the grid of the watermark.
func (r *resolver) stepped(text, origin string, explicit bool) (watermark.Idleness, error) {
	if !explicit && strings.HasPrefix(origin, "profile") {
		text, origin = steppedTimeout, "'"+OptionGranularity+"'"
	}
	timeout, err := r.duration(OptionIdleTimeout, text)
	if err != nil {
		return nil, err
	}
	r.note("idle-timeout", timefmt.Length(timeout), origin)
	if timeout == 0 {
		return watermark.Never{}, nil
	}
	return watermark.Stepped{Timeout: timeout, Step: r.step}, nil
}

// flush is the program's if the timeout, which is from origin, is.
func (r *resolver) flush(origin string) bool {
	if origin == programOrigin {
		flush := false
		switch i := r.program().Idleness.(type) {
		case watermark.Fixed:
			flush = i.Flush
		case watermark.Progressive:
			flush = i.Flush
		}
		r.note("flush at idleness", strconv.FormatBool(flush), origin)
		return flush
	}
	flush := r.session.Profile() == catalog.Confluent
	r.note("flush at idleness", strconv.FormatBool(flush), "profile "+string(r.session.Profile()))
	return flush
}

// alignment is by group if the table names one. Without, all sources of a statement are aligned if the session says how far they may drift apart, as in Confluent Cloud.
func (r *resolver) alignment() (watermark.Alignment, error) {
	var a watermark.Alignment
	group, origin, grouped := r.option(OptionAlignGroup)
	text, driftOrigin, drifts := r.option(OptionAlignDrift)
	every, everyOrigin, paced := r.option(OptionAlignEvery)
	if !grouped && (drifts || paced) {
		key := OptionAlignEvery
		if drifts {
			key = OptionAlignDrift
		}
		return a, &connector.OptionError{Key: key, Message: "alignment needs a group",
			Hint: fmt.Sprintf("add '%s' = '…', the same for all tables that wait for each other", OptionAlignGroup)}
	}
	if grouped && strings.TrimSpace(group) == "" {
		return a, &connector.OptionError{Key: OptionAlignGroup, Message: fmt.Sprintf("option '%s' is blank", OptionAlignGroup), Hint: "write a name, or leave it out"}
	}
	if grouped && !drifts {
		return a, &connector.OptionError{Key: OptionAlignGroup, Message: "alignment needs a drift", Hint: fmt.Sprintf("add '%s' = '30 s', or what splits may be ahead of each other", OptionAlignDrift)}
	}
	var pause int64
	if paced {
		var err error
		if pause, err = r.duration(OptionAlignEvery, every); err != nil {
			return a, err
		}
	}
	if !grouped {
		text, driftOrigin = r.session.Value(catalog.KeyDrift)
		origin = driftOrigin
		if r.looking && strings.HasPrefix(origin, "profile") {
			return a, nil // Flow: no alignment unless it is asked for
		}
	}
	r.driftOrigin = driftOrigin
	drift, err := r.duration(OptionAlignDrift, text)
	if err != nil || drift == 0 {
		return a, err
	}
	if paced && pause == 0 { // Flink 2.3: an interval of 0 is no alignment
		r.fields = append(r.fields, StrategyField{Name: "alignment", Value: "off", Origin: everyOrigin, Live: true})
		return a, nil
	}
	shown := group
	if !grouped {
		shown = "all sources"
	}
	r.fields = append(r.fields,
		StrategyField{Name: "alignment drift", Value: timefmt.Length(drift), Origin: driftOrigin, Live: true},
		StrategyField{Name: "alignment group", Value: shown, Origin: origin, Live: true})
	if paced {
		r.fields = append(r.fields, StrategyField{Name: "alignment update", Value: "at once, not every " + timefmt.Length(pause), Origin: everyOrigin, Live: true})
	}
	return watermark.Alignment{Group: group, Drift: drift}, nil
}

// duration reads an option of the table.
func (r *resolver) duration(key, text string) (int64, error) {
	d, err := connector.ParseDuration(text)
	if err != nil {
		return 0, &connector.OptionError{Key: key, Message: fmt.Sprintf("option '%s': %s", key, err), Hint: "write a number and a unit, such as '10 s', or '0' for never"}
	}
	return d, nil
}

func (r *resolver) maxAhead() (watermark.MaxAhead, error) {
	text, origin, ok := r.option(OptionMaxAhead)
	if !ok {
		return 0, nil
	}
	d, err := r.duration(OptionMaxAhead, text)
	if d > 0 {
		r.note("max ahead", timefmt.Length(d), origin)
	}
	return watermark.MaxAhead(d), err
}

// nullTimeField is what EXPLAIN calls what becomes of rows without a time.
const nullTimeField = "null time"

func (r *resolver) nullTime() watermark.NullTime {
	text, origin := r.session.Value(catalog.KeyNullTime)
	if own, where, ok := r.option(OptionNullTime); ok {
		text, origin = own, where
	}
	if p := r.program().NullTime; p != watermark.Fail {
		text, origin = p.String(), programOrigin
	}
	r.note(nullTimeField, text, origin)
	return map[string]watermark.NullTime{"FAIL": watermark.Fail, "DROP": watermark.Drop, "SKIP_WATERMARK": watermark.SkipWatermark}[text]
}
