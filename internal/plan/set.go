package plan

// SetOperation is INTERSECT or EXCEPT of two relations with the same types of columns; NULL is equal to NULL.
type SetOperation struct {
	Op          SetOp
	Left, Right Node
	Cols        []Column
	TTL         TTL
}

// SetOp says how often a row leaves a set operation that is l times on the left and r times on the right.
type SetOp uint8

// The set operations.
const (
	Intersect    SetOp = iota // once if l > 0 and r > 0
	IntersectAll              // the lesser of l and r
	Except                    // once if l > 0 and r = 0
	ExceptAll                 // l - r, but not less than 0
)

// String is the operation in SQL.
func (o SetOp) String() string {
	return [...]string{"INTERSECT", "INTERSECT ALL", "EXCEPT", "EXCEPT ALL"}[o]
}

// Columns implements Node.
func (n *SetOperation) Columns() []Column { return n.Cols }

// Children implements Node.
func (n *SetOperation) Children() []Node { return []Node{n.Left, n.Right} }

// Times is how often a row is in the result that is l times on the left and r times on the right. Flink 2.3.
func (o SetOp) Times(l, r int64) int64 {
	switch {
	case o == Intersect:
		return min(l, r, 1)
	case o == IntersectAll:
		return min(l, r)
	case o == ExceptAll:
		return max(l-r, 0)
	case r == 0:
		return min(l, 1)
	}
	return 0
}
