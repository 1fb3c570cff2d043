package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/tidemark-sql/tidemark/internal/client"
	"github.com/tidemark-sql/tidemark/internal/config"
	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/server/api"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// statementCall is one call of tidemark statement.
type statementCall struct {
	asking
	inline     inlineSQL
	as         asLanguage
	properties config.List
	wait       bool
	client     *client.Client
	stdout     io.Writer
}

const statementActions = "create, change, list, describe, results, exceptions, stop, resume or delete"

func statementVerb(f *flags) action {
	c := &statementCall{}
	c.asking.flags(f)
	f.Var(&c.inline, "e", "create, change: the `SQL` of the statement")
	f.Var(&c.as, "language", "create: read the text as this `language`: sql, yql or auto, which tells by its first words and by the ending of the file")
	f.Var(&c.properties, "property", "create: `key=value` that is SET for the statement; may be given several times")
	f.BoolVar(&c.wait, "wait", false, "create, change, stop, resume: wait until the statement runs, or has ended if it does by itself")
	return func(ctx context.Context, args []string, stdout, _ io.Writer) error {
		c.client, c.stdout = c.asking.client(), stdout
		if len(args) == 0 {
			return usageErrorf("say what to do: %s", statementActions)
		}
		return c.do(ctx, args[0], args[1:])
	}
}

func (c *statementCall) do(ctx context.Context, what string, args []string) error {
	if what == "list" {
		if len(args) > 0 {
			return usageErrorf("tidemark statement list takes no name")
		}
		return c.list(ctx)
	}
	actions := map[string]func(context.Context, string, []string) error{"create": c.create, "change": c.change, "describe": c.describe, "results": c.results, "exceptions": c.exceptions,
		"stop": c.stop, "resume": c.resume, "delete": c.delete}
	act := actions[what]
	switch {
	case act == nil:
		return usageErrorf("tidemark statement can %s, and not '%s'", statementActions, what)
	case len(args) == 0:
		return usageErrorf("name the statement: tidemark statement %s NAME", what)
	case len(args) > 1 && what != "create" && what != "change":
		return usageErrorf("tidemark statement %s takes one name", what)
	}
	return act(ctx, args[0], args[1:])
}

func (c *statementCall) create(ctx context.Context, name string, files []string) error {
	text, err := readScript(c.inline, files)
	if err != nil {
		return err
	}
	properties := map[string]string{}
	for _, p := range c.properties {
		key, value, ok := strings.Cut(p, "=")
		if !ok {
			return usageErrorf("--property is '%s'; write key=value", p)
		}
		properties[key] = value
	}
	speaks := c.as.Language
	if _, said := properties[language.Property]; said && speaks != language.Auto {
		return usageErrorf("give --language or --property %s, not both", language.Property)
	} else if !said && speaks == language.Auto {
		speaks = language.Of(text)
	}
	if speaks != language.Auto {
		properties[language.Property] = speaks.String()
	}
	s, err := c.client.Create(ctx, name, text.Body, properties)
	if err != nil {
		return err
	}
	return c.settled(ctx, s)
}

// change gives a pipeline another spec.
func (c *statementCall) change(ctx context.Context, name string, files []string) error {
	text, err := readScript(c.inline, files)
	if err != nil {
		return err
	}
	s, err := c.client.Change(ctx, name, text.Body)
	if err != nil {
		return err
	}
	return c.settled(ctx, s)
}

// settled writes how a statement is, with --wait once it is where it is going.
func (c *statementCall) settled(ctx context.Context, s api.Statement) error {
	for c.wait && moving(s) {
		select {
		case <-ctx.Done():
			return errInterrupted
		case <-time.After(100 * time.Millisecond):
		}
		var err error
		if s, err = c.client.Get(ctx, s.Name); err != nil {
			return err
		}
	}
	fmt.Fprintf(c.stdout, "%s: %s\n", s.Name, s.Status.Phase)
	if s.Status.Detail != "" {
		fmt.Fprintln(c.stdout, source.VisibleLines(s.Status.Detail))
	}
	if s.Status.Phase == api.Failed {
		return errRefused
	}
	return nil
}

// moving reports whether the statement is on its way to another phase by itself: it comes to its end, too, if that does not depend on who reads its results.
func moving(s api.Statement) bool {
	switch s.Status.Phase {
	case api.Pending, api.Stopping:
		return true
	case api.Running:
		t := s.Status.Traits
		return t != nil && t.IsBounded && t.Schema == nil
	}
	return false
}

func (c *statementCall) list(ctx context.Context) error {
	all, err := c.client.List(ctx)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tPHASE\tKIND\tCREATED\tSTATEMENT")
	for _, s := range all {
		kind := ""
		if s.Status.Traits != nil {
			kind = s.Status.Traits.SQLKind
		}
		text := strings.Join(strings.Fields(s.Spec.Statement), " ")
		if r := []rune(text); len(r) > 60 {
			text = string(r[:59]) + "…"
		}
		created, _, _ := strings.Cut(s.Metadata.CreatedAt, ".")
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", s.Name, s.Status.Phase, kind, created, source.Visible(text))
	}
	return w.Flush()
}

func (c *statementCall) describe(ctx context.Context, name string, _ []string) error {
	s, err := c.client.Get(ctx, name)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.stdout, "%s: %s\n%s\n", s.Name, s.Status.Phase, source.VisibleLines(s.Spec.Statement))
	if s.Status.Detail != "" {
		fmt.Fprintln(c.stdout, source.VisibleLines(s.Status.Detail))
	}
	for _, w := range s.Status.Warnings {
		fmt.Fprintf(c.stdout, "note: %s\n", source.Visible(w.Message))
	}
	return nil
}

// results writes the results there are, each row as a line of JSON, and with more to come waits for them.
func (c *statementCall) results(ctx context.Context, name string, _ []string) error {
	for from := ""; ; {
		rows, next, err := c.client.Results(ctx, name, from)
		if err != nil {
			return err
		}
		for _, r := range rows {
			if _, err := fmt.Fprintf(c.stdout, "%s %s\n", vector.Op(r.Op), source.Visible(string(r.Row))); err != nil {
				return writeFault(err)
			}
		}
		if next == "" {
			return nil
		}
		if from = next; len(rows) == 0 {
			select {
			case <-ctx.Done():
				return errInterrupted
			case <-time.After(200 * time.Millisecond):
			}
		}
	}
}

func (c *statementCall) exceptions(ctx context.Context, name string, _ []string) error {
	all, err := c.client.Exceptions(ctx, name)
	for _, e := range all {
		fmt.Fprintf(c.stdout, "%s %s\n%s\n", e.Timestamp, e.Name, source.VisibleLines(e.Message))
	}
	return err
}

func (c *statementCall) stop(ctx context.Context, name string, _ []string) error {
	s, err := c.client.Stop(ctx, name, true)
	if err != nil {
		return err
	}
	return c.settled(ctx, s)
}

func (c *statementCall) resume(ctx context.Context, name string, _ []string) error {
	s, err := c.client.Stop(ctx, name, false)
	if err != nil {
		return err
	}
	return c.settled(ctx, s)
}

func (c *statementCall) delete(ctx context.Context, name string, _ []string) error {
	return c.client.Delete(ctx, name)
}
