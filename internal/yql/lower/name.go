package lower

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/yql"
	"github.com/tidemark-sql/tidemark/internal/yql/functions"
)

// name is a named expression, or a parameter of a lambda, that what stands behind it may use. YQL: a later one of the same name hides it.
type name struct {
	of string
	at source.Span
	// value is that of a scalar or a lambda.
	value functions.Value
	// rows are those of a query; nil for the others.
	rows   *relation
	before *name
}

// assign binds what a named expression is, so that it is right also if nobody uses it.
func (l *Lowerer) assign(a *yql.Assign) error {
	if len(a.Names) > 1 {
		return l.assignAll(a)
	}
	n := &name{of: a.Names[0].Name.Name, at: a.Names[0].Span()}
	if q, ok := a.Value.(*yql.Subquery); ok {
		rows, err := l.query(q.Query)
		if err != nil {
			return err
		}
		n.rows = l.shared(rows, n.of)
		if l.paths.Of(n.rows.node) > plan.MaxPaths {
			return l.errorf(source.CodeTooLarge, n.at, "read what stands before it fewer times", "$%s comes to more than %d operators, with the named queries that it reads put in wherever they are read", n.of, plan.MaxPaths)
		}
	} else {
		var err error
		if n.value, err = l.definition(a); err != nil {
			return err
		}
	}
	n.before = l.names
	l.names = n
	return nil
}

// shared is the rows of a named query, which are one stream whoever reads them.
func (l *Lowerer) shared(rows *relation, of string) *relation {
	label := "$" + of
	for again := 2; l.shares[label]; again++ {
		label = fmt.Sprintf("$%s %d", of, again)
	}
	l.shares[label] = true
	out := *rows
	out.node = &plan.Shared{Input: rows.node, Name: label}
	return &out
}

// definition is what a name stands for, which fails where it is used.
func (l *Lowerer) definition(a *yql.Assign) (functions.Value, error) {
	defer l.branches()()
	return l.value(a.Value, l.constants("a named expression"))
}

// assignAll takes a tuple apart.
func (l *Lowerer) assignAll(a *yql.Assign) error {
	v, err := l.definition(a)
	if err != nil {
		return err
	}
	var parts []functions.Value
	for i := range a.Names {
		part, err := functions.Member(v, strconv.Itoa(i))
		if err != nil {
			return l.place(err, a.Value.Span())
		}
		parts = append(parts, part)
	}
	for i, n := range a.Names {
		l.names = &name{of: n.Name.Name, at: n.Span(), value: parts[i], before: l.names}
	}
	return nil
}

// named finds a named expression.
func (l *Lowerer) named(ref yql.NamedRef, in *name) (*name, error) {
	for n := in; n != nil; n = n.before {
		if n.of == ref.Name.Name {
			return n, nil
		}
	}
	var known []string
	for n := in; n != nil; n = n.before {
		if !slices.Contains(known, "$"+n.of) {
			known = append(known, "$"+n.of)
		}
	}
	return nil, l.errorf(codeUnknownName, ref.Span(), didYouMean("$"+ref.Name.Name, known, "name it in front of its use: $"+ref.Name.Name+" = …;"), "unknown name '$%s'", ref.Name.Name)
}
