package filesystem

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// TestMetadataOfFileAndFormat: what is known of the file and what the message tells stand between the columns wherever a table has them, and a statement may
// read any of them.
func TestMetadataOfFileAndFormat(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.jsonl")
	write(t, path, `{"data":[{"id":1,"name":"a"}],"table":"t","database":"d","type":"INSERT"}`+"\n"+`{"data":[{"id":2,"name":"b"}],"table":"u","type":"DELETE"}`+"\n")
	table := connector.Table{Name: "t",
		Schema: types.Schema{{Name: "of", Type: types.StringType}, {Name: "name", Type: types.StringType}, {Name: "file", Type: types.StringType}, {Name: "db", Type: types.StringType},
			{Name: "unread", Type: types.StringType}},
		Metadata: []string{"value.table", "", "file.name", "value.database", ""}}
	for _, c := range []struct {
		needed []int
		want   string
	}{
		{[]int{0, 1, 2, 3}, "t a x.jsonl d|u b x.jsonl NULL"},
		{[]int{3, 2, 1, 0}, "d x.jsonl a t|NULL x.jsonl b u"},
		{[]int{1, 3}, "a d|b NULL"},
		{[]int{0}, "t|u"},
		{[]int{2}, "x.jsonl|x.jsonl"},
		{[]int{1}, "a|b"},
	} {
		table.Needed = c.needed
		s, err := NewSource(table, connector.Options{"path": path, "format": "canal-json"})
		if err != nil {
			t.Fatal(err)
		}
		if got := cellsOf(t, s.(*Source)); got != c.want {
			t.Errorf("columns %v: %q, want %q", c.needed, got, c.want)
		}
	}
}

// cellsOf reads all rows, whose columns are texts.
func cellsOf(t *testing.T, s *Source) string {
	t.Helper()
	splits, err := s.Open()
	if err != nil {
		t.Fatal(err)
	}
	d, err := s.NewDecoder()
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, split := range splits {
		for {
			c, _, err := split.Poll(0)
			if err != nil {
				break
			}
			_, err = d.Decode(c, &vector.Pool{}, 1, func(b *vector.Batch) error {
				for i := range b.N {
					var cells []string
					for _, v := range b.Cols {
						if v.IsNull(i) {
							cells = append(cells, "NULL")
						} else {
							cells = append(cells, string(v.Bytes(i)))
						}
					}
					rows = append(rows, strings.Join(cells, " "))
				}
				b.Release()
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	return strings.Join(rows, "|")
}

// TestMetadataOfAFormatThatHasNone: a hint can give a table another format.
func TestMetadataOfAFormatThatHasNone(t *testing.T) {
	table := connector.Table{Name: "t", Schema: types.Schema{{Name: "of", Type: types.StringType}}, Metadata: []string{"value.table"}}
	container := Container{Name: "whole", Check: func(types.Schema, connector.Options) error { return nil }}
	for _, name := range []string{"json", "whole"} {
		_, err := family{[]Container{container}}.newSource(table, connector.Options{"path": "x", "format": name})
		if err == nil || err.Error() != "format '"+name+"' has no metadata 'table'" {
			t.Errorf("%s: %v", name, err)
		}
	}
}
