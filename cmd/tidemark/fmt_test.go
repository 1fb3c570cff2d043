package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	unlaid = "-- one\nselect 1 as a,2 as b -- two\n"
	laid   = "-- one\nSELECT 1 AS a, 2 AS b; -- two\n"
)

const laidYQL = `$x =
  SELECT a, b
  FROM t;

CREATE STREAMING QUERY q
AS DO BEGIN
  INSERT INTO o
  SELECT @@ a @@ || Data
  FROM $x
END DO;
`

func write(t *testing.T, name, body string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(body), 0o640); err != nil {
		t.Fatal(err)
	}
}

func content(t *testing.T, name string) string {
	t.Helper()
	body, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// TestFmt calls fmt in every way; files change with -w only.
func TestFmt(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "laid.sql", laid)
	write(t, "deep/unlaid.SQL", unlaid)
	write(t, "deep/notes.txt", "no SQL")
	write(t, "wrong.sql", "SELEC 1")
	write(t, "query.yql", "$x=select a , b from t; create streaming query q as do begin insert into o select @@ a @@||Data from $x end do")
	for _, c := range []struct {
		args           []string
		code           int
		stdout, stderr string
	}{
		{[]string{"deep/unlaid.SQL"}, exitOK, laid, ""},
		{[]string{"laid.sql", "deep"}, exitOK, laid + laid, ""},
		{[]string{"query.yql"}, exitOK, laidYQL, ""},
		{[]string{"-l", "laid.sql"}, exitOK, "", ""},
		{[]string{"-d", "laid.sql"}, exitOK, "", ""},
		{[]string{"-l", "laid.sql", "deep"}, exitFindings, filepath.Join("deep", "unlaid.SQL") + "\n", ""},
		{[]string{"-d", "deep"}, exitFindings, "-select 1 as a,2 as b -- two\n+SELECT 1 AS a, 2 AS b; -- two\n", ""},
		{[]string{"wrong.sql", "deep"}, exitUsage, laid, "wrong.sql:1:1"},
		{[]string{"-l", "wrong.sql", "deep"}, exitUsage, "unlaid.SQL\n", "wrong.sql:1:1"},
		{[]string{"-w"}, exitUsage, "", "-w needs files"},
		{[]string{"none.sql"}, exitUsage, "", "none.sql"},
		{[]string{"-w", "-l", "deep"}, exitOK, "unlaid.SQL\n", ""},
		{[]string{"-l", "deep"}, exitOK, "", ""},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			code, stdout, stderr := run(append([]string{"fmt"}, c.args...)...)
			if code != c.code || !strings.Contains(stdout, c.stdout) || (c.stdout == "") != (stdout == "") {
				t.Errorf("exits with %d, want %d, and\n%s\nwant\n%s", code, c.code, stdout, c.stdout)
			}
			if !strings.Contains(stderr, c.stderr) || (c.stderr == "") != (stderr == "") {
				t.Errorf("standard error is\n%s\nwant\n%s", stderr, c.stderr)
			}
		})
	}
	if got := content(t, "deep/unlaid.SQL"); got != laid {
		t.Errorf("-w wrote\n%s", got)
	}
	if info, err := os.Stat("deep/unlaid.SQL"); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("-w left %v, %v", info.Mode(), err)
	}
	if files, _ := filepath.Glob("deep/*"); len(files) != 2 {
		t.Errorf("-w left %v", files)
	}
}
