// Package manual is the help that the program gives about SQL and YQL: a topic per statement, window, function, connector, setting and lint.
//
// Everything but the forms of statements (statements.go, statements_yql.go) comes from the registries, so it cannot go stale.
package manual

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/check"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/format"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/yql/functions"
)

// Kind is a kind of topic, as a heading shows it.
type Kind string

// The kinds, in the order of Overview.
const (
	Statements Kind = "statements"
	Language   Kind = "language"
	Windows    Kind = "windows"
	Functions  Kind = "functions"
	Aggregates Kind = "aggregates"
	YQL        Kind = "yql"
	// FunctionsYQL and AggregatesYQL are those of YQL.
	FunctionsYQL  Kind = "yql functions"
	AggregatesYQL Kind = "yql aggregates"
	Connectors    Kind = "connectors"
	Formats       Kind = "formats"
	Settings      Kind = "settings"
	Lints         Kind = "lints"
)

// Topic is a thing that help can be asked about.
type Topic struct {
	Name string
	Kind Kind
	// Also are other names that it is found by.
	Also []string
	// Text is the help, lines with line ends.
	Text string
}

// Topics are all topics; connectors are the values that 'connector' can have.
func Topics(connectors []connector.Connector) []Topic {
	var topics []Topic
	for _, s := range slices.Concat(statements, statementsYQL) {
		names := strings.Split(s.name, ", ")
		topics = append(topics, Topic{names[0], s.kind, names[1:], s.form + "\n\n" + s.doc + "\n\nExample:\n\n" + indented(s.example)})
	}
	for _, f := range function.Scalars {
		text := forms(f.Signatures, f.Doc, f.Example, f.ExampleResult)
		for _, name := range append([]string{f.Name}, f.Aliases...) {
			topics = append(topics, Topic{Name: name, Kind: Functions, Text: text})
		}
	}
	for _, f := range slices.Concat(function.Aggregates, function.OverFunctions) {
		topics = append(topics, Topic{Name: f.Name, Kind: Aggregates, Text: forms(f.Signatures, f.Doc, f.Example, f.ExampleResult)})
	}
	topics = append(topics, topicsYQL()...)
	for _, c := range connectors {
		topics = append(topics, Topic{Name: c.Name, Kind: Connectors, Text: connectorText(&c)})
	}
	for _, f := range format.Formats {
		topics = append(topics, Topic{Name: f.Name, Kind: Formats, Text: formatText(&f)})
	}
	for _, s := range catalog.KnownSettings {
		topics = append(topics, Topic{Name: s.Key, Kind: Settings, Text: settingText(&s)})
	}
	for _, l := range check.Lints {
		topics = append(topics, Topic{Name: l.Name, Kind: Lints, Text: fmt.Sprintf("%s: %s.\n\nFound in: %s\nSilenced for a statement by: -- tidemark:ignore %s\n", l.Severity, l.Doc, l.Example, l.Name)})
	}
	return topics
}

// topicsYQL are the functions and aggregates of YQL.
func topicsYQL() []Topic {
	var topics []Topic
	for i := range functions.Functions {
		f := &functions.Functions[i]
		if f.Refused == "" {
			topics = append(topics, Topic{f.Full(), FunctionsYQL, f.Aliases, forms([]string{f.Signature}, f.Doc, f.Example, f.Result)})
		}
	}
	for _, f := range functions.Aggregates {
		if f.Refused == "" {
			topics = append(topics, Topic{f.Name, AggregatesYQL, f.Aliases, forms([]string{f.Signature}, f.Doc, "", "")})
		}
	}
	return topics
}

func forms(signatures []string, doc, example, result string) string {
	text := strings.Join(signatures, "\n") + "\n\n" + strings.TrimSuffix(doc, ".") + ".\n"
	if example == "" {
		return text
	}
	return text + "\nExample: " + example + " is " + result + "\n"
}

func indented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString("  " + line)
	}
	return b.String() + "\n"
}

func connectorText(c *connector.Connector) string {
	var b strings.Builder
	fmt.Fprintf(&b, "'connector' = '%s' %s.\n", c.Name, c.Doc)
	optionsText(&b, "", c.Specs)
	return b.String()
}

func formatText(f *format.Format) string {
	var b strings.Builder
	fmt.Fprintf(&b, "'format' = '%s': %s.\n", f.Name, f.Doc)
	optionsText(&b, f.Name+".", f.Specs)
	return b.String()
}

// optionsText lists options, each with prefix before it.
func optionsText(b *strings.Builder, prefix string, specs []connector.Spec) {
	for _, s := range specs {
		if s.NotYet != "" {
			continue
		}
		fmt.Fprintf(b, "\n'%s'\n  %s", prefix+s.Key, s.Doc)
		switch {
		case s.Required:
			b.WriteString(" (required)")
		case s.Default != "":
			fmt.Fprintf(b, " (default %s)", s.Default)
		}
		b.WriteByte('\n')
	}
}

func settingText(s *catalog.Setting) string {
	if s.Alias != "" {
		return fmt.Sprintf("SET '%s' = '…'\n\nanother name of '%s'\n", s.Key, s.Alias)
	}
	return fmt.Sprintf("SET '%s' = '…'\n\n%s\n\nDefault: %s (profile flink: %s)\n", s.Key, s.Doc, cmp.Or(s.Default, "unset"), cmp.Or(s.FlinkDefault, "unset"))
}

// Find looks a topic up by name, whatever its case, or by kind; near is a name like it if there is none.
func Find(topics []Topic, name string) (text, near string) {
	name = strings.Join(strings.Fields(name), " ")
	var found []string
	var names []string
	for _, t := range topics {
		for _, known := range append([]string{t.Name}, t.Also...) {
			names = append(names, known)
			if strings.EqualFold(known, name) && !slices.Contains(found, t.Text) {
				found = append(found, t.Text)
			}
		}
		names = append(names, string(t.Kind))
	}
	if found == nil {
		if text = list(topics, Kind(strings.ToLower(name))); text != "" {
			return text, ""
		}
		return "", source.Nearest(name, names)
	}
	return strings.Join(found, "\n"), ""
}

func list(topics []Topic, kind Kind) string {
	var names []string
	for _, t := range topics {
		if t.Kind == kind {
			names = append(names, t.Name)
		}
	}
	if names == nil {
		return ""
	}
	return string(kind) + "\n" + wrapped(names)
}

// Overview lists the names of all topics by kind.
func Overview(topics []Topic) string {
	var b strings.Builder
	for i, kind := range []Kind{Statements, Language, Windows, Functions, Aggregates, YQL, FunctionsYQL, AggregatesYQL, Connectors, Formats, Settings, Lints} {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(list(topics, kind))
	}
	return b.String()
}

// wrapped writes names with commas, in lines of at most 100 characters.
func wrapped(names []string) string {
	var b strings.Builder
	column := 0
	for i, name := range names {
		if i+1 < len(names) {
			name += ","
		}
		switch {
		case column == 0:
			b.WriteString("  ")
			column = 2
		case column+1+len(name) > 100:
			b.WriteString("\n  ")
			column = 2
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(name)
		column += len(name)
	}
	return b.String() + "\n"
}
