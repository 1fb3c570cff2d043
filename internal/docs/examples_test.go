package docs

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// TestExamples runs what the pages show, with a binary built for it.
//
//   - A block marked console holds commands behind "$ " and what each prints, on both of its outputs. A line "…" stands for any number of lines.
//     Marked "console terminal", it shows what is printed on a terminal, where results are tables. A command that fails shows an error.
//     Marked "console server", its one command is tidemark server, which the commands of the page behind it talk to.
//   - A block marked sql, or yql, is run with the declarations of the sql blocks before it on the page. If a text block follows, it holds the result.
//   - A block marked go stands in an example_test.go, which is run as a test.
//
// With -update, outputs that differ are written anew; read the diff, because the prose around them speaks of them.
func TestExamples(t *testing.T) {
	bin := build(t)
	for _, page := range pages(t) {
		declarations := ""
		server := &server{}
		all := blocks(read(t, page))
		for _, b := range all {
			place := fmt.Sprintf("%s:%d", page, b.line)
			switch b.info {
			case "console", "console terminal":
				t.Run(place, func(t *testing.T) { runConsole(t, bin, b, server) })
			case "console server":
				server.start(t, bin, b)
			case "sql", "yql":
				script := declarations + b.body
				t.Run(place, func(t *testing.T) { runSQL(t, bin, script, b) })
				if declares(b.body) {
					declarations += b.body
				}
			case "go":
				t.Run(place, func(t *testing.T) {
					all := read(t, "example_test.go") + read(t, "watermarks_example_test.go") + read(t, "watermark/example_test.go") + read(t, "examples/flow/words/main.go")
					if !strings.Contains(bare(all), bare(b.body)) {
						t.Error("these lines are in no example_test.go")
					}
				})
			}
		}
		server.stop()
		if *update {
			rewrite(t, page, all)
		}
	}
}

// rewrite writes a page with the bodies of its blocks as they are now.
func rewrite(t *testing.T, page string, all []*block) {
	t.Helper()
	lines := strings.SplitAfter(read(t, page), "\n")
	var text strings.Builder
	at := 0
	for _, b := range all {
		text.WriteString(strings.Join(lines[at:b.line-1], "") + b.body)
		at = b.line - 1 + b.lines
	}
	text.WriteString(strings.Join(lines[at:], ""))
	if err := os.WriteFile(filepath.Join(root, page), []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// build makes the program and returns the folder it is in.
func build(t *testing.T) string {
	t.Helper()
	bin := t.TempDir()
	make := exec.Command("go", "build", "-o", filepath.Join(bin, "tidemark"), "./cmd/tidemark")
	make.Dir = root
	if out, err := make.CombinedOutput(); err != nil {
		t.Fatalf("%s\n%s", err, out)
	}
	return bin
}

// bare is text without indentation.
func bare(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimLeft(line, " \t"))
	}
	return b.String()
}

func runConsole(t *testing.T, bin string, b *block, at *server) {
	lines := strings.SplitAfter(b.body, "\n")
	if !strings.HasPrefix(lines[0], "$ ") {
		t.Fatal("the block does not begin with a command")
	}
	b.body = ""
	for len(lines) > 1 { // the last one is what stands behind the last line end: nothing
		command := lines[0]
		lines = lines[1:]
		for strings.HasSuffix(command, "\\\n") && len(lines) > 0 {
			command += lines[0]
			lines = lines[1:]
		}
		end := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "$ ") })
		if end < 0 {
			end = len(lines)
		}
		want := strings.Join(lines[:end], "")
		lines = lines[end:]

		run := func() (string, bool) {
			out, failed := shell(t, bin, at.there(translate(strings.TrimPrefix(command, "$ "), b.info)))
			return at.shown(out), failed
		}
		out, failed := run()
		// What a statement does at the moment is asked for until it is as the page has it.
		for again := 0; strings.HasPrefix(command, "$ tidemark doctor ") && !matches(steady(want), steady(out)) && again < 50; again++ {
			out, failed = run()
		}
		b.body += command + compare(t, command, want, out)
		if failed && !showsError(want) {
			t.Errorf("%sfails, with output\n%s", command, out)
		}
	}
}

// translate makes a command of a page one that runs here.
func translate(command, info string) string {
	command = strings.ReplaceAll(command, "go run ./cmd/tidemark", "tidemark")
	if info == "console terminal" {
		command = strings.ReplaceAll(command, "tidemark run ", "tidemark run --output table ")
	}
	return command
}

func shell(t *testing.T, bin, command string) (out string, failed bool) {
	t.Helper()
	run := exec.Command("sh", "-c", command)
	run.Dir = root
	run.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	body, err := run.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(body), err != nil
}

func showsError(out string) bool {
	return strings.HasPrefix(out, "error: ") || strings.Contains(out, "\nerror: ")
}

func runSQL(t *testing.T, bin, script string, b *block) {
	file := filepath.Join(t.TempDir(), "example."+b.info)
	if err := os.WriteFile(file, []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	out, failed := shell(t, bin, "tidemark run --quiet --output table '"+file+"'")
	if b.next != nil && b.next.info == "text" {
		b.next.body = compare(t, b.body, b.next.body, out)
	} else if failed {
		t.Errorf("%s\nfails:\n%s", b.body, out)
	}
}

// declares reports whether a script only makes and changes tables and views and sets options.
func declares(script string) bool {
	parsed, err := sql.Parse(source.Text{Name: "example", Body: script})
	if err != nil {
		return false
	}
	for _, s := range parsed.Statements {
		switch s := s.(type) {
		case *sql.CreateTable:
			if s.As != nil {
				return false
			}
		case *sql.CreateView, *sql.AlterTable, *sql.Set:
		default:
			return false
		}
	}
	return true
}

// compare checks got against want, line by line, where "…" in want stands for any number of lines. It returns what the page is to say: want, or
// with -update what came out.
func compare(t *testing.T, what, want, got string) string {
	t.Helper()
	w, g := steady(want), steady(got)
	switch {
	case matches(w, g):
		return want
	case *update:
		return abridged(want, got)
	}
	t.Errorf("%s\nprints\n%s\nand the page says\n%s", what, strings.Join(g, "\n"), strings.Join(w, "\n"))
	return want
}

// abridged is got, with as many lines shown in front of and behind the "…" as in want.
func abridged(want, got string) string {
	w, g := strings.SplitAfter(want, "\n"), strings.SplitAfter(got, "\n")
	gap := slices.Index(w, "…\n")
	if gap < 0 || len(g) < len(w) {
		return got
	}
	return strings.Join(g[:gap], "") + "…\n" + strings.Join(g[len(g)-(len(w)-gap-1):], "")
}

// What differs from run to run, and machine to machine.
var unsteady = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(` out in [0-9.]+[a-zµ]+[0-9.a-z]*( \([0-9,]+ rows/s\))?`), " out in TIME"},
	{regexp.MustCompile(`^(tidemark \S+).*, go\S+$`), "$1, go"},
	{regexp.MustCompile(`(has had no row (?:in|for)|, in) [0-9.]+ (?:s|min [0-9]+ s)`), "$1 TIME"},
}

// steady splits text into lines without what differs from run to run.
func steady(text string) []string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, l := range lines {
		l = strings.TrimRight(l, " ")
		for _, u := range unsteady {
			l = u.pattern.ReplaceAllString(l, u.instead)
		}
		lines[i] = l
	}
	return lines
}

func matches(want, got []string) bool {
	for i, w := range want {
		if w == "…" {
			for skip := i; skip <= len(got); skip++ {
				if matches(want[i+1:], got[skip:]) {
					return true
				}
			}
			return false
		}
		if i >= len(got) || got[i] != w {
			return false
		}
	}
	return len(want) == len(got)
}

func TestMatches(t *testing.T) {
	cases := []struct {
		want, got string
		ok        bool
	}{
		{"a\nb", "a\nb", true},
		{"a\nb", "a", false},
		{"a", "a\nb", false},
		{"a\n…\nd", "a\nb\nc\nd", true},
		{"a\n…\nd", "a\nd", true},
		{"…\nd", "a\nb", false},
		{"5 rows in, 4 rows out in 1ms", "5 rows in, 4 rows out in 1m2.5s (1,000 rows/s)", true},
		{"5 rows in, 4 rows out in 1ms", "5 rows in, 3 rows out in 1ms", false},
	}
	for _, c := range cases {
		if matches(steady(c.want), steady(c.got)) != c.ok {
			t.Errorf("%q against %q is not %v", c.want, c.got, c.ok)
		}
	}
}
