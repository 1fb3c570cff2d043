package watermark

// Saved is what the state of a core says without the strategy that it was made with.
type Saved struct {
	// Frontier is the one that was emitted last, and Reached the highest that was before the end of the input, as in Snapshot.
	Frontier, Reached Frontier
	Splits            []SavedSplit // by number
}

// SavedSplit is one split of Saved.
type SavedSplit struct {
	// Frontier is the split's own, and MaxTime the newest event time that it had, in microseconds, NoTime if it had none.
	Frontier Frontier
	MaxTime  int64
	// Read rows had a time, of which Late were behind the frontier; Worst is the one that was furthest behind, zero if there is none.
	Read, Late int64
	Worst      Worst
	// Finished says that no rows follow.
	Finished bool
}

// ReadState reads what AppendState wrote, for whoever wants to look at it.
func ReadState(state []byte) (Saved, error) {
	h, err := readHead(state, 0)
	if err != nil {
		return Saved{}, err
	}
	s := Saved{Frontier: h.emitted, Reached: h.emitted}
	if h.emitted == Final {
		s.Reached = h.beforeEnd
	}
	for i := range h.splits {
		x, l := &h.splits[i], &h.logs[i]
		s.Splits = append(s.Splits, SavedSplit{Frontier: x.frontier, MaxTime: x.maxTime, Read: x.read, Late: l.late, Worst: l.worst, Finished: x.status == Finished})
	}
	return s, nil
}
