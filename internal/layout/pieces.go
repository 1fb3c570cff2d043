package layout

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
)

// piece is a token as it is to be written, with the comments around it.
type piece struct {
	text string
	// word is the keyword in upper case, or the symbol; "" for names and literals, which no rule looks into.
	word     string
	name     bool // a name, quoted or not
	number   bool
	function bool // the name of a function
	sign     bool // a sign before its operand
	tight    bool // it belongs to what is in front of it
	closes   bool // a bracket closes with it: comments in front of it are still inside
	before   []comment
	after    []comment
}

type comment struct {
	text  string
	fresh bool // it is the first thing on its line
	ends  bool // it is the last thing on its line
	blank bool // an empty line stands before it
}

// part is a statement of a script: its pieces, and the comments that stand before it and behind its semicolon.
type part struct {
	blank  bool // an empty line stands before it and its comments
	gap    bool // an empty line stands between its comments and it
	lead   []comment
	pieces []piece
	behind []comment // on the line of the semicolon
}

// writing is a script as it is written: its tokens, the places of its statements, and what makes a piece of a token.
type writing struct {
	text       source.Text
	lexemes    []tokens.Lexeme
	statements []source.Span
	piece      func(t tokens.Lexeme) piece
}

// split cuts a script into its statements; tail is the comments behind the last one.
func (w writing) split() (parts []part, tail []comment) {
	text, lexemes := w.text, w.lexemes
	at := 0
	for _, s := range w.statements {
		between, blank := gap(text, lexemes, &at, s.Start)
		p := part{blank: blank}
		if len(parts) > 0 {
			parts[len(parts)-1].behind, between = onLine(between)
		}
		if p.lead = between; len(between) > 0 {
			p.gap, p.blank = blank, between[0].blank
		}
		p.pieces = w.pieces(&at, s.End)
		parts = append(parts, p)
	}
	tail, _ = gap(text, lexemes, &at, len(text.Body))
	if len(parts) > 0 {
		parts[len(parts)-1].behind, tail = onLine(tail)
	}
	return parts, tail
}

// gap takes the comments up to an offset, where there is nothing else but semicolons; blank tells of an empty line behind the last.
func gap(text source.Text, lexemes []tokens.Lexeme, at *int, end int) (found []comment, blank bool) {
	from := 0
	if *at > 0 {
		from = lexemes[*at-1].Span.End
	}
	for ; *at < len(lexemes) && lexemes[*at].Span.Start < end; *at++ {
		t := lexemes[*at]
		if t.Kind != tokens.CommentLexeme {
			continue
		}
		found = append(found, newComment(text, from, t.Span))
		from = t.Span.End
	}
	return found, emptyLine(text.Body[from:end])
}

// onLine parts the comments on the line of what is before them from those on lines of their own.
func onLine(comments []comment) (same, own []comment) {
	for i, c := range comments {
		if c.fresh {
			return comments[:i], comments[i:]
		}
		if c.ends {
			return comments[:i+1], comments[i+1:]
		}
	}
	return comments, nil
}

func newComment(text source.Text, from int, at source.Span) comment {
	between, rest := text.Body[from:at.Start], text.Body[at.End:]
	line, _, _ := strings.Cut(rest, "\n")
	return comment{
		text:  strings.TrimRight(text.Slice(at), " \t\r"),
		fresh: from == 0 || strings.Contains(between, "\n"),
		ends:  strings.TrimSpace(line) == "" || strings.HasPrefix(text.Slice(at), "--"),
		blank: emptyLine(between),
	}
}

func emptyLine(blanks string) bool { return strings.Count(blanks, "\n") > 1 }

// pieces takes the tokens of a statement, which ends at an offset, and puts each comment with the token that it is about.
func (w writing) pieces(at *int, end int) []piece {
	text, lexemes := w.text, w.lexemes
	var all []piece
	var waiting []comment
	from := 0
	for ; *at < len(lexemes) && lexemes[*at].Span.Start < end; *at++ {
		t := lexemes[*at]
		if t.Kind == tokens.CommentLexeme {
			waiting = append(waiting, newComment(text, from, t.Span))
			from = t.Span.End
			continue
		}
		from = t.Span.End
		p := w.piece(t)
		if len(all) == 0 {
			all = append(all, p)
			continue
		}
		waiting = attach(&all[len(all)-1], &p, byLine(waiting))
		all = append(all, p)
	}
	return all
}

// byLine joins the comments that stand on one line.
func byLine(comments []comment) []comment {
	var lines []comment
	for _, c := range comments {
		if n := len(lines); n > 0 && !lines[n-1].ends {
			lines[n-1].text += " " + c.text
			lines[n-1].ends = c.ends
		} else {
			lines = append(lines, c)
		}
	}
	return lines
}

// attach gives the comments between two pieces to one of them: what stands on the line of a piece goes with it, what has its own line with what
// comes next, but behind a closing bracket. Nothing ends a line in front of a comma or semicolon: what would do so goes behind it, or is left for
// what comes after it.
func attach(last, next *piece, lines []comment) (left []comment) {
	if n := len(lines); n > 0 && !lines[n-1].ends {
		next.before = lines[n-1:]
		lines = lines[:n-1]
	}
	if len(lines) == 0 {
		return nil
	}
	switch next.word {
	case ",", ";":
		if lines[0].fresh || last.word == ";" && len(last.after) > 0 {
			return lines
		}
		if last.word == ";" {
			last.after = lines[:1:1]
			return lines[1:]
		}
		next.after = lines[:1:1]
		return lines[1:]
	}
	if next.closes {
		last.after = append(last.after, lines...)
		return nil
	}
	// Behind a comment that ended the line of last, there is no more room on it.
	if !lines[0].fresh && len(last.after) == 0 {
		last.after = lines[:1:1]
		lines = lines[1:]
	}
	next.before = append(lines[:len(lines):len(lines)], next.before...)
	return nil
}

func newPiece(text source.Text, script *sql.Script, t tokens.Lexeme) piece {
	p := piece{text: text.Slice(t.Span)}
	use := script.Use(t.Span.Start)
	switch {
	case t.Kind == tokens.WordLexeme && use == sql.NameUse:
		p.name = true
	case t.Kind == tokens.WordLexeme && use == sql.FunctionUse:
		p.text, p.name, p.function = strings.ToUpper(p.text), true, true
	case t.Kind == tokens.WordLexeme:
		p.text = strings.ToUpper(p.text)
		p.word = p.text
	case t.Kind == tokens.NameLexeme:
		p.name, p.function = true, use == sql.FunctionUse
	case t.Kind == tokens.NumberLexeme:
		p.number = true
	case t.Kind == tokens.SymbolLexeme:
		p.word = p.text
		p.sign = use == sql.SignUse
		p.closes = p.word == ")" || p.word == "]"
	}
	return p
}
