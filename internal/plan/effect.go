package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
)

// What becomes of watermarks and rows in an operator.
const (
	passes     = "watermarks and late rows pass"
	merges     = "the least watermark of the inputs and late rows pass"
	byTimers   = ", held back by timers that wait, at their event time"
	untimed    = "; no time attribute behind it"
	byWindow   = "rows held to the end of their window, late ones dropped"
	adjusted   = "rows held to the end of their window, late ones counted in the earliest that is open"
	atEnd      = "rows held to the end of the input"
	byTime     = "rows held until the watermark is past them, late ones dropped"
	byInterval = "rows kept until the least watermark of the inputs rules out a match, late ones meet what is kept; it passes"
	byWindows  = "rows held until the least watermark of the inputs ends their window, late ones dropped"
	byTable    = "rows held until the table has been read; then watermarks and late rows of the left input pass"
	bySides    = "rows held until the least watermark of the inputs is past them, late ones dropped; versions kept, late ones dropped once a newer one holds"
)

// Effect says whether n passes, holds or drops watermarks and late rows; it is empty for a node without inputs, and for the place where a shared relation is read.
func Effect(n Node) string {
	switch n := n.(type) {
	case *Scan, *Values, *Shared, *Outlet:
		return ""
	case *Filter, *Project, *Named, *Expand, *Unnest, *WindowAssign, *CurrentWatermark, *Lateness, *Misread, *Normalize, *Limit, *Deduplicate:
		return passes
	case *WindowAggregate:
		if n.Adjusts() {
			return adjusted
		}
		return byWindow
	case *WindowTopN:
		return byWindow
	case *AtEnd:
		return atEnd
	case *Sort:
		return byTime + " once others have overtaken them"
	case *Match:
		if !n.Timed() {
			return byTime + untimed
		}
		return byTime
	case *Over:
		if n.Frame.Bounded {
			return byTime + " once others of their key have overtaken them"
		}
		return byTime
	case *TableJoin:
		return byTable
	case *TemporalJoin:
		return bySides
	case *GroupAggregate, *TopN, *KeyWindows:
		return passes + untimed
	case *Join:
		switch {
		case n.Interval != nil && n.Interval.Hold() > 0:
			return byInterval + ", held back by " + timefmt.Length(n.Interval.Hold())
		case n.Interval != nil:
			return byInterval
		case n.Windows != nil:
			return byWindows
		}
		return merges + untimed
	case *SetOperation:
		return merges + untimed
	case *Process:
		if n.held() {
			return merges + byTimers
		}
		return merges
	case *Union:
		if slices.ContainsFunc(n.Inputs, timed) && !timed(n) {
			return merges + untimed
		}
		return merges
	}
	panic(fmt.Sprintf("tidemark bug: nobody knows what plan node %T does to watermarks", n))
}

// timed reports whether n has a time attribute.
func timed(n Node) bool {
	return slices.ContainsFunc(n.Columns(), func(c Column) bool { return c.Rowtime })
}

// effects lists what the operators of statements do to watermarks, those that do the same on one line.
func effects(all []*Statement) string {
	var order []string
	names := map[string][]string{}
	var visit func(n Node)
	visit = func(n Node) {
		if e := Effect(n); e != "" {
			name, _, _ := strings.Cut(Describe(n), " ")
			if names[e] == nil {
				order = append(order, e)
			}
			if !slices.Contains(names[e], name) {
				names[e] = append(names[e], name)
			}
		}
		for _, c := range n.Children() {
			visit(c)
		}
	}
	for _, s := range all {
		visit(s.Root)
	}
	var b strings.Builder
	for _, e := range order {
		fmt.Fprintf(&b, "  %s: %s\n", strings.Join(names[e], ", "), e)
	}
	return b.String()
}
