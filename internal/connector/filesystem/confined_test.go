package filesystem

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// TestConfined: no way of writing a path leads out of the folders that statements may use, links least of all.
func TestConfined(t *testing.T) {
	dir := t.TempDir()
	mine, other := filepath.Join(dir, "mine"), filepath.Join(dir, "other")
	for _, folder := range []string{filepath.Join(mine, "sub"), other, mine + "-too"} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{filepath.Join(mine, "out"): other, filepath.Join(dir, "in"): mine} {
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
	}
	table := connector.Table{Name: "t", Schema: types.Schema{{Name: "id", Type: types.BigIntType}}}
	inside := func(folders []string, path string) bool {
		t.Helper()
		c := Confined(New(), folders)
		o := connector.Options{"connector": "filesystem", "format": "json", "path": path}
		_, read := c.NewSource(table, o)
		_, written := c.NewSink(table, o)
		refused := func(err error) bool {
			var option *connector.OptionError
			return errors.As(err, &option) && option.Key == "path"
		}
		if refused(read) != refused(written) && filepath.Base(path) != "*.json" {
			t.Errorf("%s: read %v, written %v", path, read, written)
		}
		return !refused(read)
	}
	for path, want := range map[string]bool{
		mine: true, mine + "/a.json": true, mine + "/sub/new/deep": true, "file://" + mine + "/a.json": true, mine + "/*.json": true, dir + "/in/a.json": true, mine + "/sub/../a.json": true,
		other: false, dir: false, mine + "-too/a.json": false, mine + "/../other/a.json": false, mine + "/out": false, mine + "/out/a.json": false, dir + "/*.json": false, "/etc/passwd": false,
		mine + "/sub/../../other/new": false,
	} {
		if got := inside([]string{mine}, path); got != want {
			t.Errorf("%s is inside: %t, want %t", path, got, want)
		}
		if inside(nil, path) {
			t.Errorf("%s is inside of nothing", path)
		}
	}
}
