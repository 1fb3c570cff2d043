package filesystem

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
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
	for link, to := range map[string]string{filepath.Join(mine, "out"): other, filepath.Join(dir, "in"): mine, filepath.Join(mine, "later"): filepath.Join(other, "not-yet")} {
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
		other: false, dir: false, mine + "-too/a.json": false, mine + "/../other/a.json": false, mine + "/out": false, mine + "/out/a.json": false, mine + "/later": false, mine + "/later/a.json": false, dir + "/*.json": false, "/etc/passwd": false,
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

// TestLinksInsideLeadNowhereElse: what a folder, a pattern or a file that is followed comes to by a link is inside too, or refused by the name of the link, when files are found and when they are opened later.
func TestLinksInsideLeadNowhereElse(t *testing.T) {
	dir := t.TempDir()
	mine, other := filepath.Join(dir, "mine"), filepath.Join(dir, "other")
	write(t, filepath.Join(mine, "a.json"), "{\"id\":1}\n")
	write(t, filepath.Join(mine, "deep", "b.json"), "{\"id\":2}\n")
	write(t, filepath.Join(other, "secret.json"), "{\"id\":3}\n")
	link := func(to, at string) {
		t.Helper()
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.Symlink(to, at)); err != nil {
			t.Fatal(err)
		}
	}
	table := connector.Table{Name: "t", Schema: types.Schema{{Name: "id", Type: types.BigIntType}}}
	table.Needed = []int{0}
	c := Confined(New(), []string{mine})
	made := func(path string) connector.Source {
		t.Helper()
		s, err := c.NewSource(table, connector.Options{"connector": "filesystem", "format": "json", "path": path})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	refused := func(about string, err error) {
		t.Helper()
		var option *connector.OptionError
		if !errors.As(err, &option) || !strings.Contains(option.Message, "leads out") || strings.Contains(err.Error(), "secret") || fault.Of(err) != fault.User {
			t.Errorf("%s: %v", about, err)
		}
	}
	link(filepath.Join(mine, "a.json"), filepath.Join(mine, "within", "c.json"))
	for path, want := range map[string]int{mine: 3, filepath.Join(mine, "*", "*.json"): 2, filepath.Join(mine, "within", "c.json"): 1} {
		if splits, err := made(path).Open(); err != nil || len(splits) != want {
			t.Errorf("%s has %d files, %v; want %d", path, len(splits), err, want)
		}
	}
	for about, to := range map[string]string{"a folder": other, "a file": filepath.Join(other, "secret.json"), "a folder above": "../../../..", "a link": filepath.Join(dir, "onwards")} {
		folder := filepath.Join(mine, "links", strings.ReplaceAll(about, " ", "-"))
		if about == "a link" {
			link(other, filepath.Join(dir, "onwards"))
		}
		link(to, filepath.Join(folder, "sub", "l"))
		for _, path := range []string{folder, filepath.Join(folder, "*"), filepath.Join(folder, "s*", "*"), filepath.Join(folder, "*", "l", "*.json"), filepath.Join(folder, "*", "l", "secret.json")} {
			_, err := made(path).Open()
			if strings.HasSuffix(path, ".json") && (about == "a file" || about == "a folder above") {
				continue // the link leads to nothing of that name
			}
			refused(about+" "+path, err)
		}
	}

	later := filepath.Join(mine, "later", "x.json")
	write(t, later, "{\"id\":1}\n")
	for _, path := range []string{filepath.Dir(later), later, write(t, filepath.Join(mine, "gone", "x.json.gz"), "")} {
		s := made(path)
		splits, err := s.Open()
		if err != nil || len(splits) != 1 {
			t.Fatal(splits, err)
		}
		file := splits[0].Name()
		if err := errors.Join(os.Rename(file, file+".was"), os.Symlink(filepath.Join(other, "secret.json"), file)); err != nil {
			t.Fatal(err)
		}
		chunk, _, err := splits[0].Poll(0)
		if err == nil {
			decode, derr := s.NewDecoder()
			if derr != nil {
				t.Fatal(derr)
			}
			_, err = decode.Decode(chunk, new(vector.Pool), 100, func(*vector.Batch) error { t.Error("rows of elsewhere"); return nil })
		}
		refused("a file that became a link", err)
		if err := errors.Join(os.Remove(file), os.Rename(file+".was", file)); err != nil {
			t.Fatal(err)
		}
	}

	sink, err := c.NewSink(table, connector.Options{"connector": "filesystem", "format": "json", "path": filepath.Join(mine, "out", "here")})
	if err != nil {
		t.Fatal(err)
	}
	link(other, filepath.Join(mine, "out"))
	refused("a folder that is written", sink.(*Sink).begin())
	refused("a folder in which a statement goes on", sink.(*Sink).Recover(connector.Recovery{State: []byte(`{}`)}))
	if left, _ := os.ReadDir(other); len(left) != 1 {
		t.Errorf("something was written outside: %v", left)
	}
}
