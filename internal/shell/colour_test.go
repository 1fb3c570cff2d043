package shell

import (
	"strings"
	"testing"
)

// TestOpenQuote: the lines behind a quote that is not closed say so, and those behind one that is do not.
func TestOpenQuote(t *testing.T) {
	for _, c := range []struct {
		body  string
		quote string
		line  int
	}{
		{"SELECT 'a\nb", "'", 0},
		{"SELECT\n  'a''\nb", "'", 1},
		{"SELECT `a\n", "`", 0},
		{"SELECT 'a\nb'\n", "", 0},
		{"SELECT -- it's\n", "", 0},
		{"SELECT #\n", "", 0},
		{"", "", 0},
	} {
		if quote, line := openQuote(c.body); quote != c.quote || line != c.line {
			t.Errorf("%q: got %q of line %d", c.body, quote, line)
		}
	}
	if got := promptLines("x\n'a\nb"); !strings.HasPrefix(got[1], "       -> ") || !strings.HasPrefix(got[2], "       '> ") {
		t.Errorf("got %q", got)
	}
}

// FuzzColoured draws anything.
func FuzzColoured(f *testing.F) {
	f.Add("SELECT b. FROM 'x")
	f.Fuzz(func(t *testing.T, body string) {
		wrap(strings.Join(coloured(body), " "), 7)
	})
}
