package fault

import (
	"fmt"
	"runtime/debug"
)

// ProgramPanic is a panic in code that belongs to the program which uses the library, such as a watermark generator.
type ProgramPanic struct {
	// What names the code: "the watermark generator of table 'bids'".
	What  string
	Value any
	Stack []byte // of the goroutine that panicked
}

// Blame makes a ProgramPanic of a panic in code that what names, and panics with it; defer it around the call.
func Blame(what string) {
	if r := recover(); r != nil {
		panic(&ProgramPanic{what, r, debug.Stack()})
	}
}

// Blamed gives *err the ProgramPanic that is under way, and lets other panics go on; defer it where such a panic is to end.
func Blamed(err *error) {
	switch r := recover().(type) {
	case nil:
	case *ProgramPanic:
		*err = r
	default:
		panic(r)
	}
}

func (p *ProgramPanic) Error() string {
	return fmt.Sprintf("%s, code of the program, panicked: %v", p.What, p.Value)
}

// Unwrap is the value of the panic, if that is an error.
func (p *ProgramPanic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// Fault is User.
func (p *ProgramPanic) Fault() Class { return User }
