package docs

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/check"
	"github.com/tidemark-sql/tidemark/internal/config"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/avro"
	"github.com/tidemark-sql/tidemark/internal/connector/builtin"
	"github.com/tidemark-sql/tidemark/internal/connector/filesystem"
	"github.com/tidemark-sql/tidemark/internal/connector/format"
	"github.com/tidemark-sql/tidemark/internal/connector/kafka"
	"github.com/tidemark-sql/tidemark/internal/connector/parquet"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/history"
	"github.com/tidemark-sql/tidemark/internal/metrics"
	"github.com/tidemark-sql/tidemark/internal/plan"
)

var update = flag.Bool("update", false, "write the generated parts of the pages")

// region is a part of a page that is generated: it stands between a line `<!-- generated: name -->` and a line `<!-- end -->`.
var region = regexp.MustCompile(`(?s)(<!-- generated: ([a-z_-]+) -->\n).*?(<!-- end -->)`)

// generators write the regions by name.
var generators = map[string]func() string{
	"function-counts":     functionCounts,
	"scalar-functions":    scalarFunctions,
	"aggregate-functions": aggregateFunctions,
	"over-functions":      overFunctions,
	"absent-functions":    absentFunctions,
	"connectors":          connectors,
	"watermark-options":   watermarkOptions,
	"settings":            settings,
	"lints":               lints,
	"metrics":             series,
	"server-settings":     serverSettings,
	"history":             minutes,
	"yql-functions":       yqlFunctions,
	"yql-modules":         yqlModules,
	"yql-aggregates":      yqlAggregates,
	"yql-absent":          yqlAbsent,
}

func init() {
	for _, name := range formatNames() {
		generators["format-"+name] = func() string { return formatPart(name) }
	}
	scripts, err := filepath.Glob(filepath.Join(root, "examples", "windows", "*.script"))
	if err != nil {
		panic(err)
	}
	for _, path := range scripts {
		generators["script-"+strings.TrimSuffix(filepath.Base(path), ".script")] = func() string { return scriptPart(path) }
	}
}

// TestReference holds every generated region against the registry it comes from.
func TestReference(t *testing.T) {
	written := map[string]bool{}
	for _, page := range pages(t) {
		text := read(t, page)
		fresh := region.ReplaceAllStringFunc(text, func(part string) string {
			m := region.FindStringSubmatch(part)
			written[m[2]] = true
			generate := generators[m[2]]
			if generate == nil {
				t.Errorf("%s: nothing generates '%s'", page, m[2])
				return part
			}
			return m[1] + generate() + m[3]
		})
		switch {
		case fresh == text:
		case *update:
			if err := os.WriteFile(filepath.Join(root, page), []byte(fresh), 0o644); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("%s is not what the code says; run go generate ./internal/docs", page)
		}
	}
	for name := range generators {
		if !written[name] {
			t.Errorf("no page has the region '%s'", name)
		}
	}
}

// serverSettings are what a server can be told.
func serverSettings() string {
	var b strings.Builder
	b.WriteString("| flag | variable | default | what it is |\n|---|---|---|---|\n")
	f := flag.NewFlagSet("server", flag.ContinueOnError)
	new(config.Server).Declare(f)
	f.VisitAll(func(s *flag.Flag) {
		what, doc := flag.UnquoteUsage(s)
		if what != "" {
			what = " " + strings.ToUpper(what)
		}
		standard := ""
		if s.DefValue != "" {
			standard = code(s.DefValue)
		}
		fmt.Fprintf(&b, "| `--%s%s` | `%s` | %s | %s |\n", s.Name, what, config.Variable(s.Name), standard, prose(doc))
	})
	return b.String()
}

// scriptPart is a script as it stands.
func scriptPart(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	return "\n```\n" + string(text) + "```\n\n"
}

// prose makes text fit into a cell of a table.
func prose(text string) string { return strings.ReplaceAll(bars(text), "<", "&lt;") }

func code(text string) string { return "`" + bars(text) + "`" }

func bars(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

var families = []struct {
	family function.Family
	title  string
}{
	{function.FamilyComparison, "Comparison"},
	{function.FamilyLogical, "Logic"},
	{function.FamilyArithmetic, "Arithmetic"},
	{function.FamilyString, "Strings"},
	{function.FamilyPattern, "Patterns"},
	{function.FamilyEncoding, "Encodings, addresses and hashes"},
	{function.FamilyJSON, "JSON"},
	{function.FamilyTime, "Time"},
	{function.FamilyConditional, "Conditions"},
	{function.FamilyCollection, "Rows, arrays and maps"},
}

func functionCounts() string {
	operators := 0
	for _, s := range function.Scalars {
		if s.Notation != function.Prefix {
			operators++
		}
	}
	return fmt.Sprintf("\nThere are %d scalar functions, %d operators and constructors, and %d aggregates.\n\n", len(function.Scalars)-operators, operators, len(function.Aggregates))
}

func scalarFunctions() string {
	var b strings.Builder
	listed := 0
	for _, f := range families {
		fmt.Fprintf(&b, "\n## %s\n\n| form | meaning | example | result |\n|---|---|---|---|\n", f.title)
		for _, s := range function.Scalars {
			if s.Family == f.family {
				listed++
				functionRow(&b, s.Signatures, s.Aliases, s.Doc, s.Example, s.ExampleResult)
			}
		}
	}
	if listed != len(function.Scalars) {
		panic("tidemark bug: a family of functions is not in the reference")
	}
	return b.String() + "\n"
}

func aggregateFunctions() string {
	var b strings.Builder
	b.WriteString("\n| form | meaning | example | result |\n|---|---|---|---|\n")
	for _, a := range function.Aggregates {
		functionRow(&b, a.Signatures, nil, a.Doc, a.Example, a.ExampleResult)
	}
	return b.String() + "\n"
}

func overFunctions() string {
	var b strings.Builder
	b.WriteString("\n| form | meaning | example | result |\n|---|---|---|---|\n")
	for _, f := range function.OverFunctions {
		functionRow(&b, f.Signatures, nil, f.Doc, f.Example, f.ExampleResult)
	}
	return b.String() + "\n"
}

func absentFunctions() string {
	var b strings.Builder
	b.WriteString("\n| function | instead |\n|---|---|\n")
	for _, a := range function.NotYet {
		fmt.Fprintf(&b, "| %s | %s |\n", code(strings.Join(a.Names, "`, `")), prose(a.Instead))
	}
	return b.String() + "\n"
}

func functionRow(b *strings.Builder, forms, aliases []string, doc, example, result string) {
	marked := make([]string, len(forms))
	for i, f := range forms {
		marked[i] = code(f)
	}
	if len(aliases) > 0 {
		doc += " Also called " + code(strings.Join(aliases, "`, `")) + "."
	}
	fmt.Fprintf(b, "| %s | %s | %s | %s |\n", strings.Join(marked, "<br>"), prose(doc), code(example), code(result))
}

func connectors() string {
	var b strings.Builder
	all := append(builtin.With(builtin.Files(parquet.Container)), kafka.Managed(nil))
	for i, c := range all {
		fmt.Fprintf(&b, "\n## %s\n\n`'connector' = '%s'` %s.\n", c.Name, c.Name, c.Doc)
		specs := ownOptions(c.Specs)
		own, with, shared := specs, "", []string(nil)
		for _, before := range all[:i] {
			if rest, same := apart(specs, ownOptions(before.Specs)); len(same) > 5 {
				own, with, shared = rest, before.Name, same
				break
			}
		}
		if len(own) > 0 {
			b.WriteString(options(own))
		}
		if with != "" {
			fmt.Fprintf(&b, "\nIt also takes these options of `%s`: %s.\n", with, strings.Join(shared, ", "))
		}
		if len(c.Metadata) > 0 {
			b.WriteString("\n| metadata | type | meaning | written |\n|---|---|---|---|\n")
			for _, m := range c.Metadata {
				written := "no: VIRTUAL only"
				if m.Writable {
					written = "yes"
				}
				fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", code(m.Key), code(m.Type.String()), prose(m.Doc), written)
			}
		}
	}
	return b.String() + "\n"
}

// apart divides options into those that are not among others and the names of those that are, settings of Kafka's clients under one name.
func apart(specs, others []connector.Spec) (own []connector.Spec, same []string) {
	for _, s := range specs {
		if !slices.ContainsFunc(others, func(o connector.Spec) bool { return reflect.DeepEqual(o, s) }) {
			own = append(own, s)
			continue
		}
		name := code(s.Key)
		if s.Key != "properties.group.id" && strings.HasPrefix(s.Key, "properties.") {
			name = code("properties.*")
		}
		if !slices.Contains(same, name) {
			same = append(same, name)
		}
	}
	return own, same
}

// ownOptions leaves out those of formats, which have a page of their own.
func ownOptions(specs []connector.Spec) []connector.Spec {
	return slices.DeleteFunc(slices.Clone(specs), func(s connector.Spec) bool {
		return slices.ContainsFunc(formatNames(), func(name string) bool {
			return slices.ContainsFunc([]string{"", "key.", "value."}, func(prefix string) bool { return strings.HasPrefix(s.Key, prefix+name+".") })
		})
	})
}

// containers are the formats of whole files.
var containers = []filesystem.Container{avro.Container, parquet.Container}

func formatNames() (names []string) {
	for _, f := range format.Formats {
		names = append(names, f.Name)
	}
	for _, c := range containers {
		if !slices.Contains(names, c.Name) {
			names = append(names, c.Name)
		}
	}
	return names
}

// formatPart makes the part of the page about a format.
func formatPart(name string) string {
	var b strings.Builder
	at := slices.IndexFunc(format.Formats, func(f format.Format) bool { return f.Name == name })
	var listed []connector.Spec
	if at >= 0 {
		f := format.Formats[at]
		fmt.Fprintf(&b, "\n`'format' = '%s'`: %s.\n", f.Name, f.Doc)
		own, with, shared := slices.Clone(f.Specs), "", []string(nil)
		for _, before := range format.Formats[:at] {
			if rest, same := apart(own, before.Specs); len(same) > 5 {
				own, with, shared = rest, before.Name, same
				break
			}
		}
		listed = f.Specs
		formatOptions(&b, name, own)
		if with != "" {
			fmt.Fprintf(&b, "\nIt also takes these options of `%s`, under its own name: %s.\n", with, strings.Join(shared, ", "))
		}
		if len(f.Metadata) > 0 {
			b.WriteString("\n| metadata | type | meaning |\n|---|---|---|\n")
			for _, m := range format.Metadata(connector.Options{"format": f.Name}) {
				fmt.Fprintf(&b, "| %s | %s | %s |\n", code(m.Key), code(m.Type.String()), prose(m.Doc))
			}
		}
	}
	for _, c := range containers {
		if c.Name != name {
			continue
		}
		fmt.Fprintf(&b, "\nIn files, `'format' = '%s'`: %s.\n", c.Name, c.Doc)
		own, same := apart(c.Specs, listed)
		formatOptions(&b, name, own)
		if len(same) > 0 {
			fmt.Fprintf(&b, "\nIt also takes %s.\n", strings.Join(same, ", "))
		}
	}
	return b.String() + "\n"
}

func formatOptions(b *strings.Builder, name string, specs []connector.Spec) {
	if len(specs) == 0 {
		return
	}
	named := slices.Clone(specs)
	for i := range named {
		named[i].Key = name + "." + named[i].Key
	}
	b.WriteString(options(named))
}

func lints() string {
	var b strings.Builder
	b.WriteString("\n| lint | severity | what is found | for example |\n|---|---|---|---|\n")
	for _, l := range check.Lints {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", code(l.Name), l.Severity, prose(l.Doc), code(l.Example))
	}
	return b.String() + "\n"
}

func watermarkOptions() string { return options(plan.WatermarkOptions) + "\n" }

func options(specs []connector.Spec) string {
	var b strings.Builder
	b.WriteString("\n| option | meaning | default |\n|---|---|---|\n")
	for _, s := range specs {
		key, doc, otherwise := s.Key, s.Doc, s.Default
		if s.Prefix {
			key += "*"
		}
		if s.Required {
			otherwise = "none: it is required"
		}
		if s.NotYet != "" {
			doc = "not there yet; " + s.NotYet
		}
		if s.Values != nil && !mentions(s.Doc, s.Values) {
			doc += ". One of: " + code(strings.Join(s.Values, "`, `"))
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", code(key), prose(doc), prose(otherwise))
	}
	return b.String()
}

// mentions reports whether a sentence lists the values already.
func mentions(doc string, values []string) bool {
	return !slices.ContainsFunc(values, func(v string) bool { return !strings.Contains(doc, v) })
}

func settings() string {
	var b strings.Builder
	b.WriteString("\n| key | meaning | `confluent` | `flink` |\n|---|---|---|---|\n")
	for _, s := range catalog.KnownSettings {
		if s.Alias != "" {
			fmt.Fprintf(&b, "| %s | another name of %s | | |\n", code(s.Key), code(s.Alias))
			continue
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", code(s.Key), prose(s.Doc), value(s.Default), value(s.FlinkDefault))
	}
	return b.String() + "\n"
}

func value(text string) string {
	if text == "" {
		return "unset"
	}
	return code(text)
}

// series lists all series of metrics.
func series() string {
	var b strings.Builder
	b.WriteString("| name | kind | labels | what it is |\n|---|---|---|---|\n")
	for _, s := range metrics.All {
		kind := "gauge"
		if s.Kind == metrics.Counter {
			kind = "counter"
		}
		labels := make([]string, len(s.Labels))
		for i, l := range s.Labels {
			labels[i] = "`" + l + "`"
		}
		doc := s.Doc
		if s.Ours {
			doc += "; not in Confluent Cloud"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", s.PrometheusName(), kind, strings.Join(labels, ", "), doc)
	}
	return b.String()
}

func minutes() string {
	folds := map[history.Fold]string{history.Sum: "the sum", history.Last: "the last", history.Most: "the greatest", history.Mean: "the mean"}
	var b strings.Builder
	b.WriteString("| name | label | of several minutes | what it is |\n|---|---|---|---|\n")
	for _, s := range history.All {
		label := ""
		if s.Label != "" {
			label = "`" + s.Label + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", s.Name, label, folds[s.Fold], s.Doc)
	}
	return b.String()
}
