package docs

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/nexmark"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// TestNexmarkTables reads what `tidemark generate nexmark` writes with the tables that docs/cli.md gives for it: every field is a column, every
// column gets a value, and no row is late.
func TestNexmarkTables(t *testing.T) {
	const rows = 200
	bin := build(t)
	folder := t.TempDir()
	script := ""
	for _, b := range blocks(read(t, "docs/cli.md")) {
		if b.info == "sql" {
			script += b.body
		}
	}
	parsed, err := sql.Parse(source.Text{Name: "docs/cli.md", Body: script})
	if err != nil {
		t.Fatal(err)
	}
	if len(parsed.Statements) != 3 {
		t.Fatalf("%d tables", len(parsed.Statements))
	}
	for _, s := range parsed.Statements {
		table := s.(*sql.CreateTable)
		name := table.Name.Last().Name
		kind, err := nexmark.ParseKind(name)
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if err := nexmark.Write(&file, nexmark.Config{Table: kind, Rows: rows, Seed: 1}); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name+".jsonl"), file.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		var first map[string]any
		if err := json.NewDecoder(&file).Decode(&first); err != nil {
			t.Fatal(err)
		}
		if len(first) != len(table.Schema.Columns) {
			t.Errorf("%s: %d fields and %d columns", name, len(first), len(table.Schema.Columns))
		}
		query := filepath.Join(folder, name+".sql")
		if err := os.WriteFile(query, []byte(script+"SELECT * FROM "+name), 0o644); err != nil {
			t.Fatal(err)
		}
		out, failed := shell(t, bin, fmt.Sprintf("cd '%s' && tidemark run --output jsonl %s.sql", folder, name))
		got := 0
		for lines := bufio.NewScanner(strings.NewReader(out)); lines.Scan(); {
			if strings.HasPrefix(lines.Text(), "{") {
				got++
			}
		}
		if failed || got != rows || strings.Contains(out, "null") || !strings.Contains(out, "no row late") {
			t.Errorf("%s: %d rows of %d, and all of this:\n%s", name, got, rows, out)
		}
	}
}
