package plan

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/watermark"
)

// The options of a table whose watermark looks ahead, as that of Flow does. All but the first are for such a table alone.
const (
	OptionGenerator       = "watermark.generator"
	OptionLiftRatio       = "watermark.idle.max-ratio"
	OptionMaxDown         = "watermark.unavailable.max-groups"
	OptionMinUp           = "watermark.unavailable.min-available-groups"
	OptionHalfLife        = "watermark.unavailable.half-life"
	OptionLatePercent     = "watermark.late-data.percent"
	OptionLateDelay       = "watermark.late-data.delay"
	OptionInFlightPercent = "watermark.in-flight.percent"
	OptionInFlightDelay   = "watermark.in-flight.delay"
	OptionReadDelays      = "watermark.read-delays"
)

// The values of OptionGenerator.
const (
	generatorExpression = "expression"
	generatorLookahead  = "lookahead"
)

var lookaheadOptions = []connector.Spec{
	{Key: OptionGenerator, Doc: "what a split promises: the greatest value of the watermark's expression, or lookahead, as in Flow", Values: []string{generatorExpression, generatorLookahead}, Default: generatorExpression},
	{Key: OptionLiftRatio, Doc: "with lookahead: how many of the splits may be let go because they are empty, as a share; 1 is all of them", Choice: OptionGenerator, Chosen: generatorLookahead, Default: "0.4, if there is an idle timeout"},
	{Key: OptionMaxDown, Doc: "with lookahead: how many groups of splits that cannot be read may be let go; if more cannot, none is", Choice: OptionGenerator, Chosen: generatorLookahead, Default: "1"},
	{Key: OptionMinUp, Doc: "with lookahead: how many groups must be there for that", Choice: OptionGenerator, Chosen: generatorLookahead, Default: "1"},
	{Key: OptionHalfLife, Doc: "with lookahead: a split cannot be read when that has failed for 0.614 of this length; 0 never", Choice: OptionGenerator, Chosen: generatorLookahead, Default: "10 min"},
	{Key: OptionLatePercent, Doc: "with lookahead: the share of the splits, in percent, that always count, the most advanced ones; 100 is all", Choice: OptionGenerator, Chosen: generatorLookahead, Default: "100"},
	{Key: OptionLateDelay, Doc: "with lookahead: how far behind the least of those the others may be before they are let go", Choice: OptionGenerator, Chosen: generatorLookahead, Default: "1 min"},
	{Key: OptionInFlightPercent, Doc: "with lookahead: the share of the rows in flight, in percent, that always hold the watermark, the newest ones; 100 is all, 0 none", Choice: OptionGenerator, Chosen: generatorLookahead, Default: "100"},
	{Key: OptionReadDelays, Doc: "with lookahead: other tables of the statement that this one waits for, such as 'shows: 10 s, clicks: 0 s'; rows enter when the watermark of each is so far ahead of the newest of them", Choice: OptionGenerator, Chosen: generatorLookahead},
	{Key: OptionInFlightDelay, Doc: "with lookahead: how far behind the oldest of those the others may be and still hold it", Choice: OptionGenerator, Chosen: generatorLookahead, Default: "1 min"},
}

// looksAhead reports whether the table has the generator of Flow. If not, the options that belong to it are refused.
func (r *resolver) looksAhead() (bool, error) {
	if kind, _, _ := r.option(OptionGenerator); kind == generatorLookahead {
		return true, nil
	}
	for _, spec := range lookaheadOptions[1:] {
		if _, _, ok := r.option(spec.Key); ok {
			return false, &connector.OptionError{Key: spec.Key, Message: fmt.Sprintf("'%s' is for a watermark that looks ahead", spec.Key),
				Hint: fmt.Sprintf("add '%s' = '%s', or leave it out", OptionGenerator, generatorLookahead)}
		}
	}
	return false, nil
}

// lookahead resolves generator, emission and idleness of a table with OptionGenerator. How far the watermark is behind comes from its declaration; see Bind.
func (r *resolver) lookahead(s *Strategy) error {
	r.looking = true
	_, origin, _ := r.option(OptionGenerator)
	r.note("generator", generatorLookahead, origin)
	for _, key := range []string{OptionEmit, OptionGap, OptionGranularity} {
		if value, _, ok := r.option(key); ok && value != "on-periodic" {
			return &connector.OptionError{Key: key, Message: "a watermark that looks ahead is sent by the clock", Hint: fmt.Sprintf("leave '%s' out", key)}
		}
	}
	for _, key := range []string{OptionDimension, OptionProducer, OptionLastRows} {
		if _, _, ok := r.option(key); ok {
			return &connector.OptionError{Key: key, Message: "a watermark that looks ahead is not made by value or by the last rows", Hint: fmt.Sprintf("leave '%s' or '%s' out", key, OptionGenerator)}
		}
	}
	interval, intervalOrigin := r.interval()
	s.Emission = watermark.Periodic{Interval: interval}
	r.note("emit", "on-periodic", quoted(OptionGenerator))
	r.noteInterval(interval, intervalOrigin)
	var err error
	if s.Idleness, err = r.lift(); err != nil {
		return err
	}
	l := watermark.Lookahead{}
	if l.Outages, err = r.outages(); err != nil {
		return err
	}
	if l.LateData, err = r.percentile("late data", OptionLatePercent, OptionLateDelay); err != nil {
		return err
	}
	if l.InFlight, err = r.percentile("in flight", OptionInFlightPercent, OptionInFlightDelay); err != nil {
		return err
	}
	if s.Delays, err = r.readDelays(); err != nil {
		return err
	}
	s.Candidates = l
	return nil
}

// lift is the idleness: none unless the table or a setting has a timeout, or the table a share.
func (r *resolver) lift() (watermark.Idleness, error) {
	text, origin, timed := r.option(OptionIdleTimeout)
	if !timed {
		text, origin = r.session.Value(catalog.KeyIdleTimeout)
		timed = !strings.HasPrefix(origin, "profile")
	}
	share, shareOrigin, shared := r.option(OptionLiftRatio)
	if !timed && !shared {
		r.note("idle-timeout", "0", quoted(OptionGenerator))
		return watermark.Never{}, nil
	}
	l := watermark.Lift{After: watermark.DefaultLiftAfter, Ratio: watermark.DefaultLiftRatio}
	if timed {
		if strings.EqualFold(strings.TrimSpace(text), catalog.Progressive) {
			return nil, &connector.OptionError{Key: OptionIdleTimeout, Message: "a watermark that looks ahead has a fixed idle timeout", Hint: fmt.Sprintf("add '%s' = '1 min', or another length", OptionIdleTimeout)}
		}
		var err error
		if l.After, err = r.duration(OptionIdleTimeout, text); err != nil {
			return nil, err
		}
	} else {
		origin = quoted(OptionGenerator)
	}
	if l.After == 0 {
		r.note("idle-timeout", "0", origin)
		return watermark.Never{}, nil
	}
	if !shared {
		share, shareOrigin = strconv.FormatFloat(l.Ratio, 'g', -1, 64), quoted(OptionGenerator)
	}
	ratio, err := strconv.ParseFloat(strings.TrimSpace(share), 64)
	if err != nil || !(ratio > 0 && ratio <= 1) {
		return nil, &connector.OptionError{Key: OptionLiftRatio, Message: fmt.Sprintf("option '%s' is '%s'", OptionLiftRatio, share), Hint: "it must be a share above 0 and up to 1, such as '0.4'"}
	}
	l.Ratio = ratio
	r.note("idle-timeout", timefmt.Length(l.After), origin)
	r.note("idle share", "at most "+share, shareOrigin)
	return l, nil
}

func (r *resolver) outages() (watermark.Outages, error) {
	o := watermark.DefaultOutages
	half, origin, err := r.length(OptionHalfLife, o.HalfLife)
	if err != nil {
		return o, err
	}
	if half == 0 {
		r.note("outages", "0", origin)
		return watermark.Outages{}, nil
	}
	down, downOrigin, err := r.whole(OptionMaxDown, o.MaxDown, 1<<30)
	if err != nil {
		return o, err
	}
	up, upOrigin, err := r.whole(OptionMinUp, o.MinUp, 1<<30)
	if err != nil {
		return o, err
	}
	r.note("groups down", fmt.Sprintf("at most %d", down), downOrigin)
	r.note("groups up", fmt.Sprintf("at least %d", up), upOrigin)
	r.note("half-life", timefmt.Length(half), origin)
	return watermark.Outages{MaxDown: down, MinUp: up, HalfLife: half}, nil
}

// percentile notes nothing if all count.
func (r *resolver) percentile(name, percentKey, delayKey string) (watermark.Percentile, error) {
	p := watermark.All
	value, origin, err := r.whole(percentKey, p.Value, 100)
	if err != nil {
		return p, err
	}
	delay, delayOrigin, err := r.length(delayKey, watermark.DefaultPercentileDelay)
	if err != nil || value == 100 {
		return p, err
	}
	r.note(name, strconv.Itoa(value)+" percent", origin)
	r.note(name+" delay", timefmt.Length(delay), delayOrigin)
	return watermark.Percentile{Value: value, Delay: delay}, nil
}

// readDelays reads "table: length, table: length".
func (r *resolver) readDelays() ([]watermark.ReadDelay, error) {
	text, origin, ok := r.option(OptionReadDelays)
	if !ok {
		return nil, nil
	}
	var delays []watermark.ReadDelay
	var shown []string
	for part := range strings.SplitSeq(text, ",") {
		name, length, _ := strings.Cut(part, ":")
		name = strings.TrimSpace(name)
		d, err := connector.ParseDuration(strings.TrimSpace(length))
		if err != nil || name == "" {
			return nil, &connector.OptionError{Key: OptionReadDelays, Message: fmt.Sprintf("option '%s' has '%s'", OptionReadDelays, strings.TrimSpace(part)), Hint: "write the name of a table, a colon and a length, such as 'clicks: 10 s'"}
		}
		delays = append(delays, watermark.ReadDelay{Table: name, Delay: d})
		shown = append(shown, name+" less "+timefmt.Length(d))
	}
	r.note("waits for", strings.Join(shown, ", "), origin)
	return delays, nil
}

// length is an option that is a length, or a default of the generator.
func (r *resolver) length(key string, fallback int64) (d int64, origin string, err error) {
	text, origin, ok := r.option(key)
	if !ok {
		return fallback, quoted(OptionGenerator), nil
	}
	d, err = r.duration(key, text)
	return d, origin, err
}

// whole is an option that is a number from 0 to most, or a default of the generator.
func (r *resolver) whole(key string, fallback, most int) (n int, origin string, err error) {
	text, origin, ok := r.option(key)
	if !ok {
		return fallback, quoted(OptionGenerator), nil
	}
	if n, err = strconv.Atoi(strings.TrimSpace(text)); err != nil || n < 0 || n > most {
		return 0, "", &connector.OptionError{Key: key, Message: fmt.Sprintf("option '%s' is '%s'", key, text), Hint: fmt.Sprintf("it must be a whole number from 0 to %d", most)}
	}
	return n, origin, nil
}

// Bind tells a strategy what the watermark w, nil for none, is about: one of some rows passes the others over, as rows without a time. One that looks ahead is told how far w is
// behind: what WATERMARK FOR subtracts from the time.
func (s *Strategy) Bind(w *catalog.Watermark) error {
	if w != nil && w.Of != nil {
		s.NullTime = watermark.SkipWatermark
		for i := range s.Fields {
			if s.Fields[i].Name == nullTimeField {
				s.Fields[i].Value, s.Fields[i].Origin = "SKIP_WATERMARK", "rows that are left out"
			}
		}
	}
	l, ok := s.Candidates.(watermark.Lookahead)
	if !ok || w == nil {
		return nil
	}
	delay, constant := Delay(w)
	if !constant || delay < 0 {
		return &connector.OptionError{Key: OptionGenerator, Message: "a watermark that looks ahead is a time less a constant length, and here it is " + w.Text,
			Hint: "declare WATERMARK FOR ts AS ts - INTERVAL '1' MINUTE, or another length"}
	}
	l.Bound = delay
	s.Candidates = l
	return nil
}

func quoted(key string) string { return "'" + key + "'" }
