package plan

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Fingerprint tells what gives the state of an operator for n its meaning: windows, keys, aggregates, and everything below that decides
// which rows come and what their columns hold, down to the tables with their column types, or to a relation with a name, of which the columns count. Two plans with one fingerprint can take over
// each other's state. Names that a query gives, watermark strategies and parallelism are not in it. It begins with words for people and
// ends in a number for the rest.
func Fingerprint(n Node) string {
	var b strings.Builder
	fingerprint(&b, n)
	for _, c := range n.Children() {
		if tellsAgain(c) {
			b.WriteString(" told again")
		}
	}
	sum := fnv.New64a()
	sum.Write([]byte(b.String()))
	kind := "aggregation"
	switch n := n.(type) {
	case *WindowAggregate:
		kind = n.Windows.String()
	case *Normalize:
		kind = "last rows"
	case *Sort:
		kind = "sort"
	case *AtEnd:
		kind = "rows at the end"
	case *Limit:
		kind = "limit"
	case *TopN:
		kind = "first rows"
	case *WindowTopN:
		kind = "first rows of " + n.Windows.String()
	case *Match:
		kind = "pattern"
	case *Over:
		kind = "over"
	case *Join:
		switch {
		case n.Interval != nil:
			kind = "interval join"
		case n.Windows != nil:
			kind = "window join"
		default:
			kind = "join"
		}
	case *TemporalJoin:
		kind = "temporal join"
	case *TableJoin:
		kind = "join with a table"
	case *KeyWindows:
		kind = "windows by the time of each key"
	case *Deduplicate:
		kind = "ids"
	case *Process:
		kind = "process " + n.Spec.Name
	case *SetOperation:
		kind = n.Op.String()
	}
	return fmt.Sprintf("%s over %s, #%016x", kind, strings.Join(tables(n), " and "), sum.Sum64())
}

// tellsAgain reports whether rows of n are updated only because distinct rows that have a time to live are told again. How long that is does not matter to the state of others, whether there
// is one does: they keep what may be taken back.
func tellsAgain(n Node) bool {
	if g, ok := n.(*GroupAggregate); ok && len(g.Aggregates) == 0 && g.TTL.Micros > 0 && !Updates(g.Input) {
		return true
	}
	return slices.ContainsFunc(n.Children(), tellsAgain)
}

// tables names what n reads.
func tables(n Node) []string {
	var names []string
	for _, s := range Scans(n) {
		names = append(names, s.Name())
	}
	if len(names) == 0 {
		return []string{"VALUES"}
	}
	return names
}

func fingerprint(b *strings.Builder, n Node) {
	switch n := n.(type) {
	case *Scan:
		fmt.Fprintf(b, "scan %s(", n.Table.Path)
		for i, c := range n.Output {
			col := n.Table.Columns[c]
			separate(b, i)
			fmt.Fprintf(b, "%q %s", col.Name, col.Type)
			if col.Computed != nil {
				b.WriteString(" AS ")
				expression(b, col.Computed)
			}
			if m := col.Metadata; m != nil {
				fmt.Fprintf(b, " METADATA %q %s", m.Key, m.Type)
			}
		}
		fmt.Fprintf(b, ") changes %d", n.Changelog)
		if n.Late == watermark.OnlyLate {
			b.WriteString(" late")
		}
		if w := n.Table.Watermark; w != nil {
			fmt.Fprintf(b, " time %q %s", n.Table.Columns[w.Column].Name, n.Table.Columns[w.Column].Type)
		}
		return
	case *Values:
		b.WriteString("values")
		for _, row := range n.Rows {
			b.WriteString(" (")
			for i, v := range row {
				separate(b, i)
				expression(b, v)
			}
			b.WriteString(")")
		}
		return
	case *Named: // its columns are promised, and what is behind them may change
		fmt.Fprintf(b, "stream %s(", n.Name)
		for i, c := range n.Columns() {
			separate(b, i)
			fmt.Fprintf(b, "%q %s", c.Name, c.Type.Nullable())
		}
		b.WriteString(")")
		return
	case *Filter:
		b.WriteString("filter ")
		expression(b, n.Condition)
	case *Project:
		b.WriteString("project ")
		for i, e := range n.Exprs {
			separate(b, i)
			expression(b, e)
		}
	case *Expand:
		fmt.Fprintf(b, "expand %v by %v", n.Keys, n.Sets)
	case *WindowAssign:
		fmt.Fprintf(b, "assign %s on $%d", windowing(n.Windows), n.Time)
	case *WindowAggregate:
		fmt.Fprintf(b, "aggregate %s on $%d", windowing(n.Windows), n.Time)
		if n.Attached() {
			fmt.Fprintf(b, " of $%d to $%d", n.Start, n.End)
		}
		groups(b, n.Input.Columns(), n.Keys, n.Aggregates)
	case *Normalize:
		fmt.Fprintf(b, "normalize by %v", n.Keys)
		for _, c := range n.Columns() {
			b.WriteString(" " + c.Type.Nullable().String())
		}
	case *GroupAggregate:
		b.WriteString("aggregate")
		groups(b, n.Input.Columns(), n.Keys, n.Aggregates)
	case *Sort:
		b.WriteString("sort")
		sortKeys(b, n.Columns(), n.By)
	case *AtEnd:
		b.WriteString("at end")
		sortKeys(b, n.Columns(), n.By)
	case *Limit:
		fmt.Fprintf(b, "limit %d offset %d", n.Count, n.Offset)
		sortKeys(b, n.Columns(), n.By)
	case *TopN:
		fmt.Fprintf(b, "top %d to %d by %v latest %t numbered %t", n.Ranks.From, n.Ranks.To, n.Keys, n.Ranks.Latest, n.Ranks.Numbered)
		sortKeys(b, n.Input.Columns(), n.Ranks.By)
	case *WindowTopN:
		fmt.Fprintf(b, "top %d to %d by %v of %s of $%d to $%d latest %t numbered %t", n.Ranks.From, n.Ranks.To, n.Keys, windowing(n.Windows), n.Start, n.End, n.Ranks.Latest, n.Ranks.Numbered)
		sortKeys(b, n.Input.Columns(), n.Ranks.By)
	case *Match:
		n.print(b)
	case *Over:
		fmt.Fprintf(b, "over %s", n.Frame)
		groups(b, n.Input.Columns(), n.Keys, n.Calls)
		sortKeys(b, n.Input.Columns(), n.By)
	case *Join:
		fmt.Fprintf(b, "%s join on %v = %v", n.Kind, n.LeftKeys, n.RightKeys)
		if v := n.Interval; v != nil {
			fmt.Fprintf(b, " with $%d from %d to %d of $%d", v.LeftTime, v.Low, v.High, v.RightTime)
		}
		if w := n.Windows; w != nil {
			fmt.Fprintf(b, " in %s of %v to %v", windowing(w.Windows), w.Start, w.End)
		}
		joined(b, n, n.Condition)
	case *KeyWindows:
		fmt.Fprintf(b, "key windows %s delay %d on $%d", windowing(&Windowing{Spec: n.Spec}), n.Delay, n.Time)
		groups(b, n.Input.Columns(), n.Keys, n.Aggregates)
	case *TableJoin:
		fmt.Fprintf(b, "%s table join on %v = %v first %t", n.Kind, n.LeftKeys, n.RightKeys, n.First)
		joined(b, n, nil)
	case *TemporalJoin:
		fmt.Fprintf(b, "%s temporal join of $%d with $%d on %v = %v", n.Kind, n.LeftTime, n.RightTime, n.LeftKeys, n.RightKeys)
		if n.Rising {
			b.WriteString(" rising")
		}
		joined(b, n, n.Condition)
	case *SetOperation:
		b.WriteString(n.Op.String())
		for _, c := range n.Cols {
			b.WriteString(" " + c.Type.Nullable().String())
		}
	case *Lateness:
		b.WriteString("lateness")
	case *Misread:
		b.WriteString("misread")
	case *CurrentWatermark:
		fmt.Fprintf(b, "watermark of $%d", n.Time)
	case *Unnest:
		fmt.Fprintf(b, "unnest outer %t ordinality %t ", n.Outer, n.Ordinality)
		expression(b, n.Collection)
	case *Deduplicate:
		n.print(b)
	case *Process:
		n.print(b)
	case *Union:
		b.WriteString("union")
	case *Shared:
		fingerprint(b, n.Input)
		return
	case *Outlet:
		fmt.Fprintf(b, "output %d", n.K)
	default:
		panic(fmt.Sprintf("tidemark bug: plan node %T has no fingerprint", n))
	}
	b.WriteString(" {")
	for i, c := range n.Children() {
		separate(b, i)
		fingerprint(b, c)
	}
	b.WriteString("}")
}

// joined is the condition of a join and the columns of its sides.
func joined(b *strings.Builder, n Node, condition expr.Expr) {
	if condition != nil {
		b.WriteString(" and ")
		expression(b, condition)
	}
	for _, side := range n.Children() {
		b.WriteString(" (")
		for i, c := range side.Columns() {
			separate(b, i)
			b.WriteString(c.Type.Nullable().String())
		}
		b.WriteString(")")
	}
}

// groups is the keys and aggregates over the columns in.
func groups(b *strings.Builder, in []Column, keys []int, aggregates []Aggregate) {
	for i, k := range keys {
		if i == 0 {
			b.WriteString(" by ")
		}
		separate(b, i)
		fmt.Fprintf(b, "$%d %s", k, in[k].Type.Nullable())
	}
	for _, a := range aggregates {
		fmt.Fprintf(b, " %s distinct %t", a.Function.Name, a.Distinct)
		for i, c := range a.Args {
			fmt.Fprintf(b, " $%d %s", c, a.Overload.Params[i].Nullable())
		}
		for _, c := range a.Constants {
			b.WriteString(" ")
			expression(b, c)
		}
		if a.Filter >= 0 {
			fmt.Fprintf(b, " filter $%d", a.Filter)
		}
	}
}

// sortKeys is all columns, whose layout rows are kept in, and the order.
func sortKeys(b *strings.Builder, cols []Column, by []SortKey) {
	for _, c := range cols {
		b.WriteString(" " + c.Type.Nullable().String())
	}
	for _, k := range by {
		fmt.Fprintf(b, " $%d desc %t nulls last %t", k.Column, k.Desc, k.NullsLast)
	}
}

func separate(b *strings.Builder, i int) {
	if i > 0 {
		b.WriteString(", ")
	}
}

// windowing is the windows of a function with all that decides where they lie.
func windowing(w *Windowing) string {
	return fmt.Sprintf("%s time %s partitioned by %v", w, w.Time.Nullable(), w.PartitionBy)
}

// expression writes e with columns by position and type, since names may change without a change of meaning.
func expression(b *strings.Builder, e expr.Expr) {
	numbered := expr.Map(e, func(e expr.Expr) expr.Expr {
		if c, ok := e.(*expr.Column); ok {
			return expr.NewColumn(c.Index, fmt.Sprintf("$%d:%s", c.Index, c.Type().Nullable()), c.Type())
		}
		return e
	})
	fmt.Fprintf(b, "%s:%s", numbered, e.Type().Nullable())
}
