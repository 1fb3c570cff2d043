package fault

import (
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
)

// ProgramPanic is a panic in code that belongs to the program which uses the library, such as a watermark generator.
type ProgramPanic struct {
	// What names the code: "the watermark generator of table 'bids'".
	What  string
	Value any
	Stack []byte // of the goroutine that panicked
	calls []uintptr
}

// Blame makes a ProgramPanic of a panic in code that what names, and panics with it; defer it around the call.
func Blame(what string) {
	if r := recover(); r != nil {
		calls := make([]uintptr, maxCalls)
		panic(&ProgramPanic{what, r, debug.Stack(), calls[:runtime.Callers(2, calls)]})
	}
}

const maxCalls = 64

// engine is what the paths of packages of this module begin with.
var engine = strings.TrimSuffix(reflect.TypeFor[ProgramPanic]().PkgPath(), "internal/fault")

// Frames are the calls of the program's own code that led to the panic, the innermost first. The functions of the engine among them are left out.
func (p *ProgramPanic) Frames() (own []runtime.Frame) {
	for calls := runtime.CallersFrames(p.calls); ; {
		f, more := calls.Next()
		switch {
		case strings.HasPrefix(f.Function, "runtime."):
		case strings.HasPrefix(f.Function, engine+"internal/") && len(own) > 0:
			return own // whoever called the program's code
		case !ofEngine(f.Function):
			own = append(own, f)
		}
		if !more {
			return own
		}
	}
}

// ofEngine says that a function is of the engine or of what it offers; tests and examples are programs.
func ofEngine(function string) bool {
	rest, ok := strings.CutPrefix(function, engine)
	if !ok {
		return strings.HasPrefix(function, strings.TrimSuffix(engine, "/")+".")
	}
	name, _, _ := strings.Cut(rest, ".")
	return !strings.HasPrefix(rest, "examples/") && !strings.HasSuffix(name, "_test")
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
