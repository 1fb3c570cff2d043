package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// public are the packages that other modules can import.
var public = []string{"root", "flow", "watermark"}

// TestPublicPackages: what can be imported from outside is on the list, so that nothing becomes public by its place alone.
func TestPublicPackages(t *testing.T) {
	found := map[string]bool{}
	for _, s := range sources(t) {
		if inside := strings.HasPrefix(s.path, "internal/") || s.tree.Name.Name == "main"; s.test || inside {
			continue
		}
		found[s.folder()] = true
		if !slices.Contains(public, s.folder()) {
			t.Errorf("%s is public and not on the list", s.path)
		}
	}
	if len(found) != len(public) {
		t.Errorf("found %v of %v", found, public)
	}
}

// TestPublicTypes: what a public package exports is made of types that its users can name.
func TestPublicTypes(t *testing.T) {
	for _, s := range sources(t) {
		if s.test || !slices.Contains(public, s.folder()) {
			continue
		}
		for _, n := range exported(s.tree) {
			for _, found := range internalTypes(s.tree, n) {
				t.Errorf("%s: %s is exported and mentions %s", s.place(n), s.folder(), found)
			}
		}
	}
}

// The check must find what it is for.
func TestPublicTypesFindsThem(t *testing.T) {
	tree, err := parser.ParseFile(token.NewFileSet(), "", `package p
import (
	"github.com/tidemark-sql/tidemark/internal/vector"
	types "github.com/tidemark-sql/tidemark/internal/other"
	"github.com/tidemark-sql/tidemark/watermark"
)
type A struct { In vector.Batch; out vector.Batch; F watermark.Frontier }
type B interface { M(types.Type); m(vector.X) }
type C = []vector.Batch
type d struct { In vector.Batch }
func E(a *vector.Arg, b int) (map[string]types.Out, error) { var local vector.Local; _ = local; return nil, nil }
func (d) F(vector.Batch) {}
func (*A) G() func(vector.G)
func h(vector.Batch) {}
var I, j vector.Batch
var K = vector.New()
const L = A(vector.Insert)
`, 0)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, n := range exported(tree) {
		found = append(found, internalTypes(tree, n)...)
	}
	want := []string{"vector.Batch", "types.Type", "vector.Batch", "vector.Arg", "types.Out", "vector.G", "vector.Batch", "vector.New"}
	if !slices.Equal(found, want) {
		t.Errorf("found %q, want %q", found, want)
	}
}

// exported are the parts of a file that others see: signatures, types without what is hidden in them, and variables. A value of a constant is one.
func exported(f *ast.File) []ast.Node {
	var all []ast.Node
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && receiverExported(d) {
				all = append(all, d.Type)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					if spec.Name.IsExported() {
						all = append(all, visible(spec.Type)...)
					}
				case *ast.ValueSpec:
					if !slices.ContainsFunc(spec.Names, (*ast.Ident).IsExported) {
						continue
					}
					if spec.Type != nil {
						all = append(all, spec.Type)
					} else if d.Tok.String() == "var" {
						for _, v := range spec.Values {
							all = append(all, v)
						}
					}
				}
			}
		}
	}
	return all
}

// visible are the parts of a type without fields and methods that are not exported.
func visible(e ast.Expr) []ast.Node {
	var fields *ast.FieldList
	switch e := e.(type) {
	case *ast.StructType:
		fields = e.Fields
	case *ast.InterfaceType:
		fields = e.Methods
	default:
		return []ast.Node{e}
	}
	var all []ast.Node
	for _, f := range fields.List {
		if f.Names == nil || slices.ContainsFunc(f.Names, (*ast.Ident).IsExported) {
			all = append(all, f.Type)
		}
	}
	return all
}

// internalTypes are the names from packages of internal/ that stand in a part of a file.
func internalTypes(f *ast.File, n ast.Node) []string {
	hidden := map[string]bool{}
	for _, i := range f.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		if err != nil || !strings.Contains(path, "/internal/") {
			continue
		}
		name := path[strings.LastIndex(path, "/")+1:]
		if i.Name != nil {
			name = i.Name.Name
		}
		hidden[name] = true
	}
	var found []string
	ast.Inspect(n, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && hidden[id.Name] {
				found = append(found, id.Name+"."+sel.Sel.Name)
			}
		}
		return true
	})
	return found
}
