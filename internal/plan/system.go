package plan

import (
	"fmt"
	"slices"
	"strings"
)

// systems says, for each statement, of which tables the system watermark of what it writes is the least; empty if no table that is read looks ahead. A table that does not has none before its end, and so nothing has that
// it is read for.
func systems(all []*Statement) string {
	looks := func(s *Scan) bool { return s.Table.Watermark != nil && s.Strategy.LooksAhead() }
	if !slices.ContainsFunc(all, func(s *Statement) bool { return slices.ContainsFunc(Scans(s.Root), looks) }) {
		return ""
	}
	var b strings.Builder
	for _, s := range all {
		var known, unknown []string
		for _, x := range Scans(s.Root) {
			switch name := x.Source(); {
			case looks(x) && !slices.Contains(known, name):
				known = append(known, name)
			case !looks(x) && !slices.Contains(unknown, name):
				unknown = append(unknown, name)
			}
		}
		name := "Result"
		if s.Into != nil {
			name = "Insert into " + s.Into.Name
		}
		fmt.Fprintf(&b, "  %s: ", name)
		switch {
		case len(unknown) == 1:
			fmt.Fprintf(&b, "none before the end of %s, whose watermark does not look ahead\n", unknown[0])
		case len(unknown) > 1:
			fmt.Fprintf(&b, "none before the end of %s, whose watermarks do not look ahead\n", strings.Join(unknown, " and "))
		case len(known) == 1:
			fmt.Fprintf(&b, "that of %s\n", known[0])
		default:
			fmt.Fprintf(&b, "the least of %s\n", strings.Join(known, " and "))
		}
	}
	return b.String()
}
