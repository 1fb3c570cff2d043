package checkpoint

import "testing"

func TestSchedule(t *testing.T) {
	s := NewSchedule(Cadence{Interval: 10, Pause: 3, Tolerated: 1}, 100)
	due := func(want int64, free bool) {
		t.Helper()
		if at, ok := s.Due(); at != want || ok != free {
			t.Fatalf("due at %d, %t; want %d, %t", at, ok, want, free)
		}
	}
	end := func(now int64, ok, gives bool) {
		t.Helper()
		if got := s.End(now, ok); got != gives {
			t.Fatalf("gives up %t, want %t", got, gives)
		}
	}
	due(110, true)
	s.Begin(112)
	due(122, false)
	end(115, true, false)
	due(122, true) // from beginning to beginning
	s.Begin(122)
	end(131, true, false)
	due(134, true) // the pause
	s.Begin(134)
	end(150, false, false)
	due(153, true)
	s.Begin(153)
	end(154, true, false) // one that works makes up for those that failed
	s.Begin(170)
	end(171, false, false)
	s.Begin(181)
	end(182, false, true)
	s.Begin(200)
	end(50, true, false) // the clock was set back
	due(60, true)
}
