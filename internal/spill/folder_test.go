package spill

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/fault"
)

func one(i int) Record { return Record{Hash: uint64(i), Due: int64(i), Key: []byte{byte(i)}} }

// TestFolder: a folder is there while something is in it, has no names in it, and what a dead process left in it goes.
func TestFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "spill")
	space := In(dir)
	if err := space.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a folder is made for nothing")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	left := filepath.Join(dir, "123.run")
	if err := os.WriteFile(left, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	table := space.Table()
	if err := table.Write(3, one); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(left); err == nil {
		t.Error("what a dead process left is still there")
	}
	if due, ok := table.Next(); !ok || due != 0 {
		t.Errorf("next is due at %d", due)
	}
	if err := table.Close(); err != nil {
		t.Fatal(err)
	}
	if err := space.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the folder is still there")
	}
}

// TestFolderThatCannotBe names the folder, and stops the statement.
func TestFolderThatCannotBe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	err := In(path).Table().Write(1, one)
	if err == nil || fault.Of(err) != fault.Resource || !strings.Contains(err.Error(), path) {
		t.Errorf("the error is %v", err)
	}
}
