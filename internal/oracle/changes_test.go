package oracle

import (
	"fmt"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/types"
)

// changes makes steps without windows, whose results are updated.
func (g *generator) changes(in *step) *step {
	if g.chance(3) {
		in = g.selection(in)
	}
	for range 1 + g.IntN(3) {
		switch g.IntN(8) {
		case 0:
			in = g.distinct(in)
		case 1:
			in = g.joined(in, g.other(in))
		case 2:
			in = g.setOperation(in, g.other(in))
		case 3:
			in = g.filtered(in)
		case 4:
			in = g.first(in)
		default:
			in = g.grouping(in)
		}
	}
	return in
}

// other is a second input: a table, or the one at hand once more.
func (g *generator) other(in *step) *step {
	if g.chance(3) {
		return g.grouping(in)
	}
	return g.tableStep(pickOne(g, g.trial.tables...))
}

// filtered passes rows on for which a condition holds.
func (g *generator) filtered(in *step) *step {
	s := g.add(&step{from: in.name, columns: in.columns, where: g.condition(in.columns)})
	for _, c := range in.columns {
		s.items = append(s.items, c.name)
	}
	return s
}

// distinct makes one row of equal ones.
func (g *generator) distinct(in *step) *step {
	s := &step{from: in.name}
	for range 1 + g.IntN(2) {
		c := pickOne(g, in.columns...)
		s.items = append(s.items, c.name+" AS "+fmt.Sprintf("d%d_%d", len(g.trial.steps), len(s.items)))
		s.columns = append(s.columns, column{name: fmt.Sprintf("d%d_%d", len(g.trial.steps), len(s.columns)), typ: c.typ, rough: c.rough})
	}
	s.items[0] = "DISTINCT " + s.items[0]
	return g.add(s)
}

// grouping aggregates by key, maybe by several sets of keys.
func (g *generator) grouping(in *step) *step {
	s := &step{from: in.name}
	for i := range g.IntN(3) {
		name := fmt.Sprintf("k%d_%d", len(g.trial.steps), i)
		if g.chance(3) {
			t := pickOne(g, types.BigIntType, types.StringType, types.BooleanType)
			g.key(s, in, g.expression(in.columns, t, 1), name, t)
		} else {
			c := pickOne(g, in.columns...)
			g.key(s, in, c.name, name, c.typ)
		}
	}
	for i := range 1 + g.IntN(3) {
		call, c := g.changing(in)
		c.name = fmt.Sprintf("a%d_%d", len(g.trial.steps), i)
		s.items = append(s.items, call+" AS "+c.name)
		s.columns = append(s.columns, c)
	}
	if g.chance(4) {
		call, c := g.changing(in)
		s.having = g.test(call, c.typ)
	}
	if len(s.groupBy) > 0 && g.chance(3) {
		s.addItem(fmt.Sprintf("g%d", len(g.trial.steps)), "GROUPING("+strings.Join(s.groupBy, ", ")+")", types.BigIntType)
		keys := strings.Join(s.groupBy, ", ")
		s.groupBy = []string{pickOne(g, "CUBE ("+keys+")", "ROLLUP ("+keys+")", "GROUPING SETS (("+keys+"), ())")}
	}
	if g.chance(4) {
		s.where = g.condition(in.columns)
	}
	return g.add(s)
}

// changing is a call of an aggregate over columns of in, of which some depend on the order of the rows.
func (g *generator) changing(in *step) (call string, result column) {
	if g.chance(2) {
		return g.aggregate(in)
	}
	c := pickOne(g, in.columns...)
	if c.typ.Kind == types.String && g.chance(2) {
		return pickOne(g, "LISTAGG("+c.name+")", "LISTAGG("+c.name+", '; ')") + g.filter(in), column{typ: types.StringType}
	}
	return pickOne(g, "FIRST_VALUE(", "LAST_VALUE(") + c.name + ")" + g.filter(in), column{typ: c.typ, rough: c.rough}
}

// filter is a FILTER now and then.
func (g *generator) filter(in *step) string {
	if !g.chance(4) {
		return ""
	}
	return " FILTER (WHERE " + g.condition(plain(in)) + ")"
}

// renamed computes columns of some types, which are called by a letter and their place.
func (g *generator) renamed(in *step, letter string, shape []types.Type) *step {
	s := g.add(&step{from: in.name})
	for i, t := range shape {
		s.addItem(fmt.Sprintf("%s%d_%d", letter, len(g.trial.steps), i), g.expression(in.columns, t, 1), t)
	}
	return s
}

func (g *generator) joined(left, right *step) *step {
	key := pickOne(g, types.BigIntType, types.StringType)
	a := g.renamed(left, "l", []types.Type{key, types.BigIntType})
	b := g.renamed(right, "r", []types.Type{key, pickOne(g, types.BigIntType, types.StringType)})
	on := a.columns[0].name + " = " + b.columns[0].name
	if g.chance(3) {
		on += " AND " + g.test(a.columns[1].name, a.columns[1].typ)
	}
	s := &step{from: a.name + pickOne(g, " JOIN ", " LEFT JOIN ", " RIGHT JOIN ", " FULL JOIN ") + b.name + " ON " + on, columns: append(a.columns[:2:2], b.columns...)}
	if g.chance(4) {
		s.from, s.columns = a.name, a.columns
		s.where = pickOne(g, "", "NOT ") + "EXISTS (SELECT 1 FROM " + b.name + " WHERE " + on + ")"
	}
	for _, c := range s.columns {
		s.items = append(s.items, c.name)
	}
	return g.add(s)
}

func (g *generator) setOperation(left, right *step) *step {
	shape := []types.Type{pickOne(g, types.BigIntType, types.StringType), types.BooleanType}
	a, b := g.renamed(left, "o", shape), g.renamed(right, "o", shape)
	for i := range b.columns {
		b.items[i] = strings.TrimSuffix(b.items[i], b.columns[i].name) + a.columns[i].name
	}
	b.columns = a.columns
	s := &step{from: a.name, others: []string{b.name}, columns: a.columns, op: pickOne(g, "UNION", "INTERSECT", "INTERSECT ALL", "EXCEPT", "EXCEPT ALL")}
	for _, c := range s.columns {
		s.items = append(s.items, c.name)
	}
	return g.add(s)
}
