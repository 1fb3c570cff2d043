package expr

import (
	"reflect"
	"slices"
)

// Map rebuilds e from the leaves up: f is given each node after its operands were replaced, and returns what stands in its place. Parts that f
// leaves alone are shared with e.
func Map(e Expr, f func(Expr) Expr) Expr {
	children := e.Children()
	var changed []Expr
	for i, child := range children {
		mapped := Map(child, f)
		if mapped == child {
			continue
		}
		if changed == nil {
			changed = slices.Clone(children)
		}
		changed[i] = mapped
	}
	if changed != nil {
		e = e.withChildren(changed)
	}
	return f(e)
}

// Equal reports whether a and b compute the same in the same way; names of columns do not count.
func Equal(a, b Expr) bool {
	return reflect.TypeOf(a) == reflect.TypeOf(b) && a.same(b) && slices.EqualFunc(a.Children(), b.Children(), Equal)
}

// Columns lists the numbers of the columns that e reads, ascending.
func Columns(e Expr) []int {
	var columns []int
	collectColumns(e, &columns)
	slices.Sort(columns)
	return slices.Compact(columns)
}

func collectColumns(e Expr, columns *[]int) {
	if c, ok := e.(*Column); ok {
		*columns = append(*columns, c.Index)
	}
	for _, child := range e.Children() {
		collectColumns(child, columns)
	}
}
