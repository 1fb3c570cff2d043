package main

import (
	"os/exec"
	"strings"
	"testing"
)

// TestHelpAbout asks for help in every way.
func TestHelpAbout(t *testing.T) {
	for _, c := range []struct {
		args           []string
		code           int
		stdout, stderr string
	}{
		{[]string{"help", "run"}, exitOK, "Usage: tidemark run [flags] FILE … | -e SQL\n", ""},
		{[]string{"help", "rn"}, exitUsage, "", "error: there is no command 'rn'; did you mean 'run'?\n"},
		{[]string{"help", "run", "fmt"}, exitUsage, "", "error: write: tidemark help COMMAND, or tidemark help sql TOPIC\n"},
		{[]string{"help", "sql"}, exitOK, "windows\n  TUMBLE, HOP, CUMULATE, SESSION\n", ""},
		{[]string{"help", "sql", "create", "table"}, exitOK, "WATERMARK FOR column AS expression", ""},
		{[]string{"help", "sql", "uper"}, exitUsage, "", "did you mean 'UPPER'?"},
		{[]string{"help", "sql", "zzzzzzzz"}, exitUsage, "", "tidemark help sql lists the topics"},
		{[]string{"help", "--man", "run"}, exitUsage, "", "--man takes no topic"},
		{[]string{"help", "--man"}, exitOK, "\n.TP\n\\fB\\-\\-parallelism\\fR \\fInumber\\fR\n", ""},
	} {
		code, stdout, stderr := run(c.args...)
		if code != c.code || !strings.Contains(stdout, c.stdout) || (c.stdout == "") != (stdout == "") {
			t.Errorf("%v exits with %d, want %d, and\n%s\nwant\n%s", c.args, code, c.code, stdout, c.stdout)
		}
		if !strings.Contains(stderr, c.stderr) || (c.stderr == "") != (stderr == "") {
			t.Errorf("%v: standard error is\n%s\nwant\n%s", c.args, stderr, c.stderr)
		}
	}
}

// TestCompletion names every command and flag in the scripts of all shells, and asks bash.
func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		code, script, stderr := run("completion", shell)
		if code != exitOK || stderr != "" {
			t.Fatalf("%s: exits with %d\n%s", shell, code, stderr)
		}
		for _, v := range verbs() {
			if !strings.Contains(script, v.name) {
				t.Errorf("%s: %s is not completed", shell, v.name)
			}
			for _, name := range v.flagNames() {
				if name = strings.TrimLeft(name, "-"); !strings.Contains(script, name) {
					t.Errorf("%s: %s --%s is not completed", shell, v.name, name)
				}
			}
		}
	}
	if code, _, stderr := run("completion", "tcsh"); code != exitUsage || !strings.Contains(stderr, "bash, zsh or fish") {
		t.Errorf("exits with %d\n%s", code, stderr)
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	_, script, _ := run("completion", "bash")
	for _, c := range []struct{ words, want string }{
		{"tidemark ex", "explain"},
		{"tidemark run --par", "--parallelism"},
		{"tidemark completion ''", "bash fish zsh"},
		{"tidemark version ''", ""},
		{"tidemark help gen", "generate"},
		{"tidemark run --output ''", "table jsonl csv"},
		{"tidemark sql --output j", "jsonl"},
		{"tidemark advise --output ''", "text json"},
	} {
		out, err := exec.Command(bash, "-c", script+"COMP_WORDS=("+c.words+"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _tidemark; echo ${COMPREPLY[*]}").CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != c.want {
			t.Errorf("%s becomes %q, want %q (%v)", c.words, got, c.want, err)
		}
	}
}
