package plan

import (
	"fmt"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/window"
)

// Print draws n as a tree, a node a line, inputs below what reads them. Shared relations stand before it, each once.
func Print(n Node) string {
	var b strings.Builder
	printShared(&b, Describe, n)
	b.WriteString(Describe(n) + "\n")
	printChildren(&b, n, "", Describe)
	return b.String()
}

// printShared draws the shared relations that are read for roots.
func printShared(b *strings.Builder, line func(Node) string, roots ...Node) {
	for _, s := range Shareds(roots...) {
		b.WriteString("Shared " + s.Name + "\n└─ " + line(s.Input) + "\n")
		printChildren(b, s.Input, "   ", line)
	}
}

// printChildren draws what is below n, each node as line says. What is shared is drawn elsewhere.
func printChildren(b *strings.Builder, n Node, indent string, line func(Node) string) {
	switch n.(type) {
	case *Shared, *Outlet:
		return
	}
	children := n.Children()
	for i, c := range children {
		branch, below := "├─ ", "│  "
		if i == len(children)-1 {
			branch, below = "└─ ", "   "
		}
		b.WriteString(indent + branch + line(c) + "\n")
		printChildren(b, c, indent+below, line)
	}
}

// Describe is one node on one line.
func Describe(n Node) string {
	switch n := n.(type) {
	case *Scan:
		return "Scan " + n.Name() + " [" + columnNames(n.Cols) + "]"
	case *Values:
		if len(n.Rows) == 1 {
			return "Values [1 row]"
		}
		return fmt.Sprintf("Values [%d rows]", len(n.Rows))
	case *Named:
		if n.Part {
			return "Part of " + n.Name
		}
		return "Stream " + n.Name
	case *Filter:
		return "Filter " + n.Condition.String()
	case *Project:
		items := make([]string, len(n.Exprs))
		for i, e := range n.Exprs {
			items[i] = e.String()
			if n.Cols[i].Name != items[i] {
				items[i] += " AS " + n.Cols[i].Name
			}
		}
		return "Project [" + strings.Join(items, ", ") + "]"
	case *Expand:
		return n.describe()
	case *WindowAssign:
		return "Window " + n.Windows.String() + " on " + n.Input.Columns()[n.Time].Name
	case *WindowAggregate:
		return n.describe()
	case *Normalize:
		return "Normalize by [" + namesOf(n.Columns(), n.Keys) + "]"
	case *Unnest:
		return n.describe()
	case *CurrentWatermark:
		return n.describe()
	case *Lateness:
		return "Lateness of " + n.Input.Name()
	case *Misread:
		return "Misread of " + n.Input.Table.Name
	case *GroupAggregate:
		return "GroupAggregate " + describeGrouping(n.Input.Columns(), n.Keys, n.Aggregates)
	case *Sort:
		return "Sort " + describeKeys(n.Columns(), n.By)
	case *AtEnd:
		return n.describe()
	case *Limit:
		return n.describe()
	case *TopN:
		return n.describe()
	case *WindowTopN:
		return n.describe()
	case *Match:
		return n.describe()
	case *Over:
		return n.describe()
	case *Join:
		return n.describe()
	case *TemporalJoin:
		return n.describe()
	case *TableJoin:
		return n.describe()
	case *KeyWindows:
		return n.describe()
	case *SetOperation:
		return "SetOperation " + n.Op.String()
	case *Deduplicate:
		return n.describe()
	case *Process:
		return n.describe()
	case *Union:
		return "Union ALL"
	case *Shared:
		return "Read " + n.Name
	case *Outlet:
		return n.describe()
	}
	panic(fmt.Sprintf("tidemark bug: plan node %T has no description", n))
}

func (n *WindowAggregate) describe() string {
	in := n.Input.Columns()
	on := "windows of the rows"
	if !n.Attached() {
		on = in[n.Time].Name
	}
	text := "WindowAggregate " + n.Windows.String() + " on " + on + ", "
	return text + describeGrouping(in, n.Keys, n.Aggregates)
}

// namesOf lists the names of some columns.
func namesOf(cols []Column, some []int) string {
	names := make([]string, len(some))
	for i, c := range some {
		names[i] = cols[c].Name
	}
	return strings.Join(names, ", ")
}

// describeGrouping is keys and aggregates over the columns in: by [k], [COUNT(*)].
func describeGrouping(in []Column, keys []int, aggregates []Aggregate) string {
	calls := make([]string, len(aggregates))
	for i, a := range aggregates {
		calls[i] = a.describe(in)
	}
	text := "[" + strings.Join(calls, ", ") + "]"
	if len(keys) > 0 {
		text = "by [" + namesOf(in, keys) + "], " + text
	}
	return text
}

func (a *Aggregate) describe(in []Column) string {
	var args []string
	for _, c := range a.Args {
		args = append(args, in[c].Name)
	}
	filter := ""
	if a.Filter >= 0 {
		filter = in[a.Filter].Name
	}
	return a.Spell(args, filter)
}

// Spell writes the call with its arguments, but for the constants, and its condition as given; that is empty if there is none.
func (a *Aggregate) Spell(args []string, filter string) string {
	for _, c := range a.Constants {
		args = append(args, c.String())
	}
	list := strings.Join(args, ", ")
	if a.Function.Name == "COUNT" && len(args) == 0 {
		list = "*"
	}
	if a.Distinct {
		list = "DISTINCT " + list
	}
	text := a.Function.Name + "(" + list + ")"
	if filter != "" {
		text += " FILTER (WHERE " + filter + ")"
	}
	return text
}

// String is the window function and its lengths.
func (w *Windowing) String() string {
	s := w.Spec
	var parts []string
	add := func(name string, v int64) {
		if v != 0 {
			parts = append(parts, name+" "+timefmt.Length(v))
		}
	}
	switch s.Kind {
	case window.Hop:
		add("slide", s.Slide)
	case window.Cumulate:
		add("step", s.Slide)
	case window.Session:
		add("gap", s.Gap)
	}
	add("size", s.Size)
	add("offset", s.Offset)
	text := s.Kind.String() + "(" + strings.Join(parts, ", ")
	if w.Zone != nil && w.Zone.String() != "UTC" {
		text += ", in " + w.Zone.String()
	}
	return text + ")"
}

func columnNames(cols []Column) string {
	names := make([]string, len(cols))
	for i, c := range cols {
		names[i] = c.Name
		if c.Rowtime {
			names[i] += " *ROWTIME*"
		}
	}
	return strings.Join(names, ", ")
}

// Scans lists the scans of plans that run together from left to right, those of a shared relation where it is read first.
func Scans(roots ...Node) (all []*Scan) {
	seen := map[*Shared]bool{}
	var visit func(n Node)
	visit = func(n Node) {
		switch n := n.(type) {
		case *Scan:
			all = append(all, n)
		case *Shared:
			if seen[n] {
				return
			}
			seen[n] = true
		}
		for _, c := range n.Children() {
			visit(c)
		}
	}
	for _, n := range roots {
		visit(n)
	}
	return all
}

// roots are the plans of statements.
func roots(all []*Statement) []Node {
	list := make([]Node, len(all))
	for i, s := range all {
		list[i] = s.Root
	}
	return list
}
