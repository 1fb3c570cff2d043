package runtime

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Tests wait for what they expect, or run where time is virtual (see live_test.go); none of them sleeps. That other code reads the clock
// nowhere but here is checked by package arch.
func TestTestsDoNotSleep(t *testing.T) {
	sleep := []byte("time." + "Sleep(")
	tests := 0
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if bytes.Contains(text, sleep) {
			t.Errorf("%s sleeps", path)
		}
		tests++
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if tests < 20 {
		t.Errorf("only %d files were looked at", tests)
	}
}
