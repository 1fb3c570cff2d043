package containertest

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector/filesystem"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// Damage reads what became of the file whole in every way of a small kind: cut off at every byte, and bits of each byte flipped. Rows may come out or an error of
// the data, but no other, and of a file that was cut off not all rows.
func Damage(t *testing.T, c filesystem.Container, schema types.Schema, whole []byte, rows int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x."+c.Name)
	check := func(damaged []byte) int {
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		got, _, err := Read(c, schema, All(schema), path, 8)
		if err != nil && fault.Of(err) != fault.Data {
			t.Fatalf("%d bytes: %v: %v", len(damaged), fault.Of(err), err)
		}
		if err == nil && len(got) == rows {
			return rows
		}
		return -1
	}
	if check(whole) != rows {
		t.Fatal("the file that is not damaged cannot be read")
	}
	for n := range whole {
		if check(whole[:n]) == rows {
			t.Errorf("cut off at byte %d of %d, and nobody noticed", n, len(whole))
		}
	}
	for n := range whole {
		for _, bits := range []byte{0x01, 0xff} {
			damaged := bytes.Clone(whole)
			damaged[n] ^= bits
			check(damaged)
		}
	}
}
