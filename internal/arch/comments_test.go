package arch

import (
	"go/ast"
	"strings"
	"testing"
)

// TestPackageComments: every package says what it is, in exactly one place.
func TestPackageComments(t *testing.T) {
	places := map[string][]string{}
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		name := s.folder()
		places[name] = append(places[name], nil...)
		if s.tree.Doc != nil && strings.TrimSpace(s.tree.Doc.Text()) != "" {
			places[name] = append(places[name], s.path)
		}
	}
	for name, files := range places {
		if len(files) != 1 {
			t.Errorf("package %s has %d package comments %v", name, len(files), files)
		}
	}
}

// TestDocComments: every exported identifier has a comment. Methods that only meet an interface of the standard library need none.
func TestDocComments(t *testing.T) {
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		for _, d := range s.tree.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && d.Doc == nil && receiverExported(d) && !standardMethod(d) {
					t.Errorf("%s: %s has no comment", s.place(d), d.Name.Name)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					checkSpec(t, &s, d, spec)
				}
			}
		}
	}
}

func checkSpec(t *testing.T, s *source, d *ast.GenDecl, spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		if spec.Name.IsExported() && d.Doc == nil && spec.Doc == nil {
			t.Errorf("%s: %s has no comment", s.place(spec), spec.Name.Name)
		}
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			if name.IsExported() && d.Doc == nil && spec.Doc == nil && spec.Comment == nil {
				t.Errorf("%s: %s has no comment", s.place(name), name.Name)
			}
		}
	}
}

// receiverExported reports whether d is a function, or a method of an exported type.
func receiverExported(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	receiver := d.Recv.List[0].Type
	for {
		switch r := receiver.(type) {
		case *ast.StarExpr:
			receiver = r.X
		case *ast.IndexExpr:
			receiver = r.X
		case *ast.IndexListExpr:
			receiver = r.X
		case *ast.Ident:
			return r.IsExported()
		default:
			return false
		}
	}
}

func standardMethod(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return false
	}
	switch d.Name.Name {
	case "Error", "Unwrap", "String":
		return true
	}
	return false
}
