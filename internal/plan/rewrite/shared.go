package rewrite

import "github.com/tidemark-sql/tidemark/internal/plan"

// Plans applies all rules to plans that run together. What they share they share afterwards: a relation with several readers is rewritten once, for itself, with all its columns and without the conditions of
// its readers; one with a single reader is a part of that.
func Plans(roots []plan.Node) []plan.Node {
	readers := plan.Readers(roots...)
	done := map[*plan.Shared]plan.Node{}
	of := func(s *plan.Shared) plan.Node { return done[s] }
	for _, s := range plan.Shareds(roots...) {
		in := plan.Resharing(s.Input, of)
		_, forks := in.(plan.Forking)
		if readers[s] == 1 && !forks {
			done[s] = in
		} else {
			done[s] = &plan.Shared{Name: s.Name, Input: apply(in)}
		}
	}
	out := make([]plan.Node, len(roots))
	for i, n := range roots {
		out[i] = apply(plan.Resharing(n, of))
	}
	return out
}

func apply(root plan.Node) plan.Node {
	for _, r := range Rules {
		root = r.Apply(root)
	}
	return root
}
