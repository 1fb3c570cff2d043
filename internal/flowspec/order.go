package flowspec

import "strings"

// order sorts the computations so that who writes a stream stands before those that read it.
func (r *reader) order(p *Pipeline) {
	after := func(id string) []string {
		var all []string
		for _, w := range p.Computation(id).Inputs {
			if c := p.Writer(w.Text); c != nil {
				all = append(all, c.ID.Text)
			}
		}
		return all
	}
	for _, id := range circle(p.ids(), after, func(at Word, path []string) {
		r.fail(codeGraph, at.At, "leave one of the streams out; a computation keeps what it needs later in its state", "computations read each other in a circle: %s", strings.Join(path, " <- "))
	}) {
		p.Order = append(p.Order, p.Computation(id))
	}
}

// circle sorts names so that each stands behind those that it comes after, and tells of the first circle.
func circle(names []Word, after func(string) []string, tell func(at Word, path []string)) []string {
	var sorted, path []string
	state := map[string]int{} // 1 while it is on the path, 2 when it is sorted
	var visit func(name string) bool
	visit = func(name string) bool {
		switch state[name] {
		case 1:
			for i, n := range path {
				if n == name {
					path = append(path[i:], name)
					break
				}
			}
			return false
		case 2:
			return true
		}
		state[name] = 1
		path = append(path, name)
		for _, a := range after(name) {
			if !visit(a) {
				return false
			}
		}
		path = path[:len(path)-1]
		state[name] = 2
		sorted = append(sorted, name)
		return true
	}
	for _, n := range names {
		if !visit(n.Text) {
			at := n
			for _, other := range names {
				if other.Text == path[0] {
					at = other
				}
			}
			tell(at, path)
			return nil
		}
	}
	return sorted
}
