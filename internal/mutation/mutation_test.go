package mutation

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"maps"
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
	rule string // what is so then
	// breaks are the rows of the compatibility pages that do not hold then, by id. For each of them a script that covers it has to fail, and only scripts that cover one are run. Where
	// there are none, all scripts are run. The names of scripts in flink-faults are such ids too.
	breaks    string
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

// TestEveryBehaviourIsBroken holds the list against what scripts say that they cover.
func TestEveryBehaviourIsBroken(t *testing.T) {
	scripts, err := covering()
	if err != nil {
		t.Fatal(err)
	}
	broken := map[string]bool{}
	for _, m := range mutations {
		for id := range strings.FieldsSeq(m.breaks) {
			broken[id] = true
			if len(scripts[id]) == 0 {
				t.Errorf("%s: no script covers %s", m.rule, id)
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(scripts)) {
		if why := unbroken[id]; (why != "") == broken[id] {
			t.Errorf("%s, which %s cover: a mutation breaks it: %t, why none does: %q", id, names(scripts[id]), broken[id], why)
		}
	}
	for id := range unbroken {
		if len(scripts[id]) == 0 {
			t.Errorf("%s is covered by no script", id)
		}
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
	scripts, err := covering()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "tidemark")
	if err := build(program, mutations); err != nil {
		t.Fatal(err)
	}
	if failed, err := try(program, 0, nil); err != nil || len(failed) > 0 {
		t.Fatalf("without a mutation: %v %v", failed, err)
	}
	fmt.Println("| broken on purpose | rows that do not hold | scripts that fail |\n|---|---|---|")
	noticed, tried := 0, 0
	for i, m := range mutations {
		if !wanted.MatchString(m.rule) {
			continue
		}
		tried++
		var run []string
		for id := range strings.FieldsSeq(m.breaks) {
			run = append(run, scripts[id]...)
		}
		slices.Sort(run)
		failed, err := try(program, i+1, slices.Compact(run))
		switch {
		case err != nil:
			t.Errorf("%s: %v", m.rule, err)
		case len(failed) == 0:
			t.Errorf("%s: no script notices", m.rule)
		default:
			noticed++
		}
		for id := range strings.FieldsSeq(m.breaks) {
			if len(failed) > 0 && failed[0] != all && !slices.ContainsFunc(scripts[id], func(s string) bool { return slices.Contains(failed, s) }) {
				t.Errorf("%s: none of the scripts that cover %s notices: %s", m.rule, id, names(scripts[id]))
			}
		}
		fmt.Printf("| %s | %s | %s |\n", m.rule, m.breaks, names(failed))
	}
	fmt.Printf("\n%d of %d noticed\n", noticed, tried)
}

// all stands for every script that was run.
const all = "all, for the program breaks down or never ends"

// try runs scripts with the mutation of that number, from 1, and tells which of them fail. Without scripts it runs all there are. A program that breaks down or never ends is noticed too.
func try(program string, number int, scripts []string) (failed []string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	args := []string{"test"}
	for _, s := range scripts {
		args = append(args, filepath.Join("testdata", filepath.FromSlash(s)+".script"))
	}
	if scripts == nil {
		args = append(args, "testdata")
	}
	run := exec.CommandContext(ctx, program, args...)
	run.Dir, run.Env = root, append(os.Environ(), variable+"="+strconv.Itoa(number))
	said, err := run.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return []string{all}, nil
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
		return []string{all}, nil
	}
	return nil, fmt.Errorf("%w\n%s", err, said)
}

// failure is the line of a report that names a block which printed something else.
var failure = regexp.MustCompile(`(?m)^testdata/(.+)\.script:\d+:`)

// header is the line of a script that names the rows of the compatibility pages that it covers.
var header = regexp.MustCompile(`(?m)^# covers: (.+)$`)

// covering are the scripts that cover each row, by id, in the order of their paths. A script in flink-faults covers its own name beside.
func covering() (map[string][]string, error) {
	found := map[string][]string{}
	corpus := filepath.Join(root, "testdata")
	err := filepath.WalkDir(corpus, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".script" {
			return err
		}
		name, err := filepath.Rel(corpus, strings.TrimSuffix(path, ".script"))
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if of, fault := filepath.Split(name); of == "flink-faults"+string(filepath.Separator) {
			found[fault] = []string{filepath.ToSlash(name)}
		}
		for _, line := range header.FindAllStringSubmatch(string(text), -1) {
			for id := range strings.FieldsSeq(line[1]) {
				found[id] = append(found[id], filepath.ToSlash(name))
			}
		}
		return nil
	})
	return found, err
}

// names shows the first few of many.
func names(failed []string) string {
	const few = 4
	if len(failed) > few {
		return fmt.Sprintf("%s and %d more", strings.Join(failed[:few], ", "), len(failed)-few)
	}
	return strings.Join(failed, ", ")
}
