package plan

import (
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
)

// Join meets the rows of Left with those of Right. Its columns are those of both sides, of a SemiJoin or AntiJoin those of Left.
type Join struct {
	Kind        JoinKind
	Left, Right Node
	// LeftKeys and RightKeys are columns that must be equal, in pairs.
	LeftKeys, RightKeys []int
	// Condition is what else must hold of a pair, over the columns of both sides; nil if nothing.
	Condition expr.Expr
	// Interval makes it an interval join, whose rows match only if their times are near each other, and Windows a window join, whose rows match only in one window. Both only append.
	// At most one is set; neither is of an ordinary join.
	Interval *Interval
	Windows  *WindowPair
	Cols     []Column
	// TTL is that of the rows of either side, unless the join is about time.
	TTL [2]TTL
}

// Timed reports whether event time tells when rows of the join have no match any more.
func (j *Join) Timed() bool { return j.Interval != nil || j.Windows != nil }

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
// for which columns are added to the sides if need be. The columns of the result are those of both sides as they were. If the condition is about time it is an interval join or a window
// join; otherwise a time attribute becomes an ordinary timestamp, for rows leave a join in any order of time.
func NewJoin(kind JoinKind, left, right Node, condition expr.Expr) (Node, error) {
	j := &Join{Kind: kind}
	var conjuncts []expr.Expr
	if condition != nil {
		conjuncts = expr.Conjuncts(condition)
	}
	if j.Windows, conjuncts = windowsOf(left, right, conjuncts); j.Windows == nil && !kind.Halves() {
		j.Interval, conjuncts = intervalOf(left, right, conjuncts)
	}
	return j.on(left, right, conjuncts)
}

// Again is j with other inputs of the same columns, and one more condition, nil for none.
func (j *Join) Again(left, right Node, more []expr.Expr) (Node, error) {
	lefts := len(j.Left.Columns())
	for i, l := range j.LeftKeys {
		r := j.RightKeys[i]
		e, err := expr.NewCall(function.MustScalar("="), []expr.Expr{
			expr.NewColumn(l, j.Left.Columns()[l].Name, j.Left.Columns()[l].Type), expr.NewColumn(lefts+r, j.Right.Columns()[r].Name, j.Right.Columns()[r].Type)})
		if err != nil {
			return nil, err
		}
		more = append(more, e)
	}
	if j.Condition != nil {
		more = append(more, expr.Conjuncts(j.Condition)...)
	}
	again := &Join{Kind: j.Kind, Interval: j.Interval, Windows: j.Windows, TTL: j.TTL}
	if !j.Timed() {
		if again.Windows, more = windowsOf(left, right, more); again.Windows == nil && !j.Kind.Halves() {
			again.Interval, more = intervalOf(left, right, more)
		}
	}
	return again.on(left, right, more)
}

// on completes a join with its inputs and all conditions that are not about time.
func (j *Join) on(left, right Node, conjuncts []expr.Expr) (Node, error) {
	lefts := len(left.Columns())
	var rest, leftKeys, rightKeys []expr.Expr
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
	j.Cols = j.columns()
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

// columns are those of j. Rows of a join that is about time leave before the watermark passes them: of an interval join the two times stay time attributes, of a window join the windows
// of the sides whose rows are never missing.
func (j *Join) columns() []Column {
	cols := JoinColumns(j.Kind, j.Left, j.Right)
	lefts := len(j.Left.Columns())
	if v := j.Interval; v != nil {
		cols[v.LeftTime].Rowtime, cols[lefts+v.RightTime].Rowtime = true, true
	}
	if w := j.Windows; w != nil {
		if j.Kind != RightJoin && j.Kind != FullJoin {
			w.mark(cols, j.Left.Columns())
		}
		if j.Kind == InnerJoin || j.Kind == RightJoin {
			w.mark(cols[lefts:], j.Right.Columns())
		}
	}
	return cols
}

// Narrowed is j over inputs from which columns are gone: left and right tell where those that j reads are now.
func (j *Join) Narrowed(leftNode, rightNode Node, left, right func(column int) int, condition expr.Expr) *Join {
	n := &Join{Kind: j.Kind, Left: leftNode, Right: rightNode, Condition: condition, TTL: j.TTL}
	for i := range j.LeftKeys {
		n.LeftKeys, n.RightKeys = append(n.LeftKeys, left(j.LeftKeys[i])), append(n.RightKeys, right(j.RightKeys[i]))
	}
	if v := j.Interval; v != nil {
		n.Interval = &Interval{LeftTime: left(v.LeftTime), RightTime: right(v.RightTime), Low: v.Low, High: v.High}
	}
	if w := j.Windows; w != nil {
		n.Windows = &WindowPair{Windows: w.Windows, Start: [2]int{left(w.Start[0]), right(w.Start[1])}, End: [2]int{left(w.End[0]), right(w.End[1])}}
	}
	n.Cols = n.columns()
	return n
}

// Reads are the columns of either side that j needs, without those of its condition.
func (j *Join) Reads() (left, right []int) {
	left, right = slices.Clone(j.LeftKeys), slices.Clone(j.RightKeys)
	if v := j.Interval; v != nil {
		left, right = append(left, v.LeftTime), append(right, v.RightTime)
	}
	if w := j.Windows; w != nil {
		left, right = append(left, w.Start[0], w.End[0]), append(right, w.Start[1], w.End[1])
	}
	return left, right
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
	name := j.Kind.String() + "Join"
	var parts []string
	switch {
	case j.Interval != nil:
		name = j.Kind.String() + "IntervalJoin"
		if v := j.Interval; v.Low != 0 || v.High != 0 || !slices.Contains(j.LeftKeys, v.LeftTime) {
			parts = append(parts, v.describe(left, right))
		}
	case j.Windows != nil:
		name = j.Kind.String() + "WindowJoin"
		parts = append(parts, j.Windows.Windows.String())
	}
	for i, k := range j.LeftKeys {
		parts = append(parts, left[k].Name+" = "+right[j.RightKeys[i]].Name)
	}
	if j.Condition != nil {
		parts = append(parts, j.Condition.String())
	}
	if len(parts) == 0 {
		return name + " of every row with every row"
	}
	return name + " on " + strings.Join(parts, " AND ")
}
