package script

// hold pauses splits or lets them go on, as a consumer does that is busy: what arrives meanwhile waits, and the silence is none of theirs.
func (r *rig) hold(b *Block) error {
	t, err := r.readTable(b)
	if err != nil {
		return err
	}
	pause := b.Verb == Pause
	if b.Split != AllSplits {
		if b.Split >= len(t.splits) || pause {
			if err := t.check(b.Split); err != nil {
				return r.errorf(b.Line, "%w", err)
			}
		}
	}
	found := false
	for i := range t.splits {
		if b.Split != AllSplits && b.Split != i || t.held[i] == pause || pause && t.ended(i) {
			continue
		}
		t.held[i], found = pause, true
		r.job.Stall(t.name, splitName(i), pause)
	}
	if !found {
		return r.errorf(b.Line, "nothing is left to %s", b.Verb)
	}
	return r.settle()
}

// stayHeld tells a job that has not begun which splits are paused: a restart does not change what the consumer is busy with.
func (r *rig) stayHeld() {
	for _, x := range r.feed.readers {
		if x.table.held[x.number] && !x.done {
			r.job.Stall(x.table.name, x.Name(), true)
		}
	}
}
