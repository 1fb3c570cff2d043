package plan

import (
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/expr"
)

// TableJoin meets each row of Left with the rows of Right that have its key. Right has an end and is read completely before: rows of Left wait for that end and for nothing else, and what they find
// does not change any more. So rows of Left leave as they came, late ones too, and what holds of their time holds behind the join. Its columns are those of both sides, of a SemiJoin or AntiJoin
// those of Left.
type TableJoin struct {
	Kind        JoinKind // InnerJoin, LeftJoin, SemiJoin or AntiJoin
	Left, Right Node
	// LeftKeys and RightKeys are columns that must be equal, in pairs; at least one.
	LeftKeys, RightKeys []int
	// First says that a row of Left meets at most one of Right, the first with its key.
	First bool
	Cols  []Column
}

// NewTableJoin makes the join of rows with those of a table, from a condition over the columns of both: comparisons of a value of one side with one of the other for equality become keys. Rest is what else the condition asks for, nil
// for nothing. Without a key ok is false. The columns of the result are those of both sides as they were.
func NewTableJoin(kind JoinKind, left, right Node, first bool, condition expr.Expr) (n Node, rest []expr.Expr, ok bool) {
	if Updates(right) {
		right = &AtEnd{Input: right}
	}
	lefts, rights := len(left.Columns()), len(right.Columns())
	var leftKeys, rightKeys []expr.Expr
	for _, c := range expr.Conjuncts(condition) {
		l, r, equated := Equated(c, lefts)
		if !equated || l.Type().IsApproximate() || r.Type().IsApproximate() {
			rest = append(rest, c)
			continue
		}
		leftKeys, rightKeys = append(leftKeys, l), append(rightKeys, r)
	}
	if leftKeys == nil {
		return nil, rest, false
	}
	j := &TableJoin{Kind: kind, First: first}
	j.Left, j.LeftKeys = withKeys(left, leftKeys)
	j.Right, j.RightKeys = withKeys(right, rightKeys)
	j.Cols = j.columns()
	shift := len(j.Left.Columns()) - lefts
	if shift == 0 && len(j.Right.Columns()) == rights {
		return j, rest, true
	}
	p := &Project{Input: j}
	for i, c := range j.Cols {
		if i < lefts || i >= lefts+shift && i < lefts+shift+rights {
			p.Exprs = append(p.Exprs, expr.NewColumn(i, c.Name, c.Type))
			p.Cols = append(p.Cols, c)
		}
	}
	return p, rest, true
}

// columns are those of j. What is known of the time of the left side stays known.
func (j *TableJoin) columns() []Column {
	cols := slices.Clone(j.Left.Columns())
	if !j.Kind.Halves() {
		cols = append(cols, JoinColumns(j.Kind, j.Left, j.Right)[len(cols):]...)
	}
	return cols
}

// Narrowed is j over inputs from which columns are gone: left and right tell where those of its keys are now.
func (j *TableJoin) Narrowed(leftNode, rightNode Node, left, right []int) *TableJoin {
	n := &TableJoin{Kind: j.Kind, Left: leftNode, Right: rightNode, LeftKeys: left, RightKeys: right, First: j.First}
	n.Cols = n.columns()
	return n
}

// Columns implements Node.
func (j *TableJoin) Columns() []Column { return j.Cols }

// Children implements Node.
func (j *TableJoin) Children() []Node { return []Node{j.Left, j.Right} }

func (j *TableJoin) describe() string {
	left, right := j.Left.Columns(), j.Right.Columns()
	var on []string
	for i, k := range j.LeftKeys {
		on = append(on, left[k].Name+" = "+right[j.RightKeys[i]].Name)
	}
	text := "TableJoin " + j.Kind.String() + " on " + strings.Join(on, " AND ")
	if j.First {
		text += ", the first row"
	}
	return text
}
