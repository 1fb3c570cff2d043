package shell

import (
	"strings"
	"unicode/utf8"
)

// menu is completion at work: what Tab found, and which of it stands in the text.
type menu struct {
	complete   func(before, after string) (candidates []string, start int)
	candidates []string
	start      int // where they begin in the text
	chosen     int // -1 if none stands in the text yet
}

func (m *menu) close() { m.candidates = nil }

// tab completes what stands before the cursor as far as it is certain; pressed again it puts in one candidate after the other.
func (m *menu) tab(e *editor, forward bool) {
	if len(m.candidates) > 1 {
		step := 1
		if !forward {
			step = -1
			m.chosen = max(m.chosen, 0)
		}
		m.chosen = (m.chosen + step + len(m.candidates)) % len(m.candidates)
		e.replace(m.start, m.candidates[m.chosen])
		return
	}
	before := string(e.text[:e.cursor])
	candidates, at := m.complete(before, string(e.text[e.cursor:]))
	start := utf8.RuneCountInString(before[:at])
	switch len(candidates) {
	case 0:
		m.close()
	case 1:
		m.close()
		e.replace(start, candidates[0])
	default:
		m.candidates, m.start, m.chosen = candidates, start, -1
		if common := commonPrefix(candidates); len(common) > len(before)-at {
			e.replace(start, common)
		}
	}
}

func commonPrefix(list []string) string {
	prefix := list[0]
	for _, s := range list[1:] {
		for len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
			_, size := utf8.DecodeLastRuneInString(prefix)
			prefix = prefix[:len(prefix)-size]
		}
	}
	return prefix
}

// maxMenu is how many lines the menu takes at most.
const maxMenu = 6

// lines draws the candidates in columns, the chosen one in brackets.
func (m *menu) lines(cells int) []string {
	if len(m.candidates) < 2 {
		return nil
	}
	widest := 0
	for _, c := range m.candidates {
		widest = max(widest, width(c)+2)
	}
	columns := max(cells/widest, 1)
	rows := (len(m.candidates) + columns - 1) / columns
	first := 0
	if m.chosen >= 0 {
		first = max(min(m.chosen/columns-maxMenu/2, rows-maxMenu), 0)
	}
	var lines []string
	for r := first; r < min(rows, first+maxMenu); r++ {
		var b strings.Builder
		for i := r * columns; i < min((r+1)*columns, len(m.candidates)); i++ {
			text := " " + m.candidates[i] + " "
			if i == m.chosen {
				text = "[" + m.candidates[i] + "]"
			}
			b.WriteString(text + strings.Repeat(" ", widest-width(text)))
		}
		lines = append(lines, cut(strings.TrimRight(b.String(), " "), cells))
	}
	if rows > maxMenu {
		lines = append(lines, " …")
	}
	return lines
}
