package check

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

func isNull(e sql.Expr) bool {
	_, null := e.(*sql.NullLit)
	return null
}

func nullComparison(p *pass) {
	const hint = "write IS NULL or IS NOT NULL"
	p.inspect(func(n sql.Node) bool {
		switch n := n.(type) {
		case *sql.Binary:
			switch n.Op {
			case sql.OpEqual, sql.OpNotEqual, sql.OpLess, sql.OpLessEqual, sql.OpGreater, sql.OpGreaterEqual:
				if isNull(n.Left) || isNull(n.Right) {
					p.report(n.Span(), hint, "a comparison with NULL is never true")
				}
			}
		case *sql.In:
			for _, e := range n.List {
				switch {
				case isNull(e) && n.Not:
					p.report(e.Span(), "leave NULL out", "NOT IN a list with NULL is never true")
				case isNull(e):
					p.report(e.Span(), "leave NULL out, and add OR … IS NULL if that is meant", "nothing is equal to NULL")
				}
			}
		case *sql.Case:
			for _, w := range n.Whens {
				if n.Operand != nil && isNull(w.Condition) {
					p.report(w.Condition.Span(), "write CASE WHEN … IS NULL THEN …", "WHEN NULL never matches")
				}
			}
		}
		return true
	})
}

func notIn(p *pass) {
	p.inspect(func(n sql.Node) bool {
		if in, ok := n.(*sql.In); ok && in.Not && in.Query != nil {
			p.report(in.Span(), "write NOT EXISTS (…), or leave NULL out in the query", "NOT IN is never true once the query gives a NULL")
		}
		return true
	})
}

func wildcard(p *pass) {
	p.inspect(func(n sql.Node) bool {
		if l, ok := n.(*sql.Like); ok && !l.Similar {
			if s, ok := l.Pattern.(*sql.StringLit); ok && !strings.ContainsAny(s.Value, "%_") {
				p.report(l.Span(), "write = or <>, or add % where anything may stand", "LIKE without % or _ compares the whole text")
			}
		}
		return true
	})
}

// crossJoin finds commas in FROM where WHERE compares no two columns.
func crossJoin(p *pass) {
	p.inspect(func(n sql.Node) bool {
		q, ok := n.(*sql.Select)
		if !ok || q.From == nil || comparesColumns(q.Where) {
			return true
		}
		for t := q.From; ; {
			j, ok := t.(*sql.Join)
			if !ok {
				return true
			}
			if at, ok := p.comma(j); ok {
				p.report(at, "write JOIN … ON, or CROSS JOIN if every row is to meet every row", "nothing joins these tables: every row meets every row")
			}
			t = j.Left
		}
	})
}

// comma is the comma of a join that is written with one between two tables.
func (p *pass) comma(j *sql.Join) (source.Span, bool) {
	switch r := j.Right.(type) {
	case *sql.Unnest:
		return source.Span{}, false
	case *sql.TableFunction:
		if r.Lateral {
			return source.Span{}, false
		}
	case *sql.Derived:
		if r.Lateral {
			return source.Span{}, false
		}
	}
	gap := source.Span{Start: j.Left.Span().End, End: j.Right.Span().Start}
	if j.Kind != sql.CrossJoin || gap.Start > gap.End {
		return source.Span{}, false
	}
	for _, t := range sql.Lexemes(source.Text{Body: p.text.Slice(gap)}) {
		if at := (source.Span{Start: gap.Start + t.Span.Start, End: gap.Start + t.Span.End}); p.text.Slice(at) == "," {
			return at, true
		}
	}
	return source.Span{}, false
}

func comparesColumns(e sql.Expr) bool {
	found := false
	sql.Walk(e, func(e sql.Expr) bool {
		if b, ok := e.(*sql.Binary); ok {
			switch b.Op {
			case sql.OpEqual, sql.OpLess, sql.OpLessEqual, sql.OpGreater, sql.OpGreaterEqual, sql.OpNotDistinctFrom:
				found = found || sql.ReadsColumn(b.Left) && sql.ReadsColumn(b.Right)
			}
		}
		if b, ok := e.(*sql.Between); ok {
			found = found || sql.ReadsColumn(b.Operand) && (sql.ReadsColumn(b.Low) || sql.ReadsColumn(b.High))
		}
		return !found
	})
	return found
}
