package shell

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// search is Ctrl-R: a text, and the newest input that holds it.
type search struct {
	text   string
	before int // only inputs before this one count
	found  int // -1: none
}

func (m *model) searchKey(name, text string) {
	s, h := &m.search, m.shell.history
	switch name {
	case "ctrl+r":
		if s.found >= 0 {
			if again := h.search(s.text, s.found); again >= 0 {
				s.found, s.before = again, again+1
			}
		}
		return
	case "backspace", "ctrl+h":
		if runes := []rune(s.text); len(runes) > 0 {
			s.text = string(runes[:len(runes)-1])
		}
		s.before = len(h.entries)
	case "ctrl+g", "ctrl+c":
		m.state = editing
		return
	default:
		if text == "" {
			// Any other key takes what was found, to be edited.
			m.state = editing
			if s.found >= 0 {
				m.editor.set(h.entries[s.found])
			}
			return
		}
		s.text += text
	}
	s.found = -1
	if s.text != "" {
		s.found = h.search(s.text, s.before)
	}
}

func (m *model) searchView() tea.View {
	found := ""
	if m.search.found >= 0 {
		found = m.shell.history.entries[m.search.found]
	}
	head := "search '" + m.search.text + "': "
	view := tea.NewView(head + strings.Join(coloured(found), "\n"))
	view.Cursor = tea.NewCursor(min(width(head)-3, m.width-1), 0)
	return view
}
