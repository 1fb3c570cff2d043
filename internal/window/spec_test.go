package window

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

func tumble(size, offset int64) Spec { return Spec{Kind: Tumble, Size: size, Offset: offset} }
func hop(slide, size, offset int64) Spec {
	return Spec{Kind: Hop, Size: size, Slide: slide, Offset: offset}
}
func cumulate(step, size, offset int64) Spec {
	return Spec{Kind: Cumulate, Size: size, Slide: step, Offset: offset}
}

// The worked examples of the Flink sheet, in seconds.
func TestAssign(t *testing.T) {
	for _, c := range []struct {
		spec Spec
		t    int64
		want []Window
	}{
		{tumble(10, 0), 9, []Window{{0, 10}}},
		{tumble(10, 0), 10, []Window{{10, 20}}},
		{tumble(10, 0), -1, []Window{{-10, 0}}},
		{tumble(10, 0), -10, []Window{{-10, 0}}},
		{tumble(10, 3), 21, []Window{{13, 23}}},
		{tumble(10, -3), 21, []Window{{17, 27}}},
		{tumble(10, 1003), 21, []Window{{13, 23}}},
		{hop(4, 12, 0), 9, []Window{{0, 12}, {4, 16}, {8, 20}}},
		{hop(4, 12, 0), -1, []Window{{-12, 0}, {-8, 4}, {-4, 8}}},
		{hop(4, 12, 1), 9, []Window{{1, 13}, {5, 17}, {9, 21}}},
		{hop(10, 10, 0), 9, []Window{{0, 10}}},
		// Gaps between windows.
		{hop(10, 4, 0), 3, []Window{{0, 4}}},
		{hop(10, 4, 0), 4, nil},
		{hop(10, 4, 0), -7, []Window{{-10, -6}}},
		// A slide that does not divide the size, as the legacy group window allows.
		{hop(4, 10, 0), 1, []Window{{-8, 2}, {-4, 6}, {0, 10}}},
		{hop(4, 10, 0), 2, []Window{{-4, 6}, {0, 10}}},
		{cumulate(3, 9, 0), 4, []Window{{0, 6}, {0, 9}}},
		{cumulate(3, 9, 0), 8, []Window{{0, 9}}},
		{cumulate(3, 9, 0), 9, []Window{{9, 12}, {9, 15}, {9, 18}}},
		{cumulate(3, 9, 0), -1, []Window{{-9, 0}}},
		{cumulate(3, 9, 1), 3, []Window{{1, 4}, {1, 7}, {1, 10}}},
		{Spec{Kind: Session, Gap: 5}, 10, []Window{{10, 15}}},
	} {
		spec := inSeconds(c.spec)
		if err := spec.Validate(); err != nil && spec.Slide != 4*second {
			t.Fatal(err)
		}
		var want []Window
		for _, w := range c.want {
			want = append(want, Window{w.Start * second, w.End * second})
		}
		if got := spec.Assign(c.t*second, nil); !reflect.DeepEqual(got, want) {
			t.Errorf("%+v of %d: got %v, want %v", c.spec, c.t, got, c.want)
		}
	}
}

func inSeconds(s Spec) Spec {
	return Spec{s.Kind, s.Size * second, s.Slide * second, s.Offset * second, s.Gap * second}
}

// A row that is late for some windows counts in the others: the sheet's examples of HOP and CUMULATE.
func TestSlicesOfLateRows(t *testing.T) {
	h := hop(4, 12, 0)
	if e := h.SliceEnd(11); e != 12 || h.FirstEnd(e) != 12 || h.Next(12) != 16 || h.LastEnd(e) != 20 {
		t.Errorf("row 11 is in slice 12 of windows 12, 16 and 20, got slice %d of windows %d to %d", e, h.FirstEnd(e), h.LastEnd(e))
	}
	c := cumulate(3, 9, 0)
	if e := c.SliceEnd(1); e != 3 || c.FirstEnd(e) != 3 || c.Next(3) != 6 || c.LastEnd(e) != 9 {
		t.Errorf("row 1 is in slice 3 of windows 3, 6 and 9, got slice %d of windows %d to %d", e, c.FirstEnd(e), c.LastEnd(e))
	}
	if got := h.Slices(12, nil); !slices.Equal(got, []int64{4, 8, 12}) {
		t.Errorf("slices of HOP window 12: %v", got)
	}
	if got := c.Slices(15, nil); !slices.Equal(got, []int64{12, 15}) {
		t.Errorf("slices of CUMULATE window 15: %v", got)
	}
	// In a gap the slice has no window.
	g := hop(15, 10, 0)
	if e := g.SliceEnd(12); e != 15 || g.FirstEnd(e) <= g.LastEnd(e) {
		t.Errorf("row 12 is in a gap, got slice %d of windows %d to %d", e, g.FirstEnd(e), g.LastEnd(e))
	}
	if got := g.Slices(25, nil); !slices.Equal(got, []int64{20, 25}) {
		t.Errorf("slices of HOP window 25: %v", got)
	}
}

func randomSpec(rng *rand.Rand) Spec {
	s := Spec{Kind: Kind(rng.IntN(3)), Slide: 1 + rng.Int64N(7), Offset: rng.Int64N(100) - 50}
	s.Size = s.Slide * (1 + rng.Int64N(6))
	if s.Kind == Hop && rng.IntN(3) == 0 {
		s.Slide = s.Size + rng.Int64N(10) // gaps
	}
	return s
}

// enumerate finds the windows that contain t by trying all starts and ends around it.
func enumerate(s Spec, t int64) []Window {
	var all []Window
	for start := t - s.Size; start <= t; start++ {
		for end := t + 1; end <= t+s.Size; end++ {
			if isWindow(s, start, end) {
				all = append(all, Window{start, end})
			}
		}
	}
	return all
}

func isWindow(s Spec, start, end int64) bool {
	switch s.Kind {
	case Tumble:
		return end-start == s.Size && (start-s.Offset)%s.Size == 0
	case Hop:
		return end-start == s.Size && (start-s.Offset)%s.Slide == 0
	default:
		return (start-s.Offset)%s.Size == 0 && end > start && end-start <= s.Size && (end-start)%s.Slide == 0
	}
}

func TestAssignAgreesWithEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		s, at := randomSpec(rng), rng.Int64N(400)-200
		got, want := s.Assign(at, nil), enumerate(s, at)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v of %d: got %v, want %v", s, at, got, want)
		}
		if s.Kind == Hop && s.Slide <= s.Size && int64(len(got)) != s.Size/s.Slide {
			t.Fatalf("%+v of %d: %d windows, want %d", s, at, len(got), s.Size/s.Slide)
		}
	}
}

// The windows of a row found through its slice are the ones that Assign gives, each consists of its slices, and no slice has an
// edge inside.
func TestSlicesAgreeWithAssign(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for range 2000 {
		s, at := randomSpec(rng), rng.Int64N(400)-200
		slice := s.SliceEnd(at)
		if at < slice-s.SlideWidth() || at >= slice {
			t.Fatalf("%+v: %d is not in slice %d", s, at, slice)
		}
		var got []Window
		for end := s.FirstEnd(slice); end <= s.LastEnd(slice); end = s.Next(end) {
			w := s.Window(end)
			got = append(got, w)
			parts := s.Slices(end, nil)
			if !slices.Contains(parts, slice) {
				t.Fatalf("%+v: window %v of %d lacks slice %d: %v", s, w, at, slice, parts)
			}
			if int64(len(parts))*s.SlideWidth() != w.End-w.Start || parts[len(parts)-1] != end {
				t.Fatalf("%+v: window %v has slices %v", s, w, parts)
			}
			for _, p := range parts {
				if s.SliceEnd(p-1) != p {
					t.Fatalf("%+v: %d is not a slice end", s, p)
				}
			}
		}
		if want := s.Assign(at, nil); !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v of %d: got %v, want %v", s, at, got, want)
		}
	}
}

func TestValidate(t *testing.T) {
	const ms, s, m = milli, second, minute
	for _, c := range []struct {
		spec Spec
		want string
	}{
		{tumble(10*s, 0), ""},
		{tumble(10*s, -25*s), ""},
		{tumble(0, 0), "the size of TUMBLE is INTERVAL '0' SECOND; it must be greater than zero"},
		{tumble(-2*s, 0), "the size of TUMBLE is INTERVAL '-2' SECOND; it must be greater than zero"},
		{tumble(1500, 0), "the size of TUMBLE is INTERVAL '0.0015' SECOND; it must be a whole number of milliseconds"},
		{tumble(20_000*366*day, 0), "the size of TUMBLE is INTERVAL '7320000' DAY(7); it must be within 10000 years"},
		{tumble(10*s, 1), "the offset of TUMBLE is INTERVAL '0.000001' SECOND; it must be a whole number of milliseconds"},
		{tumble(10*s, -20_000*366*day), "the offset of TUMBLE is INTERVAL '-7320000' DAY(7); it must be within 10000 years"},
		{hop(5*m, 10*m, 0), ""},
		{hop(0, 10*m, 0), "the slide of HOP is INTERVAL '0' SECOND; it must be greater than zero"},
		{hop(3*m, 10*m, 0), "the size of HOP, INTERVAL '10' MINUTE, is not a multiple of its slide, INTERVAL '3' MINUTE; " +
			"the nearest sizes that are one are INTERVAL '9' MINUTE and INTERVAL '12' MINUTE"},
		{hop(20*m, 10*m, 0), ""},
		{cumulate(250*ms, 1*s, 0), ""},
		{cumulate(400*ms, 1*s, 0), "the size of CUMULATE, INTERVAL '1' SECOND, is not a multiple of its step, INTERVAL '0.4' SECOND; " +
			"the nearest sizes that are one are INTERVAL '0.8' SECOND and INTERVAL '1.2' SECOND"},
		{cumulate(2*s, 1*s, 0), "the size of CUMULATE, INTERVAL '1' SECOND, is not a multiple of its step, INTERVAL '2' SECOND; " +
			"the nearest size that is one is INTERVAL '2' SECOND"},
		{Spec{Kind: Session, Gap: 30 * m}, ""},
		{Spec{Kind: Session}, "the gap of SESSION is INTERVAL '0' SECOND; it must be greater than zero"},
	} {
		got := ""
		if err := c.spec.Validate(); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%+v\n got %s\nwant %s", c.spec, got, c.want)
		}
	}
}

func TestSessions(t *testing.T) {
	s := Spec{Kind: Session, Gap: 5}
	for _, c := range []struct {
		a, b    Window
		touches bool
		merged  Window
	}{
		{s.SessionOf(10), s.SessionOf(12), true, Window{10, 17}},
		// Exactly one gap apart belongs together, one further does not.
		{s.SessionOf(10), s.SessionOf(15), true, Window{10, 20}},
		{s.SessionOf(10), s.SessionOf(16), false, Window{}},
		// A row before a live session that touches it.
		{Window{10, 18}, s.SessionOf(8), true, Window{8, 18}},
		{Window{10, 18}, s.SessionOf(5), true, Window{5, 18}},
		{Window{10, 18}, s.SessionOf(4), false, Window{}},
		{Window{10, 30}, Window{12, 17}, true, Window{10, 30}},
	} {
		if Touches(c.a, c.b) != c.touches || Touches(c.b, c.a) != c.touches {
			t.Errorf("%v and %v: touch %v, want %v", c.a, c.b, !c.touches, c.touches)
		}
		if c.touches && (Merge(c.a, c.b) != c.merged || Merge(c.b, c.a) != c.merged) {
			t.Errorf("%v and %v: merged %v, want %v", c.a, c.b, Merge(c.a, c.b), c.merged)
		}
	}
}
