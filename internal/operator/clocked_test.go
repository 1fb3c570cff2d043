package operator

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
)

// Expressions tell the time of day by the environment of their operator, so whoever is made with one takes the clock.
func TestWhoHasAnEnvironmentTakesTheClock(t *testing.T) {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	wants, takes := map[string]bool{}, map[string]bool{}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), f.Name(), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil && fn.Name.Name == "SetNow" {
				takes[fn.Recv.List[0].Type.(*ast.StarExpr).X.(*ast.Ident).Name] = true
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			if s, ok := spec.Type.(*ast.StructType); ok {
				for _, field := range s.Fields.List {
					if name, isSpec := strings.CutSuffix(spec.Name.Name, "Spec"); isSpec && len(field.Names) == 1 && field.Names[0].Name == "Env" {
						wants[name] = true
					}
				}
			}
			return false
		})
	}
	if len(wants) < 4 {
		t.Fatalf("only %d operators with an environment were found", len(wants))
	}
	for name := range wants {
		if !takes[name] {
			t.Errorf("%s has an environment and no SetNow, so CURRENT_TIMESTAMP stands still in it", name)
		}
	}
}
