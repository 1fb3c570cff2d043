package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var declared = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)

// TestThreats: each line of docs/security.md names the tests that hold it, and each of those tests is there.
func TestThreats(t *testing.T) {
	tests := map[string]bool{}
	for _, dir := range []string{"internal", "cmd"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, _ os.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, m := range declared.FindAllStringSubmatch(string(text), -1) {
				tests[m[1]] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	named := regexp.MustCompile("`((?:Test|Fuzz)\\w+)`")
	lines := 0
	for _, line := range strings.Split(read(t, "docs/security.md"), "\n") {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || strings.Contains(line, "---") || strings.Contains(line, " held by ") {
			continue
		}
		lines++
		found := named.FindAllStringSubmatch(cells[3], -1)
		if len(found) == 0 {
			t.Errorf("no test holds: %s", line)
		}
		for _, m := range found {
			if !tests[m[1]] {
				t.Errorf("there is no %s, which is to hold: %s", m[1], line)
			}
		}
	}
	if lines < 15 {
		t.Errorf("there are only %d lines", lines)
	}
}
