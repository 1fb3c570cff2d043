package main

import (
	"encoding/json"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/config"
)

func deployed(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "deploy", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// callable checks that a call of the program is one that it understands, from the verb on.
func callable(t *testing.T, where string, args []string) {
	t.Helper()
	for _, v := range verbs() {
		if v.name != args[0] {
			continue
		}
		f, _ := v.flags(io.Discard)
		if rest, err := parse(f, args[1:]); err != nil || len(rest) > 0 {
			t.Errorf("%s: tidemark %s: %v %q", where, strings.Join(args, " "), err, rest)
		}
		return
	}
	t.Errorf("%s: there is no tidemark %s", where, args[0])
}

// settable checks that variables and values are settings of the server.
func settable(t *testing.T, where string, environ []string) {
	t.Helper()
	settings := flag.NewFlagSet("server", flag.ContinueOnError)
	new(config.Server).Declare(settings)
	known := []string{"TIDEMARK_SERVER", "TIDEMARK_KEY", "TIDEMARK_CONFIG"}
	settings.VisitAll(func(s *flag.Flag) { known = append(known, config.Variable(s.Name)) })
	for _, e := range environ {
		if name, _, _ := strings.Cut(e, "="); !slices.Contains(known, name) {
			t.Errorf("%s: %s is no variable of the program", where, name)
		}
	}
	if _, err := config.Load(settings, nil, environ, ""); err != nil {
		t.Errorf("%s: %s", where, err)
	}
}

// TestUnit reads the unit for systemd: what it calls is there, it is notified as it expects, and it may do as little as can be.
func TestUnit(t *testing.T) {
	all := map[string][]string{}
	section := ""
	for line := range strings.Lines(deployed(t, "tidemark.service")) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section = line
			continue
		}
		if line == "" || line[0] == '#' {
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok || section == "" {
			t.Fatalf("%q is no setting", line)
		}
		all[section+key] = append(all[section+key], value)
	}
	call := strings.Fields(all["[Service]ExecStart"][0])
	if filepath.Base(call[0]) != "tidemark" || call[1] != "server" {
		t.Errorf("it calls %q", call)
	}
	callable(t, "tidemark.service", call[1:])
	for key, want := range map[string]string{"Type": "notify", "DynamicUser": "yes", "StateDirectory": "tidemark", "NoNewPrivileges": "yes", "ProtectSystem": "strict", "ProtectHome": "yes", "CapabilityBoundingSet": "",
		"RestrictAddressFamilies": "AF_INET AF_INET6 AF_UNIX", "RestartPreventExitStatus": "2"} {
		if got := all["[Service]"+key]; len(got) != 1 || got[0] != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
	if exitUsage != 2 {
		t.Error("2 is no wrong setting any more")
	}
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("there is no systemd-analyze")
	}
	// The path of the program has to exist for it.
	unit := filepath.Join(t.TempDir(), "tidemark.service")
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(unit, []byte(strings.Replace(deployed(t, "tidemark.service"), call[0], program, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(analyze, "verify", "--man=no", unit).CombinedOutput(); err != nil || strings.Contains(string(out), "tidemark.service") {
		t.Errorf("systemd-analyze verify: %v\n%s", err, out)
	}
	if out, err := exec.Command(analyze, "security", "--offline=true", "--threshold=20", "--no-pager", unit).CombinedOutput(); err != nil {
		t.Errorf("systemd-analyze security: %v\n%s", err, out)
	}
}

// TestSettingsFile: the file that is beside the unit is one that the server reads, and so is each line in it that is a comment for now.
func TestSettingsFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "server.yaml")
	text := deployed(t, "server.yaml")
	more := regexp.MustCompile(`(?m)^# ([a-z-]+: .*)$`).ReplaceAllString(strings.Replace(text, "listen: 127.0.0.1:8810", "", 1), "$1")
	for _, text := range []string{text, more} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		s := &config.Server{}
		settings := flag.NewFlagSet("server", flag.ContinueOnError)
		s.Declare(settings)
		if _, err := config.Load(settings, nil, nil, path); err != nil {
			t.Error(err)
		}
		if text == more && (s.Listen != "0.0.0.0:8810" || len(s.Files) != 1 || s.Keys == "") {
			t.Errorf("with all lines in force there is %+v", s)
		}
	}
}

// TestContainerFile reads the file of the image: what it builds and calls is there, and nothing in it runs as root.
func TestContainerFile(t *testing.T) {
	text := deployed(t, "Dockerfile")
	goMod, err := os.ReadFile(filepath.Join("..", "..", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(string(goMod))[1]
	if !strings.Contains(text, "FROM golang:"+version+" AS build\n") {
		t.Errorf("it is not built with Go %s", version)
	}
	_, final, ok := strings.Cut(text, "\nFROM scratch\n")
	if !ok {
		t.Fatal("the image does not begin from nothing")
	}
	instruction := func(name string) string {
		m := regexp.MustCompile(`(?m)^`+name+` (.*)$`).FindAllStringSubmatch(final, -1)
		if len(m) != 1 {
			t.Fatalf("there are %d of %s", len(m), name)
		}
		return m[0][1]
	}
	list := func(text string) (all []string) {
		if err := json.Unmarshal([]byte(text), &all); err != nil {
			t.Fatal(text, err)
		}
		return all
	}
	entry := list(instruction("ENTRYPOINT"))
	callable(t, "CMD", append(entry[1:], list(instruction("CMD"))...))
	_, health, _ := strings.Cut(instruction("HEALTHCHECK"), "CMD ")
	probe := list(health)
	if probe[0] != entry[0] || !strings.Contains(final, "/out/tidemark "+entry[0]+"\n") || !strings.Contains(text, "-o /out/tidemark ./cmd/tidemark") {
		t.Errorf("the program is at %s, asked for its health at %s", entry[0], probe[0])
	}
	callable(t, "HEALTHCHECK", probe[1:])
	settable(t, "ENV", strings.Fields(instruction("ENV")))
	if user := instruction("USER"); !regexp.MustCompile(`^[1-9]\d*:[1-9]\d*$`).MatchString(user) {
		t.Errorf("it runs as %s", user)
	}
	if strings.Contains(final, "\nRUN ") {
		t.Error("there is nothing in the image that could run something")
	}
	for _, folder := range append(list(instruction("VOLUME")), "/tmp") {
		if !strings.Contains(final, "--chown="+instruction("USER")+" /out"+folder+" "+folder+"\n") {
			t.Errorf("%s is not of the user", folder)
		}
	}
	if !strings.Contains(text, "CGO_ENABLED=0") {
		t.Error("a program that is linked with others does not run from nothing")
	}
}
