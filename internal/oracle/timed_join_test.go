package oracle

import (
	"fmt"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/types"
)

// timedJoin joins rows by their times, with a table or with themselves. An input is read from a table, so that its rows have an order.
func (g *generator) timedJoin(in *step, kinds ...string) *step {
	other := g.tableStep(pickOne(g, g.trial.tables...))
	if g.chance(2) || !in.read {
		return g.sameWindow(in, other, pickOne(g, kinds...))
	}
	return g.nearTime(in, other, pickOne(g, kinds...))
}

// sides renames a key, a value and times of both inputs, and tells what must be equal.
func (g *generator) sides(left, right *step, times func(in *step) []column) (a, b *step, on string) {
	key := pickOne(g, types.BigIntType, types.StringType)
	side := func(in *step, letter string) *step {
		s := g.add(&step{from: in.name})
		for i, t := range []types.Type{key, types.BigIntType} {
			s.addItem(fmt.Sprintf("%s%d_%d", letter, len(g.trial.steps), i), g.expression(plain(in), t, 1), t)
		}
		for _, c := range times(in) {
			s.items, s.columns = append(s.items, c.name), append(s.columns, c)
		}
		return s
	}
	a, b = side(left, "l"), side(right, "r")
	var tests []string
	if !g.chance(4) {
		tests = append(tests, a.columns[0].name+" = "+b.columns[0].name)
	}
	if g.chance(3) {
		tests = append(tests, a.columns[1].name+pickOne(g, " > ", " <= ")+b.columns[1].name)
	}
	return a, b, strings.Join(append(tests, ""), " AND ")
}

// nearTime joins rows whose times are near each other.
func (g *generator) nearTime(left, right *step, kind string) *step {
	a, b, on := g.sides(left, right, func(in *step) []column { return []column{{name: in.rowtime, typ: g.timeType()}} })
	lt, rt := a.name+"."+left.rowtime, b.name+"."+right.rowtime
	low := g.Int64N(9) - 5
	high := low + g.Int64N(7)
	switch g.IntN(7) {
	case 0:
		on += fmt.Sprintf("%s = %s", lt, rt)
	case 1:
		on += fmt.Sprintf("%s > %s + %s AND %s + %s > %s", lt, rt, g.interval(low, g.jitter()), rt, g.interval(high, 0), lt)
	case 2:
		on += fmt.Sprintf("%s - %s <= %s AND %s >= %s + %s", rt, g.interval(-low, 0), lt, rt, lt, g.interval(-high, g.jitter()))
	case 3:
		on += fmt.Sprintf("%s BETWEEN TIMESTAMPADD(MILLISECOND, %d, %s) AND %s + %s", lt, low*g.unit/1000, rt, rt, g.interval(high, 0))
	case 4:
		on += fmt.Sprintf("%s BETWEEN %s - INTERVAL '%d' MONTH AND %s + %s", lt, rt, 1+g.IntN(2), rt, g.interval(high, 0))
	default:
		on += fmt.Sprintf("%s BETWEEN %s + %s AND %s + %s", lt, rt, g.interval(low, 0), rt, g.interval(high, 0))
	}
	s := &step{from: a.name + " " + kind + " JOIN " + b.name + " ON " + on, rowtime: "jt"}
	if kind == "INNER" && g.chance(3) {
		s.from, s.where = a.name+", "+b.name, on
	}
	for _, c := range append(a.columns[:2:2], b.columns[:2]...) {
		s.items, s.columns = append(s.items, c.name), append(s.columns, c)
	}
	of := lt
	if kind == "RIGHT" || kind == "INNER" && g.chance(2) {
		of = rt
	}
	s.addItem("jt", of, g.timeType())
	return g.add(s)
}

// sameWindow joins rows that are in one window.
func (g *generator) sameWindow(left, right *step, kind string) *step {
	if left.windowed {
		left = g.unwindowed(left)
	}
	call := g.window(left, pickOne(g, "TUMBLE", "HOP", "CUMULATE"), nil)
	assigned := func(in *step, call string) *step {
		s := g.add(&step{from: call})
		for _, c := range append(plain(in), g.edges()...) {
			s.items, s.columns = append(s.items, c.name), append(s.columns, c)
		}
		return s
	}
	l := assigned(left, call)
	r := assigned(right, strings.Replace(strings.Replace(call, "TABLE "+left.name+",", "TABLE "+right.name+",", 1), "DESCRIPTOR("+left.rowtime+")", "DESCRIPTOR("+right.rowtime+")", 1))
	a, b, on := g.sides(l, r, func(*step) []column { return g.edges() })
	on += fmt.Sprintf("%s.window_start = %s.window_start AND %s.window_end = %s.window_end", a.name, b.name, a.name, b.name)
	s := &step{from: a.name + " " + kind + " JOIN " + b.name + " ON " + on, rowtime: "window_time", windowed: true}
	columns := append(a.columns[:2:2], b.columns[:2]...)
	if kind == "LEFT" && g.chance(3) {
		s.from, s.where = a.name, pickOne(g, "", "NOT ")+"EXISTS (SELECT 1 FROM "+b.name+" WHERE "+on+")"
		columns = columns[:2]
	}
	for _, c := range columns {
		s.items, s.columns = append(s.items, c.name), append(s.columns, c)
	}
	of := a.name
	if kind == "RIGHT" {
		of = b.name
	}
	for _, c := range g.edges() {
		s.addItem(c.name, of+"."+c.name, c.typ)
	}
	return g.add(s)
}
