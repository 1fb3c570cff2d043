package docs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/yql/functions"
)

// largeModules have a page of their own.
var largeModules = []string{"Yson", "DateTime", "String", "Unicode", "Re2"}

// yqlFunctions are the functions of YQL by family.
func yqlFunctions() string { return yqlFamilies(false) }

// yqlModules are those of the large modules.
func yqlModules() string { return yqlFamilies(true) }

func yqlFamilies(large bool) string {
	var b strings.Builder
	for _, family := range functions.Families {
		if slices.Contains(largeModules, family.Title) != large {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n| form | meaning | example | result |\n|---|---|---|---|\n", family.Title)
		for _, f := range family.Functions {
			if f.Refused == "" {
				functionRow(&b, []string{f.Signature}, f.Aliases, f.Doc, f.Example, shown(f.Result))
			}
		}
	}
	return b.String() + "\n"
}

// shown is a result in one line.
func shown(result string) string { return strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(result) }

// yqlAggregates are the aggregates of YQL.
func yqlAggregates() string {
	var b strings.Builder
	b.WriteString("\n| form | meaning | example | result |\n|---|---|---|---|\n")
	for _, f := range functions.Aggregates {
		if f.Refused == "" {
			functionRow(&b, []string{f.Signature}, f.Aliases, f.Doc, f.Example, f.Result)
		}
	}
	return b.String() + "\n"
}

// yqlAbsent are the functions and aggregates that are refused by name.
func yqlAbsent() string {
	var b strings.Builder
	b.WriteString("\n| function | instead |\n|---|---|\n")
	for _, f := range functions.Functions {
		if f.Refused != "" {
			fmt.Fprintf(&b, "| %s | %s |\n", code(f.Full()), prose(f.Refused))
		}
	}
	for _, f := range functions.Aggregates {
		if f.Refused != "" {
			fmt.Fprintf(&b, "| %s | %s |\n", code(f.Name), prose(f.Refused))
		}
	}
	return b.String() + "\n"
}
