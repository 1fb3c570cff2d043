package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// flags are the flags of a verb.
type flags struct {
	*flag.FlagSet
	usage string // how the verb is called
	out   io.Writer
}

// newFlags makes the flags of a verb; help goes to out.
func newFlags(name, usage string, out io.Writer) *flags {
	f := &flags{flag.NewFlagSet(name, flag.ContinueOnError), usage, out}
	// Package flag would print an error and the help before it returns the error, which report prints.
	f.SetOutput(io.Discard)
	return f
}

// parse reads args and gives what is no flag; flags may stand behind it too.
func parse(f *flags, args []string) ([]string, error) {
	var rest []string
	for {
		if err := f.Parse(args); errors.Is(err, flag.ErrHelp) {
			f.help()
			return nil, err
		} else if err != nil {
			return nil, usageErrorf("%s\ntidemark %s -h lists the flags", f.explain(err), f.Name())
		}
		if f.NArg() == 0 {
			return rest, nil
		}
		rest = append(rest, f.Arg(0))
		args = f.Args()[1:]
	}
}

// explain says what is wrong with a flag. Package flag has no type for a name that it does not know, and shows it with one dash.
func (f *flags) explain(err error) string {
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !unknown {
		return err.Error()
	}
	var names []string
	f.VisitAll(func(known *flag.Flag) { names = append(names, known.Name) })
	if near := source.Nearest(name, names); near != "" {
		return fmt.Sprintf("there is no flag --%s; did you mean --%s?", name, near)
	}
	return fmt.Sprintf("there is no flag --%s", name)
}

func (f *flags) help() {
	fmt.Fprintf(f.out, "Usage: tidemark %s %s\n", f.Name(), f.usage)
	f.SetOutput(f.out)
	f.PrintDefaults()
}

// readScripts reads what -e says, or files whose statements follow each other in one session: tables in one, and what reads them in another.
func readScripts(inline inlineSQL, files []string) ([]source.Text, error) {
	if len(files) < 2 || inline.given {
		text, err := readScript(inline, files)
		return []source.Text{text}, err
	}
	var texts []source.Text
	for _, file := range files {
		text, err := readScript(inlineSQL{}, []string{file})
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, nil
}

// readScript reads the SQL that a verb works on: the text of -e, a file, or standard input for "-".
func readScript(inline inlineSQL, rest []string) (source.Text, error) {
	if inline.given {
		if len(rest) > 0 {
			return source.Text{}, usageErrorf("give a file or -e, not both")
		}
		return source.Text{Name: "-e", Body: inline.sql}, nil
	}
	if len(rest) == 0 {
		return source.Text{}, usageErrorf("give a file of SQL, or -e 'SELECT …'")
	}
	if len(rest) != 1 {
		return source.Text{}, usageErrorf("give one file of SQL, or -e 'SELECT …'")
	}
	name := rest[0]
	from := os.Stdin
	if name == "-" {
		name = "stdin"
	} else {
		file, err := os.Open(name)
		if err != nil {
			return source.Text{}, usageErrorf("%s", err)
		}
		defer file.Close()
		from = file
	}
	body, err := readText(from, name, maxText)
	if err != nil {
		return source.Text{}, usageErrorf("%s", err)
	}
	return source.Text{Name: name, Body: body}, nil
}

// maxText is how many bytes a text can have. What is read and planned of it takes many times as much memory.
const maxText = 64 << 20

// readText reads a text of at most so many bytes.
func readText(from io.Reader, name string, most int64) (string, error) {
	body, err := io.ReadAll(io.LimitReader(from, most+1))
	if err == nil && int64(len(body)) > most {
		err = fmt.Errorf("'%s' has more than %d MB, which no text of statements can have; divide it, and read rows from a file of their own", name, most>>20)
	}
	return string(body), err
}

// asLanguage is the value of --language.
type asLanguage struct{ language.Language }

func (a *asLanguage) flag(f *flags) {
	f.Var(a, "language", "read texts as this `language`: sql, yql or auto, which tells by the first words of a statement and by the ending of the file")
}

// Set implements flag.Value.
func (a *asLanguage) Set(name string) (err error) {
	var ok bool
	if a.Language, ok = language.Named(name); !ok {
		err = fmt.Errorf("it can be %s", strings.Join(language.Names(), ", "))
	}
	return err
}

// inlineSQL is the value of -e, which may be given once.
type inlineSQL struct {
	sql   string
	given bool
}

// String implements flag.Value.
func (e *inlineSQL) String() string { return "" }

// Set implements flag.Value.
func (e *inlineSQL) Set(sql string) error {
	if e.given {
		return fmt.Errorf("give -e once; it may hold several statements, each with its semicolon")
	}
	e.sql, e.given = sql, true
	return nil
}
