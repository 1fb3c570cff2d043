package source

import "fmt"

// The codes of errors that several languages and layers tell. They are stable; what only one of them tells has its code there.
const (
	CodeSyntax        = "syntax"
	CodeUnsupported   = "unsupported"
	CodeUnknownTable  = "unknown-table"
	CodeUnknownPlace  = "unknown-database"
	CodeUnknownColumn = "unknown-column"
	CodeUnknownFunc   = "unknown-function"
	CodeAmbiguous     = "ambiguous-column"
	CodeDuplicate     = "duplicate-name"
	CodeType          = "type-mismatch"
	CodeOption        = "option"
	CodeTime          = "time-attribute"
	CodeWindow        = "window"
	CodeGrouping      = "grouping"
	CodeKey           = "key"
	CodeTooLarge      = "too-large"
)

// Errorf is an error at a place of the text.
func (t Text) Errorf(code string, at Span, hint, format string, args ...any) error {
	return &Error{Code: code, Span: at, Message: fmt.Sprintf(format, args...), Hint: hint, Text: t}
}

// Unsupported refuses something by name; what ends in a verb: "a JOIN of windows is".
func (t Text) Unsupported(at Span, hint, what string, args ...any) error {
	return t.Errorf(CodeUnsupported, at, hint, "%s not supported", fmt.Sprintf(what, args...))
}
