package script

import (
	"fmt"
	"slices"
	"strings"
)

// String draws the difference: lines that are missing with '-', lines that should not be there with '+'.
func (f Failure) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d: %s", f.Path, f.Line, f.Title)
	if v := f.Variation.String(); v != Plain.String() {
		fmt.Fprintf(&b, " (%s)", v)
	}
	if sameLines(f.Want, f.Got) {
		b.WriteString(": the same lines in another order")
	}
	b.WriteByte('\n')
	for _, line := range diff(f.Want, f.Got) {
		fmt.Fprintf(&b, "  %s\n", line)
	}
	return b.String()
}

func sameLines(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// diff marks each line of a longest common subsequence with a blank, those only in want with '-', those only in got with '+'.
func diff(want, got []string) []string {
	// common[i][j] is the length of the longest common subsequence of want[i:] and got[j:].
	common := make([][]int, len(want)+1)
	for i := range common {
		common[i] = make([]int, len(got)+1)
	}
	for i := len(want) - 1; i >= 0; i-- {
		for j := len(got) - 1; j >= 0; j-- {
			if want[i] == got[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var lines []string
	i, j := 0, 0
	for i < len(want) || j < len(got) {
		switch {
		case i < len(want) && j < len(got) && want[i] == got[j]:
			lines = append(lines, "  "+want[i])
			i++
			j++
		case i < len(want) && (j == len(got) || common[i+1][j] >= common[i][j+1]):
			lines = append(lines, "- "+want[i])
			i++
		default:
			lines = append(lines, "+ "+got[j])
			j++
		}
	}
	return lines
}
