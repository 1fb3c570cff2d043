package source

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/secret"
	"github.com/tidemark-sql/tidemark/internal/textwidth"
)

// Error is something a user can mend: a fault in a text, where it stands and
// what to do about it.
type Error struct {
	// Code is a stable kebab-case word for the kind of fault: "syntax",
	// "unknown-column", "unsupported".
	Code string
	// Span is where the fault stands in Text.
	Span Span
	// Message says what is wrong: one sentence, lower case, no full stop.
	Message string
	// Expected lists what would have been accepted here, each as it should be
	// shown to a reader ("','", "a column name"). Empty when that is not the point.
	Expected []string
	// Hint says what to do; empty when nothing is known.
	Hint string
	// Text is the text that Span points into.
	Text Text
}

// Error returns one line: name, line, column and what is wrong.
func (e *Error) Error() string {
	return e.place() + ": " + Visible(e.Sentence())
}

// Render draws the error with the line it stands in and a caret under the place:
//
//	error: unknown column 'bider'
//	  --> q.sql:3:8
//	   |
//	 3 | SELECT bider FROM bids
//	   |        ^^^^^
//	   = did you mean 'bidder'?
//
// Values of options that are secrets are not shown. Tabs and wide characters keep the caret in place, a span over several lines
// shows its first one, and the end of the input is shown just after the last
// character that is not a blank. The result ends in a line end.
func (e *Error) Render() string { return e.RenderAs("error") }

// RenderAs draws e as Render does, under another heading than "error".
func (e *Error) RenderAs(heading string) string { return new(Drawing).Draw(e, heading) }

// Drawing draws many errors of a text, whose secrets it hides once for all of them. The zero value is ready.
type Drawing struct {
	body, blank string // a text, and what it is without secrets, with all bytes where they were
}

// Draw draws e as RenderAs does.
func (d *Drawing) Draw(e *Error, heading string) string {
	anchor := e.anchor()
	line, _ := e.Text.Position(anchor.Start)
	content, start := d.of(e.Text).line(anchor.Start)

	from := min(anchor.Start-start, len(content))
	to := min(max(anchor.End-start, from), len(content))
	content, from, to = window(content, from, to)
	number := strconv.Itoa(line)
	gutter := strings.Repeat(" ", len(number))
	before, fault, behind := Visible(content[:from]), Visible(content[from:to]), Visible(content[to:])
	carets := max(displayWidth(fault), 1)

	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", heading, Visible(e.Sentence()))
	fmt.Fprintf(&b, " %s--> %s\n", gutter, e.place())
	fmt.Fprintf(&b, " %s |\n", gutter)
	fmt.Fprintf(&b, " %s | %s\n", number, before+fault+behind)
	fmt.Fprintf(&b, " %s | %s%s\n", gutter, spaces(before), strings.Repeat("^", carets))
	if e.Hint != "" {
		fmt.Fprintf(&b, " %s = %s\n", gutter, Visible(Short(e.Hint)))
	}
	return b.String()
}

// of is a text whose secrets cannot be read.
func (d *Drawing) of(t Text) Text {
	if d.body != t.Body {
		d.body, d.blank = t.Body, secret.Blank(t.Body)
	}
	return Text{Body: d.blank}
}

// A line of more than lineBytes is shown around its fault only, with lineAround bytes or so on either side and caretBytes of the fault itself.
const (
	lineBytes  = 240
	lineAround = 80
	caretBytes = 120
)

// window cuts a long line to what is around content[from:to], and moves from and to along.
func window(content string, from, to int) (cut string, cutFrom, cutTo int) {
	if len(content) <= lineBytes {
		return content, from, to
	}
	to = max(from, runeStart(content, min(to, from+caretBytes)))
	lo := runeStart(content, max(from-lineAround, 0))
	hi := max(to, runeStart(content, min(to+lineAround, len(content))))
	cut = content[lo:hi]
	if hi < len(content) {
		cut += "…"
	}
	if lo > 0 {
		cut = "…" + cut
		lo -= len("…")
	}
	return cut, from - lo, to - lo
}

// runeStart is the last place at or before i where a character begins, or i in a text that is not UTF-8.
func runeStart(s string, i int) int {
	for back := range min(utf8.UTFMax, i+1) {
		if i-back == len(s) || utf8.RuneStart(s[i-back]) {
			return i - back
		}
	}
	return i
}

func (e *Error) place() string {
	line, column := e.Text.Position(e.anchor().Start)
	return fmt.Sprintf("%s:%d:%d", e.Text.Name, line, column)
}

// Sentence is what is wrong, with what would have been accepted, without the place.
func (e *Error) Sentence() string {
	if len(e.Expected) == 0 {
		return Short(e.Message)
	}
	return "expected " + alternatives(e.Expected) + " but " + Short(e.Message)
}

// anchor is the span cut to the text; a place in the blanks at the end of the
// text moves back to just after the last visible character.
func (e *Error) anchor() Span {
	body := e.Text.Body
	s := Span{min(max(e.Span.Start, 0), len(body)), min(max(e.Span.End, 0), len(body))}
	if visible := len(strings.TrimRight(body, " \t\r\n")); s.Start >= visible {
		return Span{visible, visible}
	}
	return s
}

func alternatives(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// spaces returns white space that is as wide as s on a terminal; tabs stay tabs,
// so that their width is the same on both lines.
func spaces(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r == '\t' {
			b.WriteByte('\t')
			continue
		}
		for range textwidth.Rune(r) {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

func displayWidth(s string) int {
	if !utf8.ValidString(s) {
		return utf8.RuneCountInString(s)
	}
	width := 0
	for _, r := range s {
		width += textwidth.Rune(r)
	}
	return width
}
