package shell

import (
	"fmt"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
)

const (
	prompt       = "tidemark> "
	continuation = "       -> "
)

// scroll is which part of a result is on the screen.
type scroll struct {
	top, left int  // the first row, and how many cells are out at the left
	follow    bool // the last rows, whatever comes
	changes   bool // the changes, not the table
	page, all int  // how many rows fit and how many there are, as drawn last
}

func (s *scroll) key(name string) {
	move := func(by int) {
		if s.follow {
			s.top = max(s.all-s.page, 0)
		}
		s.top = max(min(s.top+by, s.all-s.page), 0)
		s.follow = by > 0 && s.top == max(s.all-s.page, 0)
	}
	switch name {
	case "up", "k":
		move(-1)
	case "down", "j":
		move(1)
	case "pgup", "b":
		move(-s.page)
	case "pgdown", "space", "f":
		move(s.page)
	case "home", "g":
		s.top, s.follow = 0, false
	case "end", "G":
		s.follow = true
	case "left", "h":
		s.left = max(s.left-10, 0)
	case "right", "l":
		s.left += 10
	case "t":
		s.changes = !s.changes
		s.top, s.follow = 0, true
	}
}

// pageRows is how many rows fit on the screen with their frame and the line below it.
func (m *model) pageRows() int { return max(m.height-6, 1) }

// page draws the part of the result that is on the screen.
func (m *model) page() []string {
	schema, rows, lost := m.results.rows(m.view.changes)
	v := &m.view
	v.page, v.all = m.pageRows(), len(rows)
	if v.follow {
		v.top = max(v.all-v.page, 0)
	}
	v.top = max(min(v.top, v.all-v.page), 0)
	lines := grid(schema, rows[v.top:min(v.top+v.page, v.all)])
	for i, line := range lines {
		lines[i] = cut(shifted(line, v.left), m.width)
	}
	if lost && v.top == 0 {
		lines[2] = cut(strings.Replace(lines[2], "─", "⋯", 3), m.width)
	}
	return lines
}

// View implements tea.Model.
func (m *model) View() tea.View {
	switch m.state {
	case editing:
		return m.editView()
	case searching:
		return m.searchView()
	case running, viewing:
		var lines []string
		if m.query.Into() == "" {
			lines = m.page()
		}
		return tea.NewView(strings.Join(append(lines, cut(m.status(), m.width)), "\n"))
	}
	return tea.NewView("")
}

// status is the line below a result.
func (m *model) status() string {
	what := m.job.Progress(m.shell.options.Now().Sub(m.started))
	if m.state == viewing {
		what = "done"
	} else if m.stopped {
		what += " · stopping"
	}
	if m.query.Into() != "" {
		return what + " · Ctrl-C stops"
	}
	v := &m.view
	kind, other := "rows", "changes"
	if v.changes {
		kind, other = "changes", "table"
	}
	shown := fmt.Sprintf("%s %d to %d of %d", kind, min(v.top+1, v.all), min(v.top+v.page, v.all), v.all)
	leave := "Ctrl-C stops"
	if m.state == viewing {
		leave = "Q leaves"
	}
	return fmt.Sprintf("%s · %s · %s · T shows the %s", what, shown, leave, other)
}

// echo is the input as it stays on the screen.
func (m *model) echo() string { return strings.Join(promptLines(m.editor.string()), "\n") }

func promptLines(body string) []string {
	lines := coloured(body)
	quote, at := openQuote(body)
	for i := range lines {
		switch {
		case i == 0:
			lines[i] = prompt + lines[i]
		case quote != "" && i > at:
			lines[i] = continuation[:len(continuation)-len("-> ")] + quote + "> " + lines[i]
		default:
			lines[i] = continuation + lines[i]
		}
	}
	return lines
}

// openQuote is the quote that body does not close, "" if there is none, and the line in which it stands.
func openQuote(body string) (quote string, line int) {
	lexemes := sql.Lexemes(source.Text{Body: body})
	if len(lexemes) == 0 {
		return "", 0
	}
	last := lexemes[len(lexemes)-1]
	if open := body[last.Span.Start:]; last.Kind == tokens.FaultLexeme && (open[0] == '\'' || open[0] == '`') {
		return open[:1], strings.Count(body[:last.Span.Start], "\n")
	}
	return "", 0
}

// editView draws the input with the cursor, and the menu of completion below. What is too long goes on in the next line of the screen.
func (m *model) editView() tea.View {
	before := string(m.editor.text[:m.editor.cursor])
	at := strings.Count(before, "\n")
	x := len(prompt) + width(before[strings.LastIndexByte(before, '\n')+1:])
	y := x / m.width
	var lines []string
	for i, line := range promptLines(m.editor.string()) {
		if i == at {
			y += len(lines)
		}
		lines = append(lines, wrap(line, m.width)...)
	}
	for y >= len(lines) {
		lines = append(lines, "")
	}
	view := tea.NewView(strings.Join(append(lines, m.menu.lines(m.width)...), "\n"))
	view.Cursor = tea.NewCursor(x%m.width, y)
	return view
}

// wrap cuts a coloured line into pieces of so many cells; a colour goes on in the next piece.
func wrap(line string, cells int) []string {
	var pieces []string
	var b strings.Builder
	column, colour := 0, ""
	for rest := line; rest != ""; {
		if end := strings.IndexByte(rest, 'm'); rest[0] == '\x1b' && end > 0 {
			colour = rest[:end+1]
			b.WriteString(colour)
			rest = rest[end+1:]
			continue
		}
		r, size := utf8.DecodeRuneInString(rest)
		w := width(string(r))
		if column+w > cells && column > 0 {
			pieces = append(pieces, b.String()+plainColour)
			b.Reset()
			b.WriteString(colour)
			column = 0
		}
		b.WriteString(rest[:size])
		column += w
		rest = rest[size:]
	}
	return append(pieces, b.String())
}
