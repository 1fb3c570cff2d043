package plan

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/watermark"
)

// Strategy is the watermark strategy of a scan with the origin of every value.
type Strategy struct {
	watermark.Strategy
	// Fields are the values as they are shown, in a fixed order.
	Fields []StrategyField
}

// StrategyField is one resolved value.
type StrategyField struct {
	Name, Value, Origin string
}

// The options of a table that say how its watermark is made. Each line lists the spellings of one thing.
const (
	OptionEmit        = "scan.watermark.emit.strategy"
	OptionGap         = "scan.watermark.emit.on-event.gap"
	OptionIdleTimeout = "scan.watermark.idle-timeout"
)

// WatermarkOptions are the options of a table that this package reads, for the check of a WITH clause.
var WatermarkOptions = []connector.Spec{
	{Key: OptionEmit, Doc: "when the watermark is sent: on-periodic or on-event", Values: []string{"on-periodic", "on-event"},
		Default: "on-event for a bounded table, else on-periodic"},
	{Key: OptionGap, Doc: "rows of a split between two watermarks with on-event; 1 is every row",
		Default: "what '" + catalog.KeyEmitGap + "' says"},
	{Key: OptionIdleTimeout, Doc: "how long a split may be silent before it stops holding the watermark; 0 for ever",
		Default: "0 for a bounded table, else what '" + catalog.KeyIdleTimeout + "' says"},
	{Key: "scan.watermark.alignment.group", NotYet: catalog.NoAlignment},
	{Key: "scan.watermark.alignment.max-drift", NotYet: catalog.NoAlignment},
	{Key: "scan.watermark.alignment.update-interval", NotYet: catalog.NoAlignment},
}

// ResolveStrategy finds the strategy of a scan: a hint wins over the table's WITH clause, that over SET, and that over the profile, value by
// value. The error is a *connector.OptionError.
func ResolveStrategy(hint, with connector.Options, session *catalog.Session, tick int64, bounded bool) (Strategy, error) {
	r := resolver{levels: []level{{"hint", hint}, {"WITH", with}}, session: session}
	s := Strategy{Strategy: watermark.Strategy{Tick: tick}}
	var err error
	if s.Emission, err = r.emission(bounded); err != nil {
		return s, err
	}
	if s.Idleness, err = r.idleness(bounded); err != nil {
		return s, err
	}
	s.NullTime = r.nullTime()
	s.Fields = r.fields
	return s, nil
}

type level struct {
	origin  string
	options connector.Options
}

type resolver struct {
	levels  []level
	session *catalog.Session
	fields  []StrategyField
}

func (r *resolver) note(name, value, origin string) {
	r.fields = append(r.fields, StrategyField{name, value, origin})
}

// option finds an option of the table itself.
func (r *resolver) option(key string) (value, origin string, ok bool) {
	for _, l := range r.levels {
		if v, ok := l.options[key]; ok {
			return v, fmt.Sprintf("%s '%s'", l.origin, key), true
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
	text, intervalOrigin := r.session.Value(catalog.KeyEmitInterval)
	interval, err := connector.ParseDuration(text)
	if err != nil {
		panic("tidemark bug: interval was not checked: " + err.Error())
	}
	e := watermark.Periodic{Interval: interval}
	r.note("emit", "on-periodic", origin)
	shown := timefmt.Length(interval)
	if interval == 0 {
		shown = "0: none before the end"
	}
	r.note("interval", shown, intervalOrigin)
	if r.session.Profile() == catalog.Confluent {
		e.EagerFor = watermark.DefaultEagerFor
		r.note("eager", "all rows of the first 200 ms", "profile confluent")
	}
	return e, nil
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
	timeout, err := connector.ParseDuration(text)
	if err != nil {
		return nil, &connector.OptionError{Key: OptionIdleTimeout, Message: fmt.Sprintf("option '%s': %s", OptionIdleTimeout, err),
			Hint: "write a number and a unit, such as '10 s', or '0' for never"}
	}
	r.note("idle-timeout", timefmt.Length(timeout), origin)
	if timeout == 0 {
		return watermark.Never{}, nil
	}
	flush := r.session.Profile() == catalog.Confluent
	r.note("flush at idleness", strconv.FormatBool(flush), "profile "+string(r.session.Profile()))
	return watermark.Fixed{Timeout: timeout, Flush: flush}, nil
}

func (r *resolver) nullTime() watermark.NullTime {
	text, origin := r.session.Value(catalog.KeyNullTime)
	r.note("null time", text, origin)
	return map[string]watermark.NullTime{"FAIL": watermark.Fail, "DROP": watermark.Drop, "SKIP_WATERMARK": watermark.SkipWatermark}[text]
}
