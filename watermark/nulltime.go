package watermark

import "fmt"

// NullTime is the policy for rows whose event time is NULL. The core only reports such rows; the caller applies the policy.
type NullTime uint8

const (
	// Fail stops the statement.
	Fail NullTime = iota
	// Drop removes the row and counts it.
	Drop
	// SkipWatermark lets the row pass without moving the watermark.
	SkipWatermark
)

// String is the value of 'table.exec.source.rowtime-null-handling'.
func (n NullTime) String() string {
	switch n {
	case Fail:
		return "FAIL"
	case Drop:
		return "DROP"
	case SkipWatermark:
		return "SKIP_WATERMARK"
	}
	return fmt.Sprintf("NullTime(%d)", uint8(n))
}
