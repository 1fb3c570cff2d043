package main

import (
	"context"
	"io"
	"syscall"
	"testing"
)

// Output that is lost is never success, whatever the verb.
func TestLostOutput(t *testing.T) {
	for _, args := range [][]string{
		{"version"},
		{"explain", "-e", "SELECT 1"},
		{"run", "-e", "EXPLAIN SELECT 1"},
		{"run", "-e", "SHOW FUNCTIONS"},
		{"run", "-e", "SET"},
		{"run", "--quiet", "-e", "SELECT 1"},
		{"run", "--quiet", "-e", "CREATE TABLE p (a INT) WITH ('connector' = 'print'); INSERT INTO p SELECT 1"},
		{"generate", "nexmark", "--rows", "10"},
		{"test", "../../testdata/null/arguments.script"},
	} {
		if code := dispatch(context.Background(), args, full{syscall.ENOSPC}, io.Discard); code != exitResource {
			t.Errorf("%q: exit code %d, not %d", args, code, exitResource)
		}
	}
}
