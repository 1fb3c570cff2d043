package plan

import (
	"errors"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/watermark"
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
