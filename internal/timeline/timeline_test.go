package timeline

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/watermark"
)

const second = timefmt.Second

// read notes a row of a split that raises its watermark and that of the source.
func read(s *Source, split int, time, now int64) {
	s.Note(&Ticket{Now: now, Frontier: watermark.Frontier(time), Active: true, Split: split, Row: time, Late: watermark.NoTime, Own: watermark.Frontier(time)})
}

// TestLines: however often and however long something happens, a line keeps to its size, is in order, reaches back as far as it has to, has a row of every stretch in which there was one, and the
// latest of the late rows of it.
func TestLines(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := NewSources(1)[0]
		type event struct{ at, row, late int64 }
		var all []event
		now, pace := int64(0), int64(1)
		for range 4000 {
			if r.IntN(200) == 0 {
				pace = []int64{1, 1000, 20_000, 300_000, 5 * second, 90 * second}[r.IntN(6)]
			}
			now += 1 + r.Int64N(pace)
			e := event{now, now, watermark.NoTime}
			if r.IntN(50) == 0 {
				e.row, e.late = watermark.NoTime, now-r.Int64N(100*second)
			}
			all = append(all, e)
			s.Note(&Ticket{Now: now, Frontier: watermark.Frontier(now), Active: true, Split: 0, Row: e.row, Late: e.late, Own: watermark.Frontier(now)})
		}
		l := &s.splits[0].line
		if len(l.slots) > mostSlots || cap(l.slots) > mostSlots {
			t.Fatalf("seed %d: %d slots, with room for %d", seed, len(l.slots), cap(l.slots))
		}
		if !slices.IsSortedFunc(l.slots, func(a, b slot) int { return int(max(-1, min(1, a.at-b.at))) }) {
			t.Fatalf("seed %d: slots are out of order", seed)
		}
		if l.gap > 4*Span/mostSlots*2 {
			t.Errorf("seed %d: a slot stands for %d", seed, l.gap)
		}
		from := max(0, now-Span)
		for i, x := range l.slots {
			end := int64(1) << 62
			if i+1 < len(l.slots) {
				end = l.slots[i+1].at
			}
			rows, late, mark := false, watermark.NoTime, watermark.Unset
			for _, e := range all {
				if e.at < x.at || e.at >= end {
					continue
				}
				rows, mark = rows || e.row != watermark.NoTime, watermark.Frontier(e.at)
				if e.late != watermark.NoTime && (late == watermark.NoTime || e.late < late) {
					late = e.late
				}
			}
			if x.at < from {
				continue
			}
			if rows != (x.row != watermark.NoTime) || late != x.late || mark != x.mark {
				t.Fatalf("seed %d: slot %+v has rows: %v, the latest late one at %d, and ends with %d", seed, x, rows, late, mark)
			}
		}
		p := s.Picture(from)
		if len(p.Marks) == 0 || p.Marks[0].At > from+2*l.gap && all[0].at < from || p.Marks[len(p.Marks)-1].F != watermark.Frontier(now) {
			t.Errorf("seed %d: marks from %d are %v …", seed, from, p.Marks[:min(3, len(p.Marks))])
		}
	}
}

// TestMemory: what all sources and operators of a statement can have keeps to the size that is stated.
func TestMemory(t *testing.T) {
	for _, n := range []int{1, 2, 3, 6, 12, 20} {
		total, r := 0, rand.New(rand.NewPCG(1, 1))
		for _, s := range NewSources(n) {
			for now := int64(0); now < 2*Span; now += 20_000 {
				read(s, r.IntN(1000), now, now)
				if now%second == 0 {
					w := &watermark.Snapshot{At: now, Splits: make([]watermark.SplitSnapshot, 1000)}
					for i := range w.Splits {
						w.Splits[i].Status, w.Splits[i].Since = watermark.Status(now/second%3), now
					}
					s.Look(w)
				}
			}
			total += cap(s.line.slots) * slotBytes
			for _, x := range s.splits {
				total += cap(x.line.slots)*slotBytes + cap(x.spells.all)*spellBytes
			}
			if len(s.splits) != s.most {
				t.Errorf("%d sources: %d splits of %d are kept", n, len(s.splits), s.most)
			}
		}
		for _, f := range NewFirings(n) {
			for i := range int64(10_000) {
				f.Note(i, i+1, 1, i)
			}
			total += cap(f.ring) * entryBytes
		}
		if total > Bytes {
			t.Errorf("%d sources and operators take %d bytes", n, total)
		}
	}
}

// TestWhichSplitsAreKept: the first ones, then one that holds the watermark without a row, and those that come when others have ended.
func TestWhichSplitsAreKept(t *testing.T) {
	s := NewSources(1)[0]
	numbers := func() (all []int) {
		for _, x := range s.Picture(0).Splits {
			all = append(all, x.Number)
		}
		return all
	}
	for i := range 20 {
		read(s, i, second, int64(i))
	}
	first := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	if got := numbers(); !slices.Equal(got, first) {
		t.Fatalf("kept are %v", got)
	}
	now := 2 * timefmt.Minute
	w := &watermark.Snapshot{At: now, Holders: []int{15}, Splits: make([]watermark.SplitSnapshot, 20)}
	w.Splits[15].Silent = second
	s.Look(w)
	if got := numbers(); !slices.Equal(got, first) {
		t.Errorf("a split that is silent for a second is kept: %v", got)
	}
	w.Splits[15].Silent = 3 * second
	s.Look(w)
	if got := numbers(); !slices.Equal(got, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15}) {
		t.Errorf("kept are %v, and 15 holds the watermark", got)
	}
	w.Splits[4].Status = watermark.Finished
	s.Look(w)
	read(s, 18, second, now)
	if got := numbers(); !slices.Equal(got, []int{1, 2, 3, 5, 6, 7, 8, 9, 10, 15, 18}) {
		t.Errorf("kept are %v, and 4 has ended", got)
	}
	s.Forget(7)
	read(s, 7, 9*second, now)
	if p := s.Picture(0); len(p.Splits) != 11 || p.Splits[5].Number != 7 || len(p.Splits[5].Rows) != 1 || p.Splits[5].Rows[0].Time != 9*second {
		t.Errorf("what has the number of another is %+v", p.Splits[5])
	}
}

// TestEmptySplitsAreKept: of many splits that never have a row and hold the watermark some are kept, and there is room for those that have rows; once they do not hold any more they give way.
func TestEmptySplitsAreKept(t *testing.T) {
	s := NewSources(1)[0]
	w := &watermark.Snapshot{At: 3 * second, Splits: make([]watermark.SplitSnapshot, 20)}
	for i := range w.Splits {
		w.Splits[i].Silent, w.Holders = w.At, append(w.Holders, i)
	}
	s.Look(w)
	if n := len(s.splits); n != s.most/2 {
		t.Errorf("%d splits are kept that had no row", n)
	}
	for i := 9; i < 20; i++ {
		read(s, i, second, 4*second)
	}
	if n := len(s.splits); n != s.most {
		t.Errorf("%d splits are kept", n)
	}
	w.Holders = nil
	s.Look(w)
	for i := 9; i < 20; i++ {
		read(s, i, second, int64(i)*second)
	}
	for _, x := range s.splits {
		if !x.read {
			t.Errorf("split %d is kept, and has no row", x.number)
		}
	}
}

func TestSpells(t *testing.T) {
	var s spells
	for _, x := range []struct {
		status watermark.Status
		since  int64
	}{{watermark.Active, 1}, {watermark.Stalled, 5}, {watermark.Stalled, 5}, {watermark.Idle, 7}, {watermark.Active, 9}, {watermark.Active, 9}, {watermark.Stalled, 12}, {watermark.Active, 12}, {watermark.Idle, 20}} {
		s.turn(x.status, x.since)
	}
	if got, want := fmt.Sprint(s.all), "[{stalled 5 7} {idle 7 9} {idle 20 0}]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(s.since(8)), "[{idle 8 9} {idle 20 0}]"; got != want {
		t.Errorf("since 8: %s, want %s", got, want)
	}
	s.setBack(5)
	if got, want := fmt.Sprint(s.all), "[{stalled 0 2} {idle 2 4} {idle 15 0}]"; got != want {
		t.Errorf("set back: %s, want %s", got, want)
	}
	for i := range int64(1000) {
		s.turn(watermark.Status(1+i%2), 100+i)
	}
	if len(s.all) != mostSpells || s.all[mostSpells-1].From != 1099 {
		t.Errorf("%d spells, the last is %v", len(s.all), s.all[len(s.all)-1])
	}
}

// TestAClockSetBack: what was before stays before, and nothing is lost of what comes behind.
func TestAClockSetBack(t *testing.T) {
	s := NewSources(1)[0]
	for i := range int64(100) {
		read(s, 0, i*second, i*second)
	}
	s.SetBack(3600 * second)
	for i := int64(100); i < 120; i++ {
		read(s, 0, i*second, (i-3600)*second)
	}
	p := s.Picture(-3600 * second)
	if len(p.Splits[0].Rows) != 120 || len(p.Marks) != 120 {
		t.Fatalf("%d rows, %d marks", len(p.Splits[0].Rows), len(p.Marks))
	}
	for i, r := range p.Splits[0].Rows {
		if r.At != int64(i-3600)*second || r.Time != int64(i)*second {
			t.Errorf("row %d is %+v", i, r)
		}
	}
}

// TestFirings: rows of a window are added up, whichever instance lets them go; sessions that end near each other at one moment are one; and the newest are kept.
func TestFirings(t *testing.T) {
	f := NewFirings(1)[0]
	f.Note(0, 10, 3, 100)
	f.Note(10, 20, 1, 100)
	f.Note(0, 10, 4, 101)
	f.Note(watermark.NoTime, 5*second, 1, 102)
	f.Note(watermark.NoTime, 5*second+7, 2, 102)
	f.Note(watermark.NoTime, 5*second+8, 1, 103)
	f.Note(watermark.NoTime, 6*second, 1, 103)
	none := watermark.NoTime
	want := []Firing{{101, 0, 10, 7}, {100, 10, 20, 1}, {102, none, 5*second + 7, 3}, {103, none, 5*second + 8, 1}, {103, none, 6 * second, 1}}
	if got := f.List(0, 200); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := f.List(101, 102); !slices.Equal(got, []Firing{want[0], want[2]}) {
		t.Errorf("between: %v", got)
	}
	f = NewFirings(20)[0]
	for i := range int64(1000) {
		f.Note(i, i+1, 1, i)
	}
	if got := f.List(0, 2000); len(got) != f.most || got[0].At != 1000-int64(f.most) || got[f.most-1].At != 999 {
		t.Errorf("%d are left, from %v to %v", len(got), got[0], got[len(got)-1])
	}
}

// TestCombined: sources that are idle do not count, unless all are, and the watermark of a statement does not fall.
func TestCombined(t *testing.T) {
	a := Picture{Marks: []Mark{{10, 100}, {20, 200}, {30, 300}}}
	b := Picture{Marks: []Mark{{12, 50}, {40, 150}}, Spells: []Spell{{watermark.Idle, 25, 35}}}
	for _, c := range []struct {
		sources []Picture
		want    string
	}{
		{[]Picture{a}, "[{10 100} {20 200} {30 300}]"},
		{[]Picture{a, b}, "[{12 50} {25 200} {30 300}]"},
		{[]Picture{a, {Marks: []Mark{{10, 40}, {30, watermark.Final}}}}, "[{10 40} {30 300}]"},
		{[]Picture{{Marks: []Mark{{10, 100}}, Spells: []Spell{{watermark.Idle, 11, 0}}}, {Marks: []Mark{{10, 90}, {20, 95}}, Spells: []Spell{{watermark.Idle, 11, 0}}}}, "[{10 90} {20 95}]"},
		{nil, "[]"},
	} {
		if got := fmt.Sprint(Combined(c.sources)); got != c.want {
			t.Errorf("%v: %s, want %s", c.sources, got, c.want)
		}
	}
}
