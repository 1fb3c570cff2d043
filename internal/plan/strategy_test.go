package plan

import (
	"errors"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/watermark"
)

const (
	ms     = 1_000
	second = 1_000_000
)

// TestResolveStrategy finds what the core is told; what is shown of it, with its origins, is in the goldens of package engine.
func TestResolveStrategy(t *testing.T) {
	on := func(gap string) connector.Options {
		return connector.Options{OptionEmit: "on-event", OptionGap: gap}
	}
	progressive, all := watermark.Progressive{From: 10 * second, To: 300 * second, Flush: true}, watermark.Alignment{Drift: 300 * second}
	for _, c := range []struct {
		about      string
		set        []string // keys and values
		with, hint connector.Options
		bounded    bool
		emission   watermark.Emission
		idleness   watermark.Idleness
		nullTime   watermark.NullTime
		alignment  watermark.Alignment
	}{
		{about: "live", emission: watermark.Periodic{Interval: 200 * ms, EagerFor: watermark.DefaultEagerFor}, idleness: progressive, alignment: all},
		{about: "live without idleness and alignment", set: []string{catalog.KeyIdleTimeout, "0", catalog.KeyDrift, "0"}, emission: watermark.Periodic{Interval: 200 * ms, EagerFor: watermark.DefaultEagerFor}, idleness: watermark.Never{}},
		{about: "a drift", set: []string{catalog.KeyDrift, "10 min"}, hint: connector.Options{OptionIdleTimeout: "15s"}, emission: watermark.Periodic{Interval: 200 * ms, EagerFor: watermark.DefaultEagerFor},
			idleness: watermark.Fixed{Timeout: 15 * second, Flush: true}, alignment: watermark.Alignment{Drift: 600 * second}},
		{about: "progressive in the profile flink", set: []string{catalog.KeyProfile, "flink", catalog.KeyIdleTimeout, "Progressive"}, emission: watermark.Periodic{Interval: 200 * ms},
			idleness: watermark.Progressive{From: 10 * second, To: 300 * second}},
		{about: "a group", set: []string{catalog.KeyProfile, "flink"}, with: connector.Options{OptionAlignGroup: "g", OptionAlignDrift: "1 s"}, emission: watermark.Periodic{Interval: 200 * ms},
			idleness: watermark.Never{}, alignment: watermark.Alignment{Group: "g", Drift: second}},
		{about: "live in the profile flink", set: []string{catalog.KeyProfile, "flink"}, emission: watermark.Periodic{Interval: 200 * ms}, idleness: watermark.Never{}},
		{about: "an interval", set: []string{catalog.KeyProfile, "flink", catalog.KeyEmitInterval, "1 s"}, emission: watermark.Periodic{Interval: second}, idleness: watermark.Never{}},
		{about: "a replay", bounded: true, emission: watermark.OnEvent{Gap: 1}, idleness: watermark.Never{}, alignment: all},
		{about: "a replay does not fall idle by SET", bounded: true, set: []string{catalog.KeyIdleTimeout, "5 s"}, emission: watermark.OnEvent{Gap: 1}, idleness: watermark.Never{}, alignment: all},
		{about: "but by the table", bounded: true, with: connector.Options{OptionIdleTimeout: "5 s"}, emission: watermark.OnEvent{Gap: 1}, idleness: watermark.Fixed{Timeout: 5 * second, Flush: true}, alignment: all},
		{about: "idleness flushes in confluent", set: []string{catalog.KeyIdleTimeout, "5 s"}, with: on("3"), emission: watermark.OnEvent{Gap: 3}, idleness: watermark.Fixed{Timeout: 5 * second, Flush: true}, alignment: all},
		{about: "not in flink", set: []string{catalog.KeyProfile, "flink", catalog.KeyIdleTimeout, "5 s"}, with: on("3"), emission: watermark.OnEvent{Gap: 3}, idleness: watermark.Fixed{Timeout: 5 * second}},
		{about: "0 turns off what a lower level turns on", set: []string{catalog.KeyIdleTimeout, "5 s"}, with: on("3"), hint: connector.Options{OptionIdleTimeout: "0"}, emission: watermark.OnEvent{Gap: 3}, idleness: watermark.Never{}, alignment: all},
		{about: "a hint's gap", with: on("3"), hint: connector.Options{OptionGap: "4"}, emission: watermark.OnEvent{Gap: 4}, idleness: progressive, alignment: all},
		{about: "the gap of SET", set: []string{catalog.KeyEmitGap, "7"}, with: connector.Options{OptionEmit: "on-event"}, emission: watermark.OnEvent{Gap: 7}, idleness: progressive, alignment: all},
		{about: "a gap beside blanks", with: on(" 7 "), emission: watermark.OnEvent{Gap: 7}, idleness: progressive, alignment: all},
		{about: "rows without time", bounded: true, set: []string{catalog.KeyNullTime, "SKIP_WATERMARK"}, emission: watermark.OnEvent{Gap: 1}, idleness: watermark.Never{}, nullTime: watermark.SkipWatermark, alignment: all},
	} {
		t.Run(c.about, func(t *testing.T) {
			s, err := ResolveStrategy([]Level{{Origin: "OPTIONS", Options: c.hint}}, c.with, session(t, c.set), ms, c.bounded)
			if err != nil {
				t.Fatal(err)
			}
			want := watermark.Strategy{Emission: c.emission, Idleness: c.idleness, NullTime: c.nullTime, Tick: ms, Alignment: c.alignment}
			if s.Strategy != want {
				t.Errorf("got %+v, want %+v", s.Strategy, want)
			}
			for _, f := range s.Fields {
				if f.Name == "" || f.Value == "" || f.Origin == "" {
					t.Errorf("is shown without a name, a value or an origin: %+v", f)
				}
			}
		})
	}
}

// TestResolveDimension finds what divides rows, and how long values are waited for.
func TestResolveDimension(t *testing.T) {
	with := connector.Options{OptionDimension: "kind ; shop", OptionProducer: " device ", OptionDimensionTimeout: "10 s", OptionLastRows: " 7 "}
	s, err := ResolveStrategy(nil, with, session(t, nil), ms, true)
	if err != nil {
		t.Fatal(err)
	}
	by := []DividingColumn{{"kind", OptionDimension}, {"shop", OptionDimension}, {"device", OptionProducer}}
	if !slices.Equal(s.By, by) || s.Dimension.Timeout != 10*second || s.Dimension.Expected != nil || s.LastRows != 7 {
		t.Errorf("by %v, %+v, last %d", s.By, s.Dimension, s.LastRows)
	}
	if s, err = ResolveStrategy([]Level{{Origin: "OPTIONS", Options: connector.Options{OptionDimensionTimeout: "a = b = 0; 5 s; c,d = 1 h"}}},
		connector.Options{OptionProducer: "device", OptionDimensionTimeout: "1 s", OptionDimensionValues: "x;NULL;;x; c,d"}, session(t, nil), ms, true); err != nil {
		t.Fatal(err)
	}
	want := watermark.Dimension{Expected: []string{"x", "'NULL'", "'c,d'"}, Timeout: 5 * second, Timeouts: map[string]int64{"a = b": 0, "'c,d'": 3600 * second}}
	if !reflect.DeepEqual(*s.Dimension, want) || s.LastRows != 0 {
		t.Errorf("got %+v, want %+v", *s.Dimension, want)
	}
}

// Different values have different names.
func TestValueName(t *testing.T) {
	texts := []string{"", "NULL", "'NULL'", "a", " a", "a, b", "a,b", "'", "''", "b", ", ", "NULL, NULL", "a', 'b", "'a'", "\n"}
	pool := []*string{nil}
	for i := range texts {
		pool = append(pool, &texts[i])
	}
	names := map[string]string{}
	check := func(value ...*string) {
		name, is := ValueName(value), ""
		for _, v := range value {
			if v == nil {
				is += "nil "
			} else {
				is += strconv.Quote(*v) + " "
			}
		}
		if other, ok := names[name]; ok {
			t.Errorf("%s and %s are both %s", other, is, name)
		}
		names[name] = is
	}
	for _, a := range pool {
		check(a)
		for _, b := range pool {
			check(a, b)
			for _, c := range pool {
				check(a, b, c)
			}
		}
	}
}

func session(t *testing.T, set []string) *catalog.Session {
	t.Helper()
	s := catalog.NewSession()
	for i := 0; i < len(set); i += 2 {
		if err := s.Set(set[i], set[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// TestResolveStrategyRefused blames the option that is wrong.
func TestResolveStrategyRefused(t *testing.T) {
	for _, c := range []struct {
		options connector.Options
		key     string
	}{
		{connector.Options{OptionGap: "5"}, OptionGap},
		{connector.Options{OptionGap: "5", OptionEmit: "on-periodic"}, OptionGap},
		{connector.Options{OptionGap: "0", OptionEmit: "on-event"}, OptionGap},
		{connector.Options{OptionGap: "1.5", OptionEmit: "on-event"}, OptionGap},
		{connector.Options{OptionIdleTimeout: "soon"}, OptionIdleTimeout},
		{connector.Options{OptionIdleTimeout: "-1 s"}, OptionIdleTimeout},
		{connector.Options{OptionLiftRatio: "0.4"}, OptionLiftRatio},
		{connector.Options{OptionLatePercent: "90", OptionGenerator: "expression"}, OptionLatePercent},
		{connector.Options{OptionGenerator: "lookahead", OptionEmit: "on-event"}, OptionEmit},
		{connector.Options{OptionGenerator: "lookahead", OptionGranularity: "1 s"}, OptionGranularity},
		{connector.Options{OptionGenerator: "lookahead", OptionIdleTimeout: "progressive"}, OptionIdleTimeout},
		{connector.Options{OptionGenerator: "lookahead", OptionIdleTimeout: "soon"}, OptionIdleTimeout},
		{connector.Options{OptionGenerator: "lookahead", OptionLiftRatio: "0"}, OptionLiftRatio},
		{connector.Options{OptionGenerator: "lookahead", OptionLiftRatio: "1.1"}, OptionLiftRatio},
		{connector.Options{OptionGenerator: "lookahead", OptionLiftRatio: "NaN"}, OptionLiftRatio},
		{connector.Options{OptionGenerator: "lookahead", OptionLatePercent: "101"}, OptionLatePercent},
		{connector.Options{OptionGenerator: "lookahead", OptionLateDelay: "1 parsec"}, OptionLateDelay},
		{connector.Options{OptionGenerator: "lookahead", OptionInFlightPercent: "-1"}, OptionInFlightPercent},
		{connector.Options{OptionGenerator: "lookahead", OptionHalfLife: "long"}, OptionHalfLife},
		{connector.Options{OptionGenerator: "lookahead", OptionMaxDown: "one"}, OptionMaxDown},
		{connector.Options{OptionGenerator: "lookahead", OptionReadDelays: "shows"}, OptionReadDelays},
		{connector.Options{OptionGenerator: "lookahead", OptionReadDelays: "shows: soon"}, OptionReadDelays},
		{connector.Options{OptionGenerator: "lookahead", OptionReadDelays: "shows: 1 s,"}, OptionReadDelays},
		{connector.Options{OptionGenerator: "lookahead", OptionReadDelays: ": 1 s"}, OptionReadDelays},
		{connector.Options{OptionReadDelays: "shows: 1 s"}, OptionReadDelays},
	} {
		for _, bounded := range []bool{false, true} {
			_, err := ResolveStrategy(nil, c.options, catalog.NewSession(), ms, bounded)
			var refused *connector.OptionError
			if !errors.As(err, &refused) || refused.Key != c.key || refused.Hint == "" {
				t.Errorf("%v, bounded %t: got %v, want '%s' refused with a hint", c.options, bounded, err, c.key)
			}
		}
	}
}

// TestResolveLookahead: the values of Flow unless the table has others; no idleness or alignment of a profile.
func TestResolveLookahead(t *testing.T) {
	flow := watermark.Lookahead{InFlight: watermark.All, LateData: watermark.All, Outages: watermark.DefaultOutages}
	other := watermark.Lookahead{InFlight: watermark.Percentile{Value: 90, Delay: 60 * second}, LateData: watermark.Percentile{Value: 0, Delay: 5 * second},
		Outages: watermark.Outages{MaxDown: 2, MinUp: 0, HalfLife: 60 * second}}
	down := flow
	down.Outages = watermark.Outages{}
	for _, c := range []struct {
		about     string
		set       []string
		with      connector.Options
		generator watermark.Lookahead
		idleness  watermark.Idleness
		alignment watermark.Alignment
	}{
		{about: "nothing else", generator: flow, idleness: watermark.Never{}},
		{about: "a timeout", with: connector.Options{OptionIdleTimeout: "3 min"}, generator: flow, idleness: watermark.Lift{After: 180 * second, Ratio: 0.4}},
		{about: "a share", with: connector.Options{OptionLiftRatio: "1"}, generator: flow, idleness: watermark.Lift{After: 60 * second, Ratio: 1}},
		{about: "a timeout of SET", set: []string{catalog.KeyIdleTimeout, "2 min"}, generator: flow, idleness: watermark.Lift{After: 120 * second, Ratio: 0.4}},
		{about: "a timeout of 0", with: connector.Options{OptionIdleTimeout: "0", OptionLiftRatio: "1"}, generator: flow, idleness: watermark.Never{}},
		{about: "all else", with: connector.Options{OptionInFlightPercent: "90", OptionLatePercent: "0", OptionLateDelay: "5 s", OptionMaxDown: "2", OptionMinUp: "0", OptionHalfLife: "1 min"},
			generator: other, idleness: watermark.Never{}},
		{about: "no outages", with: connector.Options{OptionHalfLife: "0"}, generator: down, idleness: watermark.Never{}},
		{about: "a group", with: connector.Options{OptionAlignGroup: "g", OptionAlignDrift: "20 min"}, generator: flow, idleness: watermark.Never{}, alignment: watermark.Alignment{Group: "g", Drift: 1200 * second}},
		{about: "a drift of SET", set: []string{catalog.KeyDrift, "10 min"}, generator: flow, idleness: watermark.Never{}, alignment: watermark.Alignment{Drift: 600 * second}},
	} {
		for _, bounded := range []bool{false, true} {
			with := connector.Options{OptionGenerator: "lookahead"}
			maps.Copy(with, c.with)
			s, err := ResolveStrategy(nil, with, session(t, c.set), ms, bounded)
			if err != nil {
				t.Fatalf("%s: %v", c.about, err)
			}
			want := watermark.Strategy{Tick: ms, Emission: watermark.Periodic{Interval: 200 * ms}, Idleness: c.idleness, Alignment: c.alignment, Candidates: c.generator}
			if s.Strategy != want {
				t.Errorf("%s: got %v, want %v", c.about, s.Strategy, want)
			}
		}
	}
}

// TestReadDelays: several tables, each with its length.
func TestReadDelays(t *testing.T) {
	s, err := ResolveStrategy(nil, connector.Options{OptionGenerator: "lookahead", OptionReadDelays: "shows: 10 s, clicks:0"}, session(t, nil), ms, false)
	if want := []watermark.ReadDelay{{Table: "shows", Delay: 10 * second}, {Table: "clicks"}}; err != nil || !slices.Equal(s.Delays, want) {
		t.Errorf("got %v, %v, want %v", s.Delays, err, want)
	}
}

// TestDelay finds what a watermark subtracts from its column.
func TestDelay(t *testing.T) {
	column := func(i int) expr.Expr { return expr.NewColumn(i, "ts", types.Type{Kind: types.Timestamp, Precision: 3}) }
	minus := func(e expr.Expr, d int64) expr.Expr {
		call, err := expr.NewCall(function.MustScalar("-"), []expr.Expr{e, expr.LiteralInt(types.IntervalDayType, d)})
		if err != nil {
			t.Fatal(err)
		}
		return call
	}
	for _, c := range []struct {
		e    expr.Expr
		want int64
		ok   bool
	}{
		{column(2), 0, true},
		{minus(column(2), 5*second), 5 * second, true},
		{minus(minus(column(2), 5*second), -2*second), 3 * second, true},
		{column(1), 0, false},
		{minus(column(1), 5*second), 5 * second, false},
		{expr.LiteralInt(types.Type{Kind: types.Timestamp, Precision: 3}, 7), 0, false},
	} {
		if got, ok := Delay(&catalog.Watermark{Column: 2, Expr: c.e}); ok != c.ok || ok && got != c.want {
			t.Errorf("%s: got %d, %t", c.e, got, ok)
		}
	}
}
