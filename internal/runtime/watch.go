package runtime

// How long a call of code of the program is under way before it is told of, after how long it is told of again, and how often is looked, in microseconds.
const (
	hangs      = 30_000_000
	hangsAgain = 60_000_000
	hangsLook  = 1_000_000
)

// WatchCalls tells of calls of code of the program that do not return, with how long that has been, until unwatch is called, which waits for the one that is being told. The calls of tell come from one goroutine.
func (j *Job) WatchCalls(tell func(c Call, microseconds int64)) (unwatch func()) {
	over, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		var calls Calls
		var told []Call // that are under way still; Since is when they were told of last
		for {
			now := j.clock.Now()
			told = tellHangs(told, calls.Look(j, now), now, tell)
			look, cancel := j.clock.At(now + hangsLook)
			select {
			case <-over:
				cancel()
				return
			case <-look:
			}
		}
	}()
	return func() {
		close(over)
		<-done
	}
}

// tellHangs tells of those calls that it is time for, and gives those of told that are under way still, and the new ones.
func tellHangs(told, under []Call, now int64, tell func(c Call, microseconds int64)) (still []Call) {
	for _, c := range under {
		took := now - c.Since
		if took < hangs {
			continue
		}
		last := c
		last.Since = now
		for _, t := range told {
			if t.task == c.task && t.number == c.number {
				last.Since = t.Since
			}
		}
		if last.Since == now || now-last.Since >= hangsAgain {
			tell(c, took)
			last.Since = now
		}
		still = append(still, last)
	}
	return still
}
