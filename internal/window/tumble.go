package window

func (s Spec) assignTumble(t int64, dst []Window) []Window {
	start := Start(t, s.Size, s.Offset)
	return append(dst, Window{start, start + s.Size})
}
