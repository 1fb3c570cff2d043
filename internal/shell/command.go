package shell

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/manual"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// command is a statement of the shell itself.
type command struct {
	word   string   // in upper case
	others []string // other ways to write it
	// takes says what stands behind it, for HELP; "" for nothing.
	takes, doc string
	do         effect
}

// effect is what a command does.
type effect uint8

const (
	quit effect = iota
	clearScreen
	showHistory
	readFile
	help
	toggle
)

// commands are all there are. QUIT and HELP work without a semicolon too.
var commands = []command{
	{"HELP", []string{`\?`, `\h`}, "[topic]", "tell about a statement, function, connector or setting, or list them", help},
	{"SOURCE", []string{`\i`}, "'file'", "run the statements of a file", readFile},
	{"HISTORY", []string{`\s`}, "[text]", "list what was typed, or what of it holds a text", showHistory},
	{"TOGGLE", []string{`\t`}, "", "show results as a table, or as the changes that make it", toggle},
	{"CLEAR", []string{`\c`}, "", "empty the screen", clearScreen},
	{"QUIT", []string{"EXIT", `\q`}, "", "leave, as Ctrl-D does", quit},
}

// findCommand reads a command and what stands behind it; nil if body is none.
func findCommand(body string) (*command, string) {
	body = strings.TrimSpace(body)
	for strings.HasSuffix(body, ";") {
		body = strings.TrimSpace(strings.TrimSuffix(body, ";"))
	}
	if strings.ContainsAny(body, "\n;") {
		return nil, ""
	}
	word, argument, _ := strings.Cut(body, " ")
	for i := range commands {
		c := &commands[i]
		if !strings.EqualFold(word, c.word) && !slices.ContainsFunc(c.others, func(o string) bool { return strings.EqualFold(word, o) }) {
			continue
		}
		argument = strings.TrimSpace(argument)
		if argument != "" && c.takes == "" {
			return nil, ""
		}
		return c, argument
	}
	return nil, ""
}

// unknownCommand is the error of an input that begins with a backslash and is no command.
func unknownCommand(text source.Text) error {
	start := len(text.Body) - len(strings.TrimLeft(text.Body, " \t\n"))
	if start == len(text.Body) || text.Body[start] != '\\' {
		return nil
	}
	end := start + len(strings.Fields(text.Body[start:])[0])
	return &source.Error{Code: "syntax", Span: source.Span{Start: start, End: end}, Message: "there is no command " + text.Body[start:end], Hint: `\? lists them`, Text: text}
}

// complete reports whether an input is whole: a command, or statements with their semicolons.
func (s *Shell) complete(body string) bool {
	trimmed := strings.TrimSpace(body)
	if c, argument := findCommand(trimmed); c != nil {
		return strings.HasPrefix(trimmed, `\`) || strings.HasSuffix(trimmed, ";") || argument == "" || c.do == help || c.do == readFile
	}
	return strings.HasPrefix(trimmed, `\`) || language.Complete(source.Text{Body: body}, s.language)
}

// help is what HELP prints.
func (s *Shell) help(topic string) (string, error) {
	if topic = strings.Trim(topic, "'`"); topic != "" {
		text, near := manual.Find(s.topics, topic)
		switch {
		case text != "":
			return text, nil
		case near != "":
			return "", fmt.Errorf("there is no help about '%s'; did you mean '%s'?", topic, near)
		}
		return "", fmt.Errorf("there is no help about '%s'; HELP lists the topics", topic)
	}
	var b strings.Builder
	b.WriteString("Statements end with a semicolon and may take several lines. Commands of the shell:\n\n")
	for _, c := range commands {
		form := strings.TrimSpace(c.word + " " + c.takes)
		fmt.Fprintf(&b, "  %-16s %-10s %s\n", form, strings.Join(c.others, " "), c.doc)
	}
	b.WriteString("\n" + keysHelp + "\nHELP topic tells more about:\n\n" + manual.Overview(s.topics))
	return b.String(), nil
}

const keysHelp = `Keys:

  Tab              complete a word; again for the next way to
  Enter            run, once the statement has its semicolon; Alt-Enter begins a line in any case
  Up, Down         the line above or below, then what was typed before; Ctrl-P, Ctrl-N without the lines
  Ctrl-R           search in what was typed
  Ctrl-C           empty the line; stop the query that runs
  Ctrl-D           leave, on an empty line
  Ctrl-A, Ctrl-E, Ctrl-K, Ctrl-U, Ctrl-W, Ctrl-Y, Alt-B, Alt-F, Alt-D, Ctrl-T as in Emacs
  while results are shown: arrows, PgUp, PgDn, Home, End move, T shows table or changes, Q leaves
`
