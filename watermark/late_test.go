package watermark

import (
	"slices"
	"testing"
)

func TestSelectLate(t *testing.T) {
	for _, c := range []struct {
		how       LateRows
		sel, late []int32
		want      []int32
	}{
		{DivertLate, nil, nil, []int32{0, 1, 2, 3}},
		{DivertLate, nil, []int32{0, 3}, []int32{1, 2}},
		{DivertLate, nil, []int32{0, 1, 2, 3}, []int32{}},
		{DivertLate, []int32{1, 3}, []int32{0, 1, 2}, []int32{3}},
		{DivertLate, []int32{}, []int32{0}, []int32{}},
		{OnlyLate, nil, nil, []int32{}},
		{OnlyLate, nil, []int32{0, 3}, []int32{0, 3}},
		{OnlyLate, []int32{1, 3}, []int32{0, 1, 2}, []int32{1}},
		{PassLate, nil, []int32{}, []int32{0, 1, 2, 3}},
	} {
		if got := c.how.Select([]int32{}, c.sel, 4, c.late); !slices.Equal(got, c.want) {
			t.Errorf("%d of %v, late %v: %v, want %v", c.how, c.sel, c.late, got, c.want)
		}
	}
}
