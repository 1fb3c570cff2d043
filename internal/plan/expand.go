package plan

import "strings"

// Expand passes every row once for each of several grouping sets, in their order. Behind the columns of the input come the keys, NULL where the set lacks them, and a number that
// tells the sets apart.
type Expand struct {
	Input Node
	// Keys are columns of the input.
	Keys []int
	// Sets say of each key whether it is in the set.
	Sets [][]bool
	Cols []Column
}

// NewExpand makes the node.
func NewExpand(input Node, keys []int, sets [][]bool) *Expand {
	n := &Expand{Input: input, Keys: keys, Sets: sets}
	in := input.Columns()
	n.Cols = append(n.Cols, in...)
	for k, c := range keys {
		n.Cols = append(n.Cols, Column{Name: in[c].Name, Type: in[c].Type})
		for _, s := range sets {
			if !s[k] {
				n.Cols[len(n.Cols)-1].Type.NotNull = false
			}
		}
	}
	n.Cols = append(n.Cols, GroupingColumn)
	return n
}

// Columns implements Node.
func (n *Expand) Columns() []Column { return n.Cols }

// Children implements Node.
func (n *Expand) Children() []Node { return []Node{n.Input} }

// GroupingID numbers a grouping set: a bit for each key, the first one the highest, that is 1 if the key is not in it.
func GroupingID(set []bool) int64 {
	id := int64(0)
	for _, in := range set {
		id <<= 1
		if !in {
			id++
		}
	}
	return id
}

// describe is the sets with their keys: Expand (k, v), (k), ().
func (n *Expand) describe() string {
	in := n.Input.Columns()
	sets := make([]string, len(n.Sets))
	for i, s := range n.Sets {
		var names []string
		for k, c := range n.Keys {
			if s[k] {
				names = append(names, in[c].Name)
			}
		}
		sets[i] = "(" + strings.Join(names, ", ") + ")"
	}
	return "Expand " + strings.Join(sets, ", ")
}
