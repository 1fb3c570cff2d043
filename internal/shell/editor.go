package shell

import (
	"slices"
	"strings"
	"unicode"
)

// editor is a text of one or more lines with a cursor, and what was killed last. The zero value is empty.
type editor struct {
	text   []rune
	cursor int // from 0 to len(text)
	killed []rune
	// joins says that the last key killed, so that the next kill adds to it.
	joins bool
}

func (e *editor) string() string { return string(e.text) }

// set replaces the text and puts the cursor behind it.
func (e *editor) set(text string) {
	e.text = []rune(text)
	e.cursor = len(e.text)
}

// insert puts text at the cursor. Line ends become '\n', tabs blanks, and other control characters vanish.
func (e *editor) insert(text string) {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\t", "  ").Replace(text)
	runes := slices.DeleteFunc([]rune(text), func(r rune) bool { return r != '\n' && unicode.IsControl(r) })
	e.text = slices.Insert(e.text, e.cursor, runes...)
	e.cursor += len(runes)
}

// replace puts text in the place of the runes from start to the cursor.
func (e *editor) replace(start int, text string) {
	e.text = slices.Delete(e.text, start, e.cursor)
	e.cursor = start
	e.insert(text)
}

// moves are the keys that move the cursor: where it goes.
var moves = map[string]func(e *editor) int{
	"left": (*editor).left, "ctrl+b": (*editor).left,
	"right": (*editor).right, "ctrl+f": (*editor).right,
	"home": (*editor).lineStart, "ctrl+a": (*editor).lineStart,
	"end": (*editor).lineEnd, "ctrl+e": (*editor).lineEnd,
	"alt+b": (*editor).wordStart, "alt+left": (*editor).wordStart, "ctrl+left": (*editor).wordStart,
	"alt+f": (*editor).wordEnd, "alt+right": (*editor).wordEnd, "ctrl+right": (*editor).wordEnd,
	"alt+<": func(*editor) int { return 0 },
	"alt+>": func(e *editor) int { return len(e.text) },
}

// kills are the keys that delete from the cursor to somewhere; what they take can be yanked, apart from single characters.
var kills = map[string]struct {
	to   func(e *editor) int
	char bool
}{
	"backspace":     {(*editor).left, true},
	"ctrl+h":        {(*editor).left, true},
	"delete":        {(*editor).right, true},
	"ctrl+d":        {(*editor).right, true},
	"ctrl+k":        {(*editor).killEnd, false},
	"ctrl+u":        {(*editor).lineStart, false},
	"ctrl+w":        {(*editor).blankStart, false},
	"alt+backspace": {(*editor).wordStart, false},
	"alt+d":         {(*editor).wordEnd, false},
}

// key applies a key of Emacs and reports whether it is one.
func (e *editor) key(name string) bool {
	if move, ok := moves[name]; ok {
		e.cursor, e.joins = move(e), false
		return true
	}
	if kill, ok := kills[name]; ok {
		e.kill(kill.to(e), kill.char)
		return true
	}
	joined := e.joins
	e.joins = false
	switch name {
	case "ctrl+y":
		e.insert(string(e.killed))
	case "ctrl+t":
		e.transpose()
	case "alt+u":
		e.mapWord(unicode.ToUpper)
	case "alt+l":
		e.mapWord(unicode.ToLower)
	case "ctrl+j", "alt+enter", "shift+enter":
		e.insert("\n")
	default:
		e.joins = joined
		return false
	}
	return true
}

// kill deletes between the cursor and another place.
func (e *editor) kill(to int, char bool) {
	from, back := e.cursor, to < e.cursor
	if back {
		from, to = to, from
	}
	taken := slices.Clone(e.text[from:to])
	e.text = slices.Delete(e.text, from, to)
	e.cursor = from
	if char {
		e.joins = false
		return
	}
	switch {
	case e.joins && back:
		e.killed = append(taken, e.killed...)
	case e.joins:
		e.killed = append(e.killed, taken...)
	default:
		e.killed = taken
	}
	e.joins = true
}

func (e *editor) left() int  { return max(e.cursor-1, 0) }
func (e *editor) right() int { return min(e.cursor+1, len(e.text)) }

func (e *editor) lineStart() int {
	at := e.cursor
	for at > 0 && e.text[at-1] != '\n' {
		at--
	}
	return at
}

func (e *editor) lineEnd() int {
	at := e.cursor
	for at < len(e.text) && e.text[at] != '\n' {
		at++
	}
	return at
}

// killEnd is the end of the line, or behind its line end if the cursor is there already.
func (e *editor) killEnd() int {
	if at := e.lineEnd(); at > e.cursor {
		return at
	}
	return e.right()
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

func (e *editor) wordStart() int {
	at := e.cursor
	for at > 0 && !isWord(e.text[at-1]) {
		at--
	}
	for at > 0 && isWord(e.text[at-1]) {
		at--
	}
	return at
}

func (e *editor) wordEnd() int {
	at := e.cursor
	for at < len(e.text) && !isWord(e.text[at]) {
		at++
	}
	for at < len(e.text) && isWord(e.text[at]) {
		at++
	}
	return at
}

// blankStart is where the run of characters other than blanks before the cursor begins.
func (e *editor) blankStart() int {
	at := e.cursor
	for at > 0 && unicode.IsSpace(e.text[at-1]) {
		at--
	}
	for at > 0 && !unicode.IsSpace(e.text[at-1]) {
		at--
	}
	return at
}

// transpose swaps the characters around the cursor, at the end of a line the two before it.
func (e *editor) transpose() {
	at := e.cursor
	if at == e.lineEnd() {
		at--
	}
	if at <= e.lineStart() {
		return
	}
	e.text[at-1], e.text[at] = e.text[at], e.text[at-1]
	e.cursor = at + 1
}

func (e *editor) mapWord(change func(rune) rune) {
	end := e.wordEnd()
	for ; e.cursor < end; e.cursor++ {
		e.text[e.cursor] = change(e.text[e.cursor])
	}
}

// vertical moves the cursor a line up or down, and reports whether there is such a line.
func (e *editor) vertical(down bool) bool {
	column := e.cursor - e.lineStart()
	start := 0
	if down {
		start = e.lineEnd() + 1
		if start > len(e.text) {
			return false
		}
	} else {
		if e.lineStart() == 0 {
			return false
		}
		above := editor{text: e.text, cursor: e.lineStart() - 1}
		start = above.lineStart()
	}
	there := editor{text: e.text, cursor: start}
	e.cursor = min(start+column, there.lineEnd())
	return true
}
