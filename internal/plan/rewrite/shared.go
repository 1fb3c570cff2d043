package rewrite

import (
	"context"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
)

// Plans applies all rules to plans that run together. What they share they share afterwards: a relation with several readers is rewritten once, for itself, without the conditions of its readers, and with
// the columns that any of them reads. One with a single reader becomes a part of that. The error is that of ctx.
func Plans(ctx context.Context, roots []plan.Node) (out []plan.Node, err error) {
	known := map[*plan.Shared]plan.Node{}
	of := func(s *plan.Shared) plan.Node { return known[s] }
	readers := plan.Readers(roots...)
	var all []*plan.Shared // behind those that they read
	for _, s := range plan.Shareds(roots...) {
		in := plan.Resharing(s.Input, of)
		if _, forks := in.(plan.Forking); readers[s] == 1 && !forks {
			known[s] = in
			continue
		}
		kept := &plan.Shared{Name: s.Name, Input: in}
		known[s], all = kept, append(all, kept)
	}
	w := sharing{needs: map[*plan.Shared][]int{}, inputs: map[*plan.Shared]plan.Node{}, done: map[*plan.Shared]*plan.Shared{}}
	out = make([]plan.Node, len(roots))
	for i, n := range roots {
		if out[i], err = w.apply(ctx, plan.Resharing(n, of)); err != nil {
			return nil, err
		}
	}
	for _, s := range slices.Backward(all) { // its readers have said what they need
		in := s.Input
		if n := w.needs[s]; len(n) < len(s.Columns()) {
			in = arrange(in, n)
		}
		if w.inputs[s], err = w.apply(ctx, in); err != nil {
			return nil, err
		}
	}
	for _, s := range all {
		w.done[s] = &plan.Shared{Name: s.Name, Input: w.placed(w.inputs[s])}
	}
	for i, n := range out {
		out[i] = w.placed(n)
	}
	return out, nil
}

// sharing is the rewriting of plans that share something.
type sharing struct {
	needs  map[*plan.Shared][]int // the columns that somebody reads
	inputs map[*plan.Shared]plan.Node
	done   map[*plan.Shared]*plan.Shared
}

// apply applies all rules to one plan and notes what it reads of shared relations.
func (w *sharing) apply(ctx context.Context, root plan.Node) (plan.Node, error) {
	for _, r := range Rules {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		root = r.Apply(root)
	}
	w.look(root)
	return root, nil
}

func (w *sharing) look(n plan.Node) {
	switch n := n.(type) {
	case *plan.Shared:
		w.needs[n] = upTo(len(n.Columns()))
		return
	case *plan.Outlet:
		w.needs[n.Of] = upTo(len(n.Of.Columns()))
		return
	case *plan.Project:
		if s, ok := n.Input.(*plan.Shared); ok {
			for _, e := range n.Exprs {
				w.needs[s] = union(w.needs[s], expr.Columns(e))
			}
			return
		}
	}
	for _, c := range n.Children() {
		w.look(c)
	}
}

// placed is n over the shared relations as they are now.
func (w *sharing) placed(n plan.Node) plan.Node {
	switch n := n.(type) {
	case *plan.Shared:
		return w.done[n]
	case *plan.Outlet:
		return &plan.Outlet{Of: w.done[n.Of], K: n.K}
	case *plan.Project:
		s, ok := n.Input.(*plan.Shared)
		if !ok {
			break
		}
		at := columns{}
		for k, i := range w.needs[s] {
			at[i] = k
		}
		p := &plan.Project{Input: w.done[s], Cols: n.Cols}
		for _, e := range n.Exprs {
			p.Exprs = append(p.Exprs, at.expr(e))
		}
		if passesAll(p) {
			return p.Input
		}
		return p
	}
	return collapsed(plan.WithChildren(n, w.placed))
}

// passesAll reports whether p is its input.
func passesAll(p *plan.Project) bool {
	in := p.Input.Columns()
	if len(in) != len(p.Exprs) {
		return false
	}
	for i, e := range p.Exprs {
		if c, ok := e.(*expr.Column); !ok || c.Index != i || in[i] != p.Cols[i] {
			return false
		}
	}
	return true
}

func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}
