package docs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// root is where the module is, seen from here. Examples run there.
const root = "../.."

// pages are the documents that are held to be true, from the root.
func pages(t *testing.T) []string {
	t.Helper()
	found := []string{"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"}
	for _, pattern := range []string{"docs/*.md", "docs/decisions/*.md"} {
		more, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range more {
			rel, err := filepath.Rel(root, path)
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, filepath.ToSlash(rel))
		}
	}
	return found
}

func read(t *testing.T, path string) string {
	t.Helper()
	body, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// block is a fenced block of a page.
type block struct {
	line  int    // of its first line, from 1
	lines int    // as the page has it
	info  string // what stands behind the fence: "console", "console terminal", "sql"
	body  string
	// next is the block behind it if only blank lines stand between.
	next *block
}

// blocks finds the fenced blocks of a page.
func blocks(text string) []*block {
	var all []*block
	var open *block
	gap := true // something but blanks stands between the last block and here
	number := 0
	for line := range strings.Lines(text) {
		number++
		fence := strings.HasPrefix(line, "```")
		switch {
		case open != nil && fence:
			open, gap = nil, false
		case open != nil:
			open.body += line
			open.lines++
		case fence:
			open = &block{line: number + 1, info: strings.TrimSpace(strings.TrimPrefix(line, "```"))}
			if n := len(all); n > 0 && !gap {
				all[n-1].next = open
			}
			all = append(all, open)
		case strings.TrimSpace(line) != "":
			gap = true
		}
	}
	return all
}

func TestBlocks(t *testing.T) {
	got := blocks("a\n```sql\nSELECT 1\n```\n\n```text\n1\n```\nb\n```console terminal\n$ x\n```\n")
	if len(got) != 3 {
		t.Fatalf("%d blocks", len(got))
	}
	if got[0].info != "sql" || got[0].line != 3 || got[0].body != "SELECT 1\n" || got[0].next != got[1] {
		t.Errorf("first block is %+v", got[0])
	}
	if got[1].next != nil || got[2].info != "console terminal" {
		t.Errorf("other blocks are %+v and %+v", got[1], got[2])
	}
}
