package script

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestJUnit writes a script that passes, one with a block that prints something else and a block that cannot be run, and one that cannot be read.
func TestJUnit(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("late", 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"late/right.script":  counting + "end\n----\n",
		"wrong.script":       counting + "rows t\n00:00:01\n----\n\nrows t\n00:00:11 # & <more>\n----\n\nrows t split 1\n1\n----\n\nlate\n----\nnone\n",
		"no-script.script":   "# x\nclock\n----\n",
		"other.script":       "xyzzy",
		"no extension, sure": counting + "end\n----\n+I\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	now := int64(1_700_000_000_000_000)
	r, err := Run([]string{".", "no extension, sure"}, Options{Only: regexp.MustCompile("right|wrong|no"), Now: func() int64 {
		now += 500_000
		return now
	}})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := r.WriteJUnit(&b); err != nil {
		t.Fatal(err)
	}
	want := `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="tidemark test" tests="10" failures="2" errors="2" time="12.500000">
  <testsuite name="late/right" tests="2" failures="0" errors="0" skipped="0" time="2.500000" timestamp="2023-11-14T22:13:21" file="late/right.script">
    <testcase name="sql" classname="late.right" time="0.500000"></testcase>
    <testcase name="end" classname="late.right" time="0.500000"></testcase>
  </testsuite>
  <testsuite name="no-script" tests="1" failures="0" errors="1" skipped="0" time="0.500000" timestamp="2023-11-14T22:13:24" file="no-script.script">
    <testcase name="the file" classname="no-script" time="0.000000">
      <error message="no-script.script:2: clock takes one time; write: clock TIME, clock +DURATION, or clock set TIME" type="fault">no-script.script:2: clock takes one time; write: clock TIME, clock +DURATION, or clock set TIME</error>
    </testcase>
  </testsuite>
  <testsuite name="wrong" tests="5" failures="1" errors="1" skipped="1" time="4.500000" timestamp="2023-11-14T22:13:25" file="wrong.script">
    <testcase name="sql" classname="wrong" time="0.500000"></testcase>
    <testcase name="rows t" classname="wrong" time="0.500000"></testcase>
    <testcase name="rows t (2)" classname="wrong" time="0.500000">
      <failure message="prints something else" type="output">wrong.script:12: rows t&#xA;  + +I 00:00:00, 1&#xA;</failure>
    </testcase>
    <testcase name="rows t split 1" classname="wrong" time="0.500000">
      <error message="wrong.script:16: table &#39;t&#39; has 1 splits, counted from 0: give it more with &#39;splits&#39; = &#39;2&#39;" type="fault">wrong.script:16: table &#39;t&#39; has 1 splits, counted from 0: give it more with &#39;splits&#39; = &#39;2&#39;</error>
    </testcase>
    <testcase name="late" classname="wrong" time="0.000000">
      <skipped message="not reached"></skipped>
    </testcase>
  </testsuite>
  <testsuite name="no extension, sure" tests="2" failures="1" errors="0" skipped="0" time="2.500000" timestamp="2023-11-14T22:13:30" file="no extension, sure">
    <testcase name="sql" classname="no extension, sure" time="0.500000"></testcase>
    <testcase name="end" classname="no extension, sure" time="0.500000">
      <failure message="prints something else" type="output">no extension, sure:8: end&#xA;  - +I&#xA;</failure>
    </testcase>
  </testsuite>
</testsuites>
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

// TestList tells what the scripts are about, and leaves out what does not match.
func TestList(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"a.script": "\n# About a.\n# More.\n", "b.script": "sql\n# no heading\n", "c.script": "# c"} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := List([]string{"."}, regexp.MustCompile(`[ab]\.`))
	if want := []Listed{{"a.script", "About a."}, {"b.script", ""}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v and %v, want %v", got, err, want)
	}
	if _, err := List([]string{filepath.Join(".", "a.script")}, regexp.MustCompile("^b")); err == nil || err.Error() != "none of 1 script has a path that matches '^b'" {
		t.Errorf("nothing that matches gives %v", err)
	}
}
