package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/expr"
)

// SortKey is an item of ORDER BY: a column of the input.
type SortKey struct {
	Column int
	// NullsLast puts NULL behind all values, whether the order is ascending or Desc.
	Desc, NullsLast bool
}

// Sort puts rows in the order of event time: By begins with a time attribute, ascending. A row leaves when the watermark has passed it.
type Sort struct {
	Input Node
	By    []SortKey
}

// Limit is the rows number Offset to Offset+Count-1 of its input in the order of By, or as they come if By is empty. With By, or if the input takes rows back, rows
// enter and leave the result as others come and go. Count is not 0.
type Limit struct {
	Input         Node
	By            []SortKey
	Offset, Count int64
	TTL           TTL
}

// AtEnd is the rows that are there at the end of its input, which must have one, in the order of By, or as they came if By is empty.
type AtEnd struct {
	Input Node
	By    []SortKey
}

// Columns implements Node.
func (n *AtEnd) Columns() []Column { return n.Input.Columns() }

// Children implements Node.
func (n *AtEnd) Children() []Node { return []Node{n.Input} }

func (n *AtEnd) describe() string {
	if len(n.By) == 0 {
		return "AtEnd"
	}
	return "AtEnd " + describeKeys(n.Columns(), n.By)
}

// Columns implements Node.
func (n *Sort) Columns() []Column { return n.Input.Columns() }

// Columns implements Node.
func (n *Limit) Columns() []Column { return n.Input.Columns() }

// Children implements Node.
func (n *Sort) Children() []Node { return []Node{n.Input} }

// Children implements Node.
func (n *Limit) Children() []Node { return []Node{n.Input} }

// Passes reports whether the limit passes its first rows and is done, rather than that rows enter and leave its result.
func (n *Limit) Passes() bool { return len(n.By) == 0 && !Updates(n.Input) }

// changes tells which changes of the result there are; see the function changes.
func (n *Limit) changes() []string {
	_, replaces := n.Replaces()
	switch {
	case n.Offset == 0 && n.Count == 1 && (replaces || !Updates(n.Input)):
		return []string{"I", "UB", "UA"}
	case replaces:
		return []string{"I", "UB", "UA", "D"}
	case n.Offset == 0:
		return []string{"I", "D"}
	case Updates(n.Input):
		return []string{"I", "UB", "UA", "D"}
	}
	return []string{"I", "UB", "UA"}
}

func (n *Limit) describe() string {
	text := "Limit"
	if len(n.By) > 0 {
		text += " " + describeKeys(n.Columns(), n.By) + ","
	}
	text += fmt.Sprintf(" %d", n.Count)
	if n.Offset > 0 {
		text += fmt.Sprintf(" offset %d", n.Offset)
	}
	return text
}

// describeKeys is sort keys over the columns in: by [a, b DESC].
func describeKeys(in []Column, by []SortKey) string {
	items := make([]string, len(by))
	for i, k := range by {
		items[i] = in[k.Column].Name
		if k.Desc {
			items[i] += " DESC"
		}
		if k.NullsLast != k.Desc {
			items[i] += nullsPlace(k.NullsLast)
		}
	}
	return "by [" + strings.Join(items, ", ") + "]"
}

func nullsPlace(last bool) string {
	if last {
		return " NULLS LAST"
	}
	return " NULLS FIRST"
}

// Replaces are the columns by which a row of the input replaces an earlier one, if the later never stands behind the earlier in the order: then rows outside the
// result need not be kept.
func (n *Limit) Replaces() ([]int, bool) { return replaces(n.Input, nil, n.By) }

// replaces are the columns by which a row of in replaces an earlier one of the same partition, if it never stands behind it in the order by. Flink 2.3,
// UpdateFastStrategy: in groups rows that are only added, its keys are all there, the partition's among them, and the order is by keys, by aggregates that only rise,
// descending, or by those that only fall, ascending.
func replaces(in Node, partition []int, by []SortKey) ([]int, bool) {
	if len(by) == 0 {
		return nil, false
	}
	from := make([]int, len(in.Columns())) // by column: that of the grouping, -1 if it is computed
	for i := range from {
		from[i] = i
	}
	for p, ok := in.(*Project); ok; p, ok = in.(*Project) {
		for i, at := range from {
			if at >= 0 {
				from[i] = passed(p, at)
			}
		}
		in = p.Input
	}
	g, ok := in.(*GroupAggregate)
	if !ok || Updates(g.Input) {
		return nil, false
	}
	for _, k := range by {
		if at := from[k.Column]; at < 0 || at >= len(g.Keys) && !g.Aggregates[at-len(g.Keys)].ascends(k, g.Input.Columns()) {
			return nil, false
		}
	}
	for _, k := range partition {
		if from[k] < 0 || from[k] >= len(g.Keys) {
			return nil, false
		}
	}
	keys := make([]int, len(g.Keys))
	for k := range keys {
		if keys[k] = slices.Index(from, k); keys[k] < 0 {
			return nil, false
		}
	}
	return keys, true
}

// passed is the column of its input that p passes on as column i, -1 if it computes it.
func passed(p *Project, i int) int {
	if c, ok := p.Exprs[i].(*expr.Column); ok {
		return c.Index
	}
	return -1
}

// ascends reports whether the result of an aggregate over rows of in that are only added only moves to the front of an order. Until there is a value it is NULL, which must not be
// in front of values then; Flink 2.3 does not look at that, and keeps a row that fell behind others.
func (a *Aggregate) ascends(by SortKey, in []Column) bool {
	switch a.Function.Name {
	case "COUNT":
		return by.Desc
	case "MAX", "MIN":
		valued := in[a.Args[0]].Type.NotNull && a.Filter < 0
		return by.Desc == (a.Function.Name == "MAX") && (by.NullsLast || valued)
	}
	return false
}
