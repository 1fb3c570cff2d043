package watermark

import (
	"math"
	"testing"
)

func TestFromInclusive(t *testing.T) {
	for _, c := range []struct {
		inclusive, tick int64
		want            Frontier
	}{
		{6_000_000, 1000, 6_001_000},
		{6_000_999, 1000, 6_001_000},
		{0, 1000, 1000},
		{-1, 1000, 0},
		{-1000, 1000, 0},
		{-1001, 1000, -1000},
		{5, 1, 6},
		{-5, 1, -4},
		{2_500_000, 1_000_000, 3_000_000},
		{-2_500_000, 1_000_000, -2_000_000},
		{math.MaxInt64, 1, Final},
		{math.MaxInt64 - 1, 1, Final},
		{math.MaxInt64 - 2, 1, Final - 1},
		{math.MaxInt64, 1000, Final},
		{math.MaxInt64 - 999, 1000, Final},
		{math.MaxInt64 - 1807, 1000, 9_223_372_036_854_775_000},
		{math.MinInt64 + 1, 1000, -9_223_372_036_854_775_000},
	} {
		if got := FromInclusive(c.inclusive, c.tick); got != c.want {
			t.Errorf("FromInclusive(%d, %d) = %d, want %d", c.inclusive, c.tick, got, c.want)
		}
	}
}

func TestFrontierW(t *testing.T) {
	for _, c := range []struct {
		f    Frontier
		want int64
	}{
		{Unset, math.MinInt64}, {Final, math.MaxInt64},
		{6_001_000, 6000}, {1000, 0}, {0, -1}, {-1000, -2},
		{6_001_500, 6000}, {-1, -2},
	} {
		if got := c.f.W(); got != c.want {
			t.Errorf("Frontier(%d).W() = %d, want %d", c.f, got, c.want)
		}
	}
}

// A row at the watermark is late, a window fires when the watermark reaches its last millisecond.
func TestPredicates(t *testing.T) {
	f := FromInclusive(9_999_000, 1000) // W = 9999 ms
	if !f.Late(9_999_000) || f.Late(10_000_000) {
		t.Error("late must mean t <= W")
	}
	if !f.Complete(10_000_000) || f.Complete(10_001_000) {
		t.Error("complete must mean W >= end - 1 ms")
	}
	if Unset.Late(math.MinInt64+1) || Unset.Complete(math.MinInt64+1) {
		t.Error("an unset frontier promises nothing")
	}
	if !Final.Late(math.MaxInt64-1) || !Final.Complete(math.MaxInt64) {
		t.Error("after the final frontier everything is complete")
	}
}

// A row at the watermark itself is late by nothing, and it is the watermark that lateness counts from, a millisecond before the frontier.
func TestPast(t *testing.T) {
	const late = 9_000_000
	for _, c := range []struct {
		f       Frontier
		t, want int64
	}{
		{10_001_000, late, 1_000_000}, // W = 10 s
		{late + 1000, late, 0},        // W = t
		{late + 1, late, 0},           // of a tick below a millisecond
		{late, late, 0},               // not late
		{Unset, late, 0},
		{-1000, -5000, 3000},
		{Final, late, math.MaxInt64},
		{math.MaxInt64 - 807, -late, math.MaxInt64},
		{math.MinInt64 + 500, math.MinInt64 + 1, 0},
	} {
		if got := c.f.Past(c.t); got != c.want {
			t.Errorf("Frontier(%d).Past(%d) = %d, want %d", c.f, c.t, got, c.want)
		}
		w := Worst{Lateness: int64(c.f) - c.t, Time: c.t}
		if small := c.f != Final && c.f != Unset && c.f < 1<<60; small && (w.Frontier() != c.f || w.Past() != c.want) {
			t.Errorf("the worst row %+v was behind %d, by %d", w, w.Frontier(), w.Past())
		}
	}
}

func TestFrontierArithmeticSaturates(t *testing.T) {
	for _, c := range []struct {
		got, want Frontier
	}{
		{Frontier(5).Add(3), 8},
		{Frontier(5).Sub(8), -3},
		{Unset.Add(5), Unset}, {Unset.Sub(5), Unset},
		{Final.Add(-5), Final}, {Final.Sub(5), Final},
		{(Final - 1).Add(9), Final}, {(Unset + 1).Sub(9), Unset},
		{Frontier(7).Sub(math.MinInt64), Final},
		{Frontier(-7).Sub(math.MinInt64), math.MaxInt64 - 6},
	} {
		if c.got != c.want {
			t.Errorf("got %d, want %d", c.got, c.want)
		}
	}
}

func TestStrategyPrintsInTheWordsOfTheOptions(t *testing.T) {
	for _, c := range []struct {
		s    Strategy
		want string
	}{
		{Replay(1000), "emit on-event; idle-timeout 0; align 0; null FAIL; tick 1 ms"},
		{
			Strategy{Tick: 1, Emission: Periodic{DefaultInterval, DefaultEagerFor}, Idleness: Fixed{60_000_000, true}, NullTime: Drop},
			"emit on-periodic, every 200 ms, with every row for 200 ms; idle-timeout 1 min, flush; align 0; null DROP; tick 1 us",
		},
		{
			Strategy{Tick: 1000, Emission: Periodic{Interval: DefaultInterval}, Idleness: Lift{DefaultLiftAfter, DefaultLiftRatio}, NullTime: Fail,
				Candidates: Lookahead{DefaultBound, Percentile{90, 5_000_000}, Percentile{80, 0}, DefaultOutages}},
			"lookahead, 1 min behind, in flight 90 percent and 5 s behind, splits 80 percent and 0 behind, outages of 1, 1 up, half-life 10 min; " +
				"emit on-periodic, every 200 ms; idle-timeout 1 min, up to 0.4 of the splits; align 0; null FAIL; tick 1 ms",
		},
		{
			Strategy{Tick: 1_000_000, Emission: OnEvent{1000}, Idleness: Fixed{1_500_000, false}, NullTime: SkipWatermark, MaxAhead: 60_000_000, Alignment: Alignment{"g", 5_000_000}},
			"emit on-event, gap 1000; idle-timeout 1500 ms; align 5 s in group 'g'; null SKIP_WATERMARK; max-ahead 1 min; tick 1 s",
		},
		{
			Strategy{Tick: 1000, Emission: OnEvent{1}, Idleness: Never{}, LastRows: 5, Dimension: &Dimension{Expected: []string{"click", "view"}, Timeout: 5_000_000,
				Timeouts: map[string]int64{"view": 60_000_000, "click": 0}}},
			"by value, expected click and view, forgotten after 5 s, click after 0, view after 1 min; last 5 rows; " +
				"emit on-event; idle-timeout 0; align 0; null FAIL; tick 1 ms",
		},
	} {
		if got := c.s.String(); got != c.want {
			t.Errorf("\n got %s\nwant %s", got, c.want)
		}
	}
}
