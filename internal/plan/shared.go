package plan

import (
	"fmt"
	"slices"
)

// Shared is a relation that several read and that is computed once: the same *Shared stands wherever it is read, in one statement or in several that run together. State below it is kept once, under
// its name.
type Shared struct {
	// Name tells it from the others of the statements that run together, for people and for whoever goes on from a checkpoint.
	Name  string
	Input Node
}

// Forking is a node with several outputs. Its own columns are those of the first one. Where it has more than one it stands below a Shared alone, and an Outlet reads each.
type Forking interface {
	Node
	// Outlets are the columns of its outputs.
	Outlets() [][]Column
}

// Outlet is one of the outputs of a Shared whose input is Forking. Each has a watermark of its own.
type Outlet struct {
	Of *Shared
	K  int // counted from 0
}

// Columns implements Node.
func (n *Shared) Columns() []Column { return n.Input.Columns() }

// Columns implements Node.
func (n *Outlet) Columns() []Column { return n.Of.Input.(Forking).Outlets()[n.K] }

// Children implements Node.
func (n *Shared) Children() []Node { return []Node{n.Input} }

// Children implements Node.
func (n *Outlet) Children() []Node { return []Node{n.Of} }

// Shareds are the shared relations that are read for roots, each once and behind those that it reads itself.
func Shareds(roots ...Node) (all []*Shared) {
	var visit func(n Node)
	visit = func(n Node) {
		s, ok := n.(*Shared)
		if ok && slices.Contains(all, s) {
			return
		}
		for _, c := range n.Children() {
			visit(c)
		}
		if ok {
			all = append(all, s)
		}
	}
	for _, n := range roots {
		visit(n)
	}
	return all
}

// Readers counts the places that read each shared relation which roots need, in them and in other shared relations.
func Readers(roots ...Node) map[*Shared]int {
	readers := map[*Shared]int{}
	var visit func(n Node)
	visit = func(n Node) {
		if s, ok := n.(*Shared); ok {
			if readers[s]++; readers[s] > 1 {
				return
			}
		}
		for _, c := range n.Children() {
			visit(c)
		}
	}
	for _, n := range roots {
		visit(n)
	}
	return readers
}

// MaxPaths bounds Paths of what a statement shares. A few relations that each read the one before twice come to millions, and so do their rows.
const MaxPaths = 20_000

// Paths counts how many nodes a plan comes to with what it shares put in wherever that is read. It remembers what it has counted, for plans that read it too.
type Paths map[*Shared]int

// Of counts those of n; it is more than MaxPaths if they are.
func (p Paths) Of(n Node) int {
	s, shared := n.(*Shared)
	if shared && p[s] > 0 {
		return p[s]
	}
	all := 1
	for _, c := range n.Children() {
		if all += p.Of(c); all > MaxPaths {
			all = MaxPaths + 1
			break
		}
	}
	if shared {
		p[s] = all
	}
	return all
}

// Resharing is n with every Shared that it reads replaced by what of makes of it; what stands below a Shared is left to of.
func Resharing(n Node, of func(*Shared) Node) Node {
	switch n := n.(type) {
	case *Shared:
		return of(n)
	case *Outlet:
		if s := of(n.Of).(*Shared); s != n.Of {
			return &Outlet{Of: s, K: n.K}
		}
		return n
	}
	return WithChildren(n, func(c Node) Node { return Resharing(c, of) })
}

func (n *Outlet) describe() string { return fmt.Sprintf("Read %s, output %d", n.Of.Name, n.K+1) }
