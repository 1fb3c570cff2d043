package window

func (s Spec) assignCumulate(t int64, dst []Window) []Window {
	start := Start(t, s.Size, s.Offset)
	for end := s.SliceEnd(t); end <= start+s.Size; end += s.Slide {
		dst = append(dst, Window{start, end})
	}
	return dst
}

// cumulateStart is the common start of the windows of which one ends at end.
func (s Spec) cumulateStart(end int64) int64 { return Start(end-1, s.Size, s.Offset) }

func (s Spec) lastCumulateEnd(sliceEnd int64) int64 { return s.cumulateStart(sliceEnd) + s.Size }
