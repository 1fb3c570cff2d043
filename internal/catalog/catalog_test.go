package catalog

import (
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// TestSession adds and drops tables and views, which share their names.
func TestSession(t *testing.T) {
	s := NewSession()
	s.AddTable(&Table{Name: "b"})
	s.AddView(&View{Name: "a"})
	s.AddTable(&Table{Name: "B"})
	if got, want := s.Names(), []string{"B", "a", "b"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if !s.Has("a") || !s.Has("b") || s.Has("c") {
		t.Error("Has is wrong")
	}
	if s.DropTable("a") || s.DropView("b") {
		t.Error("a view was dropped as a table, or a table as a view")
	}
	if !s.DropTable("b") || !s.DropView("a") || s.DropTable("b") {
		t.Error("a table or a view was not dropped, or twice")
	}
	if got, want := s.Names(), []string{"B"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestPhysical tells the columns that a connector knows from those that are computed.
func TestPhysical(t *testing.T) {
	table := Table{Columns: []Column{
		{Name: "twice", Type: types.IntType, Computed: expr.LiteralInt(types.IntType, 2)},
		{Name: "a", Type: types.IntType},
		{Name: "b", Type: types.StringType},
	}}
	schema, columns := table.Physical()
	if got, want := schema.Names(), []string{"a", "b"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if want := []int{1, 2}; !slices.Equal(columns, want) {
		t.Errorf("got %v, want %v", columns, want)
	}
}
