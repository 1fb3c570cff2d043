package format

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// TestLogging: what cannot be read is an error, is left out, or is left out and kept as it came, wherever batches are cut.
func TestLogging(t *testing.T) {
	for _, c := range []struct {
		format string
		lines  []string
		good   []string
		bad    []string // offset, record, what is wrong
	}{
		{"json", []string{`{"l":1,"s":"a\"b"}`, `{"l":"x","s":"c\"d"}`, ``, `[{"l":2,"s":"\u00e9"},{"l":"y","s":"\u00e9"}]`, ` {"l":3`, `{"l":4,"s":"e"}`},
			[]string{`{"l":1,"s":"a\"b"}`, `{"l":4,"s":"e"}`},
			[]string{`19 {"l":"x","s":"c\"d"} expected BIGINT, found "x" format=json position=5 field=l`,
				`41 [{"l":2,"s":"\u00e9"},{"l":"y","s":"\u00e9"}] expected BIGINT, found "y" format=json position=27 field=l`,
				`87  {"l":3 the line ends before its object does format=json position=6`}},
		{"csv", []string{`1,"a""b"`, `"x""y",c`, `2`, `3,d`}, []string{`{"l":1,"s":"a\"b"}`, `{"l":3,"s":"d"}`},
			[]string{`9 "x""y",c expected BIGINT, found "x\"y" format=csv position=1 field=l`, `18 2 the record has 1 of the table's 2 values format=csv position=1`}},
	} {
		text := strings.Join(c.lines, "\n") + "\n"
		o := connector.Options{"format": c.format}
		if rows, _ := decodeText(t, o, columns("ls"), indexes(2), text, 100); !slices.ContainsFunc(rows, func(r string) bool { return strings.HasPrefix(r, "error: ") }) {
			t.Errorf("%s: without a mode nothing is wrong: %v", c.format, rows)
		}
		o[connector.OptionErrors] = "ignore"
		if rows, skipped := decodeText(t, o, columns("ls"), indexes(2), text, 2); !slices.Equal(rows, c.good) || skipped != int64(len(c.bad)) {
			t.Errorf("%s: ignored %d, read %v", c.format, skipped, rows)
		}
		o[connector.OptionErrors] = connector.LogErrors
		for _, maxRows := range []int{1, 2, 100} {
			if rows, skipped := decodeText(t, o, columns("ls"), indexes(2), text, maxRows); !slices.Equal(rows, c.good) || skipped != int64(len(c.bad)) {
				t.Errorf("%s: left out %d, read %v", c.format, skipped, rows)
			}
			if got := misreadOf(t, o, text, maxRows); !slices.Equal(got, c.bad) {
				t.Errorf("%s, %d rows a batch: got\n%s\nwant\n%s", c.format, maxRows, strings.Join(got, "\n"), strings.Join(c.bad, "\n"))
			}
		}
	}
}

// misreadOf tells what a decoder keeps of text, without hints.
func misreadOf(t *testing.T, o connector.Options, text string, maxRows int) (kept []string) {
	t.Helper()
	c := choose(t, o)
	d, err := c.NewDecoder(columns("ls"), indexes(2))
	if err != nil {
		t.Fatal(err)
	}
	f, err := c.NewFramer()
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(text); {
		b, consumed, err := Decode(d, f, (&vector.Pool{}).Get(), []byte(text[at:]), maxRows)
		if err != nil {
			t.Fatal(err)
		}
		b.Release()
		for _, m := range Misread(d) {
			line := fmt.Sprintf("%d %s %s", m.Offset+int64(at), m.Value, m.Message)
			for _, detail := range m.Details {
				if detail.Name != "hint" {
					line += " " + detail.Name + "=" + detail.Text
				}
			}
			kept = append(kept, line)
		}
		at += consumed
	}
	return kept
}
