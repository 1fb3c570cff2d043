package check

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// advised reports what planning advises about the watermarks of statements, where they name the table.
func advised(p *pass) {
	for i := range p.statements {
		if p.current = &p.statements[i]; p.current.query == nil {
			continue
		}
		for _, a := range p.current.query.Advice() {
			if a.Name == p.lint.Name && !p.readElsewhere(a) {
				p.report(p.placeOf(a.Scan), a.Remedy, "'"+a.Scan.Name()+"': "+a.Text)
			}
		}
	}
}

// placeOf is where the current statement names the table of a scan, or the statement if the table is read by a view.
func (p *pass) placeOf(s *plan.Scan) source.Span {
	whole := p.current.tree.Span()
	if at := s.Table.Places["connector"]; at.Text == p.text && whole.Start <= at.Span.Start && at.Span.End <= whole.End {
		return at.Span
	}
	return whole
}

// readElsewhere tells whether late rows that a statement leaves out are read by another one.
func (p *pass) readElsewhere(a plan.Advice) bool {
	if a.Name != plan.AdviceLateUnread {
		return false
	}
	for _, s := range p.statements {
		if slices.Contains(s.reads(), a.Scan.Table.Name+plan.LateSuffix) {
			return true
		}
	}
	return false
}
