package oracle

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/types"
)

// generator makes trials. Everything follows from its seed.
type generator struct {
	*rand.Rand
	trial trial
	// unit is the length by which windows, gaps, delays and the times of rows are measured in this trial, microseconds.
	unit int64
	base int64 // of the times of rows
	ltz  bool  // time attributes are TIMESTAMP_LTZ
	// nullTimes says that rows may come without a time, and are dropped for it.
	nullTimes bool
}

func newTrial(seed uint64) *trial {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0x71de))}
	g.setting()
	for i := range 1 + g.IntN(2) {
		g.trial.tables = append(g.trial.tables, g.table(fmt.Sprintf("t%d", i)))
	}
	g.statement()
	return &g.trial
}

func pickOne[T any](g *generator, from ...T) T { return from[g.IntN(len(from))] }

// chance is true in one of n cases.
func (g *generator) chance(n int) bool { return g.IntN(n) == 0 }

// setting decides on what the whole trial has in common.
func (g *generator) setting() {
	g.unit = pickOne[int64](g, 1_000, second, second, 60*second, 3600*second)
	g.base = pickOne[int64](g, 0, -20*g.unit, 1_700_000_000*second)
	g.ltz = g.chance(3)
	if g.ltz {
		g.trial.zone = pickOne(g, "UTC", "Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe")
		if g.trial.zone != "UTC" {
			// Hours around a transition, seen from Berlin; the others are near one of theirs in some cases.
			g.base = pickOne[int64](g, 1_743_292_800, 1_761_436_800, 1_743_858_000, 1_730_611_800)*second - 10*g.unit
		}
	}
	g.trial.views = g.chance(2)
	if g.chance(3) {
		g.trial.settings = append(g.trial.settings, "'sql.profile' = 'flink'")
	}
	if g.nullTimes = g.chance(5); g.nullTimes {
		g.trial.settings = append(g.trial.settings, "'table.exec.source.rowtime-null-handling' = 'DROP'")
	}
}

// interval writes n units and extra milliseconds as a literal.
func (g *generator) interval(n int64, extra int64) string {
	micros := n*g.unit + extra*1000
	sign := ""
	if micros < 0 {
		sign, micros = "-", -micros
	}
	return fmt.Sprintf("INTERVAL '%s%d.%03d' SECOND", sign, micros/second, micros%second/1000)
}

// jitter is an odd millisecond now and then, to be just beside a boundary.
func (g *generator) jitter() int64 { return pickOne[int64](g, 0, 0, 0, 0, 1, -1) }

var tableColumnTypes = []types.Type{types.BooleanType, types.IntType, types.BigIntType, types.DoubleType, types.StringType,
	types.StringType, types.TimestampType, types.TimestampLTZType}

func (g *generator) table(name string) *table {
	t := g.declared(name)
	if g.chance(3) {
		for _, c := range g.exact(t.columns) {
			t.key = append(t.key, c.name)
		}
	}
	g.division(t)
	g.rows(t)
	return t
}

// declared is a table without rows.
func (g *generator) declared(name string) *table {
	t := &table{name: name, rowtime: "ts"}
	for i := range 1 + g.IntN(3) {
		t.columns = append(t.columns, column{name: fmt.Sprintf("c%d", i), typ: pickOne(g, tableColumnTypes...)})
	}
	if g.ltz {
		if g.chance(2) {
			t.columns = append(t.columns, column{name: "ms", typ: types.BigIntType}, column{name: "ts", typ: types.TimestampLTZType, computed: "TO_TIMESTAMP_LTZ(ms, 3)"})
		} else {
			t.columns = append(t.columns, column{name: "ts", typ: types.TimestampLTZType})
		}
	} else {
		t.columns = append(t.columns, column{name: "ts", typ: types.TimestampType})
	}
	g.Shuffle(len(t.columns), func(i, j int) { t.columns[i], t.columns[j] = t.columns[j], t.columns[i] })
	t.watermark = "ts"
	if delay := g.IntN(8); delay > 0 {
		t.watermark = "ts - " + g.interval(int64(delay), g.jitter())
	}
	switch g.IntN(6) {
	case 0:
		t.options = []string{"'scan.watermark.emit.strategy' = 'on-event'", fmt.Sprintf("'scan.watermark.emit.on-event.gap' = '%d'", 1+g.IntN(5))}
	case 1:
		t.options = []string{"'scan.watermark.emit.strategy' = 'on-periodic'"}
	}
	return t
}

// division makes the watermark of t hang on values of its rows or on the last of them, in some trials.
func (g *generator) division(t *table) {
	if g.chance(4) {
		column := t.columns[g.IntN(len(t.columns))]
		key := pickOne(g, "dimension", "producer")
		t.options = append(t.options, fmt.Sprintf("'watermark.%s' = '%s'", key, column.name))
		switch {
		case key == "producer" && g.chance(2):
			if other := t.columns[g.IntN(len(t.columns))]; other.name != column.name {
				t.options = append(t.options, fmt.Sprintf("'watermark.dimension' = '%s'", other.name))
			}
		case g.chance(3):
			t.options = append(t.options, fmt.Sprintf("'watermark.dimension.values' = '%s'", pickOne(g, "a", "a; TRUE", "1; 2", "FALSE")))
		}
	}
	if g.chance(6) {
		t.options = append(t.options, fmt.Sprintf("'watermark.last-n' = '%d'", 1+g.IntN(6)))
	}
}

// rows fills the splits: times move on, each with its own lead or lag, so that they come out of order within and between splits.
func (g *generator) rows(t *table) {
	step, spread := g.Int64N(3), 1+g.Int64N(12)
	chunk := 1 + g.IntN(6)
	for split := range 1 + g.IntN(4) {
		var chunks [][]Row
		now := g.base + int64(split)*g.Int64N(4)*g.unit
		for range g.IntN(9) * g.IntN(9) / (split + 1) {
			now += step * g.unit
			at := now + (g.Int64N(2*spread)-spread)*g.unit + g.jitter()*1000
			row := g.row(t, at)
			if n := len(chunks); n > 0 && len(chunks[n-1]) < chunk {
				chunks[n-1] = append(chunks[n-1], row)
			} else {
				chunks = append(chunks, []Row{row})
			}
		}
		t.splits = append(t.splits, chunks)
	}
}

func (g *generator) row(t *table, at int64) Row {
	var row Row
	for _, c := range t.physical() {
		switch {
		case (c.name == "ts" || c.name == "ms") && g.nullTimes && g.chance(6):
			row = append(row, Value{Null: true})
		case c.name == "ts":
			row = append(row, Value{Int: at})
		case c.name == "ms":
			row = append(row, Value{Int: at / 1000})
		case slices.Contains(t.key, c.name):
			row = append(row, g.known(c.typ))
		default:
			row = append(row, g.value(c.typ))
		}
	}
	return row
}

// value is from a small set, so that groups meet.
func (g *generator) value(t types.Type) Value {
	if g.chance(6) {
		return Value{Null: true}
	}
	return g.known(t)
}

// known is a value that is not NULL.
func (g *generator) known(t types.Type) Value {
	switch t.Kind {
	case types.Boolean:
		return Value{Int: g.Int64N(2)}
	case types.Double:
		// Quarters add up exactly in any order.
		return Value{Double: float64(g.IntN(41)-20) / 4}
	case types.String:
		return Value{Text: pickOne(g, "", "a", "b", "ab", "ä", "A", "a long string beyond any inline limit", "x'y")}
	case types.Timestamp, types.TimestampLTZ:
		return Value{Int: g.base + g.Int64N(10)*g.unit}
	case types.Int:
		if g.chance(20) {
			return Value{Int: pickOne[int64](g, -1<<31, 1<<31-1)}
		}
	case types.BigInt:
		if g.chance(20) {
			return Value{Int: pickOne[int64](g, -1<<63+1, 1<<63-1)}
		}
	}
	return Value{Int: g.Int64N(7) - 3}
}

// statement makes steps, each over an input that has a time attribute, and a last one that shows the outcome.
func (g *generator) statement() {
	in := g.tableStep(g.trial.tables[0])
	if len(g.trial.tables) > 1 || g.chance(6) {
		in = g.union(in, g.tableStep(g.trial.tables[len(g.trial.tables)-1]))
	}
	switch {
	case g.chance(3):
		in = g.changes(in)
	case g.chance(6):
		in = g.timedJoin(in, "INNER", "LEFT", "RIGHT", "FULL")
	case g.chance(8):
		in = g.asOf(in, pickOne(g, g.trial.tables...))
	case g.chance(8):
		in = g.asOfChanges(in)
	default:
		in = g.windows(in)
	}
	last := &step{from: in.name, columns: in.columns}
	for _, c := range in.columns {
		last.items = append(last.items, c.name)
	}
	if g.chance(3) {
		last.items = append(last.items, g.expression(in.columns, pickOne(g, types.BigIntType, types.StringType, types.BooleanType), 2))
	}
	if g.chance(4) {
		last.where = g.condition(in.columns)
	}
	g.trial.steps = append(g.trial.steps, last)
}

// windows makes steps that assign rows to windows and aggregate by them.
func (g *generator) windows(in *step) *step {
	for range 1 + g.IntN(3) {
		switch {
		case g.chance(8):
			in = g.union(g.aggregation(in), g.aggregation(in))
		case in.windowed && g.chance(3):
			in = g.regroup(in)
		case g.chance(8):
			in = g.timedJoin(in, "INNER", "LEFT", "RIGHT")
		case g.chance(8):
			in = g.asOf(in, pickOne(g, g.trial.tables...))
		case g.chance(5):
			in = g.selection(in)
		case g.chance(6):
			in = g.windowed(in)
		case in.windowed && g.chance(5):
			in = g.firstOfWindow(in)
		case g.chance(6):
			in = g.over(in)
		case g.chance(6):
			in = g.matched(in)
		default:
			in = g.aggregation(in)
		}
	}
	return in
}

func (g *generator) add(s *step) *step {
	s.name = fmt.Sprintf("s%d", len(g.trial.steps))
	g.trial.steps = append(g.trial.steps, s)
	return s
}

// tableStep stands for a table; it is none of the steps of the trial.
func (g *generator) tableStep(t *table) *step {
	return &step{name: t.name, columns: t.columns, rowtime: t.rowtime, read: true}
}

// union puts two inputs together: the time attribute and a column or two of each, brought to common types.
func (g *generator) union(left, right *step) *step {
	shape := []types.Type{pickOne(g, types.BigIntType, types.StringType, types.DoubleType), pickOne(g, types.BigIntType, types.StringType)}
	rename := func(in *step) *step {
		s := g.add(&step{from: in.name, rowtime: "ts", read: in.read})
		for i, t := range shape {
			s.items = append(s.items, fmt.Sprintf("%s AS u%d", g.expression(in.columns, t, 1), i))
			s.columns = append(s.columns, column{name: fmt.Sprintf("u%d", i), typ: t})
		}
		s.items = append(s.items, in.rowtime+" AS ts")
		s.columns = append(s.columns, column{name: "ts", typ: g.timeType()})
		return s
	}
	a, b := rename(left), rename(right)
	u := g.add(&step{from: a.name, others: []string{b.name}, columns: a.columns, rowtime: "ts", read: a.read && b.read})
	for _, c := range u.columns {
		u.items = append(u.items, c.name)
	}
	return u
}

func (g *generator) timeType() types.Type {
	if g.ltz {
		return types.TimestampLTZType
	}
	return types.TimestampType
}

// selection passes some columns on, computes others, and filters.
func (g *generator) selection(in *step) *step {
	s := g.add(&step{from: in.name, rowtime: in.rowtime, windowed: in.windowed, read: in.read})
	for _, c := range in.columns {
		window := strings.HasPrefix(c.name, "window_")
		if c.name == in.rowtime || window && in.windowed || g.IntN(3) > 0 {
			s.items = append(s.items, c.name)
			s.columns = append(s.columns, c)
		}
	}
	for range g.IntN(3) {
		t := pickOne(g, types.BigIntType, types.StringType, types.DoubleType, types.BooleanType)
		s.addItem(g.fresh("x"), g.expression(in.columns, t, 2), t)
	}
	if in.read && g.chance(4) {
		s.addItem(g.fresh("w"), "CURRENT_WATERMARK("+in.rowtime+")", g.timeType())
	}
	if g.chance(4) {
		name := g.fresh("e")
		s.from += " " + g.unnest(in.columns, name)
		s.addItem(g.fresh("x"), name, types.BigIntType)
	}
	if g.chance(2) {
		s.where = g.condition(in.columns)
	}
	return s
}

// unnest makes rows of the elements of an array that may be empty or NULL.
func (g *generator) unnest(columns []column, name string) string {
	array := fmt.Sprintf("ARRAY_REMOVE(ARRAY[%s, %s, 1], CAST(1 AS BIGINT))", g.expression(columns, types.BigIntType, 1), g.expression(columns, types.BigIntType, 1))
	if g.chance(3) {
		array = fmt.Sprintf("CASE WHEN %s THEN %s END", g.condition(columns), array)
	}
	if g.chance(2) {
		return fmt.Sprintf("LEFT JOIN UNNEST(%s) AS n (%s) ON TRUE", array, name)
	}
	return fmt.Sprintf("CROSS JOIN UNNEST(%s) AS n (%s)", array, name)
}

func (s *step) addItem(name, expression string, t types.Type) {
	s.items = append(s.items, expression+" AS "+name)
	s.columns = append(s.columns, column{name: name, typ: t})
}

// fresh is a column name that no other step uses.
func (g *generator) fresh(prefix string) string {
	return fmt.Sprintf("%s%d_%d", prefix, len(g.trial.steps), g.IntN(1000))
}

// window is a call of a window function. partition is for SESSION.
func (g *generator) window(in *step, kind string, partition []string) string {
	slide := 1 + g.Int64N(4)
	size := slide * (1 + g.Int64N(4))
	args := []string{"TABLE " + in.name, "DESCRIPTOR(" + in.rowtime + ")"}
	switch kind {
	case "TUMBLE":
		args = append(args, g.interval(size, 0))
	case "SESSION":
		if len(partition) > 0 {
			args[0] += " PARTITION BY " + strings.Join(partition, ", ")
		}
		extra := g.jitter()
		gap := 1 + g.Int64N(5)
		if extra < 0 {
			gap++
		}
		args = append(args, g.interval(gap, extra))
	case "HOP":
		if g.chance(8) {
			slide, size = size, slide // gaps between windows
		}
		args = append(args, g.interval(slide, 0), g.interval(size, 0))
	case "CUMULATE":
		args = append(args, g.interval(slide, 0), g.interval(size, 0))
	}
	if kind != "SESSION" && g.chance(3) {
		args = append(args, g.interval(g.Int64N(9)-4, g.jitter()))
	}
	return kind + "(" + strings.Join(args, ", ") + ")"
}

// edges are the columns of a window function.
func (g *generator) edges() []column {
	return []column{{name: "window_start", typ: types.TimestampType}, {name: "window_end", typ: types.TimestampType}, {name: "window_time", typ: g.timeType()}}
}

// plain is the columns of in but those of an earlier window function.
func plain(in *step) []column {
	return slices.DeleteFunc(slices.Clone(in.columns), func(c column) bool { return strings.HasPrefix(c.name, "window_") })
}

// windowed assigns windows without aggregating.
func (g *generator) windowed(in *step) *step {
	if in.windowed {
		in = g.unwindowed(in)
	}
	s := g.add(&step{from: g.window(in, pickOne(g, "TUMBLE", "HOP", "CUMULATE"), nil), rowtime: "window_time", windowed: true})
	for _, c := range append(plain(in), g.edges()...) {
		s.items = append(s.items, c.name)
		s.columns = append(s.columns, c)
	}
	if g.chance(3) {
		s.where = g.condition(s.columns)
	}
	return s
}

// unwindowed renames what an earlier window function added, so that the next one can add its own columns.
func (g *generator) unwindowed(in *step) *step {
	s := g.add(&step{from: in.name, rowtime: "wt"})
	for _, c := range in.columns {
		name := c.name
		switch name {
		case "wt", "ws", "we":
			continue // of a window before the last one
		case "window_time":
			name = "wt"
		case "window_start":
			name = "ws"
		case "window_end":
			name = "we"
		}
		s.items = append(s.items, c.name+" AS "+name)
		s.columns = append(s.columns, column{name: name, typ: c.typ, rough: c.rough})
	}
	return s
}

// aggregation aggregates by window and keys straight from a window function.
func (g *generator) aggregation(in *step) *step {
	if in.windowed {
		in = g.unwindowed(in)
	}
	kind := pickOne(g, "TUMBLE", "HOP", "CUMULATE", "SESSION")
	s := &step{rowtime: "window_time", windowed: true}
	var partition []string
	for i := range g.IntN(3) {
		c := pickOne(g, in.columns...)
		if kind == "SESSION" {
			if slices.Contains(partition, c.name) {
				continue
			}
			partition = append(partition, c.name)
			g.key(s, in, c.name, c.name, c.typ)
		} else if g.chance(3) {
			t := pickOne(g, types.BigIntType, types.StringType, types.BooleanType, types.DoubleType)
			g.key(s, in, g.expression(in.columns, t, 1), fmt.Sprintf("k%d_%d", len(g.trial.steps), i), t)
		} else {
			g.key(s, in, c.name, fmt.Sprintf("k%d_%d", len(g.trial.steps), i), c.typ)
		}
	}
	s.from = g.window(in, kind, partition)
	if kind != "SESSION" && g.chance(4) {
		s.where = g.condition(in.columns)
	}
	g.edgesAndAggregates(s, in)
	return g.add(s)
}

func (g *generator) key(s *step, in *step, expression, name string, t types.Type) {
	s.groupBy = append(s.groupBy, expression)
	s.items = append(s.items, expression+" AS "+name)
	s.columns = append(s.columns, column{name: name, typ: t, rough: slices.ContainsFunc(in.columns, func(c column) bool { return c.rough })})
}

// regroup aggregates rows that carry their window.
func (g *generator) regroup(in *step) *step {
	s := &step{from: in.name, rowtime: "window_time", windowed: true}
	for i := range g.IntN(1 + min(2, len(plain(in)))) {
		c := pickOne(g, plain(in)...)
		g.key(s, in, c.name, fmt.Sprintf("k%d_%d", len(g.trial.steps), i), c.typ)
	}
	if g.chance(4) {
		s.where = g.condition(in.columns)
	}
	g.edgesAndAggregates(s, in)
	return g.add(s)
}

func (g *generator) edgesAndAggregates(s *step, in *step) {
	for _, c := range g.edges() {
		s.groupBy = append(s.groupBy, c.name)
		s.items = append(s.items, c.name)
		s.columns = append(s.columns, c)
	}
	g.Shuffle(len(s.groupBy), func(i, j int) { s.groupBy[i], s.groupBy[j] = s.groupBy[j], s.groupBy[i] })
	for i := range 1 + g.IntN(3) {
		call, c := g.aggregate(in)
		c.name = fmt.Sprintf("a%d_%d", len(g.trial.steps), i)
		s.items = append(s.items, call+" AS "+c.name)
		s.columns = append(s.columns, c)
	}
	if g.chance(4) {
		call, c := g.aggregate(in)
		s.having = g.test(call, c.typ)
	}
}

// aggregate is a call over columns of in.
func (g *generator) aggregate(in *step) (call string, result column) {
	columns := plain(in)
	if len(columns) == 0 {
		return "COUNT(*)", column{typ: types.BigIntType}
	}
	c := pickOne(g, columns...)
	arg := c.name
	if g.chance(4) && !c.rough {
		arg = g.expression([]column{c}, c.typ, 1)
	}
	filter := g.filter(in)
	switch g.IntN(6) {
	case 0:
		return "COUNT(" + arg + ")" + filter, column{typ: types.BigIntType}
	case 1:
		return "COUNT(DISTINCT " + arg + ")" + filter, column{typ: types.BigIntType}
	case 2:
		return "MIN(" + arg + ")" + filter, column{typ: c.typ, rough: c.rough}
	case 3:
		return "MAX(" + arg + ")" + filter, column{typ: c.typ, rough: c.rough}
	}
	if c.typ.IsNumeric() && !c.rough {
		arg = pickOne(g, "", "", "DISTINCT ") + arg
		switch g.IntN(5) {
		case 0, 1:
			return "SUM(" + arg + ")" + filter, column{typ: c.typ}
		case 2:
			return "PERCENTILE(" + arg + ", 0.25e0)" + filter, column{typ: types.DoubleType, rough: true}
		}
		return "AVG(" + arg + ")" + filter, column{typ: c.typ, rough: c.typ.Kind == types.Double}
	}
	return "COUNT(*)" + filter, column{typ: types.BigIntType}
}

// condition is about columns.
func (g *generator) condition(columns []column) string {
	return g.expression(columns, types.BooleanType, 2)
}

// test compares an expression with something, or asks whether it is NULL.
func (g *generator) test(e string, t types.Type) string {
	if g.chance(5) {
		return e + pickOne(g, " IS NULL", " IS NOT NULL")
	}
	return e + pickOne(g, " = ", " <> ", " < ", " <= ", " > ", " >= ") + g.literal(t)
}

func (g *generator) literal(t types.Type) string {
	switch t.Kind {
	case types.Boolean:
		return pickOne(g, "TRUE", "FALSE")
	case types.Int, types.BigInt:
		return fmt.Sprint(g.IntN(5) - 1)
	case types.Double:
		return fmt.Sprintf("CAST(%d AS DOUBLE)", g.IntN(5)-1)
	case types.String:
		return pickOne(g, "'a'", "'b'", "''", "'ä'")
	case types.Timestamp, types.TimestampLTZ:
		v := Value{Int: g.base + g.Int64N(10)*g.unit}
		text := strings.TrimSuffix(strings.Replace(v.Format(types.TimestampType), "T", " ", 1), "Z")
		if t.Kind == types.Timestamp {
			return "TIMESTAMP '" + text + "'"
		}
		return fmt.Sprintf("TO_TIMESTAMP_LTZ(%d, 3)", v.Int/1000)
	}
	panic("no literal of " + t.String())
}

// expression makes an expression of type t over columns, not deeper than depth.
func (g *generator) expression(columns []column, t types.Type, depth int) string {
	var same []string
	for _, c := range columns {
		if types.Same(c.typ, t) && !c.rough {
			same = append(same, c.name)
		}
	}
	if depth == 0 || g.chance(4) {
		if len(same) > 0 && !g.chance(5) {
			return pickOne(g, same...)
		}
		return g.literal(t)
	}
	sub := func(t types.Type) string { return g.expression(columns, t, depth-1) }
	if g.chance(5) {
		return "CASE WHEN " + sub(types.BooleanType) + " THEN " + sub(t) + " ELSE " + sub(t) + " END"
	}
	switch t.Kind {
	case types.Boolean:
		other := pickOne(g, types.BigIntType, types.IntType, types.StringType, types.DoubleType, types.BooleanType)
		switch g.IntN(7) {
		case 0:
			return "(" + sub(t) + " AND " + sub(t) + ")"
		case 1:
			return "(" + sub(t) + " OR " + sub(t) + ")"
		case 2:
			return "NOT (" + sub(t) + ")"
		case 3:
			return "(" + sub(other) + ") IN (" + g.literal(other) + ", " + g.literal(other) + ")"
		case 4:
			return "(" + sub(types.StringType) + ") LIKE " + pickOne(g, "'a%'", "'%b'", "'_'")
		}
		return "(" + g.test("("+sub(other)+")", other) + ")"
	case types.Int, types.BigInt:
		if len(same) == 0 {
			return "CAST(" + pickOne(g, "CHAR_LENGTH("+sub(types.StringType)+")", g.literal(t)) + " AS " + t.String() + ")"
		}
		return "(" + sub(t) + pickOne(g, " + ", " - ", " * ") + sub(t) + ")"
	case types.Double:
		return "(" + sub(t) + pickOne(g, " + ", " - ") + sub(t) + ")"
	case types.String:
		switch g.IntN(4) {
		case 0:
			return "UPPER(" + sub(t) + ")"
		case 1:
			return "(" + sub(t) + " || " + sub(t) + ")"
		case 2:
			return "SUBSTRING(" + sub(t) + ", 1, 1)"
		}
		return "COALESCE(" + sub(t) + ", 'none')"
	}
	if len(same) > 0 {
		return "COALESCE(" + pickOne(g, same...) + ", " + g.literal(t) + ")"
	}
	return g.literal(t)
}
