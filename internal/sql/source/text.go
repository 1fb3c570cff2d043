package source

import (
	"strings"
	"unicode/utf8"
)

// Text is a query text and the name it is known by, such as a file name.
type Text struct {
	Name string
	Body string
}

// Span is a half-open range of byte offsets into a Text. An empty span is a
// place between two characters; the end of input is one.
type Span struct {
	Start, End int
}

// To returns the span from the start of s to the end of last.
func (s Span) To(last Span) Span { return Span{s.Start, last.End} }

// Position returns the 1-based line and the 1-based column, in characters, of a
// byte offset. Offsets outside the text are moved to its nearest end.
func (t Text) Position(offset int) (line, column int) {
	offset = min(max(offset, 0), len(t.Body))
	before := t.Body[:offset]
	start := strings.LastIndexByte(before, '\n') + 1
	return strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[start:]) + 1
}

// Slice returns the part of the text that the span covers, cut to the text.
func (t Text) Slice(s Span) string {
	end := min(max(s.End, 0), len(t.Body))
	start := min(max(s.Start, 0), end)
	return t.Body[start:end]
}

// line returns the line around an offset, without its line end, and the offset
// at which it begins.
func (t Text) line(offset int) (content string, start int) {
	start = strings.LastIndexByte(t.Body[:offset], '\n') + 1
	content = t.Body[start:]
	if end := strings.IndexByte(content, '\n'); end >= 0 {
		content = content[:end]
	}
	return strings.TrimSuffix(content, "\r"), start
}
