package window

// assignHop works for any slide: with one greater than the size there may be no window, with one that does not divide it the
// number of windows depends on t.
func (s Spec) assignHop(t int64, dst []Window) []Window {
	last := Start(t, s.Slide, s.Offset)
	for start := s.ceil(t - s.Size + 1); start <= last; start += s.Slide {
		dst = append(dst, Window{start, start + s.Size})
	}
	return dst
}

// hopWidth is the greatest width whose grid has all starts and all ends.
func (s Spec) hopWidth() int64 {
	a, b := s.Size, s.Slide
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func (s Spec) firstHopEnd(sliceEnd int64) int64 { return s.ceil(sliceEnd-s.Size) + s.Size }

func (s Spec) lastHopEnd(sliceEnd int64) int64 {
	return Start(sliceEnd-s.hopWidth(), s.Slide, s.Offset) + s.Size
}

// ceil is the first window start at or after t.
func (s Spec) ceil(t int64) int64 { return Start(t+s.Slide-1, s.Slide, s.Offset) }
