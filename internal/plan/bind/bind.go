package bind

import (
	"errors"
	"fmt"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// Binder binds statements of one text within a session.
type Binder struct {
	session    *catalog.Session
	connectors []connector.Connector
	text       source.Text
	ctes       []commonTable
	depth      int // of views within views
}

// commonTable is a WITH name in scope, the innermost last. It sees the ones before it.
type commonTable struct {
	table *sql.CommonTable
	below int // how many are visible to its query
}

// New makes a binder for a text.
func New(session *catalog.Session, connectors []connector.Connector, text source.Text) *Binder {
	return &Binder{session: session, connectors: connectors, text: text}
}

// Codes of errors. They are stable.
const (
	codeUnsupported   = "unsupported"
	codeUnknownTable  = "unknown-table"
	codeUnknownColumn = "unknown-column"
	codeAmbiguous     = "ambiguous-column"
	codeUnknownFunc   = "unknown-function"
	codeType          = "type-mismatch"
	codeOption        = "option"
	codeDuplicate     = "duplicate-name"
	codeTime          = "time-attribute"
	codeWindow        = "window"
	codeGrouping      = "grouping"
)

func (b *Binder) errorf(code string, at source.Span, hint, format string, args ...any) error {
	return &source.Error{Code: code, Span: at, Message: fmt.Sprintf(format, args...), Hint: hint, Text: b.text}
}

func (b *Binder) unsupported(at source.Span, hint, what string, args ...any) error {
	return b.errorf(codeUnsupported, at, hint, "%s not supported", fmt.Sprintf(what, args...))
}

// place gives an error from a layer that knows no text its place.
func (b *Binder) place(err error, at source.Span) error {
	var placed *source.Error
	var signature *function.SignatureError
	var option *connector.OptionError
	switch {
	case err == nil || errors.As(err, &placed):
		return err
	case errors.As(err, &signature):
		return b.errorf(codeType, at, signature.Hint, "%s", signature.Error())
	case errors.As(err, &option):
		return b.errorf(codeOption, at, option.Hint, "%s", option.Message)
	}
	return b.errorf(codeType, at, "", "%s", err.Error())
}

// Query binds a query whose rows go to the user.
func (b *Binder) Query(q sql.Query) (*plan.Statement, error) {
	n, err := b.query(q)
	if err != nil {
		return nil, err
	}
	return &plan.Statement{Root: n}, nil
}

// didYouMean is the hint for a name that is not there.
func didYouMean(name string, candidates []string, otherwise string) string {
	if near := source.Nearest(name, candidates); near != "" {
		return fmt.Sprintf("did you mean '%s'?", near)
	}
	return otherwise
}
