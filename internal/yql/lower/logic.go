package lower

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/yql"
	"github.com/tidemark-sql/tidemark/internal/yql/functions"
)

// binary lowers an operator and its operands.
func (l *Lowerer) binary(e *yql.Binary, s *scope) (functions.Value, error) {
	if s.group == nil && (e.Op == yql.OpAnd || e.Op == yql.OpOr) { // in a group a part of a chain may be a key
		return l.logic(e, s)
	}
	left, err := l.value(e.Left, s)
	if err != nil {
		return left, err
	}
	if e.Op == yql.OpAnd || e.Op == yql.OpOr || e.Op == yql.OpCoalesce {
		defer l.branches()()
	}
	right, err := l.value(e.Right, s)
	if err != nil {
		return right, err
	}
	return functions.Binary(string(e.Op), left, right)
}

// logic lowers a chain of AND or of OR at once, so that a long one is not copied operand by operand.
func (l *Lowerer) logic(e *yql.Binary, s *scope) (functions.Value, error) {
	links := []*yql.Binary{e}
	for {
		left, ok := links[len(links)-1].Left.(*yql.Binary)
		if !ok || left.Op != e.Op {
			break
		}
		links = append(links, left)
	}
	slices.Reverse(links)
	first, err := l.value(links[0].Left, s)
	if err != nil {
		return first, err
	}
	defer l.branches()()
	all := []functions.Value{first}
	for _, link := range links {
		v, err := l.value(link.Right, s)
		if err != nil {
			return v, err
		}
		all = append(all, v)
	}
	if both, err := functions.Logic(string(e.Op), all...); err == nil {
		return both, nil
	}
	// The error is that of the first pair that does not fit.
	both := all[0]
	for i, link := range links {
		if both, err = functions.Binary(string(e.Op), both, all[i+1]); err != nil {
			return both, l.located(err, link)
		}
	}
	return both, nil
}
