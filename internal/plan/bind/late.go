package bind

import (
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/watermark"
)

// lateTable finds the table whose late rows p names, nil if it names none.
func (b *Binder) lateTable(p catalog.Path) (*catalog.Table, error) {
	name, ok := strings.CutSuffix(p.Name, plan.LateSuffix)
	if !ok {
		return nil, nil
	}
	p.Name = name
	found, _, err := b.Find(p)
	t, _ := found.(*catalog.Table)
	return t, err
}

// lateScan makes n a scan of the late rows alone. Their times are no time attributes, as there is no watermark that they would be on time for.
func (b *Binder) lateScan(n *plan.Scan, name sql.Name) error {
	t := n.Table
	if _, snapshot := n.Strategy.Emission.(watermark.AtEnd); snapshot {
		return b.errorf(source.CodeUnsupported, name.Span(), "SET '"+catalog.KeySnapshot+"' = 'off' to see the rows that are late as they come", "in a snapshot no row is late: there is no table of the late rows of '%s'", t.Name)
	}
	if !n.Strategy.Shown {
		return b.errorf(source.CodeUnsupported, name.Span(), "ALTER TABLE "+written(t.Name)+" SET ('"+plan.OptionLate+"' = 'filter') takes them out of what statements read of it from then on", "there is no table of the late rows of '%s'", t.Name)
	}
	n.Late = watermark.OnlyLate
	for i := range n.Cols {
		n.Cols[i].Rowtime = false
	}
	return nil
}

// readsLate reports whether n has rows of a table's late ones.
func readsLate(n plan.Node) bool {
	return slices.ContainsFunc(plan.Scans(n), func(s *plan.Scan) bool { return s.Late == watermark.OnlyLate })
}

// adjusted refuses what would not count late rows as a table says.
func (b *Binder) adjusted(n plan.Node, at source.Span) error {
	u, mixed := plan.Unadjusted(n)
	if u == nil {
		return nil
	}
	name, _, _ := strings.Cut(plan.Describe(u), " ")
	if w, ok := u.(*plan.WindowAggregate); ok {
		name = w.Windows.Spec.Kind.String()
	}
	if mixed {
		return b.errorf(source.CodeUnsupported, at, "give all tables that it reads '"+plan.OptionLate+"' = 'adjust', or 'drop'",
			"%s reads a table with '"+plan.OptionLate+"' = 'adjust' and another one whose late rows it drops", name)
	}
	return b.errorf(source.CodeUnsupported, at, "give the table another '"+plan.OptionLate+"', in its WITH clause or in a hint",
		"'"+plan.OptionLate+"' = 'adjust' is for aggregations over TUMBLE and HOP, and %s would not count late rows so", name)
}

// filtered leaves late rows out of n, if the table says so.
func filtered(n *plan.Scan) error {
	n.Late = n.Strategy.Late
	switch {
	case n.Late == watermark.PassLate && !n.Strategy.Adjusts:
	case n.Table.Watermark == nil:
		return &connector.OptionError{Key: plan.OptionLate, Message: "without a watermark no row is late", Hint: "declare WATERMARK FOR a time column, or leave the option out"}
	case n.Changelog != connector.Append:
		return &connector.OptionError{Key: plan.OptionLate, Message: "rows that change others cannot be left out, nor counted elsewhere", Hint: "leave the option out; it is for tables whose rows are only added"}
	}
	return nil
}
