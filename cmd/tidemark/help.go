package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/manual"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

func helpVerb(f *flags) action {
	man := f.Bool("man", false, "write the manual page, in the language of man")
	return func(_ context.Context, args []string, stdout, _ io.Writer) error {
		switch {
		case *man && len(args) == 0:
			manPage(stdout)
		case *man:
			return usageErrorf("--man takes no topic")
		case len(args) == 0:
			usage(stdout)
		case args[0] == "sql":
			return sqlHelp(strings.Join(args[1:], " "), stdout)
		case len(args) == 1:
			return verbHelp(args[0], stdout)
		default:
			return usageErrorf("write: tidemark help COMMAND, or tidemark help sql TOPIC")
		}
		return nil
	}
}

func verbHelp(name string, stdout io.Writer) error {
	for _, v := range verbs() {
		if v.name == name {
			f, _ := v.flags(stdout)
			f.help()
			return nil
		}
	}
	return unknownVerb(name)
}

func unknownVerb(name string) error {
	hint := "tidemark help lists them"
	if near := source.Nearest(name, verbNames(verbs())); near != "" {
		hint = fmt.Sprintf("did you mean '%s'?", near)
	}
	return usageErrorf("there is no command '%s'; %s", name, hint)
}

func sqlHelp(name string, stdout io.Writer) error {
	topics := manual.Topics(describedConnectors())
	if name == "" {
		fmt.Fprint(stdout, manual.Overview(topics))
		return nil
	}
	text, near := manual.Find(topics, name)
	switch {
	case text != "":
		fmt.Fprint(stdout, text)
		return nil
	case near != "":
		return usageErrorf("there is no help about '%s'; did you mean '%s'?", name, near)
	}
	return usageErrorf("there is no help about '%s'; tidemark help sql lists the topics", name)
}

// manPage writes a manual page in roff.
func manPage(w io.Writer) {
	fmt.Fprintf(w, ".TH TIDEMARK 1 \"\" \"tidemark %s\"\n.SH NAME\ntidemark \\- event-time SQL over streams\n.SH SYNOPSIS\n.B tidemark\n.I COMMAND\n[flags] [arguments]\n", version)
	fmt.Fprint(w, ".SH DESCRIPTION\nTidemark runs event-time SQL over streams of rows that arrive out of order.\n.SH COMMANDS\n")
	for _, v := range verbs() {
		fmt.Fprintf(w, ".SS \"tidemark %s %s\"\n%s.\n", v.name, roff(v.usage), roff(sentence(v.doc)))
		f, _ := v.flags(io.Discard)
		f.VisitAll(func(known *flag.Flag) {
			value, doc := flag.UnquoteUsage(known)
			if value != "" {
				value = " \\fI" + roff(value) + "\\fR"
			}
			fmt.Fprintf(w, ".TP\n\\fB%s\\fR%s\n%s\n", roff(dashed(known.Name)), value, roff(doc))
		})
	}
	fmt.Fprintf(w, ".SH EXIT STATUS\n%s\n", roff(strings.ReplaceAll(exitCodes, "\n", " ")))
}

// roff is text with what would be an instruction of roff taken from it.
func roff(text string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`).Replace(text)
}

func sentence(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
