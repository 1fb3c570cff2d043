package docs

import (
	"bufio"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// The rows of docs/compatibility*.md are in compatibility/*.txt, several tables a file:
//
//	= title of a table
//	id what is so, in a line
//	  test FOLDER TestName      a test of Go that shows it, where no script can
//	  differs what is otherwise here
//	  waits what is not there yet
//
// A script in testdata shows it if its header says `# covers: id id`. A row has at least one of all that.

// behaviour is a row of the page.
type behaviour struct {
	id, text       string
	differs, waits string
	tests, scripts []string // links
}

// status says in a word what a row is about, for the sums.
func (b *behaviour) status() string {
	shown := len(b.tests)+len(b.scripts) > 0
	switch {
	case b.waits != "" && shown:
		return "in part"
	case b.waits != "":
		return "not yet"
	case b.differs != "":
		return "otherwise"
	}
	return "as there"
}

// behaviours is a table of the page.
type behaviours struct {
	title string
	rows  []*behaviour
}

// covered are the files of compatibility/ in the order of the page, and the region that shows each.
var covered = []string{"confluent", "flip", "features", "flink", "ydb", "flow", "engine"}

func init() {
	generators["compatibility-sums"] = compatibilitySums
	for _, name := range covered {
		generators["compatibility-"+name] = func() string { return compatibilityPart(name) }
	}
}

// compatibility reads the rows of a file, with the scripts that cover them.
func compatibility(name string) ([]*behaviours, error) {
	scripts, err := coveredBy()
	if err != nil {
		return nil, err
	}
	file := filepath.Join("compatibility", name+".txt")
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var tables []*behaviours
	var row *behaviour
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case word == "" || rest == "":
			return nil, fmt.Errorf("%s:%d: one word", file, number)
		case word == "=":
			tables, row = append(tables, &behaviours{title: rest}), nil
		case !strings.HasPrefix(line, " "):
			if len(tables) == 0 {
				return nil, fmt.Errorf("%s:%d: a row before the first title", file, number)
			}
			row = &behaviour{id: word, text: rest, scripts: scripts[word]}
			t := tables[len(tables)-1]
			t.rows = append(t.rows, row)
		case row == nil:
			return nil, fmt.Errorf("%s:%d: belongs to no row", file, number)
		case word == "test":
			link, err := goTest(rest)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, number, err)
			}
			row.tests = append(row.tests, link)
		case word == "differs" && row.differs == "":
			row.differs = rest
		case word == "waits" && row.waits == "":
			row.waits = rest
		default:
			return nil, fmt.Errorf("%s:%d: '%s' is unknown, or twice", file, number, word)
		}
	}
	return tables, nil
}

// goTest is the link to a test, given by folder and name.
func goTest(text string) (string, error) {
	folder, name, _ := strings.Cut(text, " ")
	files, err := filepath.Glob(filepath.Join(root, folder, "*_test.go"))
	if err != nil {
		return "", err
	}
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		if strings.Contains(string(body), "\nfunc "+name+"(") {
			return fmt.Sprintf("[%s](../%s/%s)", name, folder, filepath.Base(file)), nil
		}
	}
	return "", fmt.Errorf("%s has no %s", folder, name)
}

// covers is the line of a script's header that names what it shows.
var covers = regexp.MustCompile(`^# covers: (.+)`)

// coveredBy are links to scripts by the ids that they cover, in the order of their paths.
var coveredBy = sync.OnceValues(func() (map[string][]string, error) {
	found := map[string][]string{}
	corpus := filepath.Join(root, "testdata")
	err := filepath.WalkDir(corpus, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".script" {
			return err
		}
		rel, err := filepath.Rel(corpus, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		lines := bufio.NewScanner(file)
		for lines.Scan() {
			if m := covers.FindStringSubmatch(lines.Text()); m != nil {
				for _, id := range strings.Fields(m[1]) {
					found[id] = append(found[id], fmt.Sprintf("[%s](../testdata/%s)", strings.TrimSuffix(rel, ".script"), rel))
				}
			}
		}
		return lines.Err()
	})
	return found, err
})

// TestCompatibility wants every row to be shown or accounted for, and every script to cover rows that there are.
func TestCompatibility(t *testing.T) {
	scripts, err := coveredBy()
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]bool{}
	for _, name := range covered {
		tables, err := compatibility(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, table := range tables {
			for _, row := range table.rows {
				if rows[row.id] {
					t.Errorf("%s is there twice", row.id)
				}
				rows[row.id] = true
				if len(row.scripts)+len(row.tests) == 0 && row.differs == "" && row.waits == "" {
					t.Errorf("%s: no script or test shows it, and nothing is said of a difference or of what it waits for: %s", row.id, row.text)
				}
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(scripts)) {
		if !rows[id] {
			t.Errorf("%s covers '%s', which is no row of compatibility/*.txt", strings.Join(scripts[id], ", "), id)
		}
	}
	for file := range files(t, "compatibility") {
		if !slices.Contains(covered, strings.TrimSuffix(file, ".txt")) {
			t.Errorf("compatibility/%s is on no page", file)
		}
	}
}

// files are the names in a folder of this package.
func files(t *testing.T, folder string) map[string]bool {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, e := range entries {
		names[e.Name()] = true
	}
	return names
}

// mustCompatibility is for generators, which run behind TestCompatibility's complaints.
func mustCompatibility(name string) []*behaviours {
	tables, err := compatibility(name)
	if err != nil {
		panic("tidemark bug: " + err.Error())
	}
	return tables
}

// compatibilitySums counts the rows of every table by what becomes of them.
func compatibilitySums() string {
	states := []string{"as there", "otherwise", "in part", "not yet"}
	var b strings.Builder
	fmt.Fprintf(&b, "\n| table | rows | %s |\n|---|%s\n", strings.Join(states, " | "), strings.Repeat("---|", 1+len(states)))
	total := map[string]int{}
	line := func(title string, rows int, sums map[string]int) {
		fmt.Fprintf(&b, "| %s | %d |", prose(title), rows)
		for _, s := range states {
			fmt.Fprintf(&b, " %d |", sums[s])
		}
		b.WriteString("\n")
	}
	all := 0
	for _, name := range covered {
		for _, table := range mustCompatibility(name) {
			sums := map[string]int{}
			for _, row := range table.rows {
				sums[row.status()]++
				total[row.status()]++
			}
			all += len(table.rows)
			line(table.title, len(table.rows), sums)
		}
	}
	line("all", all, total)
	return b.String() + "\n"
}

// compatibilityPart is the tables of a file.
func compatibilityPart(name string) string {
	var b strings.Builder
	for _, table := range mustCompatibility(name) {
		fmt.Fprintf(&b, "\n## %s\n\n| id | what is so there | here |\n|---|---|---|\n", table.title)
		for _, row := range table.rows {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", row.id, prose(row.text), row.here())
		}
	}
	return b.String() + "\n"
}

// here says what becomes of a row, and what shows it.
func (b *behaviour) here() string {
	const most = 6 // scripts that are named
	shown := slices.Concat(b.scripts, b.tests)
	more := ""
	if n := len(shown) - most; n > 0 {
		shown, more = shown[:most], fmt.Sprintf(" and %d more", n)
	}
	var parts []string
	if b.differs != "" {
		parts = append(parts, "*Otherwise*: "+prose(b.differs))
	}
	if b.waits != "" {
		word := "Not yet"
		if len(shown) > 0 {
			word = "In part; waits for"
		}
		parts = append(parts, fmt.Sprintf("*%s*: %s", word, prose(b.waits)))
	}
	if len(shown) > 0 {
		parts = append(parts, strings.Join(shown, ", ")+more)
	}
	return strings.Join(parts, ". ")
}
