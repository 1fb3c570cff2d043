package main

import (
	"strings"
	"testing"
)

// TestSQL runs the shell without a terminal; rows are as run writes them, and commands of the shell work.
func TestSQL(t *testing.T) {
	inFolder(t)
	write(t, "more.sql", "SELECT 2 AS y;\nQUIT;\nSELECT 3 AS z;")
	for _, c := range []struct {
		about          string
		args           []string
		code           int
		stdout, stderr string
	}{
		{"a statement", []string{"-e", "SELECT 1 AS x"}, exitOK, "{\"op\":\"+I\",\"x\":1}\n", "1 row in, 1 row out"},
		{"a form", []string{"--quiet", "--output", "csv", "-e", "SELECT 1 AS x"}, exitOK, "op,x\n+I,1\n", ""},
		{"a file", []string{"--quiet", "-f", "rooms.sql"}, exitOK, "\"room\":\"b\"", ""},
		{"QUIT", []string{"--quiet", "-f", "more.sql"}, exitOK, "{\"op\":\"+I\",\"y\":2}\n", ""},
		{"SOURCE", []string{"--quiet", "-e", "SOURCE 'more.sql'; SELECT 4 AS never"}, exitOK, "{\"op\":\"+I\",\"y\":2}\n", ""},
		{"HELP", []string{"-e", "HELP upper"}, exitOK, "UPPER(string)", ""},
		{"HELP of nothing", []string{"-e", "HELP zzzzzzzz"}, exitUsage, "", "HELP lists the topics"},
		{"a setting of the client", []string{"-e", "SET 'client.output-format' = 'plain-text'; SET"}, exitOK, `{"key":"client.output-format","value":"plain-text",`, ""},
		{"a wrong setting of the client", []string{"-e", "SET 'client.output-format' = 'x'"}, exitUsage, "", "error: 'client.output-format' cannot be 'x'"},
		{"an error behind a result", []string{"--quiet", "-e", "SELECT 1 AS x; SELECT y"}, exitUsage, "{\"op\":\"+I\",\"x\":1}\n", "error: unknown column 'y'\n"},
		{"an error behind a command", []string{"-e", "HISTORY; SELEC 1"}, exitUsage, "", "  --> -e:1:10\n"},
		{"both", []string{"-e", "SELECT 1", "-f", "rooms.sql"}, exitUsage, "", "give -f or -e, not both"},
		{"a file as argument", []string{"rooms.sql"}, exitUsage, "", "write -f rooms.sql"},
		{"a file that is not there", []string{"-f", "none.sql"}, exitUsage, "", "none.sql"},
		{"a form that is not there", []string{"--output", "xml", "-e", "SELECT 1"}, exitUsage, "", "--output is 'xml'"},
		{"a bad row", []string{"--quiet", "-e", readings("bad.jsonl") + "SELECT room, heat FROM readings"}, exitData, "\"room\":\"a\"", "error: bad.jsonl line 2"},
	} {
		t.Run(c.about, func(t *testing.T) {
			code, stdout, stderr := run(append([]string{"sql"}, c.args...)...)
			if code != c.code || !strings.Contains(stdout, c.stdout) || c.stdout == "" && stdout != "" || strings.Contains(stdout, "never") || strings.Contains(stdout, "\"z\"") {
				t.Errorf("exits with %d, want %d, and\n%s\nwant\n%s", code, c.code, stdout, c.stdout)
			}
			if !strings.Contains(stderr, c.stderr) || c.stderr == "" && stderr != "" {
				t.Errorf("standard error is\n%s\nwant\n%s", stderr, c.stderr)
			}
		})
	}
}
