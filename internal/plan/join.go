package plan

import (
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/expr"
)

// Join meets the rows of Left with those of Right. Its columns are those of both sides, of a SemiJoin or AntiJoin those of Left.
type Join struct {
	Kind        JoinKind
	Left, Right Node
	// LeftKeys and RightKeys are columns that must be equal, in pairs.
	LeftKeys, RightKeys []int
	// Condition is what else must hold of a pair, over the columns of both sides; nil if nothing.
	Condition expr.Expr
	Cols      []Column
}

// JoinKind says which rows leave a join.
type JoinKind uint8

// The kinds of joins.
const (
	InnerJoin JoinKind = iota
	LeftJoin
	RightJoin
	FullJoin
	SemiJoin
	AntiJoin
)

// String is the name of the kind.
func (k JoinKind) String() string {
	return [...]string{"Inner", "Left", "Right", "Full", "Semi", "Anti"}[k]
}

// Halves reports whether rows of the join have only the columns of the left side.
func (k JoinKind) Halves() bool { return k == SemiJoin || k == AntiJoin }

// NewJoin joins two relations on a condition over the columns of both, nil for none: comparisons of a value of one side with one of the other for equality become keys,
// for which columns are added to the sides if need be. The columns of the result are those of both sides as they were. A time attribute becomes an ordinary timestamp,
// for rows leave a join in any order of time.
func NewJoin(kind JoinKind, left, right Node, condition expr.Expr) (Node, error) {
	j := &Join{Kind: kind}
	lefts := len(left.Columns())
	var rest, leftKeys, rightKeys, conjuncts []expr.Expr
	if condition != nil {
		conjuncts = expr.Conjuncts(condition)
	}
	for _, c := range conjuncts {
		l, r, ok := Equated(c, lefts)
		if ok {
			leftKeys, rightKeys = append(leftKeys, l), append(rightKeys, r)
		}
		// As keys two NaN are equal; a comparison says that they are not.
		if !ok || l.Type().IsApproximate() || r.Type().IsApproximate() {
			rest = append(rest, c)
		}
	}
	j.Left, j.LeftKeys = withKeys(left, leftKeys)
	j.Right, j.RightKeys = withKeys(right, rightKeys)
	shift := len(j.Left.Columns()) - lefts
	for i, c := range rest {
		rest[i] = Shift(c, lefts, shift)
	}
	if len(rest) > 0 {
		var err error
		if j.Condition, err = expr.NewAnd(rest...); err != nil {
			return nil, err
		}
	}
	j.Cols = JoinColumns(kind, j.Left, j.Right)
	if shift == 0 && len(j.Right.Columns()) == len(right.Columns()) {
		return j, nil
	}
	p := &Project{Input: j}
	for i, c := range j.Cols {
		if i < lefts || i >= lefts+shift && i < lefts+shift+len(right.Columns()) {
			p.Exprs = append(p.Exprs, expr.NewColumn(i, c.Name, c.Type))
			p.Cols = append(p.Cols, c)
		}
	}
	return p, nil
}

// JoinColumns are the columns of a join.
func JoinColumns(kind JoinKind, left, right Node) []Column {
	var cols []Column
	add := func(from []Column, padded bool) {
		for _, c := range from {
			c.Rowtime = false
			c.Edge, c.Window = NoEdge, nil
			if padded {
				c.Type.NotNull = false
			}
			cols = append(cols, c)
		}
	}
	add(left.Columns(), kind == RightJoin || kind == FullJoin)
	if !kind.Halves() {
		add(right.Columns(), kind == LeftJoin || kind == FullJoin)
	}
	return cols
}

// Equated takes a comparison for equality apart, if it is one of a value over the first lefts columns with one over the others, which then are numbered from 0.
func Equated(e expr.Expr, lefts int) (left, right expr.Expr, ok bool) {
	call, ok := e.(*expr.Call)
	if !ok || call.Function.Name != "=" {
		return nil, nil, false
	}
	left, right = call.Children()[0], call.Children()[1]
	if readsOnly(right, 0, lefts) && readsOnly(left, lefts, maxColumns) {
		left, right = right, left
	}
	if !readsOnly(left, 0, lefts) || !readsOnly(right, lefts, maxColumns) {
		return nil, nil, false
	}
	return left, Shift(right, 0, -lefts), true
}

const maxColumns = 1 << 30

// readsOnly reports whether e reads columns, and only ones from lo to hi-1.
func readsOnly(e expr.Expr, lo, hi int) bool {
	cols := expr.Columns(e)
	return len(cols) > 0 && cols[0] >= lo && cols[len(cols)-1] < hi
}

// Shift moves the columns of e from number from on by so many places.
func Shift(e expr.Expr, from, by int) expr.Expr {
	if by == 0 {
		return e
	}
	return expr.Map(e, func(e expr.Expr) expr.Expr {
		if c, ok := e.(*expr.Column); ok && c.Index >= from {
			return expr.NewColumn(c.Index+by, c.Name, c.Type())
		}
		return e
	})
}

// withKeys makes n yield keys too, behind its columns unless they are among them.
func withKeys(n Node, keys []expr.Expr) (Node, []int) {
	cols := n.Columns()
	p := &Project{Input: n, Cols: slices.Clone(cols)}
	for i, c := range cols {
		p.Exprs = append(p.Exprs, expr.NewColumn(i, c.Name, c.Type))
	}
	at := make([]int, len(keys))
	for i, k := range keys {
		at[i] = slices.IndexFunc(p.Exprs, func(e expr.Expr) bool { return expr.Equal(e, k) })
		if at[i] < 0 {
			at[i] = len(p.Exprs)
			p.Exprs = append(p.Exprs, k)
			p.Cols = append(p.Cols, Column{Name: k.String(), Type: k.Type()})
		}
	}
	if len(p.Exprs) == len(cols) {
		return n, at
	}
	return p, at
}

// Columns implements Node.
func (j *Join) Columns() []Column { return j.Cols }

// Children implements Node.
func (j *Join) Children() []Node { return []Node{j.Left, j.Right} }

func (j *Join) describe() string {
	left, right := j.Left.Columns(), j.Right.Columns()
	var parts []string
	for i, k := range j.LeftKeys {
		parts = append(parts, left[k].Name+" = "+right[j.RightKeys[i]].Name)
	}
	if j.Condition != nil {
		parts = append(parts, j.Condition.String())
	}
	if len(parts) == 0 {
		return j.Kind.String() + "Join of every row with every row"
	}
	return j.Kind.String() + "Join on " + strings.Join(parts, " AND ")
}
