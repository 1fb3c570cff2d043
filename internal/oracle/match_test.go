package oracle

import (
	"fmt"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/types"
)

// matched looks for a random pattern among rows of tables, whose order is known.
func (g *generator) matched(in *step) *step {
	if !in.read {
		return in
	}
	var clauses []string
	out := &step{}
	if g.chance(2) {
		key := pickOne(g, in.columns...)
		clauses = append(clauses, "PARTITION BY "+key.name)
		out.columns, out.items = append(out.columns, key), append(out.items, key.name)
	}
	clauses = append(clauses, "ORDER BY "+in.rowtime+pickOne(g, "", "", ", "+pickOne(g, in.columns...).name+pickOne(g, "", " DESC")))
	variables := []string{"a", "b", "c", "d"}[:1+g.IntN(4)]
	clauses = append(clauses, "MEASURES "+strings.Join(g.measures(in, variables, out), ", "))
	// The search goes on at the last variable only if that is not the first row of a match, which would be an error.
	if skip := pickOne(g, "", "PAST LAST ROW", "TO NEXT ROW"); skip != "" {
		clauses = append(clauses, "AFTER MATCH SKIP "+skip)
	}
	clauses = append(clauses, "PATTERN ("+g.pattern(variables)+")")
	if g.chance(2) {
		clauses = append(clauses, "WITHIN "+g.interval(1+g.Int64N(20), 0))
	}
	var define []string
	for i, v := range variables {
		if i == 0 || !g.chance(4) {
			define = append(define, v+" AS "+g.definition(in, variables[:i+1], v))
		}
	}
	clauses = append(clauses, "DEFINE "+strings.Join(define, ", "))
	out.from = in.name + " MATCH_RECOGNIZE (" + strings.Join(clauses, " ") + ")"
	return g.add(out)
}

// pattern is variables with random quantifiers; what has to be there for it to be a pattern is put right.
func (g *generator) pattern(variables []string) string {
	var terms []string
	greedy, needed := false, false
	for i, v := range variables {
		q := pickOne(g, "", "", "+", "+?", "*", "*?", "?", "{2}", "{1,2}", "{2,3}?", "{0,2}", "{2,}")
		last := i == len(variables)-1
		optional := q != "" && strings.Contains("* *? ? {0,2}", q)
		if optional && (greedy || last && !needed) || last && q != "" && !strings.HasSuffix(q, "?") && q != "{2}" {
			q, optional = "", false
		}
		greedy = q != "" && strings.Contains("+ * {1,2} {0,2} {2,}", q)
		needed = needed || !optional
		terms = append(terms, v+q)
	}
	return strings.Join(terms, " ")
}

// definition is a condition about rows of the variables so far, of which v is tested.
func (g *generator) definition(in *step, variables []string, v string) string {
	c := pickOne(g, in.columns...)
	switch other := pickOne(g, variables...); {
	case g.chance(4) && c.typ.IsNumeric() && !c.rough:
		return fmt.Sprintf("%s.%s %s %s.%s", v, c.name, pickOne(g, "<", ">", "<=", "<>"), other, c.name)
	case g.chance(4):
		return fmt.Sprintf("LAST(%s.%s, 1) IS %sNULL", v, c.name, pickOne(g, "", "NOT "))
	case g.chance(4):
		return fmt.Sprintf("COUNT(%s.%s) %s %d", other, c.name, pickOne(g, "<", ">", "<="), g.IntN(3))
	case g.chance(4):
		return fmt.Sprintf("FIRST(%s, %d) %s", c.name, g.IntN(3), pickOne(g, "IS NULL", "IS NOT NULL"))
	}
	return "COALESCE(" + g.test(v+"."+c.name, c.typ) + ", " + pickOne(g, "TRUE", "FALSE") + ")"
}

// measures are random, and the columns that they make.
func (g *generator) measures(in *step, variables []string, out *step) []string {
	var list []string
	measure := func(text string, t types.Type) string {
		name := g.fresh("m")
		list = append(list, text+" AS "+name)
		out.columns, out.items = append(out.columns, column{name: name, typ: t.Nullable()}), append(out.items, name)
		return name
	}
	for range 1 + g.IntN(3) {
		c := pickOne(g, in.columns...)
		of := pickOne(g, append([]string{""}, variables...)...)
		if of != "" {
			of += "."
		}
		switch g.IntN(3) {
		case 0:
			measure(fmt.Sprintf("%s(%s%s, %d)", pickOne(g, "FIRST", "LAST"), of, c.name, g.IntN(3)), c.typ)
		case 1:
			measure("COUNT("+of+c.name+")", types.BigIntType)
		default:
			measure(of+c.name, c.typ)
		}
	}
	out.rowtime = measure("MATCH_ROWTIME()", in.rowtimeType())
	return list
}

func (s *step) rowtimeType() types.Type {
	for _, c := range s.columns {
		if c.name == s.rowtime {
			return c.typ
		}
	}
	panic("a step without its time")
}
