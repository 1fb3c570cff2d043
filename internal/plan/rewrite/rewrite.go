// Package rewrite makes plans cheaper without changing what they mean. Rules is the whole optimizer, read from top to bottom.
package rewrite

import "github.com/tidemark-sql/tidemark/internal/plan"

// Rule is one rewrite of a whole plan. The root keeps its columns, names included.
type Rule struct {
	Name string
	// Why says what it is good for and why it stands where it does.
	Why   string
	Apply func(root plan.Node) plan.Node
}

// Rules are applied once each, in order.
var Rules = []Rule{
	{"pushdown", "moves conditions into joins, where equality makes keys; first, while the filters still stand on the joins", plan.PushDown},
	{"collapse", "joins projections that stand on each other, so that pruning sees through them", collapse},
	{"prune", "drops columns that nobody reads, down to what the decoders decode; last, when no rule adds readers", prune},
}
