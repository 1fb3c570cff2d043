package bind

import (
	"cmp"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// maxGroupingSets bounds how often a row is counted: a CUBE of many keys comes to millions.
const maxGroupingSets = 1024

// maxGroupingKeys is as many as a BIGINT has bits beside its sign: one tells of each key whether it is in a set.
const maxGroupingKeys = 63

// groupBy binds GROUP BY: every combination of a grouping of each item is a set of keys. With more than one, the last key tells which set a result is of.
func (g *grouping) groupBy(b *Binder, items []sql.GroupItem) error {
	var common []int // keys of every set
	var choices [][][]int
	var at []source.Span
	for _, item := range items {
		list, err := g.groupings(b, item)
		if err != nil {
			return err
		}
		if len(list) == 1 {
			common = append(common, list[0]...)
			continue
		}
		choices, at = append(choices, list), append(at, item.Span())
	}
	sets := [][]int{common}
	for i, list := range choices {
		var all [][]int
		for _, s := range sets {
			for _, t := range list {
				all = append(all, slices.Concat(s, t))
			}
		}
		if sets = distinctSets(all); len(sets) > maxGroupingSets {
			return b.tooManySets(at[i])
		}
	}
	if len(sets) == 1 {
		return nil
	}
	if at := items[0].Span().To(items[len(items)-1].Span()); len(g.keys) > maxGroupingKeys {
		return b.errorf(source.CodeTooLarge, at, "group in several queries, and put them together with UNION ALL", "GROUP BY has %d keys, and with grouping sets it takes %d at most", len(g.keys), maxGroupingKeys)
	}
	g.sets = sets
	for i, k := range g.keys {
		everywhere := !slices.ContainsFunc(sets, func(s []int) bool { return !slices.Contains(s, i) })
		if k.edge != plan.NoEdge && !everywhere {
			at := items[0].Span().To(items[len(items)-1].Span())
			return b.unsupported(at, "group by the columns of the window in front of the sets: GROUP BY window_start, window_end, CUBE (…)", "a column of a window in some grouping sets alone is")
		}
	}
	g.keys = append(g.keys, groupKey{Expr: expr.LiteralInt(bigIntNotNull, 0), set: true})
	return nil
}

var bigIntNotNull = types.Type{Kind: types.BigInt, NotNull: true}

func (b *Binder) tooManySets(at source.Span) error {
	return b.errorf(source.CodeTooLarge, at, "list the sets that are needed: GROUPING SETS ((a, b), (a))", "GROUP BY comes to more than %d grouping sets", maxGroupingSets)
}

// groupings are the groupings of an item, each a list of keys by number.
func (g *grouping) groupings(b *Binder, item sql.GroupItem) ([][]int, error) {
	switch item := item.(type) {
	case *sql.GroupKeys:
		var keys []int
		for _, k := range item.Keys {
			if g.called != nil && k == sql.Expr(g.called.call) {
				keys = append(keys, g.addWindow()...)
				continue
			}
			i, err := g.addKey(b, k)
			if err != nil {
				return nil, err
			}
			keys = append(keys, i)
		}
		return [][]int{keys}, nil
	case *sql.GroupingSets:
		var parts [][]int
		for _, inner := range item.Sets {
			if nested, ok := inner.(*sql.GroupingSets); ok && item.Kind != sql.ListedSets {
				return nil, b.errorf(source.CodeGrouping, nested.Span(), "write it beside "+string(item.Kind)+", separated by a comma", "%s cannot stand in %s", nested.Kind, item.Kind)
			}
			list, err := g.groupings(b, inner)
			if err != nil {
				return nil, err
			}
			parts = append(parts, list...)
		}
		switch item.Kind {
		case sql.RollupSets:
			var sets [][]int
			for n := len(parts); n >= 0; n-- {
				sets = append(sets, slices.Concat(parts[:n]...))
			}
			return sets, nil
		case sql.CubeSets:
			if len(parts) > 10 {
				return nil, b.tooManySets(item.Span())
			}
			return subsets(parts), nil
		}
		return parts, nil
	}
	panic("tidemark bug: an item of GROUP BY is not known")
}

// subsets joins the parts of every subset.
func subsets(parts [][]int) [][]int {
	if len(parts) == 0 {
		return [][]int{nil}
	}
	var sets [][]int
	rest := subsets(parts[1:])
	for _, s := range rest {
		sets = append(sets, slices.Concat(parts[0], s))
	}
	return append(sets, rest...)
}

// distinctSets sorts the keys of each set, and the sets as Flink 2.3 has them: greater ones first, each once.
func distinctSets(sets [][]int) [][]int {
	for i, s := range sets {
		s = slices.Clone(s)
		slices.Sort(s)
		sets[i] = slices.Compact(s)
	}
	slices.SortFunc(sets, func(s, t []int) int { return cmp.Or(cmp.Compare(len(t), len(s)), slices.Compare(s, t)) })
	return slices.CompactFunc(sets, slices.Equal)
}

// everywhere reports whether key i is in all sets.
func (g *grouping) everywhere(i int) bool {
	return !slices.ContainsFunc(g.sets, func(s []int) bool { return !slices.Contains(s, i) }) || g.keys[i].set
}

// grouped binds GROUPING, GROUPING_ID and GROUP_ID.
func (g *grouping) grouped(b *Binder, f *function.Aggregate, c *sql.Call) (expr.Expr, error) {
	if c.Star || c.Distinct || c.Filter != nil || len(c.OrderBy) > 0 || (len(c.Args) == 0) != (f.Name == "GROUP_ID") {
		return nil, b.errorf(source.CodeType, c.Span(), "call it as "+join(f.Signatures), "%s takes keys of GROUP BY", f.Name)
	}
	if len(c.Args) > maxGroupingKeys {
		return nil, b.errorf(source.CodeTooLarge, c.Span(), "ask for the keys that matter", "%s has %d keys, and its result, a BIGINT, has a bit for %d", f.Name, len(c.Args), maxGroupingKeys)
	}
	keys := make([]int, len(c.Args))
	for i, arg := range c.Args {
		e, err := b.expr(arg, g.input.in("the argument of "+f.Name))
		if err != nil {
			return nil, err
		}
		keys[i] = slices.IndexFunc(g.keys, func(k groupKey) bool { return !k.set && expr.Equal(k.Expr, e) })
		if keys[i] < 0 {
			return nil, b.errorf(source.CodeGrouping, arg.Span(), "name an expression of GROUP BY", "%s is about the keys of GROUP BY, and this is none", f.Name)
		}
	}
	if g.sets == nil {
		return expr.LiteralInt(bigIntNotNull, 0), nil
	}
	return g.groupingValue(b, keys, c.Span())
}

// groupingValue has a bit for each of keys, the first one the highest, that is 1 if the set of a result lacks it.
func (g *grouping) groupingValue(b *Binder, keys []int, at source.Span) (expr.Expr, error) {
	last := len(g.keys) - 1
	id := expr.NewColumn(last, "grouping", bigIntNotNull)
	var whens []expr.When
	same := true
	for _, s := range g.sets {
		value := int64(0)
		for _, k := range keys {
			value <<= 1
			if !slices.Contains(s, k) {
				value++
			}
		}
		set := plan.GroupingID(g.setOf(s))
		same = same && value == set
		if value == 0 {
			continue
		}
		is, err := b.newCall("=", at, id, expr.LiteralInt(bigIntNotNull, set))
		if err != nil {
			return nil, err
		}
		whens = append(whens, expr.When{Condition: is, Result: expr.LiteralInt(bigIntNotNull, value)})
	}
	zero := expr.LiteralInt(bigIntNotNull, 0)
	switch {
	case same:
		return id, nil
	case len(whens) == 0:
		return zero, nil
	}
	e, err := expr.NewCase(whens, zero)
	return e, b.place(err, at)
}

// setOf says of each key that an Expand makes whether it is in the set.
func (g *grouping) setOf(set []int) []bool {
	var in []bool
	for i, k := range g.keys {
		if !k.set && !(g.windowed() && k.edge != plan.NoEdge) {
			in = append(in, slices.Contains(set, i))
		}
	}
	return in
}

// windowed reports whether both edges of a window are keys.
func (g *grouping) windowed() bool { return g.edges[plan.StartEdge] && g.edges[plan.EndEdge] }

// expand puts the sets of g between an aggregation with the keys a has and its input, and moves the keys.
func (a *aggregation) expand(g *grouping, input plan.Node) plan.Node {
	if g.sets == nil {
		return input
	}
	sets := make([][]bool, len(g.sets))
	for i, s := range g.sets {
		sets[i] = g.setOf(s)
	}
	first := len(input.Columns())
	n := plan.NewExpand(input, slices.Clone(a.keys[:len(a.keys)-1]), sets)
	for i := range a.keys {
		a.keys[i] = first + i
	}
	return n
}
