package mutation

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	mutate = flag.Bool("mutate", false, "build a program for every mutation and run the scripts with it")
	only   = flag.String("only", "", "mutate these only, a regular expression over their names")
)

const root = "../.."

// mutation breaks a rule: in a file below the root of the repository, a text that stands there once is replaced by another.
type mutation struct {
	rule      string // what is no longer so
	file      string
	old, with string
}

// text is the file with the rule broken; a mutation without old breaks none.
func (m mutation) text() (string, error) {
	source, err := os.ReadFile(filepath.Join(root, m.file))
	if err != nil || m.old == "" {
		return string(source), err
	}
	if n := strings.Count(string(source), m.old); n != 1 {
		return "", fmt.Errorf("%s has %d times\n%s", m.file, n, m.old)
	}
	return strings.Replace(string(source), m.old, m.with, 1), nil
}

// TestMutationsFit holds the list against the code.
func TestMutationsFit(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range mutations {
		if _, err := m.text(); err != nil || m.old == "" {
			t.Errorf("%s: %v", m.rule, err)
		}
		if seen[m.rule] {
			t.Errorf("%s: twice", m.rule)
		}
		seen[m.rule] = true
	}
}

// TestScriptsNotice builds the program with each rule broken and wants scripts to fail.
func TestScriptsNotice(t *testing.T) {
	if !*mutate {
		t.Skip("takes minutes; make mutate")
	}
	wanted := regexp.MustCompile(*only)
	if failed, err := (mutation{file: "doc.go"}).try(t.TempDir()); err != nil || len(failed) > 0 {
		t.Fatalf("scripts fail as it is: %v %v", failed, err)
	}
	fmt.Println("| broken on purpose | scripts that fail |\n|---|---|")
	caught, tried := 0, 0
	for _, m := range mutations {
		if !wanted.MatchString(m.rule) {
			continue
		}
		tried++
		failed, err := m.try(t.TempDir())
		switch {
		case err != nil:
			t.Errorf("%s: %v", m.rule, err)
		case len(failed) == 0:
			t.Errorf("%s: no script notices", m.rule)
		default:
			caught++
		}
		fmt.Printf("| %s | %s |\n", m.rule, names(failed))
	}
	fmt.Printf("\n%d of %d noticed\n", caught, tried)
}

// hung is what stands for a script that does not end.
const hung = "a script that never ends"

// try runs the scripts with the rule broken and tells which of them fail.
func (m mutation) try(dir string) (failed []string, err error) {
	text, err := m.text()
	if err != nil {
		return nil, err
	}
	at, err := filepath.Abs(filepath.Join(root, m.file))
	if err != nil {
		return nil, err
	}
	broken, overlay, program := filepath.Join(dir, "broken.go"), filepath.Join(dir, "overlay.json"), filepath.Join(dir, "tidemark")
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {at: broken}})
	if err != nil {
		return nil, err
	}
	if err := errors.Join(os.WriteFile(broken, []byte(text), 0o600), os.WriteFile(overlay, replace, 0o600)); err != nil {
		return nil, err
	}
	build := exec.Command("go", "build", "-overlay", overlay, "-ldflags", "-s -w", "-o", program, "./cmd/tidemark")
	build.Dir = root
	if said, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, said)
	}

	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	run := exec.CommandContext(ctx, program, "test", "testdata")
	run.Dir = root
	said, err := run.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return []string{hung}, nil
	case err == nil:
		return nil, nil
	}
	for _, found := range failure.FindAllStringSubmatch(string(said), -1) {
		failed = append(failed, found[1])
	}
	if len(failed) == 0 {
		return nil, fmt.Errorf("%w\n%s", err, said)
	}
	return slices.Compact(failed), nil
}

// failure is the line of a report that names a block which printed something else.
var failure = regexp.MustCompile(`(?m)^testdata/(.+)\.script:\d+:`)

// names shows the first few of many.
func names(failed []string) string {
	const few = 4
	if len(failed) > few {
		return fmt.Sprintf("%s and %d more", strings.Join(failed[:few], ", "), len(failed)-few)
	}
	return strings.Join(failed, ", ")
}
