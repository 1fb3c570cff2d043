package source

import (
	"strings"
	"testing"
)

// A long line is shown around its fault, wherever it is and however long.
func TestLongLine(t *testing.T) {
	for _, c := range []struct{ before, fault, after int }{{0, 3, 5000}, {5000, 3, 0}, {5000, 3, 5000}, {10, 1_000_000, 10}} {
		body := strings.Repeat("é", c.before) + strings.Repeat("x", c.fault) + strings.Repeat("界", c.after)
		start := len("é") * c.before
		drawn := (&Error{Message: "wrong", Span: Span{start, start + c.fault}, Text: Text{"q.sql", body}}).Render()
		if len(drawn) > 2000 {
			t.Errorf("%+v: %d bytes", c, len(drawn))
		}
		lines := strings.Split(drawn, "\n")
		source, caret := []rune(lines[3]), []rune(lines[4])
		at := strings.IndexRune(string(caret), '^')
		if at < 0 || source[len([]rune(string(caret)[:at]))] != 'x' {
			t.Errorf("%+v: the caret is not under the fault:\n%s", c, drawn)
		}
	}
}

// A long line of any bytes can be drawn, wherever the fault is.
func TestLongLineOfAnyBytes(t *testing.T) {
	for _, unit := range []string{"x", "é", "界", "\x8c", "x\x8c\x8c\x8c\x8c\x8c", "\xff\xe7"} {
		body := strings.Repeat(unit, 300)
		for start := 0; start <= len(body); start += 7 {
			for _, end := range []int{start, start + 1, start + 200, len(body)} {
				if end <= len(body) {
					(&Error{Message: "wrong", Span: Span{start, end}, Text: Text{"q.sql", body}}).Render()
				}
			}
		}
	}
}

// Errors of several texts drawn by one Drawing are those that Render draws, and secrets of none of them are shown.
func TestDrawing(t *testing.T) {
	var d Drawing
	for _, body := range []string{"SELECT x", "WITH ('password' = 'abc', x)", "WITH ('password' = 'abc', x)", "SELECT x", ""} {
		for at := range len(body) + 1 {
			e := &Error{Message: "wrong", Span: Span{at, at + 1}, Text: Text{"q.sql", body}}
			if got := d.Draw(e, "note"); got != e.RenderAs("note") || strings.Contains(got, "abc") {
				t.Errorf("of %q at %d it draws\n%s", body, at, got)
			}
		}
	}
}
