package shell

import (
	"strings"
	"unicode"

	"github.com/tidemark-sql/tidemark/internal/textwidth"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// maxCell is the width beyond which a value is cut.
const maxCell = 60

// grid draws rows below a header, in boxes. The result has no line end behind its last line.
func grid(schema types.Schema, rows []row) []string {
	widths := make([]int, len(schema))
	names := make([]string, len(schema))
	for c, f := range schema {
		names[c] = visible(f.Name)
		widths[c] = width(names[c])
	}
	cells := make([][]string, len(rows))
	for i, r := range rows {
		cells[i] = make([]string, len(r))
		for c, cell := range r {
			text := "NULL"
			if cell != nil {
				text = cut(visible(*cell), maxCell)
			}
			cells[i][c] = text
			widths[c] = max(widths[c], width(text))
		}
	}
	lines := []string{rule(widths, "┌", "┬", "┐"), drawRow(names, widths, nil), rule(widths, "├", "┼", "┤")}
	for _, r := range cells {
		lines = append(lines, drawRow(r, widths, schema))
	}
	return append(lines, rule(widths, "└", "┴", "┘"))
}

func rule(widths []int, left, middle, right string) string {
	parts := make([]string, len(widths))
	for i, w := range widths {
		parts[i] = strings.Repeat("─", w+2)
	}
	return left + strings.Join(parts, middle) + right
}

// drawRow draws cells; with a schema numbers stand at the right.
func drawRow(cells []string, widths []int, schema types.Schema) string {
	var b strings.Builder
	for c, text := range cells {
		blanks := strings.Repeat(" ", widths[c]-width(text))
		if schema != nil && schema[c].Type.IsNumeric() {
			b.WriteString("│ " + blanks + text + " ")
		} else {
			b.WriteString("│ " + text + blanks + " ")
		}
	}
	return b.String() + "│"
}

func width(s string) int {
	n := 0
	for _, r := range s {
		n += textwidth.Rune(r)
	}
	return n
}

// cut shortens text to so many cells, with "…" for the rest.
func cut(s string, cells int) string {
	if width(s) <= cells {
		return s
	}
	n := 0
	for i, r := range s {
		if n += textwidth.Rune(r); n > cells-1 {
			return s[:i] + "…"
		}
	}
	return s
}

// shifted is what is left of text without so many cells at its beginning.
func shifted(s string, cells int) string {
	for i, r := range s {
		if cells <= 0 {
			return s[i:]
		}
		cells -= textwidth.Rune(r)
	}
	return ""
}

// visible is text without what would move the cursor: line feed and tab get a picture, other controls a question mark in a box.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return '↵'
		case r == '\t':
			return '→'
		case unicode.IsControl(r):
			return unicode.ReplacementChar
		}
		return r
	}, s)
}
