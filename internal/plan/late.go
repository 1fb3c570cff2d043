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
	s := unadjusted{known: map[*Shared]latecomers{}}
	s.visit(n)
	return s.first, s.mixed
}

// latecomers says which scans there are among lateComing: those that adjust late rows, and others.
type latecomers struct{ adjust, drop bool }

// unadjusted looks for the operator of Unadjusted. What is shared is looked at once.
type unadjusted struct {
	known map[*Shared]latecomers
	first Node
	mixed bool
}

// visit looks at n and what is below it, until first is found, and tells the late rows that n gives.
func (u *unadjusted) visit(n Node) (late latecomers) {
	shared, _ := n.(*Shared)
	if known, ok := u.known[shared]; ok {
		return known
	}
	for _, c := range n.Children() {
		of := u.visit(c)
		if u.first != nil {
			return late
		}
		late.adjust, late.drop = late.adjust || of.adjust, late.drop || of.drop
	}
	switch n := n.(type) {
	case *Shared:
		u.known[n] = late
	case *Scan:
		for _, s := range lateComing(n) {
			late = latecomers{adjust: adjusts(s), drop: !adjusts(s)}
		}
	case *Values, *Filter, *Project, *Expand, *Unnest, *CurrentWatermark, *Normalize, *Limit, *Union, *GroupAggregate, *TopN, *Join, *SetOperation, *AtEnd, *Outlet:
	case *WindowAggregate:
		k := n.Windows.Spec.Kind
		can := !n.Attached() && (k == window.Tumble || k == window.Hop)
		if late.adjust && (!can || late.drop) {
			u.first, u.mixed = n, can
		}
		return latecomers{}
	default:
		if late.adjust {
			u.first = n
		}
	}
	return late
}
