package format

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// TestTolerantReadsWithoutDetour: a decoder of lines remains one when it leaves out what it cannot read.
func TestTolerantReadsWithoutDetour(t *testing.T) {
	for _, f := range Formats {
		if f.Messages || f.Whole {
			continue
		}
		schema := columns("ls")
		if f.Name == "raw" || f.Name == "json_as_string" {
			schema = columns("s")
		}
		is := map[string]bool{}
		for _, mode := range []string{"fail", "ignore"} {
			d, err := choose(t, connector.Options{"format": f.Name, "error-handling.mode": mode}).NewDecoder(schema, indexes(len(schema)))
			if err != nil {
				t.Fatal(f.Name, err)
			}
			_, is[mode] = d.(lineDecoder)
		}
		if is["fail"] != is["ignore"] {
			t.Errorf("%s: reads lines itself when strict: %v, when tolerant: %v", f.Name, is["fail"], is["ignore"])
		}
	}
}

// TestTolerantLines leaves bad lines out wherever they stand, whatever fits into a batch.
func TestTolerantLines(t *testing.T) {
	good := func(n int) string { return fmt.Sprintf(`{"l":%d,"s":"a\\n"}`, n) }
	bad := []string{"{", `{"l":"x"}`, "[]{", `[{"l":1},{"l":"x"}]`, `{"l":1,"s":"\q"}`}
	for _, c := range []struct {
		name  string
		lines []string
		rows  int
		bad   int64
	}{
		{"none", []string{good(0), good(1)}, 2, 0},
		{"first", []string{bad[0], good(0), good(1)}, 2, 1},
		{"last", []string{good(0), good(1), bad[1]}, 2, 1},
		{"between", []string{good(0), bad[2], bad[3], good(1), "", bad[4], good(2)}, 3, 3},
		{"all", bad, 0, int64(len(bad))},
		{"an array around them", []string{"[" + good(0) + "," + good(1) + "]", bad[3], good(2)}, 3, 1},
	} {
		var want []string
		for i := range c.rows {
			want = append(want, good(i))
		}
		for _, maxRows := range []int{1, 2, 3, 100} {
			for _, end := range []string{"", "\n"} {
				text := strings.Join(c.lines, "\n") + end
				rows, skipped := decodeText(t, connector.Options{"format": "json", "error-handling.mode": "ignore"}, columns("ls"), indexes(2), text, maxRows)
				if !slices.Equal(rows, want) || skipped != c.bad {
					t.Errorf("%s, %d rows at a time: %q, %d left out; want %q, %d", c.name, maxRows, rows, skipped, want, c.bad)
				}
			}
		}
	}
}

// TestTolerantStopsAtItsBatch: a bad line takes no place in a batch, and none is read for a batch that is full.
func TestTolerantStopsAtItsBatch(t *testing.T) {
	d, err := choose(t, connector.Options{"format": "json", "error-handling.mode": "ignore"}).NewDecoder(columns("l"), indexes(1))
	if err != nil {
		t.Fatal(err)
	}
	text := "x\n{\"l\":1}\nx\n{\"l\":2}\nx\n"
	var pool vector.Pool
	b, consumed, err := Decode(d, Lines, pool.Get(), []byte(text), 2)
	if err != nil || b.N != 2 || consumed != len(text)-2 || d.Skipped() != 2 {
		t.Errorf("%d rows, %d of %d bytes, %d left out, %v", b.N, consumed, len(text), d.Skipped(), err)
	}
	b.Release()
}
