package language

import (
	"regexp"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// Piece is a stretch of a text that is one statement.
type Piece struct {
	// Span is the statement without blanks and comments around it, and without its semicolon.
	Span source.Span
	// Begin is where it begins with the blanks and comments in front of it: where the one before it ended.
	Begin int
	// End is where the next one begins: behind the semicolon, or the end of the text.
	End int
	// Ended says that its semicolon is there, or the END DO that does without one.
	Ended bool
	// YQL says that it is one of YQL, and not of Flink SQL.
	YQL bool
}

// Cut finds the statements of a text, which need not be right. A statement set is one statement, and so is a streaming query. Empty statements belong to the one behind them.
func Cut(text source.Text, as Language) []Piece {
	if as == Auto {
		as = Of(text)
	}
	pieces, around := cut(text.Body, as == YQL)
	if around && as == Auto {
		pieces, _ = cut(text.Body, true)
	}
	return pieces
}

// cut finds the statements, of which those that both languages have are YQL or not; around says that there is one that makes YQL of the others.
func cut(body string, usual bool) (pieces []Piece, around bool) {
	for s := (&scanner{body: body}); ; {
		p, owner, ok := statement(s, usual)
		if !ok {
			if len(pieces) > 0 {
				pieces[len(pieces)-1].End = len(body)
			}
			return pieces, around
		}
		around = around || owner == yqlAround
		if l, ok := asked(body[p.Span.Start:p.Span.End]); ok {
			usual = l == YQL
		}
		pieces = append(pieces, p)
	}
}

var setLanguage = regexp.MustCompile(`(?is)^SET\s+'` + regexp.QuoteMeta(Property) + `'\s*=\s*'(\w+)'$`)

// asked is the language that a statement asks for, for those behind it.
func asked(statement string) (Language, bool) {
	m := setLanguage.FindStringSubmatch(statement)
	if m == nil {
		return Auto, false
	}
	return Named(m[1])
}

// statement reads one statement and the semicolon behind it; ok is false if there is none left.
func statement(s *scanner, usual bool) (p Piece, o owner, ok bool) {
	begin := s.at
	head := peek(*s)
	for len(head) > 0 && head[0] == ";" { // an empty statement
		s.next(false)
		head = peek(*s)
	}
	if len(head) == 0 {
		s.at = begin
		return p, both, false
	}
	o = ownerOf(head)
	p.Begin = begin
	p.YQL = o >= yqlOnly || o == both && usual && !declaresInSQL(*s, head)
	b := blocks{yql: p.YQL, head: head}
	s.blanks()
	p.Span = source.Span{Start: s.at, End: s.at}
	for {
		t, more := s.next(p.YQL)
		if !more {
			break
		}
		if p.Ended = t.text == ";" && !b.open(); p.Ended {
			break
		}
		b.add(t)
		p.Span.End = t.end
		if p.Ended = b.done; p.Ended {
			after := *s
			if t, more := after.next(false); more && t.text == ";" {
				*s = after
			}
			break
		}
	}
	p.End = s.at
	return p, o, true
}

// peek is the first words of what comes next.
func peek(s scanner) []string {
	var words []string
	for len(words) < headWords {
		t, ok := s.next(false)
		if !ok || t.text == ";" && len(words) > 0 {
			break
		}
		words = append(words, t.text)
		if t.text == ";" {
			break
		}
	}
	return words
}

// declaresInSQL reports whether what comes next is a CREATE TABLE of Flink SQL: its options have keys in quotes.
func declaresInSQL(s scanner, head []string) bool {
	if head[0] != "CREATE" || !slices.Contains(head[:min(4, len(head))], "TABLE") {
		return false
	}
	var before [2]string
	for {
		t, ok := s.next(false)
		if !ok || t.text == ";" {
			return false
		}
		if before == [2]string{"WITH", "("} && t.text == "'" {
			return true
		}
		before[0], before[1] = before[1], t.text
	}
}

// blocks follows what is open in a statement, within which a semicolon does not end it.
type blocks struct {
	yql  bool
	head []string
	last string
	// braces and bodies are open { and DO BEGIN or DEFINE of YQL; begun says that the BEGIN of a statement set was seen, and ended its END.
	braces, bodies int
	ended, done    bool
}

func (b *blocks) add(t token) {
	word := t.text
	if t.quoted {
		word = ""
	}
	switch {
	case !b.yql:
		b.ended = word == "END" && b.last == ";"
	case word == "{":
		b.braces++
	case word == "}":
		b.braces = max(b.braces-1, 0)
	case word == "BEGIN" && b.last == "DO", word == "ACTION" && b.last == "DEFINE":
		b.bodies++
	case word == "DO" && b.last == "END", word == "DEFINE" && b.last == "END":
		b.bodies = max(b.bodies-1, 0)
		b.done = b.bodies == 0 && slices.Contains(b.head[:min(5, len(b.head))], "STREAMING")
		word = ""
	}
	b.last = word
}

// open reports whether a semicolon that comes next stands within something.
func (b *blocks) open() bool {
	if b.yql {
		return b.braces > 0 || b.bodies > 0
	}
	return !b.ended && b.inSet()
}

// inSet reports whether the statement is a statement set of Flink SQL, which goes on to its END.
func (b *blocks) inSet() bool {
	words := strings.Join(b.head, " ")
	switch b.head[0] {
	case "BEGIN":
		return strings.HasPrefix(words, "BEGIN STATEMENT SET")
	case "EXECUTE", "EXPLAIN":
		return strings.Contains(words, "STATEMENT SET BEGIN") || strings.Contains(words, "BEGIN STATEMENT SET")
	}
	return false
}

// Complete reports whether the last statement of a text has ended. A text without statements is complete, unless a comment is open.
func Complete(text source.Text, as Language) bool {
	pieces := Cut(text, as)
	if len(pieces) == 0 {
		return sql.Complete(text)
	}
	last := pieces[len(pieces)-1]
	return last.Ended && sql.Complete(source.Text{Body: text.Body[last.Span.End:]})
}
