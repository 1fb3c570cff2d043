package config

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// loaded loads the settings of a server from flags, an environment and the text of a file, "" for none.
func loaded(t *testing.T, args, environ []string, file string) (*Server, *Loaded, error) {
	t.Helper()
	s := &Server{}
	f := flag.NewFlagSet("server", flag.ContinueOnError)
	s.Declare(f)
	if err := f.Parse(args); err != nil {
		t.Fatal(err)
	}
	var given []string
	f.Visit(func(x *flag.Flag) { given = append(given, x.Name) })
	path := ""
	if file != "" {
		path = filepath.Join(t.TempDir(), "s.yaml")
		if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	l, err := Load(f, given, environ, path)
	return s, l, err
}

// TestPrecedence: a flag wins over the variable, that over the file, and that over the default.
func TestPrecedence(t *testing.T) {
	file := "# of the office\nlisten: file:1\nparallelism: 3\nmax-running: 30\nkeep-ended: 10 d\nresult-memory: 1 MB\ninsecure: true\nfiles: [/a, '/b,c']\nhost: one\n"
	environ := []string{"TIDEMARK_LISTEN=environment:1", "TIDEMARK_PARALLELISM=2", "TIDEMARK_HOST=x,y", "TIDEMARK_DATA_DIR=", "OTHER=1", "TIDEMARK_SERVER=http://elsewhere"}
	s, l, err := loaded(t, []string{"--parallelism", "1"}, environ, file)
	if err != nil {
		t.Fatal(err)
	}
	if s.Parallelism != 1 || s.Listen != "environment:1" || s.Running != 30 || s.Requests != 256 || s.Keep.String() != "10 d" || s.Results != 1<<20 || !s.Insecure || s.DataDir != "" {
		t.Errorf("settings are %+v", s)
	}
	if !slices.Equal(s.Files, []string{"/a", "/b,c"}) || !slices.Equal(s.Hosts, []string{"x", "y"}) {
		t.Errorf("lists are %q and %q", s.Files, s.Hosts)
	}
	if l.Notices != nil {
		t.Errorf("notices are %q", l.Notices)
	}
	if s, _, err := loaded(t, []string{"--host", "a", "--host", "b"}, environ, file); err != nil || !slices.Equal(s.Hosts, []string{"a", "b"}) {
		t.Errorf("hosts are %q: %v", s.Hosts, err)
	}
}

// TestMistakes: what is wrong is told with its place and with what may have been meant.
func TestMistakes(t *testing.T) {
	for _, c := range []struct{ file, environ, want string }{
		{"lisen: a", "", `s.yaml:1: there is no setting 'lisen'; did you mean 'listen'?`},
		{"\nmax_rate: 1", "", `s.yaml:2: there is no setting 'max_rate'; did you mean 'max-rate'?`},
		{"wholly-different-thing: 1", "", `tidemark server -h lists them`},
		{"print-config: true", "", "there is no setting 'print-config'"},
		{"listen: a\nmax-rate: x", "", `s.yaml:2: max-rate: 'x' is not a number; write a whole number from 0`},
		{"max-rate: -1", "", "whole number from 0"},
		{"insecure: yes", "", "s.yaml:1: insecure: 'yes' is not true or false"},
		{"state-memory: much", "", "256MB"},
		{"keep-ended: 10", "", "write a number and a unit"},
		{"listen: a\nlisten: b", "", "s.yaml:2: listen stands in line 1 already"},
		{"listen: [a]", "", "one value, and no list"},
		{"listen: {a: b}", "", "a word or a number"},
		{"files: [[a]]", "", "a word or a number"},
		{"files:", "", "there is no value"},
		{"- a", "", "s.yaml:1: write settings as 'name: value'"},
		{"a", "", "write settings as 'name: value'"},
		{"x: [", "", "this is not YAML"},
		{"listen: *x", "", "this is not YAML"},
		{"listen: a\n---\nlisten: b", "", "more than one document"},
		{"", "TIDEMARK_PARALLELISM=two", "TIDEMARK_PARALLELISM: parallelism: 'two' is not a number"},
		{"", "TIDEMARK_INSECURE=perhaps", "TIDEMARK_INSECURE: insecure: 'perhaps' is not true or false"},
	} {
		if _, _, err := loaded(t, nil, []string{c.environ}, c.file); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q %s: %v, want %q", c.file, c.environ, err, c.want)
		}
	}
	if _, err := Load(flag.NewFlagSet("", flag.ContinueOnError), nil, nil, filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a file that is not there is read")
	}
	if _, _, err := loaded(t, nil, nil, "# nothing\n"); err != nil {
		t.Errorf("a file of comments: %v", err)
	}
}

// TestMisspeltVariables: the environment is everybody's, so what is like a setting is told of and what is not is let be.
func TestMisspeltVariables(t *testing.T) {
	_, l, err := loaded(t, nil, []string{"TIDEMARK_LISTN=a", "TIDEMARK_KEY=a:b", "TIDEMARK_KEYS=f", "TIDEMARK_CONFIG=c", "TIDEMARK_COMPLETELY_ELSE=1", "TIDEMARK_MAXRATE="}, "")
	if err != nil || len(l.Notices) != 1 || !strings.Contains(l.Notices[0], "did you mean TIDEMARK_LISTEN?") {
		t.Errorf("notices are %q: %v", l.Notices, err)
	}
}

// TestPrint: what is printed is a file that says the same, and tells where every value is from.
func TestPrint(t *testing.T) {
	args := []string{"--state-memory", "256MB", "--files", "/a b", "--files", "c: d", "--host", "#x"}
	_, l, err := loaded(t, args, []string{"TIDEMARK_KEEP_ENDED=1m30s"}, "max-rate: 5\n")
	if err != nil {
		t.Fatal(err)
	}
	var first, second bytes.Buffer
	if err := l.Print(&first); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"state-memory: 256MB # --state-memory\n", "keep-ended: 1m30s # TIDEMARK_KEEP_ENDED\n", "s.yaml:1\n", "listen: 127.0.0.1:8810 # default\n"} {
		if !strings.Contains(first.String(), want) {
			t.Errorf("%q is not in\n%s", want, &first)
		}
	}
	_, l, err = loaded(t, nil, nil, first.String())
	if err != nil {
		t.Fatalf("%v in\n%s", err, &first)
	}
	if err := l.Print(&second); err != nil {
		t.Fatal(err)
	}
	without := func(b bytes.Buffer) string { return regexp.MustCompile(` # .*`).ReplaceAllString(b.String(), "") }
	if without(first) != without(second) {
		t.Errorf("settings are\n%s\nand read again\n%s", &first, &second)
	}
}

// TestSecretsAreNotPrinted: a setting that holds a secret is printed without it.
func TestSecretsAreNotPrinted(t *testing.T) {
	f := flag.NewFlagSet("", flag.ContinueOnError)
	f.String("some-password", "", "")
	l, err := Load(f, nil, []string{"TIDEMARK_SOME_PASSWORD=hunter2"}, "")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := l.Print(&out); err != nil || strings.Contains(out.String(), "hunter2") || !strings.Contains(out.String(), "******") {
		t.Errorf("%v\n%s", err, &out)
	}
}

// FuzzFile: whatever a file says, it is settings or an error.
func FuzzFile(f *testing.F) {
	f.Add("listen: a\nfiles: [a, b]\n")
	f.Add("x: &a [*a]")
	f.Fuzz(func(t *testing.T, text string) {
		set := flag.NewFlagSet("", flag.ContinueOnError)
		new(Server).Declare(set)
		l := &Loaded{settings: set, origins: map[string]string{}}
		if err := l.file("f", []byte(text)); err != nil && !strings.HasPrefix(err.Error(), "f:") {
			t.Errorf("%q has no place", err)
		}
	})
}
