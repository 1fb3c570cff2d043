package main

import (
	"context"
	"fmt"
	"io"

	"github.com/tidemark-sql/tidemark/internal/engine"
	"github.com/tidemark-sql/tidemark/internal/sql"
)

func explainVerb(_ context.Context, args []string, stdout, stderr io.Writer) error {
	f := newFlags("explain", "FILE | -e SQL", stderr)
	var inline inlineSQL
	f.Var(&inline, "e", "explain this `SQL` instead of a file")
	rest, err := parse(f, args)
	if err != nil {
		return err
	}
	text, err := readScript(inline, rest)
	if err != nil {
		return err
	}
	parsed, err := sql.Parse(text)
	if err != nil {
		return err
	}
	e := engine.New(engine.Options{Connectors: describedConnectors(), Stdout: stdout, Stderr: stderr})
	for _, stmt := range parsed.Statements {
		result, err := e.Execute(text, stmt)
		if err != nil {
			return err
		}
		if result.Query != nil {
			fmt.Fprint(stdout, result.Query.Explain())
		} else {
			fmt.Fprint(stdout, result.Text)
		}
	}
	return nil
}
