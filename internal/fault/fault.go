// Package fault sorts errors by whose they are, which decides what happens next: whether a statement is retried, keeps
// its state, or stops, and with which code a command exits.
//
// The class is set where the error is born and survives wrapping with %w.
package fault

import (
	"errors"
	"fmt"
	"syscall"
)

// Class says whose fault an error is.
type Class uint8

// The classes.
const (
	Internal Class = iota // a bug: stop that statement and say so; also every error that nobody classified
	User                  // the statement is wrong; never retried
	Data                  // a row is bad; 'error-handling.mode' decides
	External              // a system outside failed; retried with backoff
	Resource              // disk or memory ran out; stop and keep state
)

// String names the class as it is shown to people.
func (c Class) String() string {
	return [...]string{"internal", "user", "data", "external", "resource"}[c]
}

type classified struct {
	class Class
	err   error
}

func (e *classified) Error() string { return e.err.Error() }
func (e *classified) Unwrap() error { return e.err }
func (e *classified) Fault() Class  { return e.class }

// Errorf makes an error of class c; it takes %w as fmt.Errorf does.
func Errorf(c Class, format string, args ...any) error {
	return &classified{c, fmt.Errorf(format, args...)}
}

// Wrap gives err the class c. A nil err stays nil.
func Wrap(c Class, err error) error {
	if err == nil {
		return nil
	}
	return &classified{c, err}
}

// OfIO is the class of an error while something is read or written: Resource if there is no room, or what has to be written cannot be, User if code of the program panicked, else External.
func OfIO(err error) Class {
	var program *ProgramPanic
	if errors.As(err, &program) {
		return program.Fault()
	}
	for _, room := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG, syscall.EROFS} {
		if errors.Is(err, room) {
			return Resource
		}
	}
	return External
}

// Of tells the class of err: the outermost one set in its chain, by this package or by an error type with a method
// Fault() Class.
func Of(err error) Class {
	var f interface{ Fault() Class }
	if errors.As(err, &f) {
		return f.Fault()
	}
	return Internal
}
