package check

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/engine"
	"github.com/tidemark-sql/tidemark/internal/language"
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
func (f Finding) Render() string { return f.Draw(new(source.Drawing)) }

// Draw is Render, beside others of the text.
func (f Finding) Draw(d *source.Drawing) string {
	heading := f.Severity.String()
	if f.Severity != Error {
		heading += " [" + f.Code + "]"
	}
	return d.Draw(f.Error, heading)
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
	tree    language.Statement
	ignored []string      // lints silenced for it
	err     *source.Error // why it does not run
	query   *engine.Query // what it runs, if that was planned
}

// Session executes statements: an *engine.Engine, or what refuses some of them before one.
type Session interface {
	Execute(ctx context.Context, text source.Text, stmt language.Statement) (*engine.Result, error)
}

// Text finds what is wrong with a script, in its order. The statements take effect in the session e, which is to be a fresh one; queries are
// planned and not started, so that no source is opened. The error is one that is nobody's fault in the script.
func Text(ctx context.Context, e Session, text source.Text, as language.Language) ([]Finding, error) {
	statements, findings := parse(text, as)
	failed := map[string]bool{} // tables and views whose CREATE was refused
	for i := range statements {
		s := &statements[i]
		result, err := e.Execute(ctx, text, s.tree)
		if err == nil {
			s.query = result.Query
			for _, note := range result.Placed {
				findings = append(findings, Finding{Note, note})
			}
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
func parse(text source.Text, as language.Language) (statements []statement, findings []Finding) {
	trees, faults := language.Piecewise(text, as)
	for _, fault := range faults {
		findings = append(findings, Finding{Error, fault})
	}
	return withIgnored(text, trees), findings
}

// created is the table or view that a statement makes, or "".
func created(s language.Statement) string {
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
