package check

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/engine"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// Finding is something to mend.
type Finding struct {
	// Severity is Error for what does not run.
	Severity Severity
	// Error says what and where; its code is the name of the lint.
	*source.Error
}

// Render draws the finding for a terminal.
func (f Finding) Render() string {
	heading := f.Severity.String()
	if f.Severity != Error {
		heading += " [" + f.Code + "]"
	}
	return f.RenderAs(heading)
}

// Severity says how bad a finding is.
type Severity uint8

// The severities, mildest first.
const (
	Note    Severity = iota // worth knowing
	Warning                 // most likely not what was meant
	Error                   // does not run
)

// String names the severity.
func (s Severity) String() string { return [...]string{"note", "warning", "error"}[s] }

// statement is one statement of a script with what belongs to it.
type statement struct {
	tree    sql.Statement
	ignored []string      // lints silenced for it
	err     *source.Error // why it does not run
	query   *engine.Query // what it runs, if that was planned
}

// Session executes statements: an *engine.Engine, or what refuses some of them before one.
type Session interface {
	Execute(text source.Text, stmt sql.Statement) (*engine.Result, error)
}

// Text finds what is wrong with a script, in its order. The statements take effect in the session e, which is to be a fresh one; queries are
// planned and not started, so that no source is opened. The error is one that is nobody's fault in the script.
func Text(e Session, text source.Text) ([]Finding, error) {
	statements, findings := parse(text)
	failed := map[string]bool{} // tables and views whose CREATE was refused
	for i := range statements {
		s := &statements[i]
		result, err := e.Execute(text, s.tree)
		if err == nil {
			s.query = result.Query
			continue
		}
		if !errors.As(err, &s.err) {
			return nil, err
		}
		if name := created(s.tree); name != "" {
			failed[name] = true
		}
		// What follows from an error that was told already is not told again.
		if s.err.Code != "unknown-table" || !failed[bare(s.err.Text.Slice(s.err.Span))] {
			findings = append(findings, Finding{Error, s.err})
		}
	}
	findings = append(findings, lint(text, statements)...)
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(b.Severity, a.Severity))
	})
	return findings, nil
}

// parse reads the statements that can be read, and says what is wrong with the others.
func parse(text source.Text) (statements []statement, findings []Finding) {
	script, err := sql.Parse(text)
	if err == nil {
		return withIgnored(text, script.Statements), nil
	}
	var trees []sql.Statement
	spans := sql.Statements(text)
	for i, at := range spans {
		if at.End = len(text.Body); i+1 < len(spans) {
			at.End = spans[i+1].Start // with the semicolon
		}
		// Each on its own, where it stands: the others become blanks.
		before := strings.Map(func(r rune) rune {
			if r == '\n' {
				return r
			}
			return ' '
		}, ascii(text.Body[:at.Start]))
		script, err := sql.Parse(source.Text{Name: text.Name, Body: before + text.Slice(at)})
		var fault *source.Error
		switch {
		case err == nil:
			trees = append(trees, script.Statements...)
		case errors.As(err, &fault):
			fault.Text = text
			findings = append(findings, Finding{Error, fault})
		}
	}
	return withIgnored(text, trees), findings
}

// ascii is s with a blank for every byte of a character of several, so that what comes behind stays where it is.
func ascii(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 0x80 {
			b[i] = ' '
		}
	}
	return string(b)
}

// created is the table or view that a statement makes, or "".
func created(s sql.Statement) string {
	switch s := s.(type) {
	case *sql.CreateTable:
		return s.Name.Last().Name
	case *sql.CreateView:
		return s.Name.Last().Name
	}
	return ""
}

// bare is a name without its qualifiers and backticks.
func bare(name string) string {
	name = name[strings.LastIndexByte(name, '.')+1:]
	return strings.ReplaceAll(strings.Trim(name, "`"), "``", "`")
}
