package watermark

// split is what the core touches for every run. The rest is in splitLog: with thousands of splits the size of this struct
// decides how many fit in the cache.
type split struct {
	maxTime    int64    // newest event time, NoTime at first
	frontier   Frontier // of its greatest candidate, Unset at first
	read       int64    // rows, of every sort
	quietSince int64    // wall time of the last row (or of joining), moved on by stalls
	stalls     int32    // reasons why it cannot deliver; its idle clock stands still while there is one
	status     Status   // changed by splitLog.turn
}

// splitLog is what is written when something rare happens.
type splitLog struct {
	stalledAt int64 // start of the running stall
	since     int64 // start of the present status
	spent     [Finished]int64
	late      int64
	before    int64 // of late, those that were restored
	readThen  int64 // rows that were restored
	worst     Worst
	recent    *recent // nil until a row is late
}

// takesPart reports whether the split counts in the source's minimum.
func (s *split) takesPart() bool { return s.status <= Stalled }

// awake is the status of the split if it is neither idle nor finished.
func (s *split) awake() Status {
	if s.stalls > 0 {
		return Stalled
	}
	return Active
}

// setBack moves what is measured by the clock.
func (l *splitLog) setBack(by int64) {
	l.stalledAt -= by
	l.since -= by
	if l.recent != nil {
		l.recent.setBack(by)
	}
}

// turn changes the status of the split and books the time of the one that it ends.
func (l *splitLog) turn(s *split, now int64, to Status) {
	if s.status == to {
		return
	}
	l.spent[s.status] += max(0, now-l.since)
	s.status, l.since = to, now
}

// tooLate notes a row that was read behind f.
func (l *splitLog) tooLate(f Frontier, t, position, now int64) {
	l.late++
	// Times before 1970 and the final frontier are further apart than an int64 holds.
	w := Worst{Lateness: int64(f.Sub(t)), Time: t, Position: position}
	if w.Lateness > l.worst.Lateness {
		l.worst = w
	}
	if l.recent == nil {
		l.recent = new(recent)
	}
	l.recent.add(w, now)
}
