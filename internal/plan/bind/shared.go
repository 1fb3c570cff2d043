package bind

import (
	"fmt"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// shared is what is read under a name and computed once, if the session wants that.
type shared struct {
	of    map[sharing]plan.Node
	names map[string]int // how many have the name
	paths plan.Paths
}

// sharing is a view or a WITH query.
type sharing struct {
	view  *catalog.View
	query *sql.CommonTable
}

// once is what bind makes, the first time; then it is the same again. Where another node would have to see through it there is nothing to share: a numbering of which the query around it asks for the first
// rows, windows that the query around it aggregates, versions that are joined with.
func (b *Binder) once(s sharing, name string, at source.Span, bind func() (plan.Node, error)) (plan.Node, error) {
	if reuse, _ := b.session.Settings.Value(catalog.KeyReuse); reuse != "true" {
		return bind()
	}
	if n, ok := b.shared.of[s]; ok {
		return n, nil
	}
	n, err := bind()
	if err != nil || !worthSharing(n) || b.leftOver(n) != nil || bareSession(n) != nil {
		return n, err
	}
	b.shared.names[name]++
	if k := b.shared.names[name]; k > 1 {
		name = fmt.Sprintf("%s-%d", name, k)
	}
	b.shared.of[s] = &plan.Shared{Name: name, Input: n}
	if b.shared.paths.Of(n) > plan.MaxPaths {
		return nil, b.tooLarge(at)
	}
	return b.shared.of[s], nil
}

// worthSharing reports whether the rows of n come from an operator with state that is about no time of its own.
func worthSharing(n plan.Node) bool {
	switch n := n.(type) {
	case *plan.Filter:
		return worthSharing(n.Input)
	case *plan.Project:
		return worthSharing(n.Input)
	case *plan.WindowAggregate, *plan.GroupAggregate, *plan.Join, *plan.TemporalJoin, *plan.Match, *plan.SetOperation, *plan.WindowTopN:
		return true
	}
	return false
}
