package plan

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// TestProgramLevel: a program wins over WITH, SET and the profile, value by value, and hints over it.
func TestProgramLevel(t *testing.T) {
	helper := watermark.BoundedOutOfOrderness(time.Second)
	eager := watermark.Periodic{Interval: 200 * ms, EagerFor: watermark.DefaultEagerFor}
	for _, c := range []struct {
		about      string
		set        []string
		with, hint connector.Options
		program    watermark.Strategy
		bounded    bool
		emission   watermark.Emission
		idleness   watermark.Idleness
		alignment  watermark.Alignment
		code       bool
		shown      string // a field that must be there
	}{
		{about: "a generator alone", set: []string{catalog.KeyProfile, "flink"}, program: helper, emission: watermark.Periodic{Interval: 200 * ms}, idleness: watermark.Never{}, code: true,
			shown: "generator bounded out-of-orderness, 1 s program"},
		{about: "a replay", set: []string{catalog.KeyProfile, "flink"}, program: helper, bounded: true, emission: watermark.OnEvent{Gap: 1}, idleness: watermark.Never{}, code: true, shown: "emit on-event replay of a bounded input"},
		{about: "idleness over WITH, without flush", with: connector.Options{OptionIdleTimeout: "10 s"}, program: helper.WithIdleness(time.Minute), set: []string{catalog.KeyDrift, "0"}, emission: eager,
			idleness: watermark.Fixed{Timeout: 60 * second}, code: true, shown: "idle-timeout 1 min program"},
		{about: "no idleness over WITH", with: connector.Options{OptionIdleTimeout: "10 s"}, program: helper.WithIdleness(0), set: []string{catalog.KeyDrift, "0"}, emission: eager,
			idleness: watermark.Never{}, code: true, shown: "idle-timeout 0 program"},
		{about: "a flush", program: watermark.Strategy{Idleness: watermark.Fixed{Timeout: second, Flush: true}}, set: []string{catalog.KeyProfile, "flink"}, emission: watermark.Periodic{Interval: 200 * ms},
			idleness: watermark.Fixed{Timeout: second, Flush: true}, shown: "flush at idleness true program"},
		{about: "progressive", program: watermark.Strategy{Idleness: watermark.Progressive{From: watermark.ProgressiveFrom, To: watermark.ProgressiveTo}}, set: []string{catalog.KeyProfile, "flink"},
			emission: watermark.Periodic{Interval: 200 * ms}, idleness: watermark.Progressive{From: watermark.ProgressiveFrom, To: watermark.ProgressiveTo}, shown: "flush at idleness false program"},
		{about: "a hint over it", program: helper.WithIdleness(time.Minute), hint: connector.Options{OptionIdleTimeout: "5 s"}, set: []string{catalog.KeyProfile, "flink"}, emission: watermark.Periodic{Interval: 200 * ms},
			idleness: watermark.Fixed{Timeout: 5 * second}, code: true, shown: "idle-timeout 5 s OPTIONS 'scan.watermark.idle-timeout'"},
		{about: "the expression by a hint", program: helper, hint: connector.Options{OptionGenerator: generatorExpression}, set: []string{catalog.KeyProfile, "flink"}, emission: watermark.Periodic{Interval: 200 * ms},
			idleness: watermark.Never{}},
		{about: "over the generator of WITH", program: helper, with: connector.Options{OptionGenerator: generatorLookahead}, set: []string{catalog.KeyProfile, "flink"}, emission: watermark.Periodic{Interval: 200 * ms},
			idleness: watermark.Never{}, code: true},
		{about: "alignment", program: helper.WithAlignment("g", 5*time.Second, time.Second), emission: eager, idleness: watermark.Progressive{From: 10 * second, To: 300 * second, Flush: true},
			alignment: watermark.Alignment{Group: "g", Drift: 5 * second}, code: true, shown: "alignment group g program"},
		{about: "a drift by a hint", program: helper.WithAlignment("g", 5*time.Second, time.Second), hint: connector.Options{OptionAlignDrift: "7 s"}, set: []string{catalog.KeyProfile, "flink"},
			emission: watermark.Periodic{Interval: 200 * ms}, idleness: watermark.Never{}, alignment: watermark.Alignment{Group: "g", Drift: 7 * second}, code: true, shown: "alignment group g program"},
		{about: "no alignment by an interval of 0", program: helper.WithAlignment("g", 5*time.Second, 0), set: []string{catalog.KeyProfile, "flink"}, emission: watermark.Periodic{Interval: 200 * ms}, idleness: watermark.Never{}, code: true},
		{about: "on event", program: watermark.Strategy{Emission: watermark.OnEvent{Gap: 3}}, set: []string{catalog.KeyProfile, "flink"}, emission: watermark.OnEvent{Gap: 3}, idleness: watermark.Never{}, shown: "gap 3 program"},
		{about: "another gap by a hint", program: watermark.Strategy{Emission: watermark.OnEvent{Gap: 3}}, hint: connector.Options{OptionGap: "9"}, set: []string{catalog.KeyProfile, "flink"}, emission: watermark.OnEvent{Gap: 9},
			idleness: watermark.Never{}, shown: "emit on-event program"},
		{about: "an interval", program: watermark.Strategy{Emission: watermark.Periodic{Interval: second, EagerFor: ms}}, set: []string{catalog.KeyProfile, "flink"}, emission: watermark.Periodic{Interval: second, EagerFor: ms},
			idleness: watermark.Never{}, shown: "interval 1 s program"},
		{about: "steps", program: watermark.Strategy{Emission: watermark.Granular{Step: second}, Idleness: watermark.Stepped{Timeout: 2 * second, Step: second}}, set: []string{catalog.KeyProfile, "flink"},
			emission: watermark.Granular{Step: second}, idleness: watermark.Stepped{Timeout: 2 * second, Step: second}, shown: "emit in steps of 1 s program"},
	} {
		t.Run(c.about, func(t *testing.T) {
			level, err := ProgramLevel(c.program)
			if err != nil {
				t.Fatal(err)
			}
			s, err := ResolveStrategy([]Level{{Origin: "OPTIONS", Options: c.hint}, level}, c.with, session(t, c.set), ms, c.bounded)
			if err != nil {
				t.Fatal(err)
			}
			if s.Emission != c.emission || s.Idleness != c.idleness || s.Alignment != c.alignment || s.InCode() != c.code {
				t.Errorf("got %v", s.Strategy)
			}
			if err := s.Validate(); err != nil {
				t.Error(err)
			}
			if c.shown != "" && !slices.ContainsFunc(s.Fields, func(f StrategyField) bool { return strings.Join([]string{f.Name, f.Value, f.Origin}, " ") == c.shown }) {
				t.Errorf("%s is not in %v", c.shown, s.Fields)
			}
		})
	}
}

// TestProgramLevelOthers: what is neither emission, idleness nor alignment.
func TestProgramLevelOthers(t *testing.T) {
	level, err := ProgramLevel(watermark.Strategy{MaxAhead: 3 * second, LastRows: 7, NullTime: watermark.Drop, Tick: ms})
	if err != nil {
		t.Fatal(err)
	}
	s, err := ResolveStrategy([]Level{level}, nil, session(t, nil), ms, false)
	if err != nil || s.MaxAhead != 3*second || s.LastRows != 7 || s.NullTime != watermark.Drop {
		t.Errorf("%v, %v", s.Strategy, err)
	}
}
