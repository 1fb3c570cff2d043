package runtime

// Drain ends the input where it has been read to. What follows is what follows at the end of a bounded input: watermarks go beyond all times, operators
// release what they hold, and the statement has come to its end. Any goroutine may call it while the job runs, and again. Flink 2.3: stop --drain.
func (j *Job) Drain() {
	j.drained.Store(true)
	select {
	case j.arrived <- struct{}{}:
	default:
	}
}

// drain ends every split that has not come to its end. What was read from it and is held back enters first, whoever it waits for.
func (q *sequencer) drain(now int64) error {
	for i, s := range q.splits {
		if s.done {
			continue
		}
		if s.held != nil {
			chunk := q.job.sources[s.source].injected.letGo(s)
			if err := q.issue(ticket{kind: readChunk, source: s.source, split: s, index: i, now: now, chunk: chunk}); err != nil {
				return err
			}
		}
		s.done = true
		q.open--
		t := ticket{kind: finishSplit, source: s.source, split: s, index: i, now: now, teaches: s.midTurn && q.replay}
		if t.teaches {
			if q.chunks == lookahead {
				if err := q.learn(); err != nil {
					return err
				}
			}
			q.chunks++
		}
		if err := q.issue(t); err != nil {
			return err
		}
	}
	for i := range q.job.sources {
		if err := q.issue(ticket{kind: sealSource, source: i, now: now}); err != nil {
			return err
		}
	}
	q.ended = true
	return q.issue(ticket{kind: endJob, now: now})
}
