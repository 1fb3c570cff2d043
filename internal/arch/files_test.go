package arch

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// maxBytes is the size at which a file holds more than one concept.
const maxBytes = 40 << 10

// text reports whether the file is prose, code or configuration that people read; data and golden files are not.
func text(path string) bool {
	if strings.Contains("/"+path, "/testdata/") || path == "LICENSE" {
		return false
	}
	switch filepath.Ext(path) {
	case ".go", ".md", ".sql", ".py", ".sh", ".mod", ".script", "":
		return true
	}
	return false
}

func TestFilesAreSmall(t *testing.T) {
	for _, path := range files(t) {
		if !text(path) {
			continue
		}
		info, err := os.Stat(filepath.Join(root, path))
		if err != nil {
			t.Fatal(err)
		}
		if info.Size() > maxBytes {
			t.Errorf("%s has %d bytes; split it", path, info.Size())
		}
	}
}

// The words are put together here so that this file does not hold them.
var (
	leftovers = regexp.MustCompile(`\b(` + strings.Join([]string{"TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK"}, "|") + `)\b`)
	machines  = regexp.MustCompile(`(^|[\s"'(=` + "`" + `])(/ho` + `me|/ro` + `ot|/wo` + `rk|/Us` + `ers)/`)
)

func TestNoLeftovers(t *testing.T) {
	for _, path := range files(t) {
		if !text(path) {
			continue
		}
		number := 0
		for line := range strings.Lines(read(t, path)) {
			number++
			if m := leftovers.FindString(line); m != "" {
				t.Errorf("%s:%d: %s: do it, or open an issue", path, number, m)
			}
			if m := machines.FindString(line); m != "" {
				t.Errorf("%s:%d: %s is a path of one machine", path, number, m)
			}
		}
	}
}

// clocked are the packages that may read the wall clock, wait, or set a timer; the others are told what time it is.
var clocked = []string{"cmd/tidemark", "runtime", "broker"}

func TestOneDoorToTheClock(t *testing.T) {
	doors := []string{"Now", "Sleep", "Since", "Until", "After", "AfterFunc", "Tick", "NewTicker", "NewTimer"}
	for _, s := range sources(t) {
		if s.test || slices.Contains(clocked, s.folder()) || !importsTime(&s) {
			continue
		}
		ast.Inspect(s.tree, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if id, ok := sel.X.(*ast.Ident); ok && id.Name == "time" && slices.Contains(doors, sel.Sel.Name) {
				t.Errorf("%s: time.%s outside %s", s.place(n), sel.Sel.Name, strings.Join(clocked, " and "))
			}
			return true
		})
	}
}

func importsTime(s *source) bool {
	return slices.ContainsFunc(s.tree.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == strconv.Quote("time") })
}
