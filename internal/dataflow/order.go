package dataflow

import "cmp"

// Order is the place of a row among those of its ticket that one deadline released, or none. Several tasks work on the rows of a ticket side by side, and
// what they send on is put in the order in which a single task would have sent it: by the row that caused it, then by what was made of that row.
type Order struct {
	// Row numbers the rows of the ticket where they were spread over the tasks.
	Row uint64
	// Sub numbers the results of a row, at each of up to OrderLevels operators behind one another.
	Sub [OrderLevels]uint32
}

// OrderLevels is how many operators with several tasks, each of which makes several rows of one, can stand behind one another.
const OrderLevels = 2

// Compare is -1, 0 or 1.
func (o Order) Compare(p Order) int {
	return cmp.Or(cmp.Compare(o.Row, p.Row), cmp.Compare(o.Sub[0], p.Sub[0]), cmp.Compare(o.Sub[1], p.Sub[1]))
}
