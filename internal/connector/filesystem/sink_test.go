package filesystem

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var written = types.Schema{{Name: "id", Type: types.BigIntType}, {Name: "unread", Type: types.DoubleType}, {Name: "name", Type: types.StringType}}

func makeSink(t *testing.T, path string, options ...string) *Sink {
	t.Helper()
	o := connector.Options{"path": path, "format": "json"}
	for i := 0; i < len(options); i += 2 {
		o[options[i]] = options[i+1]
	}
	s, err := NewSink(connector.Table{Name: "t", Schema: written}, o)
	if err != nil {
		t.Fatal(err)
	}
	return s.(*Sink)
}

// batch is rows with ids from first on.
func batch(first, n int) *vector.Batch {
	a := (&vector.Pool{}).Get()
	b := &vector.Batch{N: n, Arena: a}
	id, d, name := vector.NewBuilder(a, vector.Int64, n), vector.NewBuilder(a, vector.Float64, n), vector.NewBuilder(a, vector.Bytes, n)
	for i := range n {
		id.AppendInt(int64(first + i))
		d.AppendFloat(0.5)
		name.AppendBytes(fmt.Appendf(nil, "n\n%d", first+i))
	}
	b.Cols = []*vector.Vector{id.Done(), d.Done(), name.Done()}
	return b
}

// names lists a folder, the hidden ones behind.
func names(t *testing.T, folder string) (visible, invisible []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if hidden(e.Name()) {
			invisible = append(invisible, e.Name())
		} else {
			visible = append(visible, e.Name())
		}
	}
	return visible, invisible
}

// TestPartsReadBack: whatever the format, compression and size of parts, the rows come back, each once.
func TestPartsReadBack(t *testing.T) {
	for _, format := range []string{"json", "csv"} {
		for _, compress := range []string{"none", "gzip", "zstd"} {
			for _, size := range []string{"1 b", "1000", "1 mb"} {
				folder := filepath.Join(t.TempDir(), "deep", "out")
				s := makeSink(t, folder, "format", format, "compress", compress, sizeKey, size)
				for i := range 10 {
					b := batch(20*i, 20)
					if i == 3 {
						b.Sel = []int32{0, 19}
					}
					if err := s.Write(b); err != nil {
						t.Fatal(err)
					}
					if i%2 == 0 {
						if err := s.Flush(); err != nil {
							t.Fatal(err)
						}
					}
				}
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
				visible, invisible := names(t, folder)
				if len(invisible) > 0 || (size == "1 mb") != (len(visible) == 1) || !strings.HasPrefix(visible[0], "part-") {
					t.Errorf("%s %s %s: files %q and %q", format, compress, size, visible, invisible)
				}
				r, err := read(open(t, folder, "format", format), 7)
				slices.Sort(r.rows)
				if err != nil || len(r.rows) != 182 || len(slices.Compact(r.rows)) != 182 {
					t.Errorf("%s %s %s: %d rows, %v", format, compress, size, len(r.rows), err)
				}
			}
		}
	}
}

// TestPartsAppearWhole: a reader sees only parts that are whole, and of a statement that failed nothing else is left.
func TestPartsAppearWhole(t *testing.T) {
	folder := t.TempDir()
	s := makeSink(t, folder, intervalKey, "10 s", inactivityKey, "4 s")
	steps := []struct {
		do      func() error
		visible int
		hidden  int
	}{
		{func() error { return s.SetNow(1e6) }, 0, 0},
		{func() error { return s.Write(batch(0, 1)) }, 0, 0},
		{s.Flush, 0, 1},
		{func() error { return s.SetNow(4_999_999) }, 0, 1},
		{func() error { return s.Write(batch(0, 1)) }, 0, 1},
		{s.Flush, 0, 1},
		{func() error { return s.SetNow(8e6) }, 0, 1},
		{func() error { return s.Write(batch(0, 1)) }, 0, 1},
		{s.Flush, 0, 1},
		{func() error { return s.SetNow(10_999_999) }, 0, 1},
		{func() error { return s.SetNow(11e6) }, 1, 0}, // ten seconds old
		{s.Flush, 1, 0},
		{func() error { return s.Write(batch(1, 1)) }, 1, 0},
		{s.Flush, 1, 1},
		{func() error { return s.SetNow(14_999_999) }, 1, 1},
		{func() error { return s.SetNow(15e6) }, 2, 0}, // four seconds without rows
		{func() error { return s.Write(batch(1, 1)) }, 2, 0},
		{s.Flush, 2, 1},
		{s.Abort, 2, 0},
	}
	for i, step := range steps {
		if err := step.do(); err != nil {
			t.Fatal(i, err)
		}
		if v, h := names(t, folder); len(v) != step.visible || len(h) != step.hidden {
			t.Errorf("after step %d: %q and %q", i, v, h)
		}
	}
	if r, err := read(open(t, folder), 10); err != nil || len(r.rows) != 4 {
		t.Errorf("%q, %v", r.rows, err)
	}
	// The next run does not touch what is there.
	s = makeSink(t, folder)
	if err := s.Write(batch(2, 1)); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if v, h := names(t, folder); len(v) != 3 || len(h) != 0 {
		t.Errorf("after the next run: %q and %q", v, h)
	}
	// A statement without rows makes nothing, not even the folder.
	empty := filepath.Join(folder, "empty")
	if err := makeSink(t, empty).Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(empty); !os.IsNotExist(err) {
		t.Errorf("a folder without rows: %v", err)
	}
}

func TestSinkErrors(t *testing.T) {
	folder := t.TempDir()
	s := makeSink(t, write(t, filepath.Join(folder, "file"), ""))
	err := s.Write(batch(0, 1))
	if err == nil {
		err = s.Flush()
	}
	refused(t, "a file", err, "path", "is a file, and a table is written as a folder of files", "name a folder")

	s = makeSink(t, filepath.Join(folder, "file", "below"))
	_ = s.Write(batch(0, 1))
	if err := s.Flush(); fault.Of(err) != fault.External {
		t.Errorf("below a file: %v", err)
	}
}

// TestFullDisk: there is a device that is always full.
func TestFullDisk(t *testing.T) {
	f, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no device that is always full")
	}
	s := makeSink(t, t.TempDir())
	s.part = &part{file: f, out: f}
	if err := s.Write(batch(0, 1)); err != nil {
		t.Fatal(err)
	}
	err = s.Close()
	if fault.Of(err) != fault.Resource || !strings.Contains(err.Error(), "make room") {
		t.Errorf("got %v", err)
	}
}

// TestAPartThatCannotBePublishedIsRemoved, compressed or not, with checkpoints and without.
func TestAPartThatCannotBePublishedIsRemoved(t *testing.T) {
	for _, compress := range []string{"none", "gzip"} {
		for _, checkpointed := range []bool{false, true} {
			folder := t.TempDir()
			s := makeSink(t, folder, compressKey, compress)
			s.checkpointed = checkpointed
			if err := errors.Join(s.Write(batch(0, 1)), s.Flush()); err != nil {
				t.Fatal(err)
			}
			if err := s.part.file.Close(); err != nil { // as a disk that gives up
				t.Fatal(err)
			}
			if err := s.Close(); err == nil && !checkpointed {
				t.Error("nobody was told")
			}
			if v, h := names(t, folder); len(v) != 0 || len(h) != 0 {
				t.Errorf("%s, checkpoints %v: %q and %q are left", compress, checkpointed, v, h)
			}
		}
	}
}
