package source

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible makes text safe to show on a terminal: a control character becomes its picture (␀, ␛), and whatever else cannot be seen or would change the order of
// what is read, and bytes that are not UTF-8, the character �. Tabs and ends of lines stay. Every character but those takes as many cells as before.
func Visible(text string) string {
	if strings.IndexFunc(text, hidden) < 0 && utf8.ValidString(text) {
		return text
	}
	return strings.Map(func(r rune) rune {
		switch {
		case !hidden(r):
			return r
		case r < ' ':
			return '␀' + r
		case r == 0x7f:
			return '␡'
		}
		return utf8.RuneError
	}, text)
}

// hidden reports whether r is a control character, or one that turns the direction of the text.
func hidden(r rune) bool {
	return unicode.IsControl(r) && r != '\t' && r != '\n' || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
}

// maxSentence is how many bytes of a message are shown; one can quote any piece of a statement.
const maxSentence = 2000

// Short is the beginning of a message that is too long to be read.
func Short(message string) string {
	if len(message) <= maxSentence {
		return message
	}
	return message[:runeStart(message, maxSentence)] + "…"
}

// VisibleLines is Visible for a text of several lines, which stay lines.
func VisibleLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = Visible(l)
	}
	return strings.Join(lines, "\n")
}
