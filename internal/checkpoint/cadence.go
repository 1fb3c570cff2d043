package checkpoint

// Cadence says when checkpoints are taken. All times are of the wall clock, in microseconds.
type Cadence struct {
	// Interval is from the beginning of one to the beginning of the next, Pause the least time from the end of one to the beginning of the next.
	Interval, Pause int64
	// Tolerated is how many in a row may fail before the statement does.
	Tolerated int
}

// Schedule is the state of a cadence: at most one checkpoint is on its way. It is arithmetic over what it is told.
type Schedule struct {
	cadence Cadence
	due     int64
	running bool
	begun   int64
	failed  int // in a row
}

// NewSchedule has the first one due an interval from now.
func NewSchedule(c Cadence, now int64) *Schedule { return &Schedule{cadence: c, due: now + c.Interval} }

// Due is when the next one should begin, and whether one can: not while one is on its way.
func (s *Schedule) Due() (at int64, ok bool) { return s.due, !s.running }

// Begin tells that one begins. A clock that was set back has no say: the next is an interval from now.
func (s *Schedule) Begin(now int64) {
	s.running, s.begun = true, now
	s.due = now + s.cadence.Interval
}

// End tells that the one on its way is durable, or has failed, and whether the statement has to give up.
func (s *Schedule) End(now int64, ok bool) (giveUp bool) {
	s.running = false
	s.due = max(s.due, now+s.cadence.Pause)
	if now < s.begun { // the clock was set back meanwhile
		s.due = now + s.cadence.Interval
	}
	if ok {
		s.failed = 0
		return false
	}
	s.failed++
	return s.failed > s.cadence.Tolerated
}
