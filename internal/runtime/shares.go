package runtime

// Shares are what was done with the time that passed between two looks, in parts of 1.
type Shares struct{ Busy, Backpressured, Idle float64 }

// Task is the task of s that t is at another moment of the same job; nil if there is none.
func (s *Stats) Task(t *TaskStats) *TaskStats {
	for i := range s.Tasks {
		if x := &s.Tasks[i]; x.ID == t.ID && len(x.Instances) == len(t.Instances) {
			return x
		}
	}
	return nil
}

// Since is what the instances of a task have done with their time since an earlier look, since the job began if that is nil: of each thing, the share of the instance that did most of it. Confluent
// Cloud shows the worst as well, so that they need not add up. ok is false if no time has passed.
func (t *TaskStats) Since(before *TaskStats) (worst Shares, ok bool) {
	for i := range t.Instances {
		now, was := t.Instances[i].Spent, Spent{}
		if before != nil {
			was = before.Instances[i].Spent
		}
		passed := now.whole() - was.whole()
		if passed <= 0 {
			continue
		}
		ok = true
		part := func(now, was int64) float64 { return min(1, max(0, float64(now-was)/float64(passed))) }
		worst.Busy = max(worst.Busy, part(now.Busy, was.Busy))
		worst.Backpressured = max(worst.Backpressured, part(now.Backpressured, was.Backpressured))
		worst.Idle = max(worst.Idle, part(now.Idle, was.Idle))
	}
	return worst, ok
}

func (s *Spent) whole() int64 { return s.Busy + s.Backpressured + s.Idle }
