package oracle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// asOfChanges joins rows, which may be taken back, with versions that are upserts or whole changes.
func (g *generator) asOfChanges(in *step) *step {
	right := g.historyTable("v0", pickOne(g, "upsert", "retract"))
	g.trial.tables = append(g.trial.tables, right)
	if g.chance(2) {
		left := g.historyTable("o0", "retract")
		g.trial.tables = append(g.trial.tables, left)
		in = g.tableStep(left)
	}
	return g.asOf(in, right)
}

// historyTable is a table with a key and rows that are changes.
func (g *generator) historyTable(name, changelog string) *table {
	t := g.declared(name)
	t.columns = append(t.columns, column{name: "id", typ: pickOne(g, types.BigIntType, types.StringType, types.BooleanType)})
	t.key, t.changelog = []string{"id"}, changelog
	g.rows(t)
	id := len(t.physical()) - 1
	for _, chunks := range t.splits {
		there := map[Value]Row{}
		for i, chunk := range chunks {
			var all []Row
			for _, row := range chunk {
				all = append(all, g.changesTo(t, row, there[row[id]], there, id)...)
			}
			chunks[i] = all
		}
	}
	return t
}

// changesTo makes row take the place of old, which is nil if there is none, or ends old at its own time or that of row.
func (g *generator) changesTo(t *table, row, old Row, there map[Value]Row, id int) []Row {
	as := func(row Row, op vector.Op) Row { return append(slices.Clip(row), Value{Int: int64(op)}) }
	key := row[id]
	switch {
	case old == nil && (t.changelog == "retract" || !g.chance(6)):
		there[key] = row
		return []Row{as(row, vector.Insert)}
	case g.chance(4):
		delete(there, key)
		if t.changelog == "retract" && g.chance(2) {
			row = old
		}
		return []Row{as(row, vector.Delete)}
	}
	there[key] = row
	if t.changelog == "upsert" {
		return []Row{as(row, vector.UpdateAfter)}
	}
	return []Row{as(old, vector.UpdateBefore), as(row, vector.UpdateAfter)}
}

// asOf joins rows with the versions of t that hold at their time. Behind it nobody knows in which order rows of one time come.
func (g *generator) asOf(in *step, t *table) *step {
	right, keys := g.versions(t)
	left := g.add(&step{from: in.name})
	for i, k := range keys {
		left.addItem(fmt.Sprintf("l%d_%d", len(g.trial.steps), i), g.expression(in.columns, k.typ, 1), k.typ)
	}
	left.addItem(fmt.Sprintf("l%d_v", len(g.trial.steps)), g.expression(in.columns, types.BigIntType, 1), types.BigIntType)
	left.addItem("lt", in.rowtime, g.timeType())

	s := &step{rowtime: "lt"}
	var on []string
	for i, k := range keys {
		on = append(on, left.columns[i].name+" = v."+k.name)
	}
	for _, c := range left.columns {
		s.items, s.columns = append(s.items, c.name), append(s.columns, c)
	}
	for i, c := range right.columns {
		s.addItem(fmt.Sprintf("v%d_%d", len(g.trial.steps), i), "v."+c.name, c.typ)
	}
	if g.chance(3) {
		c := pickOne(g, right.columns...)
		on = append(on, g.test("v."+c.name, c.typ))
	}
	if g.chance(6) {
		on = append(on, "v."+t.rowtime+" > "+left.name+".lt - "+g.interval(1+g.Int64N(8), 0))
	}
	g.Shuffle(len(on), func(i, j int) { on[i], on[j] = on[j], on[i] })
	s.from = fmt.Sprintf("%s %s %s FOR SYSTEM_TIME AS OF %s.lt AS v ON %s", left.name, pickOne(g, "JOIN", "LEFT JOIN", "LEFT JOIN"), right.name, left.name, strings.Join(on, " AND "))
	return g.add(s)
}

// versions is t, if it has a key, or the last rows of some key in t, and the columns of that key.
func (g *generator) versions(t *table) (*step, []column) {
	in := g.tableStep(t)
	if t.changelog != "" || len(t.key) > 0 && g.chance(2) {
		return in, slices.DeleteFunc(slices.Clone(t.columns), func(c column) bool { return !slices.Contains(t.key, c.name) })
	}
	keys := g.exact(in.columns)
	if len(keys) == 0 {
		return g.constant(in)
	}
	return g.latest(in, keys), keys
}

// exact is one or two columns that are no DOUBLE and no time attribute, none if there are none.
func (g *generator) exact(from []column) []column {
	columns := slices.DeleteFunc(slices.Clone(from), func(c column) bool { return c.typ.IsApproximate() || c.name == "ts" || c.computed != "" })
	g.Shuffle(len(columns), func(i, j int) { columns[i], columns[j] = columns[j], columns[i] })
	return columns[:min(len(columns), 1+g.IntN(2))]
}

// constant is the last row of all.
func (g *generator) constant(in *step) (*step, []column) {
	s := g.add(&step{from: in.name, rowtime: in.rowtime, columns: slices.Clone(in.columns), read: true})
	for _, c := range in.columns {
		s.items = append(s.items, c.name)
	}
	s.addItem("one", "TRUE", types.BooleanType)
	keys := s.columns[len(s.columns)-1:]
	return g.latest(s, keys), keys
}

// latest is the last rows of a key, by time.
func (g *generator) latest(in *step, keys []column) *step {
	var names []string
	for _, k := range keys {
		names = append(names, k.name)
	}
	s := &step{columns: in.columns, rowtime: in.rowtime, where: "rn = 1",
		from: fmt.Sprintf("(SELECT *, ROW_NUMBER() OVER (PARTITION BY %s ORDER BY %s DESC) AS rn FROM %s)", strings.Join(names, ", "), in.rowtime, in.name)}
	for _, c := range in.columns {
		s.items = append(s.items, c.name)
	}
	return g.add(s)
}
