package filesystem

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
)

// Links that lead back to where they stand, to themselves or to nothing add no files; a link to another folder adds its files.
func TestLinksThatLeadInACircle(t *testing.T) {
	root := t.TempDir()
	folder := filepath.Join(root, "in", "deep")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(folder, "a.jsonl"), line("1"))
	for link, to := range map[string]string{"up": "..", "here": ".", "self": "self", "nothing": "gone"} {
		if err := os.Symlink(to, filepath.Join(folder, link)); err != nil {
			t.Skip(err)
		}
	}
	if err := os.Symlink(filepath.Join("in", "deep"), filepath.Join(root, "other")); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{
		filepath.Join(root, "in"):                 1,
		root:                                      2, // by its name, and by the link "other"
		filepath.Join(root, "in", "*"):            1,
		filepath.Join(folder, "*"):                3, // as itself, and in the folders that "here" and "up" lead to
		filepath.Join(folder, "up", "deep", "up"): 1,
	} {
		files, err := list(path, nil, nil)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if len(files) != want {
			t.Errorf("%s: %d files, want %d: %v", path, len(files), want, files)
		}
	}
}

// A compressed file without a byte says what is the matter.
func TestEmptyCompressedFile(t *testing.T) {
	for _, ending := range []string{".gz", ".deflate"} {
		path := write(t, filepath.Join(t.TempDir(), "e.jsonl"+ending), "")
		splits, err := open(t, path).Open()
		if err != nil {
			t.Fatal(err)
		}
		var chunk connector.Chunk
		if chunk, _, err = splits[0].Poll(0); err == nil || chunk != nil || !strings.Contains(err.Error(), "the file is empty") {
			t.Errorf("%s: %v", ending, err)
		}
	}
}
