package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	gort "runtime"
	"time"

	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/remote"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/shell"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/summary"
)

// shellCall is one call of tidemark sql.
type shellCall struct {
	inline  inlineSQL
	as      asLanguage
	file    string
	form    string
	history string
	quiet   bool
	where   brokers
	server  string
	key     string
}

func sqlVerb(f *flags) action {
	c := &shellCall{}
	f.Var(&c.inline, "e", "run this `SQL` and leave")
	c.as.flag(f)
	f.StringVar(&c.file, "f", "", "run the statements of this `file`, - for standard input, and leave")
	f.StringVar(&c.form, "output", "auto", "`form` of the rows where there is no live table: table, jsonl or csv; auto is a table on a terminal and jsonl elsewhere")
	f.StringVar(&c.history, "history", shell.HistoryFile(), "`file` that keeps what is typed; empty for none")
	f.Lookup("history").DefValue = "" // it differs from user to user
	c.where.flags(f)
	f.StringVar(&c.server, "server", "", "run statements on the server at this `address`, as statements of it, and not in this process")
	f.StringVar(&c.key, "key", "", keyUsage)
	f.BoolVar(&c.quiet, "quiet", false, "write no summary of each query")
	return c.run
}

func (c *shellCall) run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if len(args) > 0 {
		return usageErrorf("tidemark sql takes no arguments; write -f %s to run a file", args[0])
	}
	if c.inline.given && c.file != "" {
		return usageErrorf("give -f or -e, not both")
	}
	form, err := outputForm(c.form, stdout)
	if err != nil {
		return err
	}
	interactive := !c.inline.given && c.file == "" && terminal(os.Stdin) && terminal(stdout)
	o := shell.Options{
		Language: c.as.Language, Stdout: stdout, Stderr: stderr, Form: form, Parallelism: gort.GOMAXPROCS(0),
		Now: time.Now, After: time.After, Progress: summary.Progress, Summarize: summary.Write,
	}
	if c.server == "" {
		notes := stderr
		if c.quiet {
			notes = nil
		}
		if err := c.where.open(notes, stderr); err != nil {
			return err
		}
		defer c.where.close()
		o.Connectors = c.where.connectors()
	} else if o.Place, err = c.place(ctx); err != nil {
		return err
	} else {
		o.Connectors = describedConnectors()
	}
	if interactive {
		o.HistoryFile = c.history
	}
	if c.quiet {
		o.Summarize = func(io.Writer, runtime.Stats, time.Duration) {}
	}
	s, err := shell.New(o)
	if err != nil {
		fmt.Fprintf(stderr, "the history cannot be read: %s\n", err)
	}
	if interactive {
		return s.Terminal(ctx, os.Stdin, os.Stdout)
	}
	text, err := c.text()
	if err != nil {
		return err
	}
	err = s.Run(ctx, text)
	switch {
	case errors.Is(err, shell.ErrQuit):
		return nil
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		return errInterrupted
	}
	return err
}

// place is the server, if it is there and takes the key.
func (c *shellCall) place(ctx context.Context) (shell.Place, error) {
	if c.where.named != "" || c.where.listen != "" || c.where.dir != "" {
		return nil, usageErrorf("--brokers, --broker-listen and --data-dir are of this process, and not of a server; leave them out")
	}
	a := asking{c.server, c.key}
	there := a.client()
	if err := there.Reach(ctx); err != nil {
		return nil, err
	}
	place := remote.New(there, c.quiet)
	speaks := c.as.Language
	if speaks == language.Auto {
		speaks = language.Of(source.Text{Name: c.file})
	}
	if speaks != language.Auto {
		place.Speak(speaks)
	}
	return place, nil
}

// text is what runs without a terminal.
func (c *shellCall) text() (source.Text, error) {
	switch {
	case c.inline.given:
		return readScript(c.inline, nil)
	case c.file != "":
		return readScript(inlineSQL{}, []string{c.file})
	}
	return readScript(inlineSQL{}, []string{"-"})
}
