// Command tally reads the output of go test -json, shows what went wrong, and counts: its last line is "N passed, N failed". Tests and subtests
// are counted, and a package that fails apart from its tests (it does not build, it panics) as one failure. The exit code is 1 if
// anything failed or nothing ran.
//
//	go test -json ./... | go run ./.ci/tally [FILE]
//
// The last line is also written to FILE.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// event is a line of go test -json.
type event struct {
	Action, Package, Test, Output string
	ImportPath                    string // of build output
	Elapsed                       float64
}

type tally struct {
	passed, failed, skipped int
	output                  map[string][]string // by package and test, while it runs
	broken                  map[string]bool     // packages with a failed test
}

func main() {
	t := tally{output: map[string][]string{}, broken: map[string]bool{}}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 64<<20)
	for in.Scan() {
		var e event
		if err := json.Unmarshal(in.Bytes(), &e); err != nil {
			fmt.Println(in.Text())
			continue
		}
		t.take(e)
	}
	if err := in.Err(); err != nil {
		fmt.Println("read the output of go test:", err)
		t.failed++
	}
	if t.skipped > 0 {
		fmt.Printf("%d skipped\n", t.skipped)
	}
	last := fmt.Sprintf("%d passed, %d failed\n", t.passed, t.failed)
	fmt.Print(last)
	if len(os.Args) > 1 {
		if err := os.WriteFile(os.Args[1], []byte(last), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	if t.failed > 0 || t.passed == 0 {
		os.Exit(1)
	}
}

func (t *tally) take(e event) {
	key := e.Package + " " + e.Test
	switch e.Action {
	case "output":
		t.output[key] = append(t.output[key], e.Output)
	case "build-output":
		fmt.Print(e.Output)
	case "pass", "fail", "skip":
		if e.Test == "" {
			t.pkg(e)
		} else {
			t.test(e, key)
		}
		delete(t.output, key)
	}
}

func (t *tally) test(e event, key string) {
	switch e.Action {
	case "pass":
		t.passed++
	case "skip":
		t.skipped++
	case "fail":
		t.failed++
		t.broken[e.Package] = true
		fmt.Printf("--- %s %s\n%s", e.Package, e.Test, strings.Join(t.output[key], ""))
	}
}

func (t *tally) pkg(e event) {
	switch {
	case e.Action == "pass":
		fmt.Printf("ok    %-64s %6.2fs\n", e.Package, e.Elapsed)
	case e.Action == "fail":
		if !t.broken[e.Package] {
			t.failed++
			t.unfinished(e.Package)
		}
		fmt.Printf("FAIL  %s\n", e.Package)
	}
}

// unfinished shows what is known of a package that failed without a failed test: its own output and that of tests which never ended.
func (t *tally) unfinished(name string) {
	for key, lines := range t.output {
		if strings.HasPrefix(key, name+" ") {
			fmt.Print(strings.Join(lines, ""))
		}
	}
}
