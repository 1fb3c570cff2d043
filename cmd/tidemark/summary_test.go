package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSummaryOfRowsLeftOut counts what could not be read, whichever option says that it is left out.
func TestSummaryOfRowsLeftOut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows")
	if err := os.WriteFile(path, []byte("x\n{\"a\":1}\ny\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, option := range []string{"'error-handling.mode' = 'ignore'", "'json.ignore-parse-errors' = 'true'"} {
		code, _, stderr := run("run", "-e", "CREATE TABLE t (a INT) WITH ('connector' = 'filesystem', 'path' = '"+path+"', 'format' = 'json', "+option+"); SELECT a FROM t;")
		if code != exitOK || !strings.Contains(stderr, "t: 2 rows left out, which could not be read\n") {
			t.Errorf("%s: exits with %d\n%s", option, code, stderr)
		}
	}
}
