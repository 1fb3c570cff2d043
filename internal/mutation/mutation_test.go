package mutation

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

var (
	mutate = flag.Bool("mutate", false, "build the program with all mutations and run the scripts with each")
	only   = flag.String("only", "", "mutate these only, a regular expression over the rules")
)

const root = "../.."

// mutation breaks a rule: in a function of a file below the root of the repository, a text that stands there once is replaced by another.
type mutation struct {
	rule      string // what is so then
	file      string
	old, with string
}

// TestMutationsFit holds the list against the code.
func TestMutationsFit(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range mutations {
		if seen[m.rule] {
			t.Errorf("%s: twice", m.rule)
		}
		seen[m.rule] = true
	}
	if _, err := sources(mutations); err != nil {
		t.Error(err)
	}
}

// TestScriptsNotice breaks each rule and wants scripts to fail.
func TestScriptsNotice(t *testing.T) {
	if !*mutate {
		t.Skip("takes minutes; make mutate")
	}
	wanted, err := regexp.Compile(*only)
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "tidemark")
	if err := build(program, mutations); err != nil {
		t.Fatal(err)
	}
	if failed, err := try(program, 0); err != nil || len(failed) > 0 {
		t.Fatalf("without a mutation: %v %v", failed, err)
	}
	fmt.Println("| broken on purpose | scripts that fail |\n|---|---|")
	noticed, tried := 0, 0
	for i, m := range mutations {
		if !wanted.MatchString(m.rule) {
			continue
		}
		tried++
		failed, err := try(program, i+1)
		switch {
		case err != nil:
			t.Errorf("%s: %v", m.rule, err)
		case len(failed) == 0:
			t.Errorf("%s: no script notices", m.rule)
		default:
			noticed++
		}
		fmt.Printf("| %s | %s |\n", m.rule, names(failed))
	}
	fmt.Printf("\n%d of %d noticed\n", noticed, tried)
}

// try runs the scripts with the mutation of that number, from 1, and tells which of them fail. A program that breaks down or never ends is noticed too.
func try(program string, number int) (failed []string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	run := exec.CommandContext(ctx, program, "test", "testdata")
	run.Dir, run.Env = root, append(os.Environ(), variable+"="+strconv.Itoa(number))
	said, err := run.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return []string{"a script that never ends"}, nil
	case err == nil:
		return nil, nil
	}
	for _, found := range failure.FindAllStringSubmatch(string(said), -1) {
		failed = append(failed, found[1])
	}
	switch {
	case len(failed) > 0:
		return slices.Compact(failed), nil
	case strings.Contains(string(said), "tidemark bug: ") || strings.Contains(string(said), "panic: "):
		return []string{"all, the program breaks down"}, nil
	}
	return nil, fmt.Errorf("%w\n%s", err, said)
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
