package language

import (
	"runtime"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// TestManyStatements reads a text of four times the statements with four times the memory, also if some are wrong: none is read more than once, and none for the sake of another.
func TestManyStatements(t *testing.T) {
	for name, line := range map[string]string{
		"Flink SQL":       "SELECT a, b FROM t WHERE c = 'd';\n",
		"YQL":             "$a = SELECT a, b FROM t;\n",
		"both":            "SELECT a FROM t;\nDROP STREAMING QUERY q;\n",
		"wrong Flink SQL": "SELECT a FROM;\n",
		"wrong YQL":       "UPSERT a;\n",
		"wrong both":      "SELECT a FROM;\nDROP STREAMING q;\n",
		"streaming":       "CREATE STREAMING QUERY q AS DO BEGIN SELECT 1; END DO\n",
		"no semicolon":    "SELECT ((a\n",
		"empty":           ";\n",
	} {
		for reader, read := range map[string]func(source.Text){
			"Parse":     func(text source.Text) { _, _ = Parse(text, Auto) },
			"Piecewise": func(text source.Text) { _, _ = Piecewise(text, Auto) },
			"Complete":  func(text source.Text) { Complete(text, Auto) },
		} {
			text := func(n int) source.Text { return source.Text{Body: strings.Repeat(line, n)} }
			if few, many := allocated(func() { read(text(500)) }), allocated(func() { read(text(2_000)) }); many > 9*few+100_000 {
				t.Errorf("%s of %s: 500 take %d bytes, 2000 take %d", reader, name, few, many)
			}
		}
	}
}

// allocated is how many bytes f allocates.
func allocated(f func()) uint64 {
	var before, behind runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&behind)
	return behind.TotalAlloc - before.TotalAlloc
}
