package plan

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/window"
	"github.com/tidemark-sql/tidemark/watermark"
)

// LateSuffix makes the name of the late rows of a table from that of the table. Confluent Cloud: `t$late`.
const LateSuffix = "$late"

// Name is what the scan reads, as statements name it.
func (n *Scan) Name() string {
	if n.Late == watermark.OnlyLate {
		return n.Source() + LateSuffix
	}
	return n.Source()
}

// Source is what the scan's source is called.
func (n *Scan) Source() string {
	if n.Called != "" {
		return n.Called
	}
	return n.Table.Name
}

// Adjusts reports whether a late row of n's input is counted once, in the earliest window that is open, instead of being dropped. YDB: WATERMARK_LATE_EVENTS_POLICY = ADJUST.
func (n *WindowAggregate) Adjusts() bool { return slices.ContainsFunc(lateComing(n.Input), adjusts) }

func adjusts(s *Scan) bool { return s.Strategy.Adjusts }

// lateComing are the scans whose late rows can reach the rows of n.
func lateComing(n Node) (all []*Scan) {
	switch n := n.(type) {
	case *Scan:
		if n.Late == watermark.PassLate && n.Table.Watermark != nil {
			return []*Scan{n}
		}
		return nil
	case *WindowAggregate:
		return nil
	}
	for _, c := range n.Children() {
		all = append(all, lateComing(c)...)
	}
	return all
}

// Unadjusted is the first operator of n that would not count late rows as tables with adjusted ones want it; nil if there is none. Mixed says that it could, and that it
// reads other tables too, whose late rows it has to drop.
func Unadjusted(n Node) (u Node, mixed bool) {
	for _, c := range n.Children() {
		if u, mixed := Unadjusted(c); u != nil {
			return u, mixed
		}
	}
	switch n.(type) {
	case *Scan, *Values, *Filter, *Project, *Expand, *Unnest, *CurrentWatermark, *Normalize, *Limit, *Union, *GroupAggregate, *TopN, *Join, *SetOperation, *AtEnd, *Shared, *Outlet:
		return nil, false
	}
	late := lateComing(n)
	if w, ok := n.(*WindowAggregate); ok {
		late = lateComing(w.Input)
		if k := w.Windows.Spec.Kind; !w.Attached() && (k == window.Tumble || k == window.Hop) {
			mixed = true
			if !slices.ContainsFunc(late, func(s *Scan) bool { return !adjusts(s) }) {
				return nil, false
			}
		}
	}
	if slices.ContainsFunc(late, adjusts) {
		return n, mixed
	}
	return nil, false
}
