package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// newFlags makes the flags of a verb. usage is how it is called; the flags follow it in the help.
func newFlags(name, usage string, out io.Writer) *flag.FlagSet {
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.SetOutput(out)
	f.Usage = func() {
		fmt.Fprintf(out, "Usage: tidemark %s %s\n", name, usage)
		f.PrintDefaults()
	}
	return f
}

// parse reads args and gives what is no flag; flags may stand behind it too.
func parse(f *flag.FlagSet, args []string) ([]string, error) {
	var rest []string
	for {
		if err := f.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return nil, err
			}
			return nil, usageErrorf("%s", err)
		}
		if f.NArg() == 0 {
			return rest, nil
		}
		rest = append(rest, f.Arg(0))
		args = f.Args()[1:]
	}
}

// readScript reads the SQL that a verb works on: the text of -e, a file, or standard input for "-".
func readScript(inline string, rest []string) (source.Text, error) {
	if inline != "" {
		if len(rest) > 0 {
			return source.Text{}, usageErrorf("give a file or -e, not both")
		}
		return source.Text{Name: "-e", Body: inline}, nil
	}
	if len(rest) != 1 {
		return source.Text{}, usageErrorf("give one file of SQL, or -e 'SELECT …'")
	}
	name := rest[0]
	body, err := []byte(nil), error(nil)
	if name == "-" {
		name = "stdin"
		body, err = io.ReadAll(os.Stdin)
	} else {
		body, err = os.ReadFile(name)
	}
	if err != nil {
		return source.Text{}, usageErrorf("%s", err)
	}
	return source.Text{Name: name, Body: string(body)}, nil
}
