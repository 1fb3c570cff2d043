package watermark

// LateRows says what becomes of rows that are late at their source, on one of the ways that the rows of the source go.
type LateRows uint8

const (
	// PassLate lets them flow on; every operator decides for itself.
	PassLate LateRows = iota
	// DivertLate leaves them out. Confluent Cloud: 'late-handling.mode' = 'filter'.
	DivertLate
	// OnlyLate lets nothing else through. Confluent Cloud: the table `t$late`.
	OnlyLate
)

// Select appends to dst the rows that go on, of those in sel, or of 0..n-1 if that is nil. Both sel and late ascend.
func (l LateRows) Select(dst, sel []int32, n int, late []int32) []int32 {
	if sel != nil {
		n = len(sel)
	}
	for k := range n {
		row := int32(k)
		if sel != nil {
			row = sel[k]
		}
		for len(late) > 0 && late[0] < row {
			late = late[1:]
		}
		if is := len(late) > 0 && late[0] == row; is == (l == OnlyLate) {
			dst = append(dst, row)
		}
	}
	return dst
}
