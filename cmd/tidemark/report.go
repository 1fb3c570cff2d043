package main

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// The exit codes.
const (
	exitOK          = 0
	exitInternal    = 1
	exitFindings    = 1 // fmt -l, fmt -d and check: there is something to change
	exitUsage       = 2 // wrong flags, or a wrong statement
	exitData        = 3
	exitExternal    = 4
	exitResource    = 5
	exitFailed      = 6 // a test script did not pass
	exitInterrupted = 130
)

const exitCodes = "Exit codes: 0 done, 1 a bug, or findings of check and fmt -l, 2 a wrong command or statement,\n" +
	"3 a bad row, 4 something outside failed, 5 disk or memory ran out, 6 a test did not pass, 130 interrupted."

// usageError is a command line that cannot be.
type usageError struct{ message string }

func (e *usageError) Error() string { return e.message }

func usageErrorf(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

var (
	// errInterrupted is Ctrl-C: the job stopped cleanly and its summary was written.
	errInterrupted = errors.New("interrupted")
	// errFailed is a test that did not pass: the report was written.
	errFailed = errors.New("failed")
	// errFindings is what fmt -l, fmt -d and check end with if they found something, which was written.
	errFindings = errors.New("findings")
	// errRefused is a wrong statement that was reported already.
	errRefused = errors.New("refused")
)

// writeFault says whose fault it is that rows could not be written.
func writeFault(err error) error {
	if err == nil {
		return nil
	}
	return fault.Errorf(fault.OfIO(err), "write rows: %w", err)
}

// report writes err for a person and returns the exit code.
func report(err error, stderr io.Writer) int {
	var placed *source.Error
	var usage *usageError
	var bug *runtime.Panic
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return exitOK
	case errors.Is(err, errInterrupted):
		return exitInterrupted
	case errors.Is(err, errFailed):
		return exitFailed
	case errors.Is(err, errFindings):
		return exitFindings
	case errors.Is(err, errRefused):
		return exitUsage
	case errors.As(err, &placed):
		fmt.Fprint(stderr, placed.Render())
		return exitUsage
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "error: %s\n", source.Visible(source.Short(usage.message)))
		return exitUsage
	case errors.As(err, &bug):
		fmt.Fprintf(stderr, "error: %s\n\nThis is a fault of Tidemark, not of the statement. Where it happened:\n%s", bug, bug.Stack)
		return exitInternal
	}
	fmt.Fprintf(stderr, "error: %s\n", source.Visible(source.Short(err.Error())))
	if option := (*connector.OptionError)(nil); errors.As(err, &option) && option.Hint != "" {
		fmt.Fprintf(stderr, "  = %s\n", source.Visible(option.Hint)) // it showed while the statement ran
	}
	switch fault.Of(err) {
	case fault.User:
		return exitUsage
	case fault.Data:
		return exitData
	case fault.External:
		return exitExternal
	case fault.Resource:
		return exitResource
	}
	return exitInternal
}
