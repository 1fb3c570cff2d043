package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/invariant"
)

// TestPage has a browser look at the page of a server; the steps are in internal/page/e2e.
func TestPage(t *testing.T) {
	if os.Getenv("TIDEMARK_PLAYWRIGHT") == "" {
		t.Skip("there is no browser; .ci/browser brings one")
	}
	if invariant.Enabled {
		t.Skip("once is enough: it is done as shipped")
	}
	files, err := filepath.Glob("../../internal/page/e2e/*.test.mjs")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no steps", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			s := startServer(t, "--data-dir", t.TempDir())
			defer s.stop(t)
			steps := exec.CommandContext(t.Context(), "node", "--test", "--test-reporter=spec", file)
			steps.Env = append(os.Environ(), "TIDEMARK_URL="+s.url)
			if out, err := steps.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s\n%s", err, out, s.errs)
			}
		})
	}
}
