package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Details are what EXPLAIN adds to a plan when it is asked to.
type Details struct {
	// Changelog adds to every node which changes it sends, Advice what could be better, JSON the plan as JSON.
	Changelog, Advice, JSON bool
	Memory                  Memory
}

// Explain prints statements that run together: what they share, their trees, then the watermark strategy of each table that is read, with the origin of every
// value, what the operators do to watermarks, where there is a system watermark behind them, and what is promised of the rows that are written.
func Explain(all []*Statement, d Details) string {
	line := Describe
	if d.Changelog {
		line = func(n Node) string {
			return Describe(n) + " changelogMode=[" + strings.Join(changes(n), ",") + "]"
		}
	}
	var b strings.Builder
	printShared(&b, line, roots(all)...)
	for _, s := range all {
		b.WriteString(s.end() + "\n")
		b.WriteString("└─ " + line(s.Root) + "\n")
		printChildren(&b, s.Root, "   ", line)
	}
	scans := Scans(roots(all)...)
	replay := Replays(scans)
	told := map[string]bool{}
	for _, s := range scans {
		if text := s.explain(replay); !told[text] { // a table may be read twice in the same way
			b.WriteString("\n" + text)
			told[text] = true
		}
	}
	if slices.ContainsFunc(scans, func(s *Scan) bool { return s.Table.Watermark != nil }) {
		if text := effects(all); text != "" {
			b.WriteString("\nWatermarks\n" + text)
		}
	}
	if text := systems(all); text != "" {
		b.WriteString("\nSystem watermark\n" + text)
	}
	if text := states(all, d.Memory); text != "" {
		b.WriteString("\nState\n" + text)
	}
	b.WriteString(guarantees(all))
	if d.Advice {
		b.WriteString("\nAdvice\n" + adviceText(Advise(all)))
	}
	if d.JSON {
		b.WriteString("\nJSON\n" + asJSON(all))
	}
	return b.String()
}

// end says where the rows of a statement go.
func (s *Statement) end() string {
	switch {
	case s.Keeps != NotKept:
		return fmt.Sprintf("Keep %s in %s", s.Keeps, s.Into.Name)
	case s.Into != nil:
		return "Insert into " + s.Into.Name
	}
	return "Result"
}

// guarantees tells what holds of the rows of each table that is written.
func guarantees(all []*Statement) string {
	var b strings.Builder
	var told []string
	for _, s := range all {
		if s.Into == nil || slices.Contains(told, s.Into.Name) {
			continue
		}
		told = append(told, s.Into.Name)
		fmt.Fprintf(&b, "  %-18s %s: %s\n", s.Into.Name, s.Guarantee.Times, s.Guarantee.Why)
	}
	if b.Len() == 0 {
		return ""
	}
	for _, n := range Scans(roots(all)...) {
		if n.Once && !slices.Contains(told, n.Name()) {
			told = append(told, n.Name())
			fmt.Fprintf(&b, "  %-18s read once: its rows cannot be read again, so a statement that was ended in between is refused\n", n.Name())
		}
	}
	return "\nGuarantees of a statement that goes on from its checkpoints, as with --state-dir\n" + b.String()
}

func (n *Scan) explain(replay bool) string {
	var b strings.Builder
	b.WriteString("Table " + n.Name() + "\n")
	w := n.Table.Watermark
	if w == nil {
		b.WriteString("  no watermark: rows pass, windows are refused\n")
		return b.String()
	}
	fmt.Fprintf(&b, "  watermark for %s: %s\n", n.Table.Columns[w.Column].Name, w.Text)
	for _, f := range n.Strategy.InForce(replay) {
		fmt.Fprintf(&b, "    %-18s %-28s (%s)\n", f.Name, f.Value, f.Origin)
	}
	return b.String()
}

// changes tells which changes the rows of n may be, as Flink 2.3 abbreviates them: insert, update before and after, delete.
func changes(n Node) []string {
	if !Updates(n) {
		return []string{"I"}
	}
	var most []string
	switch n := n.(type) {
	case *GroupAggregate:
		most = []string{"I", "UB", "UA", "D"}
		switch {
		case len(n.Aggregates) == 0 && n.TTL.Micros == 0:
			most = []string{"I", "D"}
		case !Updates(n.Input):
			most = most[:3]
		}
		return most
	case *SetOperation:
		return []string{"I", "D"}
	case *Limit:
		return n.changes()
	case *TopN:
		return n.changes()
	case *Join:
		switch {
		case n.Timed():
		case n.Kind == LeftJoin, n.Kind == RightJoin, n.Kind == FullJoin:
			return []string{"I", "D"}
		case n.Kind == AntiJoin:
			most = []string{"D"}
		}
	}
	inputs := n.Children()
	switch j := n.(type) {
	case *TemporalJoin:
		inputs = []Node{j.Left}
	case *TableJoin:
		inputs = []Node{j.Left}
	}
	for _, c := range inputs {
		most = append(most, changes(c)...)
	}
	return slices.DeleteFunc([]string{"I", "UB", "UA", "D"}, func(change string) bool { return !slices.Contains(most, change) })
}

// adviceText is advice, a line for each.
func adviceText(all []Advice) string {
	if len(all) == 0 {
		return "  nothing to say\n"
	}
	var b strings.Builder
	for _, a := range all {
		fmt.Fprintf(&b, "  %s: %s; %s [%s]\n", a.Scan.Name(), a.Text, a.Remedy, a.Name)
	}
	return b.String()
}

// jsonNode is a node as Flink's execution plan has it.
type jsonNode struct {
	ID           int        `json:"id"`
	Type         string     `json:"type"`
	Pact         string     `json:"pact"`
	Contents     string     `json:"contents"`
	Predecessors []jsonEdge `json:"predecessors,omitempty"`
}

type jsonEdge struct {
	ID           int    `json:"id"`
	ShipStrategy string `json:"ship_strategy"`
}

// keysOf is by how many columns rows are spread over the tasks of n; false for a node that is chained to its input.
func keysOf(n Node) (int, bool) {
	switch n := n.(type) {
	case *WindowAggregate:
		return len(n.Keys), true
	case *GroupAggregate:
		return len(n.Keys), true
	case *Join:
		if n.Interval != nil {
			return 0, true
		}
		return len(n.LeftKeys), true
	case *TemporalJoin:
		return len(n.LeftKeys), true
	case *SetOperation:
		return len(n.Cols), true
	case *TopN:
		return len(n.Keys), true
	case *WindowTopN:
		return len(n.Keys), true
	case *Over:
		return len(n.Keys), true
	case *Match:
		return len(n.Keys), true
	case *Process:
		return len(n.Spec.Inputs[0].Keys), true
	case *Sort, *Limit, *AtEnd, *Deduplicate, *TableJoin, *KeyWindows:
		return 0, true
	}
	return 0, false
}

// asJSON is the nodes of all statements, inputs before what reads them.
func asJSON(all []*Statement) string {
	var nodes []jsonNode
	add := func(n jsonNode) int {
		n.ID = len(nodes) + 1
		n.Type, _, _ = strings.Cut(n.Contents, " ")
		nodes = append(nodes, n)
		return n.ID
	}
	shared := map[*Shared]int{}
	var walk func(n Node) int
	walk = func(n Node) int {
		if s, ok := n.(*Shared); ok {
			if shared[s] == 0 {
				shared[s] = walk(s.Input)
			}
			return shared[s]
		}
		out := jsonNode{Pact: "Operator", Contents: Describe(n)}
		if len(n.Children()) == 0 {
			out.Pact = "Data Source"
		}
		for _, c := range n.Children() {
			ship := "FORWARD"
			if keys, exchanged := keysOf(n); exchanged {
				if ship = "GLOBAL"; keys > 0 {
					ship = "HASH"
				}
			}
			out.Predecessors = append(out.Predecessors, jsonEdge{walk(c), ship})
		}
		return add(out)
	}
	for _, s := range all {
		root := walk(s.Root)
		add(jsonNode{Pact: "Data Sink", Contents: s.end(), Predecessors: []jsonEdge{{root, "GLOBAL"}}})
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(map[string]any{"nodes": nodes}); err != nil {
		panic("tidemark bug: a plan does not become JSON: " + err.Error())
	}
	return text.String()
}
