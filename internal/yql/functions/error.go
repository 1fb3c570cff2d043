package functions

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// The codes of errors, as those of source.Error.
const (
	CodeUnknown     = "unknown-function"
	CodeSignature   = "wrong-arguments"
	CodeType        = "wrong-type"
	CodeValue       = "wrong-value"
	CodeUnsupported = "unsupported"
)

// Error is what is wrong with a call, an operator, a literal or a conversion. It is the user's error and gets its place in the text from the caller.
type Error struct {
	Code, Message string
	// Hint says what to do; it may be empty.
	Hint string
	// Arg is the argument that it is about, from 0 on, or -1 if it is about the whole.
	Arg int
}

// Error is the message and the hint.
func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + "; " + e.Hint
}

// Fault is fault.User.
func (e *Error) Fault() fault.Class { return fault.User }

func errorf(code, format string, args ...any) error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...), Arg: -1}
}

func hintf(code, hint, format string, args ...any) error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...), Hint: hint, Arg: -1}
}

// about says of which argument an error is.
func about(arg int, err error) error {
	var e *Error
	if errors.As(err, &e) && e.Arg < 0 {
		e.Arg = arg
	}
	return err
}

// own turns an error of the functions that this package stands on into one of this package.
func own(name string, args []Value, err error) error {
	var e *Error
	var signature *function.SignatureError
	var conversion *function.CastError
	var constant *function.ConstantError
	switch {
	case err == nil || errors.As(err, &e):
		return err
	case errors.As(err, &signature), errors.As(err, &conversion):
		return errorf(CodeType, "%s does not take %s", name, describe(args))
	case errors.As(err, &constant):
		return hintf(CodeValue, constant.Hint, "%s: %s", name, constant.Err)
	}
	return errorf(CodeValue, "%s: %s", name, err)
}

func describe(args []Value) string {
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = a.describe()
	}
	return "(" + strings.Join(texts, ", ") + ")"
}

// counted says how many of something are wanted.
func counted(least, most int, what string) string {
	switch {
	case least == most && most == 1:
		return "one " + what
	case least == most && most == 0:
		return "no " + what
	case least == most:
		return fmt.Sprintf("%d %ss", least, what)
	case most > maxArguments:
		return fmt.Sprintf("%d or more %ss", least, what)
	}
	return fmt.Sprintf("%d to %d %ss", least, most, what)
}

// wants is the error of an argument that has another type than the function takes.
func wants(name string, arg int, wanted string, got Value) error {
	e := &Error{Code: CodeType, Message: fmt.Sprintf("argument %d of %s is %s, and %s is wanted", arg+1, name, got.describe(), wanted), Arg: arg}
	if got.Static == nil && got.Type.Kind == yqltype.Node && !strings.Contains(wanted, "Node") {
		e.Hint = "take the value out with Yson::ConvertTo…"
	}
	return e
}
