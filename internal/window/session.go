package window

// SessionOf is the session of a single row at t.
func (s Spec) SessionOf(t int64) Window { return Window{t, t + s.Gap} }

// Touches reports whether two sessions of a key are one. Flink 2.3: windows that only touch merge too, so two rows exactly one
// gap apart belong together.
func Touches(a, b Window) bool { return a.Start <= b.End && b.Start <= a.End }

// Merge is the session that covers a and b.
func Merge(a, b Window) Window { return Window{min(a.Start, b.Start), max(a.End, b.End)} }
