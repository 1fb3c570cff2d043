package plan

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/expr"
)

// TemporalJoin meets each row of Left with the version of its key in Right that was valid at its time: LEFT JOIN Right FOR SYSTEM_TIME AS OF. A row leaves when the least
// watermark of both sides is past it. Its columns are those of both sides.
type TemporalJoin struct {
	Kind        JoinKind // InnerJoin or LeftJoin
	Left, Right Node
	// LeftTime and RightTime are the time attributes of the sides.
	LeftTime, RightTime int
	// LeftKeys and RightKeys are columns that must be equal, in pairs; on the right they are what versions are of.
	LeftKeys, RightKeys []int
	// Rising says that a right row with a time before that of an earlier one of its key is no version: the right side is the last rows of each key, as they come.
	Rising bool
	// Condition is what else must hold of a row and its version, over the columns of both sides; nil if nothing.
	Condition expr.Expr
	Cols      []Column
}

// TemporalSides says by which columns a TemporalJoin finds versions.
type TemporalSides struct {
	LeftTime, RightTime int
	Keys                []int // of the right side
	Rising              bool  // as in TemporalJoin
}

// NewTemporalJoin makes the join of rows with versions, from a condition over the columns of both sides. If the condition does not say what the versions' keys are equal to, ok is false.
// The columns of the result are those of both sides.
func NewTemporalJoin(kind JoinKind, left, right Node, sides TemporalSides, condition expr.Expr) (n Node, ok bool, err error) {
	j := &TemporalJoin{Kind: kind, Right: right, LeftTime: sides.LeftTime, RightTime: sides.RightTime, RightKeys: sides.Keys, Rising: sides.Rising}
	lefts := len(left.Columns())
	keys := make([]expr.Expr, len(sides.Keys))
	var rest []expr.Expr
	if condition == nil {
		return nil, false, nil
	}
	for _, c := range expr.Conjuncts(condition) {
		l, r, equated := Equated(c, lefts)
		column, plain := r.(*expr.Column)
		k := -1
		if equated && plain && !r.Type().IsApproximate() {
			k = slices.Index(sides.Keys, column.Index)
		}
		if k < 0 || keys[k] != nil {
			rest = append(rest, c)
			continue
		}
		keys[k] = l
	}
	if len(keys) == 0 || slices.Contains(keys, nil) {
		return nil, false, nil
	}
	j.Left, j.LeftKeys = withKeys(left, keys)
	shift := len(j.Left.Columns()) - lefts
	for i, c := range rest {
		rest[i] = Shift(c, lefts, shift)
	}
	if len(rest) > 0 {
		if j.Condition, err = expr.NewAnd(rest...); err != nil {
			return nil, true, err
		}
	}
	j.Cols = TemporalColumns(kind, j.Left, right, j.LeftTime)
	if shift == 0 {
		return j, true, nil
	}
	p := &Project{Input: j}
	for i, c := range j.Cols {
		if i < lefts || i >= lefts+shift {
			p.Exprs = append(p.Exprs, expr.NewColumn(i, c.Name, c.Type))
			p.Cols = append(p.Cols, c)
		}
	}
	return p, true, nil
}

// TemporalColumns are the columns of a TemporalJoin. Rows leave it before the watermark that passes their time, which so stays a time attribute.
func TemporalColumns(kind JoinKind, left, right Node, time int) []Column {
	cols := JoinColumns(kind, left, right)
	cols[time].Rowtime = true
	return cols
}

// Columns implements Node.
func (j *TemporalJoin) Columns() []Column { return j.Cols }

// Children implements Node.
func (j *TemporalJoin) Children() []Node { return []Node{j.Left, j.Right} }

func (j *TemporalJoin) describe() string {
	left, right := j.Left.Columns(), j.Right.Columns()
	text := j.Kind.String() + " as of " + left[j.LeftTime].Name + ", versions by " + right[j.RightTime].Name
	if j.Rising {
		text += ", each newer than the last"
	}
	text += ", on "
	for i, k := range j.LeftKeys {
		if i > 0 {
			text += " AND "
		}
		text += left[k].Name + " = " + right[j.RightKeys[i]].Name
	}
	if j.Condition != nil {
		text += " AND " + j.Condition.String()
	}
	return "TemporalJoin " + text
}
