package rewrite

import (
	"maps"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
)

// prune narrows every node to the columns that something above it reads.
func prune(root plan.Node) plan.Node {
	n, _ := narrow(root, upTo(len(root.Columns())))
	return n
}

// columns maps the columns of a node to those of its narrowed form; columns that are gone have no entry.
type columns map[int]int

func (m columns) expr(e expr.Expr) expr.Expr {
	return expr.Map(e, func(e expr.Expr) expr.Expr {
		if c, ok := e.(*expr.Column); ok {
			return expr.NewColumn(m[c.Index], c.Name, c.Type())
		}
		return e
	})
}

func (m columns) at(c int) int { return m[c] }

func (m columns) list(list []int) []int {
	out := make([]int, len(list))
	for i, c := range list {
		out[i] = m[c]
	}
	return out
}

// union sorts the columns of all lists, each once.
func union(lists ...[]int) []int {
	all := slices.Concat(lists...)
	slices.Sort(all)
	return slices.Compact(all)
}

// narrow makes n yield at least the columns in need, which ascend.
func narrow(n plan.Node, need []int) (plan.Node, columns) {
	switch n := n.(type) {
	case *plan.Scan:
		s := *n
		s.Output, s.Cols = nil, nil
		m := columns{}
		for _, i := range need {
			m[i] = len(s.Output)
			s.Output = append(s.Output, n.Output[i])
			s.Cols = append(s.Cols, n.Cols[i])
		}
		return &s, m
	case *plan.Values:
		return n, identity(len(n.Cols))
	case *plan.Shared:
		return narrowShared(n, need)
	case *plan.Outlet:
		return n, identity(len(n.Columns()))
	case *plan.Filter:
		in, m := narrow(n.Input, union(need, expr.Columns(n.Condition)))
		return &plan.Filter{Input: in, Condition: m.expr(n.Condition), Tells: n.Tells}, m
	case *plan.Named:
		in, m := narrow(n.Input, need)
		return &plan.Named{Input: in, Name: n.Name, Part: n.Part}, m
	case *plan.Project:
		return narrowProject(n, need)
	case *plan.Expand:
		return narrowExpand(n, need)
	case *plan.WindowAssign:
		return narrowAssign(n, need)
	case *plan.CurrentWatermark:
		return narrowWatermark(n, need)
	case *plan.Lateness:
		return narrowLateness(n, need)
	case *plan.Misread:
		in, _ := narrow(n.Input, nil)
		return &plan.Misread{Input: in.(*plan.Scan), Cols: n.Cols}, identity(len(n.Cols))
	case *plan.Unnest:
		return narrowUnnest(n, need)
	case *plan.WindowAggregate:
		return narrowAggregate(n, need)
	case *plan.AtEnd:
		return &plan.AtEnd{Input: prune(n.Input), By: n.By}, identity(len(n.Columns()))
	case *plan.Sort:
		return narrowSort(n, need)
	case *plan.Limit:
		return narrowLimit(n, need)
	case *plan.TopN:
		return narrowTopN(n, need)
	case *plan.WindowTopN:
		return narrowWindowTopN(n, need)
	case *plan.Match:
		return narrowMatch(n, need)
	case *plan.Over:
		return narrowOver(n, need)
	case *plan.Join:
		return narrowJoin(n, need)
	case *plan.TemporalJoin:
		return narrowTemporalJoin(n, need)
	case *plan.KeyWindows:
		return narrowKeyWindows(n)
	case *plan.TableJoin:
		t := narrowSides(n.Left, n.Right, need, nil, [2][]int{union(n.LeftKeys), union(n.RightKeys)})
		return n.Narrowed(t.nodes[0], t.nodes[1], t.sides[0].list(n.LeftKeys), t.sides[1].list(n.RightKeys)), t.columns
	case *plan.SetOperation:
		all := identity(len(n.Cols))
		s := *n
		s.Left, s.Right = prune(n.Left), prune(n.Right)
		return &s, all
	case *plan.Deduplicate:
		in, m := narrow(n.Input, union(need, n.ID, []int{n.System}))
		return &plan.Deduplicate{Input: in, ID: m.list(n.ID), System: m[n.System]}, m
	case *plan.Process:
		// Code finds columns by name while it runs, so that it can read all of them.
		p := *n
		p.Inputs = nil
		for _, in := range n.Inputs {
			p.Inputs = append(p.Inputs, prune(in))
		}
		return &p, identity(len(n.Columns()))
	case *plan.Normalize:
		in, m := narrow(n.Input, union(need, n.Keys))
		return &plan.Normalize{Input: in, Keys: m.list(n.Keys), TTL: n.TTL}, m
	case *plan.GroupAggregate:
		return narrowGroups(n, need)
	case *plan.Union:
		u := &plan.Union{}
		for _, i := range need {
			u.Cols = append(u.Cols, n.Cols[i])
		}
		for _, in := range n.Inputs {
			in, m := narrow(in, need)
			u.Inputs = append(u.Inputs, arrange(in, m.list(need)))
		}
		return u, exactly(need)
	}
	panic("tidemark bug: prune does not know a plan node")
}

// narrowKept narrows n for a node that keeps rows: to the columns in need and no others, so that what only a condition below reads is not kept.
func narrowKept(n plan.Node, need []int) (plan.Node, columns) {
	in, m := narrow(n, need)
	if len(in.Columns()) == len(need) {
		return in, m
	}
	return arrange(in, m.list(need)), exactly(need)
}

// narrowShared chooses among the columns of what others read too, which stay there: see Plans.
func narrowShared(n *plan.Shared, need []int) (plan.Node, columns) {
	return arrange(n, need), exactly(need)
}

// exactly maps columns to those of a node that has these alone.
func exactly(need []int) columns {
	m := columns{}
	for k, i := range need {
		m[i] = k
	}
	return m
}

func identity(n int) columns {
	m := columns{}
	for i := range n {
		m[i] = i
	}
	return m
}

// arrange makes n yield exactly the columns in order.
func arrange(n plan.Node, order []int) plan.Node {
	cols := n.Columns()
	same := len(order) == len(cols)
	p := &plan.Project{Input: n}
	for k, i := range order {
		same = same && k == i
		p.Exprs = append(p.Exprs, expr.NewColumn(i, cols[i].Name, cols[i].Type))
		p.Cols = append(p.Cols, cols[i])
	}
	if same {
		return n
	}
	return p
}

func narrowProject(n *plan.Project, need []int) (plan.Node, columns) {
	var read []int
	for _, i := range need {
		read = union(read, expr.Columns(n.Exprs[i]))
	}
	in, inner := narrow(n.Input, read)
	p := &plan.Project{Input: in}
	m := columns{}
	for _, i := range need {
		m[i] = len(p.Exprs)
		p.Exprs = append(p.Exprs, inner.expr(n.Exprs[i]))
		p.Cols = append(p.Cols, n.Cols[i])
	}
	return p, m
}

func narrowAssign(n *plan.WindowAssign, need []int) (plan.Node, columns) {
	width := len(n.Input.Columns())
	read := []int{n.Time}
	for _, i := range need {
		if i < width {
			read = append(read, i)
		}
	}
	in, m := narrow(n.Input, union(read))
	a := &plan.WindowAssign{Input: in, Windows: n.Windows, Time: m[n.Time]}
	a.Cols = make([]plan.Column, len(in.Columns()))
	copy(a.Cols, in.Columns())
	for old, new := range m {
		a.Cols[new] = n.Cols[old]
	}
	out := columns{}
	for old, new := range m {
		out[old] = new
	}
	for i := width; i < len(n.Cols); i++ {
		out[i] = len(a.Cols)
		a.Cols = append(a.Cols, n.Cols[i])
	}
	return a, out
}

// narrowExpand keeps all keys: they decide how many rows there are.
func narrowExpand(n *plan.Expand, need []int) (plan.Node, columns) {
	width := len(n.Input.Columns())
	read := slices.Clone(n.Keys)
	for _, i := range need {
		if i < width {
			read = append(read, i)
		}
	}
	in, m := narrow(n.Input, union(read))
	e := plan.NewExpand(in, m.list(n.Keys), n.Sets)
	out := maps.Clone(m)
	for i := width; i < len(n.Cols); i++ {
		out[i] = len(in.Columns()) + i - width
	}
	return e, out
}

func narrowAggregate(n *plan.WindowAggregate, need []int) (plan.Node, columns) {
	read := slices.Clone(n.Keys)
	if n.Attached() {
		read = append(read, n.Start, n.End)
	} else {
		read = append(read, n.Time)
	}
	a := &plan.WindowAggregate{Windows: n.Windows, Time: -1}
	m := columns{}
	keep := func(i int) {
		m[i] = len(a.Cols)
		a.Cols = append(a.Cols, n.Cols[i])
	}
	for i := range n.Keys {
		keep(i)
	}
	for k, call := range n.Aggregates {
		if i := len(n.Keys) + k; slices.Contains(need, i) {
			keep(i)
			a.Aggregates = append(a.Aggregates, call)
			read = append(read, call.Reads()...)
		}
	}
	for i := len(n.Keys) + len(n.Aggregates); i < len(n.Cols); i++ {
		keep(i)
	}
	in, inner := narrow(n.Input, union(read))
	a.Input, a.Keys = in, inner.list(n.Keys)
	for k, call := range a.Aggregates {
		a.Aggregates[k] = call.Moved(inner.at)
	}
	if n.Attached() {
		a.Start, a.End = inner[n.Start], inner[n.End]
	} else {
		a.Time = inner[n.Time]
	}
	return a, m
}
