package operator

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/pattern"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// MatchReadings is what an expression reads of the rows of a match: its columns are Values, then Aggregates.
type MatchReadings struct {
	Values     []MatchValue
	Aggregates []MatchAggregate
}

// MatchValue is a column of the row that is Offset rows behind the first of Variable, or before the last; NULL if there is none. Variable is pattern.Any for rows of all variables.
type MatchValue struct {
	Column, Variable, Offset int
	First                    bool
	// Rowtime makes it the time at which the match was found, which is that of its last row unless it had to wait.
	Rowtime bool
}

// MatchAggregate aggregates the rows of Variable, or of pattern.Any.
type MatchAggregate struct {
	Aggregate
	Variable int
}

// matchReader computes conditions and results over the rows of matches. It implements pattern.Definitions.
type matchReader struct {
	spec    MatchSpec
	context expr.Context
	any     uint64         // variables that every row is
	reads   []readings     // by variable
	output  readings       // of a match
	held    dataflow.Batch // the rows
	can     []uint64
	known   []uint64
	one     [1]pattern.Match
	all     []pattern.Match
}

// readings is MatchReadings with accumulators.
type readings struct {
	MatchReadings
	accs   []function.Accumulator
	places []vector.Place
	ids    []uint32
	rows   []int32
	all    []uint32
	unused filtered
}

func newReadings(r MatchReadings) readings {
	out := readings{MatchReadings: r}
	for _, a := range r.Aggregates {
		out.accs = append(out.accs, a.New())
	}
	return out
}

func (r *matchReader) define(spec MatchSpec) {
	r.spec, r.output, r.context = spec, newReadings(spec.Reads), expr.Context{Env: spec.Env}
	for v, d := range spec.Define {
		r.reads = append(r.reads, newReadings(d.Reads))
		if d.Condition == nil {
			r.any |= 1 << v
		}
	}
}

// look shows the reader the rows that are held now.
func (r *matchReader) look(m *Match) {
	r.held.Cols, r.held.N = m.held.columns(), m.held.n
	r.can, r.known = m.can, m.known
}

// aloneResults is what conditions that look at one row say of rows of a batch.
type aloneResults struct {
	known uint64
	tests []*vector.Vector // by variable; nil where it is not known
	any   uint64
}

// can is the variables that a row can be, of those that are known.
func (a *aloneResults) can(row int) uint64 {
	can := a.any
	for v, t := range a.tests {
		if t != nil && !t.IsNull(row) && t.Bool(row) {
			can |= 1 << v
		}
	}
	return can
}

// alone evaluates the conditions that look at no other row. One that fails for a row is left for when it is needed, which may be never.
func (r *matchReader) alone(b *dataflow.Batch, rows vector.Rows) *aloneResults {
	a := &aloneResults{known: r.any, any: r.any, tests: b.Arena.Columns(len(r.spec.Define))}
	r.context.Arena = b.Arena
	for v, d := range r.spec.Define {
		a.tests[v] = nil
		if d.Alone == nil || d.Condition == nil {
			continue
		}
		if t, err := d.Alone.Eval(&r.context, &b.Batch, rows); err == nil {
			a.tests[v] = t
			a.known |= 1 << v
		}
	}
	return a
}

// Known implements pattern.Definitions.
func (r *matchReader) Known(variable int, row int32) (can, known bool) {
	return r.can[row]&(1<<variable) != 0, r.known[row]&(1<<variable) != 0
}

// Holds implements pattern.Definitions.
func (r *matchReader) Holds(variable int, with pattern.Match) (bool, error) {
	a := r.spec.Memory.Get()
	defer a.Release()
	r.one[0] = with
	r.context.Arena = a
	b := &vector.Batch{N: 1, Arena: a, Cols: r.reads[variable].columns(a, &r.held, r.one[:], nil)}
	condition := r.spec.Define[variable].Condition
	v, err := condition.Eval(&r.context, b, vector.All(1))
	if err != nil {
		return false, explain(err, condition, b)
	}
	return !v.IsNull(0) && v.Bool(0), nil
}

// results are the columns of matches, in memory of a.
func (r *matchReader) results(a *vector.Arena, keys []int, found []foundMatch) []*vector.Vector {
	rows := a.Sel(len(found))
	r.all = r.all[:0]
	for i, f := range found {
		rows[i] = f.Last()
		r.all = append(r.all, f.Match)
	}
	reads := r.output.columns(a, &r.held, r.all, found)
	clear(r.all)
	cols := a.Columns(len(keys) + len(reads))
	for i, k := range keys {
		cols[i] = r.held.Cols[k].Take(a, rows)
	}
	copy(cols[len(keys):], reads)
	return cols
}

// columns reads matches, in memory of a; found is the same if they are on their way out.
func (r *readings) columns(a *vector.Arena, held *dataflow.Batch, matches []pattern.Match, found []foundMatch) []*vector.Vector {
	cols := a.Columns(len(r.Values) + len(r.Aggregates))
	for i, v := range r.Values {
		if v.Rowtime && found != nil {
			cols[i] = a.Flat(vector.Int64, len(found))
			for k, f := range found {
				cols[i].Ints[k] = f.time
			}
			continue
		}
		r.places = r.places[:0]
		for _, m := range matches {
			find, place := m.FromLast, vector.Place{From: 1}
			if v.First {
				find = m.FromFirst
			}
			if row, ok := find(v.Variable, v.Offset); ok {
				place = vector.Place{Row: row}
			}
			r.places = append(r.places, place)
		}
		c := held.Cols[v.Column]
		cols[i] = vector.Collect(a, c.Kind, []*vector.Vector{c, a.NullConstant(c.Kind)}, r.places)
	}
	b := *held
	b.Arena = a
	for i, call := range r.Aggregates {
		r.ids, r.rows, r.all = r.ids[:0], append(r.rows[:0], 0)[:0], r.all[:0]
		for k, m := range matches {
			r.all = append(r.all, uint32(k))
			for row, variable := range m.Rows {
				if call.Variable == pattern.Any || variable == call.Variable {
					r.ids, r.rows = append(r.ids, uint32(k)), append(r.rows, row)
				}
			}
		}
		acc := r.accs[i]
		acc.Reset()
		acc.Grow(len(matches))
		call.add(acc, &b, r.ids, vector.Rows{Sel: r.rows, N: held.N}, &r.unused)
		cols[len(r.Values)+i] = acc.Result(a, r.all)
	}
	return cols
}
