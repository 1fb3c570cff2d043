package bind

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/pattern"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// matchRecognize binds table MATCH_RECOGNIZE (…).
func (b *Binder) matchRecognize(r *sql.MatchRecognize) (plan.Node, *scope, error) {
	input, s, err := b.tableRef(r.Input)
	if err != nil {
		return nil, nil, err
	}
	if plan.Updates(input) {
		return nil, nil, b.unsupported(r.Input.Span(), "match rows of a table that is only added to", "MATCH_RECOGNIZE over an updating input, as %s makes it, is", plan.Describe(plan.Culprit(input)))
	}
	n := &plan.Match{}
	if n.Keys, err = b.matchKeys(r, s); err != nil {
		return nil, nil, err
	}
	if err := b.matchOrder(n, r, s); err != nil {
		return nil, nil, err
	}
	if err := b.matchPattern(n, r); err != nil {
		return nil, nil, err
	}
	pre := project(input)
	for i := range input.Columns() {
		pre.column(i)
	}
	copy(pre.Cols, input.Columns())
	if err := b.definitions(n, r, input, pre); err != nil {
		return nil, nil, err
	}
	out, err := b.measures(n, r, input, pre)
	if err != nil {
		return nil, nil, err
	}
	n.Input = pre.Project
	if len(pre.Cols) == len(input.Columns()) {
		n.Input = input
	}
	return b.aliased(out, "", r.Alias)
}

// matchKeys binds PARTITION BY.
func (b *Binder) matchKeys(r *sql.MatchRecognize, s *scope) ([]int, error) {
	var keys []int
	for _, e := range r.PartitionBy {
		bound, err := b.expr(e, s.in("PARTITION BY"))
		if err != nil {
			return nil, err
		}
		c, ok := bound.(*expr.Column)
		if !ok {
			return nil, b.unsupported(e.Span(), "compute it in a query in front: FROM (SELECT *, … AS k FROM t) MATCH_RECOGNIZE (PARTITION BY k …)", "PARTITION BY of anything but columns is")
		}
		if !slices.Contains(keys, c.Index) {
			keys = append(keys, c.Index)
		}
	}
	return keys, nil
}

// matchOrder binds ORDER BY. Flink 2.3: it begins with the time attribute, ascending.
func (b *Binder) matchOrder(n *plan.Match, r *sql.MatchRecognize, s *scope) error {
	time := slices.IndexFunc(s.columns, func(c plan.Column) bool { return c.Rowtime })
	hint := "order by the column of WATERMARK FOR, ascending"
	if time >= 0 {
		hint = "write ORDER BY " + s.columns[time].Name + ", and other columns behind it"
	}
	if len(r.OrderBy) == 0 {
		return b.errorf(source.CodeTime, r.Span(), hint, "MATCH_RECOGNIZE needs ORDER BY, beginning with the time attribute")
	}
	for i, item := range r.OrderBy {
		bound, err := b.expr(item.Expr, s.in("ORDER BY"))
		if err != nil {
			return err
		}
		c, ok := bound.(*expr.Column)
		if !ok {
			return b.unsupported(item.Span(), "compute it in a query in front: FROM (SELECT *, … AS x FROM t) MATCH_RECOGNIZE (… ORDER BY ts, x …)", "ORDER BY of anything but columns in MATCH_RECOGNIZE is")
		}
		switch col := s.columns[c.Index]; {
		case i > 0:
			switch c.Type().Kind {
			case types.Array, types.Map, types.Row:
				return b.unsupported(item.Span(), "order by parts of it", "ORDER BY of type %s is", c.Type().Nullable())
			}
			k := plan.SortKey{Column: c.Index, Desc: item.Desc, NullsLast: item.Desc}
			if item.Nulls != sql.NullsDefault {
				k.NullsLast = item.Nulls == sql.NullsLast
			}
			n.By = append(n.By, k)
		case !col.Rowtime:
			return b.errorf(source.CodeTime, item.Span(), hint, "'%s' is no time attribute, with which ORDER BY in MATCH_RECOGNIZE begins", col.Name)
		case item.Desc:
			return b.unsupported(item.Span(), "leave DESC out", "a descending order of time in MATCH_RECOGNIZE is")
		default:
			n.Time = c.Index
		}
	}
	return nil
}

// matchPattern reads PATTERN, WITHIN and AFTER MATCH. What patterns cannot be is Flink 2.3's.
func (b *Binder) matchPattern(n *plan.Match, r *sql.MatchRecognize) error {
	if len(r.Pattern) > pattern.MaxVariables {
		return b.errorf(source.CodeTooLarge, r.Pattern[pattern.MaxVariables].Span(), "use fewer", "a pattern has at most %d variables", pattern.MaxVariables)
	}
	empty := true
	for i, t := range r.Pattern {
		term := pattern.Term{Name: t.Variable.Name, Min: t.Min, Max: t.Max, Reluctant: t.Reluctant}
		switch {
		case slices.ContainsFunc(n.Pattern, func(before pattern.Term) bool { return before.Name == term.Name }):
			return b.unsupported(t.Variable.Span(), "give it another name and the same definition", "variable '%s' twice in a pattern is", term.Name)
		case max(t.Min, t.Max) > pattern.MaxTimes:
			return b.errorf(source.CodeTooLarge, t.Span(), "count the rows with + and a condition such as COUNT("+term.Name+".x) > …", "a quantifier goes up to %d", pattern.MaxTimes)
		case term.Greedy() && i == len(r.Pattern)-1:
			return b.unsupported(t.Span(), "make it reluctant, "+term.String()+"?, or put a variable behind it that ends it", "a greedy quantifier at the end of a pattern is")
		case i > 0 && t.Min == 0 && n.Pattern[i-1].Greedy():
			return b.unsupported(t.Span(), "make '"+n.Pattern[i-1].Name+"' reluctant: "+n.Pattern[i-1].String()+"?", "a variable that may be left out behind a greedy one is")
		}
		empty = empty && t.Min == 0
		n.Pattern = append(n.Pattern, term)
	}
	if empty {
		return b.unsupported(r.Pattern[0].Span().To(r.Pattern[len(r.Pattern)-1].Span()), "give one variable a quantifier that wants a row, such as +", "a pattern that no row matches too is")
	}
	if w, ok := r.Within.(*sql.IntervalLit); ok {
		switch {
		case w.Qualifier.IsYearMonth():
			return b.unsupported(w.Span(), "write it in days or less", "WITHIN in months or years is")
		case w.Micros <= 0:
			return b.errorf(codeMatch, w.Span(), "leave WITHIN out for matches of any length", "WITHIN must be longer than nothing")
		}
		n.Within = w.Micros
	}
	return b.matchSkip(n, r)
}

func (b *Binder) matchSkip(n *plan.Match, r *sql.MatchRecognize) error {
	if r.Skip == nil {
		return nil
	}
	switch r.Skip.To {
	case sql.SkipPastLast:
		n.Skip.To = pattern.PastLastRow
		return nil
	case sql.SkipToNext:
		return nil
	case sql.SkipToFirst:
		n.Skip.To = pattern.FirstOf
	case sql.SkipToLast:
		n.Skip.To = pattern.LastOf
	}
	v, err := b.patternVariable(n.Pattern, r.Skip.Variable)
	n.Skip.Variable = v
	return err
}

func (b *Binder) patternVariable(p pattern.Pattern, name sql.Ident) (int, error) {
	i := slices.IndexFunc(p, func(t pattern.Term) bool { return t.Name == name.Name })
	if i < 0 {
		var names []string
		for _, t := range p {
			names = append(names, t.Name)
		}
		return 0, b.errorf(codeMatch, name.Span(), didYouMean(name.Name, names, "the variables are: "+join(names)), "no variable '%s' in PATTERN", name.Name)
	}
	return i, nil
}

// definitions binds DEFINE. A variable without a definition is any row.
func (b *Binder) definitions(n *plan.Match, r *sql.MatchRecognize, input plan.Node, pre *projection) error {
	n.Define = make([]plan.Definition, len(n.Pattern))
	for _, d := range r.Define {
		v, err := b.patternVariable(n.Pattern, d.Variable)
		if err != nil {
			return err
		}
		if n.Define[v].Condition != nil {
			return b.errorf(source.CodeDuplicate, d.Variable.Span(), "put the conditions together with AND", "variable '%s' is defined twice", d.Variable.Name)
		}
		m := newMatching(input.Columns(), n.Time, n.Pattern)
		c, err := b.condition(d.Condition, m.scope("DEFINE"))
		if err != nil {
			return err
		}
		n.Define[v].Reads, _ = m.finish(pre)
		n.Define[v].Condition = m.settled(c, 0)
	}
	return nil
}

// measures binds MEASURES, which are computed of what n reads of a match.
func (b *Binder) measures(n *plan.Match, r *sql.MatchRecognize, input plan.Node, pre *projection) (*plan.Project, error) {
	if len(r.Measures) == 0 {
		return nil, b.errorf(codeMatch, r.Span(), "add MEASURES, for instance MATCH_ROWTIME() AS rowtime", "MATCH_RECOGNIZE needs MEASURES, the columns of its result")
	}
	m := newMatching(input.Columns(), n.Time, n.Pattern)
	list := make([]expr.Expr, len(r.Measures))
	var err error
	for i, x := range r.Measures {
		if list[i], err = b.expr(x.Expr, m.scope("MEASURES")); err != nil {
			return nil, err
		}
	}
	for _, k := range n.Keys {
		c := input.Columns()[k]
		c.Rowtime, c.Hidden, c.Edge, c.Window = false, false, plan.NoEdge, nil
		n.Cols = append(n.Cols, c)
	}
	var cols []plan.Column
	n.Reads, cols = m.finish(pre)
	n.Cols = append(n.Cols, cols...)
	p := &plan.Project{Input: n}
	for i := range n.Keys {
		p.Exprs = append(p.Exprs, expr.NewColumn(i, n.Cols[i].Name, n.Cols[i].Type))
		p.Cols = append(p.Cols, n.Cols[i])
	}
	for i, x := range r.Measures {
		if slices.ContainsFunc(p.Cols, func(c plan.Column) bool { return c.Name == x.Name.Name }) {
			return nil, b.errorf(source.CodeDuplicate, x.Name.Span(), "rename it", "column '%s' is there twice", x.Name.Name)
		}
		e := m.settled(list[i], len(n.Keys))
		p.Exprs = append(p.Exprs, e)
		p.Cols = append(p.Cols, resultColumn(e, n.Cols, x.Name.Name))
	}
	return p, nil
}
