package shell

import (
	"slices"
	"strings"
	"testing"
)

// at is an editor whose text has the cursor as |.
func at(text string) editor {
	before, after, _ := strings.Cut(text, "|")
	return editor{text: []rune(before + after), cursor: len([]rune(before))}
}

func (e *editor) shown() string { return string(e.text[:e.cursor]) + "|" + string(e.text[e.cursor:]) }

// TestKeys applies the keys of Emacs.
func TestKeys(t *testing.T) {
	for _, c := range []struct{ before, keys, after string }{
		{"ab|", "left", "a|b"}, {"|ab", "left", "|ab"}, {"ab|", "right", "ab|"}, {"é|界", "ctrl+f", "é界|"}, {"é|界", "ctrl+b", "|é界"},
		{"a\nb c|\nd", "ctrl+a", "a\n|b c\nd"}, {"a\n|b c\nd", "ctrl+e", "a\nb c|\nd"}, {"a\nb|", "alt+<", "|a\nb"}, {"|a\nb", "alt+>", "a\nb|"},
		{"one, two|", "alt+b", "one, |two"}, {"one|, two", "alt+f", "one, two|"}, {"one, |two", "alt+b", "|one, two"},
		{"ab|c", "backspace", "a|c"}, {"|abc", "backspace", "|abc"}, {"a|bc", "delete", "a|c"}, {"abc|", "ctrl+d", "abc|"},
		{"a|b\nc", "ctrl+k", "a|\nc"}, {"a|\nc", "ctrl+k", "a|c"}, {"a\nbc|d", "ctrl+u", "a\n|d"},
		{"SELECT a.b|", "ctrl+w", "SELECT |"}, {"SELECT a.b|", "alt+backspace", "SELECT a.|"}, {"|one two", "alt+d", "| two"},
		{"one two|", "ctrl+w ctrl+w ctrl+y", "one two|"}, {"|one two", "alt+d alt+d ctrl+y ctrl+y", "one twoone two|"},
		{"one two|", "ctrl+w left ctrl+w ctrl+y", "one| "}, {"a|b", "ctrl+t", "ba|"}, {"ab|", "ctrl+t", "ba|"}, {"|ab", "ctrl+t", "|ab"}, {"a\n|b", "ctrl+t", "a\n|b"},
		{"a |select b", "alt+u", "a SELECT| b"}, {"|SELECT", "alt+l", "select|"}, {"a|b", "ctrl+j", "a\n|b"},
	} {
		e := at(c.before)
		for key := range strings.FieldsSeq(c.keys) {
			if !e.key(key) {
				t.Errorf("%s is no key", key)
			}
		}
		if got := e.shown(); got != c.after {
			t.Errorf("%q becomes %q with %s, want %q", c.before, got, c.keys, c.after)
		}
	}
	if e := at("|"); e.key("f5") || e.key("x") {
		t.Error("F5 is a key")
	}
}

// TestVertical goes up and down, to the end of lines that are shorter.
func TestVertical(t *testing.T) {
	e := at("long line\n\nlonger| line")
	for _, c := range []struct {
		down bool
		ok   bool
		want string
	}{
		{true, false, "long line\n\nlonger| line"}, {false, true, "long line\n|\nlonger line"}, {false, true, "|long line\n\nlonger line"}, {false, false, "|long line\n\nlonger line"},
		{true, true, "long line\n|\nlonger line"}, {true, true, "long line\n\n|longer line"},
	} {
		if ok := e.vertical(c.down); ok != c.ok || e.shown() != c.want {
			t.Errorf("got %v and %q, want %v and %q", ok, e.shown(), c.ok, c.want)
		}
	}
}

// FuzzKeys applies any keys to any text: the cursor stays inside, and undoing a kill by a yank in its place gives the text again.
func FuzzKeys(f *testing.F) {
	f.Add("SELECT a\nFROM t", "\x01\x05\x09\x13\x21")
	var names []string
	for name := range moves {
		names = append(names, name)
	}
	for name := range kills {
		names = append(names, name)
	}
	slices.Sort(names)
	names = append(names, "ctrl+y", "ctrl+t", "alt+u", "alt+l", "ctrl+j")
	f.Fuzz(func(t *testing.T, text, keys string) {
		e := editor{}
		e.insert(text)
		for _, k := range []byte(keys) {
			e.key(names[int(k)%len(names)])
			if e.cursor < 0 || e.cursor > len(e.text) {
				t.Fatalf("the cursor is at %d of %d", e.cursor, len(e.text))
			}
			if len(e.text) > 10_000 {
				return
			}
		}
	})
}
