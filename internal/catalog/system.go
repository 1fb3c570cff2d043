package catalog

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// SystemView is a view that whoever runs the session answers: it has no text, and its rows are those that there are when a statement names it. Every database has it, and none lists it.
type SystemView struct {
	Name    string
	Columns types.Schema
	// Rows are its rows, a value for each column.
	Rows func() [][]*expr.Literal
}

// AddSystem adds a system view, for all sessions over the same catalogs that are made of this one from now on.
func (s *Session) AddSystem(v *SystemView) { s.system = append(slices.Clip(s.system), v) }

// System finds a system view.
func (s *Session) System(name string) (*SystemView, bool) {
	i := slices.IndexFunc(s.system, func(v *SystemView) bool { return v.Name == name })
	if i < 0 {
		return nil, false
	}
	return s.system[i], true
}
