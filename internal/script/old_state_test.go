package script

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/checkpoint"
	"github.com/tidemark-sql/tidemark/internal/connector/builtin"
	"github.com/tidemark-sql/tidemark/internal/runtime"
)

// Every script of this folder takes one snapshot. A folder beside it, of the same name, has one for each way in which programs have written that snapshot, and in it the checkpoint, as files of
// checkpoints are: what is there was written by the program of its time and is never written again. 'first' is of the first program that wrote checkpoints.
const oldStates = root + "testdata/state"

// TestStatesOfOlderPrograms goes on from every checkpoint that an older program has written, and wants what the script says.
func TestStatesOfOlderPrograms(t *testing.T) {
	scripts, err := find(oldStates)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range scripts {
		ways, err := filepath.Glob(strings.TrimSuffix(path, extension) + "/*")
		if err != nil {
			t.Fatal(err)
		}
		for _, way := range ways {
			for _, v := range []Variation{Plain, {Shapes: []Shape{{1, 1}, {3, 4}}}} {
				old := readState(t, way)
				f, got := runState(t, path, v, func(*runtime.Snapshot) *runtime.Snapshot { return old })
				for _, failure := range f.compare(got, v) {
					t.Errorf("%s, from %s (%s): got\n%s\nwant\n%s", failure.Title, way, v, strings.Join(failure.Got, "\n"), strings.Join(failure.Want, "\n"))
				}
			}
		}
	}
}

// TestStatesOfThisProgram wants the checkpoints that this program writes to be there, byte by byte. One that is not is written with -update; one that is there and differs is an encoding that
// has changed and needs a new version.
func TestStatesOfThisProgram(t *testing.T) {
	scripts, err := find(oldStates)
	if err != nil {
		t.Fatal(err)
	}
	written := map[operatorVersion]bool{}
	for _, path := range scripts {
		var taken *runtime.Snapshot
		runState(t, path, Plain, func(s *runtime.Snapshot) *runtime.Snapshot { taken = s; return s })
		if taken == nil {
			t.Fatalf("%s takes no snapshot", path)
		}
		disk := checkpoint.Memory()
		writeState(t, disk, taken)
		now, err := checkpoint.Read(disk, taken.ID)
		if err != nil {
			t.Fatal(err)
		}
		name, operators := wayOf(t, disk, now)
		for _, v := range operators {
			written[operatorVersion{stateOf(t, path), v}] = true
		}
		way := filepath.Join(strings.TrimSuffix(path, extension), name)
		if _, err := os.Stat(way); err != nil && *update {
			to, err := checkpoint.Directory(way)
			if err != nil {
				t.Fatal(err)
			}
			writeState(t, to, taken)
			os.Remove(filepath.Join(way, "identity"))
		}
		r, err := checkpoint.Read(checkpoint.Browse(way), taken.ID)
		if err != nil {
			t.Errorf("this program writes %s, which is not there; make it with go test ./internal/script -run TestStatesOfThisProgram -update: %v", way, err)
			continue
		}
		if !slices.Equal(r.Sections(), now.Sections()) {
			t.Errorf("%s has sections %q, and this program writes %q", way, r.Sections(), now.Sections())
		}
		for _, name := range now.Sections() {
			if was, is := section(t, r, name), section(t, now, name); !bytes.Equal(was, is) {
				t.Errorf("section %s of %s is written in another way, which needs a new version\nthen %x\nnow  %x", name, way, was, is)
			}
		}
		r.Close()
	}
	for name, versions := range versionsOfOperators(t) {
		for _, version := range versions {
			if !written[operatorVersion{name, version}] {
				t.Errorf("no script in %s with '# state: %s' writes version %d", oldStates, name, version)
			}
		}
	}
}

// operatorVersion is a constant of package operator, and a version of a state that it stands for.
type operatorVersion struct {
	constant string
	version  byte
}

// versionsOfOperators are the versions that operators write, by the text of their package. Those that can write times as well have two.
func versionsOfOperators(t *testing.T) map[string][]byte {
	files, err := filepath.Glob(root + "internal/operator/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no operators", err)
	}
	files = append(files, root+"internal/process/codec.go")
	constant, timed := regexp.MustCompile(`(?m)^const (\w+StateVersion) = (\d+)$`), regexp.MustCompile(`timedVersion\((\w+)\)`)
	all := map[string][]byte{}
	var texts []string
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(b))
		for _, found := range constant.FindAllStringSubmatch(string(b), -1) {
			n, err := strconv.ParseUint(found[2], 10, 8)
			if err != nil {
				t.Fatal(err)
			}
			all[found[1]] = []byte{byte(n)}
		}
	}
	for _, found := range timed.FindAllStringSubmatch(strings.Join(texts, ""), -1) {
		all[found[1]] = append(all[found[1]], all[found[1]][0]+1)
	}
	return all
}

// stateOf is the constant that stands behind "# state:" in a script.
func stateOf(t *testing.T, path string) string {
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		if name, ok := strings.CutPrefix(line, "# state: "); ok {
			return strings.TrimSpace(name)
		}
	}
	t.Fatalf("%s does not say whose state it is: '# state: …StateVersion'", path)
	return ""
}

// runState runs a script; what its snapshot brings back is as brings says.
func runState(t *testing.T, path string, v Variation, brings func(*runtime.Snapshot) *runtime.Snapshot) (*File, [][]string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Parse(path, string(b))
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(f, v, builtin.Connectors)
	r.brings = brings
	got, err := r.run(func() int64 { return 0 })
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return f, got
}

// readState reads the checkpoint in a folder.
func readState(t *testing.T, dir string) *runtime.Snapshot {
	t.Helper()
	shelf := checkpoint.Browse(dir)
	l, err := checkpoint.Look(shelf)
	if err != nil || len(l.IDs) == 0 {
		t.Fatalf("%s has no checkpoint: %v", dir, err)
	}
	r, err := checkpoint.Read(shelf, l.IDs[len(l.IDs)-1])
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	s, err := runtime.LoadSnapshot(r)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// writeState writes a snapshot as a checkpoint.
func writeState(t *testing.T, disk checkpoint.Disk, s *runtime.Snapshot) {
	t.Helper()
	f, err := checkpoint.Open(disk, 1)
	if err != nil {
		t.Fatal(err)
	}
	w, err := f.Begin(s.ID)
	if err != nil {
		t.Fatal(err)
	}
	s.Save(w)
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
}

func section(t *testing.T, r *checkpoint.Reader, name string) []byte {
	t.Helper()
	b, err := r.Section(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// wayOf names the versions of all that is in a checkpoint: of the file, of the statement, of the cores of its sources, and of its operators.
func wayOf(t *testing.T, disk checkpoint.Disk, r *checkpoint.Reader) (way string, operators []byte) {
	t.Helper()
	file, err := disk.Open(checkpoint.FileName(r.ID))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var format [1]byte
	if _, err := file.ReadAt(format[:], 8); err != nil {
		t.Fatal(err)
	}
	snapshot, err := runtime.LoadSnapshot(r)
	if err != nil {
		t.Fatal(err)
	}
	cores := map[byte]bool{}
	for _, s := range snapshot.Sources {
		cores[s.Core[0]] = true
	}
	held := map[byte]bool{}
	for _, o := range snapshot.Operators {
		for _, part := range o.Parts {
			held[part[0]] = true
		}
	}
	operators = slices.Sorted(maps.Keys(held))
	return fmt.Sprintf("file%d-statement%d-core%s-operator%s", format[0], section(t, r, "statement")[0], plus(slices.Sorted(maps.Keys(cores))), plus(operators)), operators
}

func plus(versions []byte) string {
	var all []string
	for _, v := range versions {
		all = append(all, strconv.Itoa(int(v)))
	}
	return strings.Join(all, "+")
}
