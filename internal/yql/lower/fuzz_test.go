package lower_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// FuzzLower wants of every text that it comes to plans, or to an error with a place. Seeds are the texts of testdata.
func FuzzLower(f *testing.F) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for block := range strings.SplitSeq(string(content), "====\n") {
			text, _, _ := strings.Cut(block, "----\n")
			f.Add(strings.ReplaceAll(text, "<input>", read), strings.HasPrefix(filepath.Base(file), "body"))
		}
	}
	f.Fuzz(func(t *testing.T, text string, body bool) {
		if body {
			text = "CREATE STREAMING QUERY q AS DO BEGIN\n" + text + "END DO;\n"
		}
		if _, err := lowered(t, text); err != nil {
			if _, ok := errors.AsType[*source.Error](err); !ok {
				t.Errorf("%s\nis refused without a place: %v", text, err)
			}
		}
	})
}
