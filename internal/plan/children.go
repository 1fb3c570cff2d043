package plan

// WithChildren is n with every input replaced by what f makes of it; n itself if f changes none. A Shared and an Outlet stay as they are: whoever changes what several read does so once, see Resharing.
func WithChildren(n Node, f func(Node) Node) Node {
	switch n := n.(type) {
	case *Filter:
		if in := f(n.Input); in != n.Input {
			return n.Over(in)
		}
	case *Named:
		if in := f(n.Input); in != n.Input {
			return &Named{Input: in, Name: n.Name, Part: n.Part}
		}
	case *Project:
		if in := f(n.Input); in != n.Input {
			c := *n
			c.Input = in
			return &c
		}
	case *Expand:
		if in := f(n.Input); in != n.Input {
			c := *n
			c.Input = in
			return &c
		}
	case *WindowAssign:
		if in := f(n.Input); in != n.Input {
			c := *n
			c.Input = in
			return &c
		}
	case *CurrentWatermark:
		if in := f(n.Input); in != n.Input {
			c := *n
			c.Input = in
			return &c
		}
	case *Unnest:
		if in := f(n.Input); in != n.Input {
			c := *n
			c.Input = in
			return &c
		}
	case *KeyWindows:
		if in := f(n.Input); in != n.Input {
			c := *n
			c.Input = in
			return &c
		}
	case *WindowAggregate:
		if in := f(n.Input); in != n.Input {
			c := *n
			c.Input = in
			return &c
		}
	case *Normalize:
		if in := f(n.Input); in != n.Input {
			c := *n
			c.Input = in
			return &c
		}
	case *GroupAggregate:
		if in := f(n.Input); in != n.Input {
			c := *n
			c.Input = in
			return &c
		}
	case *AtEnd:
		if in := f(n.Input); in != n.Input {
			return &AtEnd{Input: in, By: n.By}
		}
	case *Sort:
		if in := f(n.Input); in != n.Input {
			return &Sort{Input: in, By: n.By}
		}
	case *Limit:
		if in := f(n.Input); in != n.Input {
			c := *n
			c.Input = in
			return &c
		}
	case *TopN:
		if in := f(n.Input); in != n.Input {
			c := *n
			c.Input = in
			return &c
		}
	case *WindowTopN:
		if in := f(n.Input); in != n.Input {
			c := *n
			c.Input = in
			return &c
		}
	case *Match:
		if in := f(n.Input); in != n.Input {
			c := *n
			c.Input = in
			return &c
		}
	case *Over:
		if in := f(n.Input); in != n.Input {
			c := *n
			c.Input = in
			return &c
		}
	case *Join:
		left, right := f(n.Left), f(n.Right)
		if left != n.Left || right != n.Right {
			c := *n
			c.Left, c.Right = left, right
			return &c
		}
	case *TableJoin:
		left, right := f(n.Left), f(n.Right)
		if left != n.Left || right != n.Right {
			c := *n
			c.Left, c.Right = left, right
			return &c
		}
	case *TemporalJoin:
		left, right := f(n.Left), f(n.Right)
		if left != n.Left || right != n.Right {
			c := *n
			c.Left, c.Right = left, right
			return &c
		}
	case *SetOperation:
		left, right := f(n.Left), f(n.Right)
		if left != n.Left || right != n.Right {
			c := *n
			c.Left, c.Right = left, right
			return &c
		}
	case *Deduplicate:
		if in := f(n.Input); in != n.Input {
			c := *n
			c.Input = in
			return &c
		}
	case *Process:
		if ins, changed := replaced(n.Inputs, f); changed {
			c := *n
			c.Inputs = ins
			return &c
		}
	case *Union:
		if ins, changed := replaced(n.Inputs, f); changed {
			return &Union{Inputs: ins, Cols: n.Cols}
		}
	}
	return n
}

// replaced is what f makes of every node, and whether that is another one for any.
func replaced(all []Node, f func(Node) Node) (to []Node, changed bool) {
	to = make([]Node, len(all))
	for i, n := range all {
		to[i] = f(n)
		changed = changed || to[i] != n
	}
	return to, changed
}
