package plan

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// Whatever has a time to live keeps state, so a limit of memory is told of it as well.
func TestStateWithATimeToLiveIsToldOf(t *testing.T) {
	kinds := func(file, function string) (names []string) {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name == function {
				ast.Inspect(fn, func(n ast.Node) bool {
					if c, ok := n.(*ast.CaseClause); ok {
						for _, x := range c.List {
							if s, ok := x.(*ast.StarExpr); ok {
								names = append(names, s.X.(*ast.Ident).Name)
							}
						}
					}
					return true
				})
			}
		}
		return names
	}
	live, spill := kinds("ttl.go", "lives"), kinds("memory.go", "spills")
	if len(live) < 5 {
		t.Fatalf("only %s have a time to live", strings.Join(live, ", "))
	}
	for _, k := range live {
		if !slices.Contains(spill, k) {
			t.Errorf("%s has a time to live, and EXPLAIN does not say whether its state goes to the disk", k)
		}
	}
}
