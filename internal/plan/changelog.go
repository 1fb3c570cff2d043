package plan

import (
	"fmt"

	"github.com/tidemark-sql/tidemark/internal/connector"
)

// Updates reports whether the rows of n may take back or change earlier ones, rather than only add to them.
func Updates(n Node) bool {
	switch n := n.(type) {
	case *Scan:
		return n.Changelog != connector.Append
	case *Values, *Lateness, *Misread, *WindowAggregate, *KeyWindows, *WindowTopN, *Match, *AtEnd, *Process, *Deduplicate:
		return false
	case *Normalize, *TopN:
		return true
	case *Filter, *Project, *Named, *WindowAssign, *Expand, *Unnest, *CurrentWatermark, *Sort, *Over, *Union, *Shared, *Outlet:
		for _, c := range n.Children() {
			if Updates(c) {
				return true
			}
		}
		return false
	case *Join:
		return !n.Timed() && (n.Kind != InnerJoin && n.Kind != SemiJoin || Updates(n.Left) || Updates(n.Right))
	case *TemporalJoin:
		return Updates(n.Left)
	case *TableJoin:
		return Updates(n.Left)
	case *SetOperation:
		return n.Op == Except || n.Op == ExceptAll || Updates(n.Left) || Updates(n.Right)
	case *Limit:
		return !n.Passes()
	case *GroupAggregate:
		return len(n.Aggregates) > 0 || Updates(n.Input) || n.TTL.Micros > 0 // see operator.GroupAggregate: rows are told again
	}
	panic(fmt.Sprintf("tidemark bug: nobody knows whether plan node %T updates", n))
}

// Culprit is the node nearest to the rows' origin that makes n an updating relation, nil if it is none.
func Culprit(n Node) Node {
	if !Updates(n) {
		return nil
	}
	for _, c := range n.Children() {
		if found := Culprit(c); found != nil {
			return found
		}
	}
	return n
}
