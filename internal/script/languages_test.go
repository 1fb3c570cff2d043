package script_test

import (
	"os"
	"strings"
	"testing"
)

// TestLanguages wants one query in Flink SQL, in YQL and as a pipeline to have the same answers, block by block. That they are the answers is what the scripts say.
func TestLanguages(t *testing.T) {
	var first string
	for _, language := range []string{"flink", "yql", "flow"} {
		body, err := os.ReadFile("../../testdata/languages/" + language + ".script")
		if err != nil {
			t.Fatal(err)
		}
		_, answers, found := strings.Cut(string(body), "\nrows ")
		if !found {
			t.Fatalf("%s.script feeds no rows", language)
		}
		if first == "" {
			first = answers
		}
		if answers != first {
			t.Errorf("%s.script has other answers than flink.script", language)
		}
	}
}
