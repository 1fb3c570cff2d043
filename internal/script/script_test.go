package script

import (
	"flag"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector/builtin"
)

var update = flag.Bool("update", false, "rewrite the outputs in testdata to what the engine prints")

// corpus is where the scripts of the project are, from root.
var corpus = []string{root + "testdata", root + "examples"}

const root = "../../"

// TestCorpus runs every script of the project as written and in all variations.
func TestCorpus(t *testing.T) {
	files, err := findAll(corpus, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(strings.TrimPrefix(file, root), extension), func(t *testing.T) {
			report, err := Run([]string{file}, Options{Update: *update, Variations: true, Connectors: builtin.Connectors})
			if err != nil {
				t.Fatal(err)
			}
			if !report.Passed() {
				var b strings.Builder
				report.Write(&b)
				t.Error(b.String())
			}
		})
	}
}
