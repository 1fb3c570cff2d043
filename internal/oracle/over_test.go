package oracle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/types"
)

// first keeps the first rows of each key, in an order that need not tell them apart.
func (g *generator) first(in *step) *step {
	var keys, order []string
	for range g.IntN(3) {
		keys = append(keys, pickOne(g, in.columns...).name)
	}
	for range 1 + g.IntN(2) {
		order = append(order, pickOne(g, in.columns...).name+pickOne(g, "", " DESC", " DESC NULLS FIRST", " NULLS LAST"))
	}
	return g.numbered(in, keys, order, &step{})
}

// firstOfWindow keeps the first rows of each window and key. The order tells all rows apart that differ, for nobody knows in which order those of a window come.
func (g *generator) firstOfWindow(in *step) *step {
	if slices.ContainsFunc(in.columns, func(c column) bool { return c.rough }) || !slices.ContainsFunc(in.columns, func(c column) bool { return c.name == "window_start" }) {
		return in
	}
	keys := []string{"window_start", "window_end"}
	for range g.IntN(2) {
		keys = append(keys, pickOne(g, in.columns...).name)
	}
	g.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	var order []string
	for _, i := range g.Perm(len(in.columns)) {
		order = append(order, in.columns[i].name+pickOne(g, "", " DESC"))
	}
	return g.numbered(in, keys, order, &step{rowtime: in.rowtime, windowed: true})
}

// numbered makes out the rows of in with some numbers, in a step of its own around the one that numbers them.
func (g *generator) numbered(in *step, keys, order []string, out *step) *step {
	over := "ORDER BY " + strings.Join(order, ", ")
	if len(keys) > 0 {
		over = "PARTITION BY " + strings.Join(keys, ", ") + " " + over
	}
	name := g.fresh("rn")
	s := g.add(&step{from: in.name, columns: append(slices.Clip(in.columns), column{name: name, typ: types.BigIntType})})
	for _, c := range in.columns {
		s.items = append(s.items, c.name)
	}
	s.items = append(s.items, "ROW_NUMBER() OVER ("+over+") AS "+name)
	out.from, out.columns = s.name, in.columns
	if g.chance(2) {
		out.columns = s.columns
	}
	for _, c := range out.columns {
		out.items = append(out.items, c.name)
	}
	n := 1 + g.IntN(4)
	out.where = pickOne(g, fmt.Sprintf("%s <= %d", name, n), fmt.Sprintf("%s = %d", name, n), fmt.Sprintf("%s BETWEEN %d AND %d", name, n, n+g.IntN(3)), fmt.Sprintf("%d > %s", n+1, name))
	return g.add(out)
}

// over aggregates the rows before each row. What depends on the order of rows of one time is only asked of rows that come from tables.
func (g *generator) over(in *step) *step {
	var keys []string
	for range g.IntN(3) {
		keys = append(keys, pickOne(g, in.columns...).name)
	}
	window := "ORDER BY " + in.rowtime
	if len(keys) > 0 {
		window = "PARTITION BY " + strings.Join(keys, ", ") + " " + window
	}
	calls := g.overCalls(in)
	switch {
	case in.read && g.chance(3):
		calls = []column{{name: "ROW_NUMBER()", typ: types.BigIntType}}
	case in.read && g.chance(2):
		window += pickOne(g, " ROWS UNBOUNDED PRECEDING", fmt.Sprintf(" ROWS BETWEEN %d PRECEDING AND CURRENT ROW", g.IntN(4)))
	case g.chance(2):
		window += " RANGE BETWEEN " + g.interval(1+g.Int64N(6), g.jitter()) + " PRECEDING AND CURRENT ROW"
	}
	s := &step{from: in.name, rowtime: in.rowtime, columns: slices.Clone(in.columns), windowed: in.windowed}
	for _, c := range in.columns {
		s.items = append(s.items, c.name)
	}
	for _, c := range calls {
		s.addItem(g.fresh("o"), c.name+" OVER ("+window+")", c.typ)
	}
	return g.add(s)
}

// overCalls are calls of aggregates over columns of in, by the text of the call.
func (g *generator) overCalls(in *step) []column {
	calls := []column{{name: "COUNT(*)", typ: types.BigIntType}}
	for range g.IntN(3) {
		c := pickOne(g, in.columns...)
		switch {
		case c.typ.IsNumeric() && !c.rough && g.chance(2):
			calls = append(calls, column{name: "SUM(" + c.name + ")", typ: c.typ})
		case g.chance(2):
			calls = append(calls, column{name: "COUNT(DISTINCT " + c.name + ")", typ: types.BigIntType})
		default:
			calls = append(calls, column{name: pickOne(g, "MIN(", "MAX(") + c.name + ")", typ: c.typ})
		}
	}
	return calls
}
