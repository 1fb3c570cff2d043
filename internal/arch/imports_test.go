package arch

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// row is a line of the table: a package, and every package of the module that it imports.
type row struct {
	name    string
	imports []string
}

var cell = regexp.MustCompile("`([^`]+)`")

// table reads the import table of ARCHITECTURE.md, in its order.
func table(t *testing.T) []row {
	t.Helper()
	_, section, ok := strings.Cut(read(t, "ARCHITECTURE.md"), "\n## Imports\n")
	if !ok {
		t.Fatal("ARCHITECTURE.md has no section 'Imports'")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	var rows []row
	for line := range strings.Lines(section) {
		cells := strings.Split(line, "|")
		if len(cells) != 4 || !strings.Contains(cells[1], "`") {
			continue
		}
		r := row{name: cell.FindStringSubmatch(cells[1])[1]}
		for _, m := range cell.FindAllStringSubmatch(cells[2], -1) {
			r.imports = append(r.imports, m[1])
		}
		rows = append(rows, r)
	}
	return rows
}

// imports are the packages of the module that each package imports, tests left out: those may look anywhere.
func imports(t *testing.T) map[string][]string {
	all := map[string][]string{}
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		name := s.folder()
		all[name] = append(all[name], nil...)
		for _, i := range s.tree.Imports {
			path, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if path == module {
				path = module + "/."
			}
			if in, ok := strings.CutPrefix(path, module+"/"); ok && !slices.Contains(all[name], short(in)) {
				all[name] = append(all[name], short(in))
			}
		}
	}
	return all
}

// TestImports holds the table in ARCHITECTURE.md against the code: a package for every row and a row for every package, with exactly its imports.
func TestImports(t *testing.T) {
	actual := imports(t)
	rows := table(t)
	listed := map[string]bool{}
	for _, r := range rows {
		if listed[r.name] {
			t.Errorf("package %s is in the table twice", r.name)
		}
		listed[r.name] = true
		have, ok := actual[r.name]
		if !ok {
			t.Errorf("the table has a package '%s', which does not exist", r.name)
			continue
		}
		for _, i := range have {
			if !slices.Contains(r.imports, i) {
				t.Errorf("%s imports %s, and the table does not let it", r.name, i)
			}
		}
		for _, i := range r.imports {
			if !slices.Contains(have, i) {
				t.Errorf("the table lets %s import %s, and it does not: take it out", r.name, i)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(actual)) {
		if !listed[name] {
			t.Errorf("package %s is not in the table", name)
		}
	}
}

// TestMap: the map leads to every directory right below internal.
func TestMap(t *testing.T) {
	_, section, ok := strings.Cut(read(t, "ARCHITECTURE.md"), "\n## The map\n")
	if !ok {
		t.Fatal("ARCHITECTURE.md has no section 'The map'")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	seen := map[string]bool{}
	for name := range imports(t) {
		first, _, _ := strings.Cut(name, "/")
		if _, err := os.Stat(filepath.Join(root, "internal", first)); err != nil || seen[first] {
			continue
		}
		seen[first] = true
		if !strings.Contains(section, "](internal/"+first+"/") {
			t.Errorf("the map does not lead to internal/%s", first)
		}
	}
	if len(seen) < 30 {
		t.Errorf("%d directories are looked at", len(seen))
	}
}

// TestImportsPointDown: a package imports only what stands below it in the table, so the table is also an order in which to read the tree.
func TestImportsPointDown(t *testing.T) {
	rows := table(t)
	for at, r := range rows {
		for _, i := range r.imports {
			if !slices.ContainsFunc(rows[at+1:], func(below row) bool { return below.name == i }) {
				t.Errorf("%s imports %s, which does not stand below it", r.name, i)
			}
		}
	}
}

// linked are the packages of other modules that a package may import, by the beginning of their path; tests of the package may too.
var linked = map[string][]string{
	"advice":               {"github.com/DataDog/sketches-go/ddsketch"},
	"config":               {"go.yaml.in/yaml/v3"},
	"flowspec":             {"go.yaml.in/yaml/v3"},
	"connector/avro":       {"github.com/klauspost/compress"},
	"connector/faker":      {"github.com/brianvoe/gofakeit/v7"},
	"connector/filesystem": {"github.com/klauspost/compress"},
	"connector/kafka": {"github.com/twmb/franz-go/pkg/kgo", "github.com/twmb/franz-go/pkg/kadm", "github.com/twmb/franz-go/pkg/kmsg", "github.com/twmb/franz-go/pkg/kerr", "github.com/twmb/franz-go/pkg/sasl",
		"github.com/twmb/franz-go/pkg/kversion"},
	"operator": {"github.com/tidwall/btree"},
	"metrics":  {"github.com/prometheus/client_golang/prometheus"},
	"otlp":     {"go.opentelemetry.io/proto/slim/otlp", "google.golang.org/protobuf/proto"},
	"broker": {"github.com/twmb/franz-go/pkg/kfake", "github.com/twmb/franz-go/pkg/kmsg", "github.com/twmb/franz-go/pkg/kerr", "github.com/twmb/franz-go/pkg/kgo",
		"github.com/twmb/franz-go/pkg/kversion"},
	"broker/brokertest": {"github.com/twmb/franz-go/pkg/kgo", "github.com/twmb/franz-go/pkg/kadm", "github.com/twmb/franz-go/pkg/kfake", "github.com/twmb/franz-go/pkg/kmsg",
		"github.com/twmb/franz-go/pkg/kerr"},
	"cmd/tidemark":       {"github.com/aymanbagabas/go-udiff"},
	"connector/parquet":  {"github.com/apache/arrow-go/v18"},
	"connector/registry": {"github.com/twmb/franz-go/pkg/sr"},
	"server":             {"github.com/getkin/kin-openapi", "golang.org/x/time/rate"}, // the first of its tests
	"shell":              {"charm.land/bubbletea/v2"},
}

// TestDependencies: what is not ours and not the standard library is imported where `linked` says and nowhere else.
func TestDependencies(t *testing.T) {
	used := map[string]bool{}
	for _, s := range sources(t) {
		for _, i := range s.tree.Imports {
			path, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			first, _, _ := strings.Cut(path, "/")
			if !strings.Contains(first, ".") || path == module || strings.HasPrefix(path, module+"/") {
				continue
			}
			at := slices.IndexFunc(linked[s.folder()], func(m string) bool { return path == m || strings.HasPrefix(path, m+"/") })
			if at < 0 {
				t.Errorf("%s: import of %s", s.place(i), path)
				continue
			}
			used[s.folder()+" "+linked[s.folder()][at]] = true
		}
	}
	for name, modules := range linked {
		for _, m := range modules {
			if !used[name+" "+m] {
				t.Errorf("%s may import %s and does not: take it out", name, m)
			}
		}
	}
}

// TestDependenciesAreExplained: the page about dependencies has a row for each module that go.mod asks for, and for no other.
func TestDependenciesAreExplained(t *testing.T) {
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	listed := func(pattern, text string) (names []string) {
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
			names = append(names, m[1])
		}
		slices.Sort(names)
		return names
	}
	required := listed(`(?m)^\t(\S+) v\S+$`, read("go.mod"))
	explained := listed("(?m)^\\| `([^`]+)` \\|", read("docs/decisions/no-dependencies.md"))
	if len(required) == 0 || !slices.Equal(required, explained) {
		t.Errorf("go.mod requires\n%q\nand the page explains\n%q", required, explained)
	}
}

// TestLibraryIsFreeOfTheTerminal: who imports the library does not get what only the program needs.
func TestLibraryIsFreeOfTheTerminal(t *testing.T) {
	all := imports(t)
	seen := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		if seen[name] {
			return
		}
		seen[name] = true
		for _, i := range all[name] {
			visit(i)
		}
	}
	visit("root")
	for _, name := range []string{"shell", "layout", "check", "broker", "connector/parquet"} {
		if seen[name] {
			t.Errorf("the library imports %s", name)
		}
	}
}
