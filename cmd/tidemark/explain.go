package main

import (
	"context"
	"fmt"
	"io"

	"github.com/tidemark-sql/tidemark/internal/engine"
	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

func explainVerb(f *flags) action {
	var inline inlineSQL
	f.Var(&inline, "e", "explain this `SQL` instead of a file")
	var as asLanguage
	as.flag(f)
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
		texts, err := readScripts(inline, args)
		if err != nil {
			return err
		}
		e := engine.New(engine.Options{Connectors: describedConnectors(), Stdout: stdout, Stderr: stderr, FunctionsElsewhere: true})
		for _, text := range texts {
			if err := explain(ctx, e, text, as.Language, stdout, stderr); err != nil {
				return err
			}
		}
		return nil
	}
}

func explain(ctx context.Context, e *engine.Engine, text source.Text, as language.Language, stdout, stderr io.Writer) error {
	parsed, err := parseText(ctx, text, as)
	if err != nil {
		return err
	}
	form, err := outputForm("auto", stdout)
	if err != nil {
		return err
	}
	for _, stmt := range parsed {
		result, err := execute(ctx, e, text, stmt)
		if err != nil {
			return err
		}
		for _, note := range result.Notes {
			fmt.Fprintf(stderr, "note: %s\n", source.Visible(source.Short(note)))
		}
		switch {
		case result.Query != nil:
			fmt.Fprint(stdout, result.Query.Explain())
		case result.Rows != nil:
			if err := (&runner{stdout: stdout, format: form}).list(result.Rows); err != nil {
				return err
			}
		default:
			fmt.Fprint(stdout, result.Text)
		}
	}
	return nil
}
