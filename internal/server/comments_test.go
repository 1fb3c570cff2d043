package server

import (
	"go/ast"
	"go/parser"
	position "go/token"
	"path/filepath"
	"strings"
	"testing"
)

// comments are those of the structs of package api, by type and by type.field. A field without one has "".
func comments(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("api/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(err, "no files")
	}
	all := map[string]string{}
	for _, file := range files {
		tree, err := parser.ParseFile(position.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range tree.Decls {
			decl, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range decl.Specs {
				if spec, ok := s.(*ast.TypeSpec); ok {
					if fields, ok := spec.Type.(*ast.StructType); ok {
						all[spec.Name.Name] = line(decl.Doc)
						for _, f := range fields.Fields.List {
							for _, name := range f.Names {
								all[spec.Name.Name+"."+name.Name] = line(f.Doc) + line(f.Comment)
							}
						}
					}
				}
			}
		}
	}
	return all
}

func line(c *ast.CommentGroup) string { return strings.Join(strings.Fields(c.Text()), " ") }
