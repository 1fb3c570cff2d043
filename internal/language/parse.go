package language

import (
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
	pieces, all, err := cutOrParse(text, as)
	if len(pieces) == 0 {
		return all, err
	}
	return Read(text, pieces)
}

// cutOrParse finds the statements of a text, or reads one that has none to be found: the spec of a pipeline, which is one, or nothing at all.
func cutOrParse(text source.Text, as Language) (pieces []Piece, all []Statement, err error) {
	if flowspec.Is(text.Body) {
		p, err := flowspec.Parse(text)
		if err != nil {
			return nil, nil, err
		}
		return nil, []Statement{p}, nil
	}
	if pieces = Cut(text, as); len(pieces) == 0 {
		_, err = sql.Parse(text) // a comment may be open
	}
	return pieces, nil, err
}

// Read is Parse of some pieces of a text.
func Read(text source.Text, pieces []Piece) ([]Statement, error) {
	r := newReader(text, pieces)
	for _, p := range pieces {
		if err := r.read(p); err != nil {
			return nil, err
		}
	}
	return r.all, nil
}

// Piecewise is Parse, except that statements that can be read are read whatever others are like; the errors tell of those that cannot, one each, in their order.
func Piecewise(text source.Text, as Language) (all []Statement, faults []*source.Error) {
	pieces, all, err := cutOrParse(text, as)
	if len(pieces) == 0 {
		return all, appendFault(nil, err)
	}
	r := newReader(text, pieces)
	for _, p := range pieces {
		faults = appendFault(faults, r.read(p))
	}
	return r.all, faults
}

func appendFault(faults []*source.Error, err error) []*source.Error {
	if fault, ok := errors.AsType[*source.Error](err); ok {
		faults = append(faults, fault)
	}
	return faults
}

// reader reads the pieces of a text, each by itself and where it stands: what a piece costs does not depend on the others.
type reader struct {
	text   source.Text
	some   bool // there is YQL among the pieces
	all    []Statement
	before []yql.Statement
}

func newReader(text source.Text, pieces []Piece) *reader {
	return &reader{text: text, some: slices.ContainsFunc(pieces, func(p Piece) bool { return p.YQL })}
}

func (r *reader) read(p Piece) error {
	part := source.Span{Start: p.Begin, End: p.End}
	if p.YQL {
		found, err := yql.ParsePart(r.text, part)
		if err != nil {
			return err
		}
		for _, s := range found {
			r.all = append(r.all, &YQLStatement{s, slices.Clip(r.before)})
			r.before = append(r.before, s)
		}
		return nil
	}
	found, err := sql.ParsePart(r.text, part)
	if err != nil {
		r.orYQL(p, err)
		return err
	}
	for _, s := range found {
		r.all = append(r.all, s)
	}
	return nil
}

// signsOfYQL are what YQL writes and Flink SQL does not; a PRIMARY KEY is a fault there without NOT ENFORCED.
var signsOfYQL = []string{`"`, "$", "::", "??", "@@", "{", "->", "PRIMARY KEY"}

// orYQL adds to a fault of Flink SQL that its statement is right in YQL, if it is and the fault is a sign of that, or the text has YQL.
func (r *reader) orYQL(p Piece, err error) {
	fault, ok := errors.AsType[*source.Error](err)
	if !ok {
		return
	}
	rest := r.text.Body[min(max(fault.Span.Start, 0), len(r.text.Body)):]
	if !r.some && !slices.ContainsFunc(signsOfYQL, func(sign string) bool { return len(rest) >= len(sign) && strings.EqualFold(rest[:len(sign)], sign) }) {
		return
	}
	if _, err := yql.ParseStatement(source.Text{Body: r.text.Slice(p.Span)}); err != nil {
		return
	}
	const hint = "it would be right in YQL, which a text is with --language yql, or where '" + Property + "' is 'yql'"
	if fault.Hint != "" {
		fault.Hint += "; "
	}
	fault.Hint += hint
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
