package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/tidemark-sql/tidemark/internal/check"
	"github.com/tidemark-sql/tidemark/internal/engine"
	"github.com/tidemark-sql/tidemark/internal/flowspec"
	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

func checkVerb(f *flags) action {
	asJSON := f.Bool("json", false, "write each finding as a JSON object on a line")
	var as asLanguage
	as.flag(f)
	list := f.Bool("list", false, "list the lints instead")
	return func(ctx context.Context, args []string, stdout, _ io.Writer) error {
		if *list {
			if len(args) > 0 {
				return usageErrorf("--list takes no files")
			}
			return listLints(stdout)
		}
		texts, err := readTexts(args)
		if err != nil {
			return err
		}
		return checkAll(ctx, texts, as.Language, *asJSON, stdout)
	}
}

// checkAll checks every text on its own, but a pipeline with what the texts in front of it declare, as it runs. A note is written and does not count.
func checkAll(ctx context.Context, texts []source.Text, as language.Language, asJSON bool, stdout io.Writer) error {
	counts := map[check.Severity]int{}
	for i, text := range texts {
		e := engine.New(engine.Options{Connectors: describedConnectors(), Stdout: io.Discard, Stderr: io.Discard, FunctionsElsewhere: true})
		if flowspec.Is(text.Body) {
			for _, before := range texts[:i] {
				if _, err := checkText(ctx, e, before, as); err != nil { // what is wrong with it has been written
					return err
				}
			}
		}
		findings, err := checkText(ctx, e, text, as)
		if err != nil {
			return err
		}
		var drawing source.Drawing
		for _, found := range findings {
			counts[found.Severity]++
			if err := writeFinding(found, &drawing, asJSON, stdout); err != nil {
				return err
			}
		}
	}
	if !asJSON && len(counts) > 0 {
		fmt.Fprintf(stdout, "%s, %s, %s\n", plural(counts[check.Error], "error"), plural(counts[check.Warning], "warning"), plural(counts[check.Note], "note"))
	}
	if counts[check.Error]+counts[check.Warning] > 0 {
		return errFindings
	}
	return nil
}

func checkText(ctx context.Context, e *engine.Engine, text source.Text, as language.Language) ([]check.Finding, error) {
	return promptly(ctx, func() ([]check.Finding, error) { return check.Text(ctx, e, text, as) })
}

func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// findingJSON is a finding as --json writes it. Lines and columns count from 1, columns in characters.
type findingJSON struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"end_line"`
	EndColumn int    `json:"end_column"`
	Severity  string `json:"severity"`
	Name      string `json:"name"`
	Message   string `json:"message"`
	Hint      string `json:"hint,omitempty"`
}

func writeFinding(f check.Finding, d *source.Drawing, asJSON bool, w io.Writer) error {
	if !asJSON {
		_, err := fmt.Fprintln(w, f.Draw(d))
		return err
	}
	j := findingJSON{File: f.Text.Name, Severity: f.Severity.String(), Name: f.Code, Message: f.Sentence(), Hint: f.Hint}
	j.Line, j.Column = f.Text.Position(f.Span.Start)
	j.EndLine, j.EndColumn = f.Text.Position(f.Span.End)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(j)
}

func listLints(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, l := range check.Lints {
		fmt.Fprintf(t, "%s\t%s\t%s\n", l.Name, l.Severity, l.Doc)
	}
	return t.Flush()
}
