package language

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/flowspec"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/yql"
)

// YQLStatement is a statement of YQL.
type YQLStatement struct {
	yql.Statement
	// Before are the statements of YQL that stand before it in its text: it sees their pragmas and named expressions.
	Before []yql.Statement
}

// Defines reports whether the statement does nothing by itself, and is there for those behind it: a pragma, a named expression or a parameter.
func (y *YQLStatement) Defines() bool { return defines(y.Statement) }

func defines(s yql.Statement) bool {
	switch s.(type) {
	case *yql.Pragma, *yql.Assign, *yql.Declare:
		return true
	}
	return false
}

// Parse reads all statements of a text, in their order. The spec of a pipeline is one statement. Spans are those of the whole text. The error is a *source.Error and tells of the first fault.
func Parse(text source.Text, as Language) ([]Statement, error) {
	if flowspec.Is(text.Body) {
		p, err := flowspec.Parse(text)
		if err != nil {
			return nil, err
		}
		return []Statement{p}, nil
	}
	pieces := Cut(text, as)
	if len(pieces) == 0 {
		_, err := sql.Parse(text) // a comment may be open
		return nil, err
	}
	return Read(text, pieces)
}

// Read is Parse of some pieces of a text.
func Read(text source.Text, pieces []Piece) ([]Statement, error) {
	flink, flinkErr := parseSQL(text, pieces)
	yql, yqlErr := parseYQL(text, pieces)
	if err := first(flinkErr, yqlErr); err != nil {
		return nil, err
	}
	all := append(flink, yql...)
	slices.SortStableFunc(all, func(a, b Statement) int { return cmp.Compare(a.Span().Start, b.Span().Start) })
	return all, nil
}

// Piecewise is Parse, except that statements that can be read are read whatever others are like; the errors tell of those that cannot, one each, in their order.
func Piecewise(text source.Text, as Language) ([]Statement, []*source.Error) {
	var all []Statement
	var faults []*source.Error
	note := func(err error) bool {
		var fault *source.Error
		if errors.As(err, &fault) {
			faults = append(faults, fault)
		}
		return err != nil
	}
	all, err := Parse(text, as)
	if flowspec.Is(text.Body) {
		note(err)
		return all, faults
	}
	pieces := Cut(text, as)
	if err == nil || len(pieces) == 0 && note(err) {
		return all, faults
	}
	var before []yql.Statement
	for i := range pieces {
		found, err := Read(text, pieces[i:i+1])
		note(err)
		for _, s := range found {
			if y, ok := s.(*YQLStatement); ok {
				y.Before = slices.Clip(before)
				before = append(before, y.Statement)
			}
			all = append(all, s)
		}
	}
	return all, faults
}

// parseSQL reads the pieces of Flink SQL.
func parseSQL(text source.Text, pieces []Piece) ([]Statement, error) {
	there, some := masked(text, pieces, false)
	if !some {
		return nil, nil
	}
	script, err := sql.Parse(there)
	if err != nil {
		orYQL(there, pieces, err)
		return nil, within(text, err)
	}
	all := make([]Statement, len(script.Statements))
	for i, s := range script.Statements {
		all[i] = s
	}
	return all, nil
}

// signsOfYQL are what YQL writes and Flink SQL does not.
var signsOfYQL = []string{`"`, "$", "::", "??", "@@", "{", "->"}

// orYQL adds to a fault of Flink SQL that its statement is right in YQL, if it is and the fault is a sign of that, or the text has YQL.
func orYQL(text source.Text, pieces []Piece, err error) {
	var fault *source.Error
	if !errors.As(err, &fault) {
		return
	}
	rest := text.Body[min(max(fault.Span.Start, 0), len(text.Body)):]
	if !slices.ContainsFunc(signsOfYQL, func(sign string) bool { return strings.HasPrefix(rest, sign) }) &&
		!slices.ContainsFunc(pieces, func(p Piece) bool { return p.YQL }) {
		return
	}
	for _, p := range pieces {
		if p.YQL || fault.Span.Start < p.Begin || fault.Span.Start >= p.End {
			continue
		}
		if _, err := yql.ParseStatement(source.Text{Body: text.Slice(p.Span)}); err != nil {
			return
		}
		const hint = "it would be right in YQL, which a text is with --language yql or SET '" + Property + "' = 'yql'"
		if fault.Hint != "" {
			fault.Hint += "; "
		}
		fault.Hint += hint
		return
	}
}

// parseYQL reads the pieces of YQL.
func parseYQL(text source.Text, pieces []Piece) ([]Statement, error) {
	var found []yql.Statement
	for from := 0; from < len(pieces); {
		to := from + 1
		for to < len(pieces) && text.Body[pieces[to-1].End-1] == ';' {
			to++ // behind an END DO without a semicolon the parser would miss it
		}
		there, some := masked(text, pieces[from:to], true)
		if from = to; !some {
			continue
		}
		script, err := yql.Parse(there)
		if err != nil {
			return nil, within(text, err)
		}
		found = append(found, script.Statements...)
	}
	all := make([]Statement, len(found))
	for i, s := range found {
		all[i] = &YQLStatement{s, found[:i:i]}
	}
	return all, nil
}

// masked is a text of the same length and lines with the pieces of one language alone; some is false if there are none.
func masked(text source.Text, pieces []Piece, yql bool) (there source.Text, some bool) {
	if !slices.ContainsFunc(pieces, func(p Piece) bool { return p.YQL == yql }) {
		return source.Text{}, false
	}
	body := blanks(text.Body)
	for _, p := range pieces {
		if p.YQL == yql {
			copy(body[p.Begin:p.End], text.Body[p.Begin:p.End])
		}
	}
	return source.Text{Name: text.Name, Body: string(body)}, true
}

// blanks is a text of the same length with the same lines and nothing in them.
func blanks(text string) []byte {
	b := []byte(text)
	for i, c := range b {
		if c != '\n' {
			b[i] = ' '
		}
	}
	return b
}

// within lets a fault show the whole text.
func within(text source.Text, err error) error {
	var fault *source.Error
	if errors.As(err, &fault) {
		fault.Text = text
	}
	return err
}

// first is the error that stands first, nil if there is none.
func first(a, b error) error {
	var x, y *source.Error
	if errors.As(a, &x) && errors.As(b, &y) && y.Span.Start < x.Span.Start || a == nil {
		return b
	}
	return a
}

// Alone is the text of a statement for whoever reads it by itself, with the definitions that it sees; from is where that begins in the whole text.
func Alone(text source.Text, stmt Statement) (body string, from int) {
	at := stmt.Span()
	y, ok := stmt.(*YQLStatement)
	if !ok || !slices.ContainsFunc(y.Before, defines) {
		return text.Slice(at), at.Start
	}
	b := blanks(text.Body[:at.End])
	copy(b[at.Start:], text.Body[at.Start:at.End])
	for _, s := range y.Before {
		if defines(s) {
			copy(b[s.Span().Start:s.Span().End+1], text.Body[s.Span().Start:s.Span().End]+";")
		}
	}
	return string(b), 0
}
