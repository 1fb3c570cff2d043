package script

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestFaultsOfOthers: what the list of faults names is there, and every script beside it is named.
func TestFaultsOfOthers(t *testing.T) {
	const folder = "../../testdata/flink-faults"
	list, err := os.ReadFile(filepath.Join(folder, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`([^`]+\\.(?:script|go))`").FindAllStringSubmatch(string(list), -1)
	if len(named) < 40 {
		t.Errorf("%d files are named", len(named))
	}
	for _, m := range named {
		path := filepath.Join(folder, m[1])
		if strings.HasPrefix(m[1], "internal/") {
			path = filepath.Join("../..", m[1])
		}
		if _, err := os.Stat(path); err != nil {
			t.Errorf("%s: %v", m[1], err)
		}
	}
	scripts, err := filepath.Glob(filepath.Join(folder, "*.script"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scripts {
		if !strings.Contains(string(list), "`"+filepath.Base(s)+"`") {
			t.Errorf("%s is not named", s)
		}
	}
}
