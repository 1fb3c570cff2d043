package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// root is where the module is, seen from here.
const root = "../.."

const module = "github.com/tidemark-sql/tidemark"

// files lists the files of the tree below root, with slashes, apart from what Git does not keep.
func files(t *testing.T) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		switch {
		case d.IsDir() && (name == ".git" || name == "bin" || name == "__pycache__" || name == "node_modules"):
			return fs.SkipDir
		case d.Type().IsRegular() && !ignored(name):
			rel, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			all = append(all, filepath.ToSlash(rel))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// ignored is what .gitignore says of single files.
func ignored(name string) bool {
	switch filepath.Ext(name) {
	case ".test", ".prof", ".out":
		return true
	}
	return name == "tidemark"
}

func read(t *testing.T, path string) string {
	t.Helper()
	body, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// source is one Go file.
type source struct {
	path string // from the root
	test bool
	tree *ast.File
	set  *token.FileSet
}

// place is where n stands, for a message.
func (s *source) place(n ast.Node) string {
	p := s.set.Position(n.Pos())
	return strings.TrimPrefix(filepath.ToSlash(p.String()), root+"/")
}

// folder is the package of the file as the table names it.
func (s *source) folder() string { return short(filepath.ToSlash(filepath.Dir(s.path))) }

// short names a package by its folder: internal/ is left out, and the root is called root.
func short(folder string) string {
	if folder == "." {
		return "root"
	}
	return strings.TrimPrefix(folder, "internal/")
}

// sources parses every Go file, whatever its build tags.
func sources(t *testing.T) []source {
	t.Helper()
	var all []source
	set := token.NewFileSet()
	for _, path := range files(t) {
		if !strings.HasSuffix(path, ".go") || strings.Contains("/"+path, "/testdata/") || strings.HasPrefix(path, ".") {
			continue
		}
		tree, err := parser.ParseFile(set, filepath.Join(root, path), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, source{path, strings.HasSuffix(path, "_test.go"), tree, set})
	}
	if len(all) < 50 {
		t.Fatalf("only %d Go files found", len(all))
	}
	return all
}
