package source

import (
	"strings"
	"testing"
)

// What a statement quotes in a message cannot write to the terminal, and the caret stands where it should.
func TestControlCharactersAreVisible(t *testing.T) {
	body := "SELECT\t'\x1b[31m\u009b', '\u202e\x80', wrong"
	at := strings.Index(body, "wrong")
	e := &Error{Message: "unknown column '\x1b]0;x\x07'", Hint: "\x7f", Span: Span{at, at + 5}, Text: Text{"q.sql", body}}
	want := "error: unknown column '␛]0;x␇'\n" +
		"  --> q.sql:1:24\n" +
		"   |\n" +
		" 1 | SELECT\t'␛[31m�', '��', wrong\n" +
		"   |       \t                ^^^^^\n" +
		"   = ␡\n"
	if got := e.Render(); got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
	if got := e.Error(); strings.ContainsAny(got, "\x1b\x07") {
		t.Errorf("%q", got)
	}
	if got := Visible("ä\tb\n日"); got != "ä\tb\n日" {
		t.Errorf("%q", got)
	}
}

func TestLongMessagesAreCut(t *testing.T) {
	long := strings.Repeat("é", 1_000_000)
	e := &Error{Message: long, Hint: long, Text: Text{"q.sql", "x"}}
	if n := len(e.Render()); n > 3*maxSentence {
		t.Errorf("%d bytes", n)
	}
}
