package filesystem

import (
	"errors"
	"fmt"
	"io"
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

var schema = types.Schema{{Name: "id", Type: types.BigIntType}, {Name: "unread", Type: types.DoubleType}, {Name: "name", Type: types.StringType}}

// open makes a source that reads id and name; options come in pairs and may override the path.
func open(t *testing.T, path string, options ...string) *Source {
	t.Helper()
	o := connector.Options{"path": path, "format": "json"}
	for i := 0; i < len(options); i += 2 {
		o[options[i]] = options[i+1]
	}
	s, err := NewSource(connector.Table{Name: "t", Schema: schema, Needed: []int{0, 2}}, o)
	if err != nil {
		t.Fatal(err)
	}
	return s.(*Source)
}

// reading collects the rows of splits, each as "id name".
type reading struct {
	decoder connector.Decoder
	memory  vector.Pool
	rows    []string
	skipped int64
	misread []connector.Misread
}

func (r *reading) decode(s *Source, c connector.Chunk, maxRows int) error {
	if r.decoder == nil {
		d, err := s.NewDecoder()
		if err != nil {
			return err
		}
		r.decoder = d
	}
	decoded, err := r.decoder.Decode(c, &r.memory, maxRows, func(b *vector.Batch) error {
		if b.N == 0 || b.N > maxRows {
			return fmt.Errorf("a batch of %d rows", b.N)
		}
		for i := range b.N {
			r.rows = append(r.rows, fmt.Sprintf("%d %s", b.Cols[0].Int(i), b.Cols[1].Bytes(i)))
		}
		b.Release()
		return nil
	})
	r.skipped += decoded.Skipped
	r.misread = append(r.misread, decoded.Misread...)
	return err
}

// read reads all splits, one after the other.
func read(s *Source, maxRows int) (*reading, error) {
	r := new(reading)
	splits, err := s.Open()
	if err != nil {
		return r, err
	}
	for _, split := range splits {
		if err := r.split(s, split, maxRows); err != nil {
			return r, err
		}
	}
	return r, nil
}

func (r *reading) split(s *Source, split connector.Split, maxRows int) error {
	for {
		c, _, err := split.Poll(0)
		if err == io.EOF {
			return split.Close()
		}
		if err != nil {
			return err
		}
		if err := r.decode(s, c, maxRows); err != nil {
			return err
		}
	}
}

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// Texts that are cut everywhere, and the rows they hold whatever the cuts.
var texts = []struct {
	name, text string
	rows       []string
}{
	{"nothing", "", nil},
	{"only line feeds", "\n\n\n", nil},
	{"plain", `{"id":1,"name":"a"}` + "\n" + `{"name":"bb","id":2}` + "\n" + `{"id":3,"name":"ccc","more":[1,{"x":"\n"}]}` + "\n",
		[]string{"1 a", "2 bb", "3 ccc"}},
	{"no final line feed", `{"id":1,"name":"a"}` + "\n" + `{"id":2,"name":"b"}`, []string{"1 a", "2 b"}},
	{"one line", `{"id":1,"name":"a"}`, []string{"1 a"}},
	{"CRLF and empty lines", "\r\n" + `{"id":1,"name":"a"}` + "\r\n\r\n\n" + `{"id":2,"name":"b"}` + "\r\n", []string{"1 a", "2 b"}},
	{"escapes and wide characters", `{"id":1,"name":"a\"b\u00e9"}` + "\n" + `{"id":2,"name":"京\\"}` + "\n", []string{`1 a"bé`, `2 京\`}},
}

func TestCutsDoNotShow(t *testing.T) {
	for _, c := range texts {
		path := write(t, filepath.Join(t.TempDir(), "rows.jsonl"), c.text)
		s := open(t, path)
		for step := range int64(len(c.text)) + 2 {
			s.ChunkBytes = step + 1
			for _, maxRows := range []int{1, 2, 1000} {
				r, err := read(s, maxRows)
				if err != nil || !slices.Equal(r.rows, c.rows) {
					t.Fatalf("%s: chunks of %d bytes, batches of %d rows: got %q, %v; want %q", c.name, s.ChunkBytes, maxRows, r.rows, err, c.rows)
				}
			}
		}
	}
}

func TestResumeTakesTheLinesThatBeginBehind(t *testing.T) {
	for _, c := range texts {
		s := open(t, write(t, filepath.Join(t.TempDir(), "rows.jsonl"), c.text))
		for offset := range int64(len(c.text)) + 1 {
			want, _ := read(open(t, write(t, filepath.Join(t.TempDir(), "rest.jsonl"), c.text[nextLine(c.text, int(offset)):])), 1000)
			for _, step := range []int64{1, 7, 1000} {
				s.ChunkBytes = step
				splits, err := s.Open()
				if err != nil {
					t.Fatal(err)
				}
				if err := splits[0].Resume(offset); err != nil {
					t.Fatal(err)
				}
				var r reading
				if err := r.split(s, splits[0], 1000); err != nil || !slices.Equal(r.rows, want.rows) {
					t.Fatalf("%s: from byte %d in steps of %d: got %q, %v; want %q", c.name, offset, step, r.rows, err, want.rows)
				}
				if got := splits[0].Offset(); got != int64(len(c.text)) {
					t.Fatalf("%s: offset %d at the end", c.name, got)
				}
			}
		}
	}
}

// nextLine is where the first line begins that begins at offset or behind it.
func nextLine(text string, offset int) int {
	if offset == 0 {
		return 0
	}
	if k := strings.IndexByte(text[offset-1:], '\n'); k >= 0 {
		return offset + k
	}
	return len(text)
}

func TestOffsetFollowsTheChunks(t *testing.T) {
	s := open(t, write(t, filepath.Join(t.TempDir(), "rows.jsonl"), strings.Repeat("\n", 10)))
	s.ChunkBytes = 4
	splits, err := s.Open()
	if err != nil {
		t.Fatal(err)
	}
	var got []int64
	for {
		c, _, err := splits[0].Poll(0)
		if err == io.EOF {
			break
		}
		got = append(got, splits[0].Offset(), c.Size())
	}
	if want := []int64{4, 4, 8, 4, 10, 2}; !slices.Equal(got, want) || s.Size() != 10 {
		t.Errorf("offsets and sizes %d of %d bytes, want %d of 10", got, s.Size(), want)
	}
	if err := splits[0].Resume(11); fault.Of(err) != fault.External {
		t.Errorf("resume behind the end: %v", err)
	}
}

func TestLinesLongerThanAChunk(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	path := write(t, filepath.Join(t.TempDir(), "rows.jsonl"),
		`{"id":1,"name":"a"}`+"\n"+`{"id":2,"name":"`+long+`"}`+"\n"+`{"id":3,"name":"b"}`+"\n"+`{"id":4,"name":"`+long+`"}`)
	want := []string{"1 a", "2 " + long, "3 b", "4 " + long}
	for _, step := range []int64{100, 4096, 99_999, 150_000, ChunkBytes} {
		s := open(t, path)
		s.ChunkBytes = step
		if r, err := read(s, 2); err != nil || !slices.Equal(r.rows, want) {
			t.Errorf("chunks of %d: %d rows, %v", step, len(r.rows), err)
		}
	}
	s := open(t, path)
	s.maxLine = 50_000
	for _, s.ChunkBytes = range []int64{100, 4096, 49_999} {
		r, err := read(s, 2)
		if fault.Of(err) != fault.Data || !slices.Equal(r.rows, want[:1]) {
			t.Fatalf("chunks of %d and lines of at most %d: %d rows, %v", s.ChunkBytes, s.maxLine, len(r.rows), err)
		}
		if text := path + " line 2: the line is longer than 50000 bytes"; !strings.HasPrefix(err.Error(), text) {
			t.Errorf("%v, want %s …", err, text)
		}
	}
}

func TestManyShortLinesAreNotALongOne(t *testing.T) {
	s := open(t, write(t, filepath.Join(t.TempDir(), "rows.jsonl"), strings.Repeat(`{"id":1,"name":"a"}`+"\n", 10)))
	s.maxLine = 50
	for _, s.ChunkBytes = range []int64{45, 190, 1000} {
		if r, err := read(s, 1000); err != nil || len(r.rows) != 10 {
			t.Errorf("chunks of %d: %d rows, %v", s.ChunkBytes, len(r.rows), err)
		}
	}
}

func TestFilesOfAFolder(t *testing.T) {
	folder := t.TempDir()
	for i, name := range []string{"b.jsonl", "a/z.jsonl", "a/deep/er.jsonl", "a.jsonl", "10.jsonl", "9.jsonl", "empty.jsonl",
		".hidden.jsonl", "_SUCCESS", "_temporary/x.jsonl", "a/.git/x.jsonl"} {
		text := ""
		if name != "empty.jsonl" {
			text = fmt.Sprintf(`{"id":%d,"name":"%s"}`, i, name)
		}
		write(t, filepath.Join(folder, name), text)
	}
	if err := os.Mkdir(filepath.Join(folder, "nothing"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(folder, "_temporary", "x.jsonl"), filepath.Join(folder, "link.jsonl")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path, pattern string
		rows          []string
	}{
		{folder, "", []string{"4 10.jsonl", "5 9.jsonl", "3 a.jsonl", "2 a/deep/er.jsonl", "1 a/z.jsonl", "0 b.jsonl", "9 _temporary/x.jsonl"}},
		{"file://" + folder + "/a", "", []string{"2 a/deep/er.jsonl", "1 a/z.jsonl"}},
		{folder + "/nothing", "", nil},
		{folder + "/_temporary", "", []string{"9 _temporary/x.jsonl"}},
		{folder, `.*/[0-9]+\.jsonl`, []string{"4 10.jsonl", "5 9.jsonl"}},
		{folder, `[0-9]+`, nil},
		{folder, folder + `/a/.*|x`, []string{"2 a/deep/er.jsonl", "1 a/z.jsonl"}},
	} {
		s := open(t, c.path)
		if c.pattern != "" {
			s = open(t, c.path, "source.path.regex-pattern", c.pattern)
		}
		if r, err := read(s, 1000); err != nil || !slices.Equal(r.rows, c.rows) {
			t.Errorf("%s %s: got %q, %v; want %q", c.path, c.pattern, r.rows, err, c.rows)
		}
	}
}

func TestWrongRowIsNamedByItsLine(t *testing.T) {
	path := write(t, filepath.Join(t.TempDir(), "rows.jsonl"),
		"\n"+`{"id":1,"name":"a"}`+"\n\n"+`{"id":2,"name":"b"}`+"\n"+`{"id":"x","name":"c"}`+"\n"+`{"id":4,"name":"d"}`+"\n")
	s := open(t, path)
	for step := range int64(100) {
		s.ChunkBytes = step + 1
		for _, maxRows := range []int{1, 2, 1000} {
			r, err := read(s, maxRows)
			if fault.Of(err) != fault.Data || !strings.HasPrefix(err.Error(), path+" line 5: field 'id': expected BIGINT") {
				t.Fatalf("chunks of %d: %v", s.ChunkBytes, err)
			}
			if want := []string{"1 a", "2 b"}; !slices.Equal(r.rows, want) {
				t.Fatalf("chunks of %d: rows %q before the error, want %q", s.ChunkBytes, r.rows, want)
			}
		}
	}
}

func TestSkippedRowsAreCounted(t *testing.T) {
	s := open(t, write(t, filepath.Join(t.TempDir(), "rows.jsonl"), "x\n"+`{"id":1,"name":"a"}`+"\ny\nz\n"), "json.ignore-parse-errors", "true")
	for _, s.ChunkBytes = range []int64{1, 5, 1000} {
		if r, err := read(s, 1); err != nil || r.skipped != 3 || !slices.Equal(r.rows, []string{"1 a"}) {
			t.Errorf("chunks of %d: %q, %d skipped, %v", s.ChunkBytes, r.rows, r.skipped, err)
		}
	}
}

// TestMisreadRecordsAreWhereTheySay: the bytes at the offset of a record that cannot be read are that record, wherever chunks and batches are cut, in compressed files those of the text.
func TestMisreadRecordsAreWhereTheySay(t *testing.T) {
	var text strings.Builder
	bad := map[int]string{}
	for i := range 200 {
		line := fmt.Sprintf(`{"id":%d,"name":"\u00e9%d"}`, i, i)
		if i%7 == 0 {
			line = fmt.Sprintf(`{"name":"\u00e9%d","id":"x"}`, i)
			bad[text.Len()] = line
		}
		text.WriteString(line + "\n")
	}
	for _, path := range []string{write(t, filepath.Join(t.TempDir(), "t.json"), text.String()), write(t, filepath.Join(t.TempDir(), "t.json.gz"), compressed(t, ".gz", text.String()))} {
		for _, maxRows := range []int{1, 3, 1000} {
			s := open(t, path, connector.OptionErrors, connector.LogErrors)
			s.ChunkBytes = 100
			r, err := read(s, maxRows)
			if err != nil || len(r.rows) != 200-len(bad) || len(r.misread) != len(bad) || r.skipped != int64(len(bad)) {
				t.Fatalf("%s: %d rows, %d kept of %d: %v", path, len(r.rows), len(r.misread), r.skipped, err)
			}
			for _, m := range r.misread {
				if m.Origin != path || string(m.Value) != bad[int(m.Offset)] || m.Topic != nil {
					t.Errorf("%s at %d: %q, want %q", m.Origin, m.Offset, m.Value, bad[int(m.Offset)])
				}
			}
		}
	}
}

func TestFileThatChanges(t *testing.T) {
	text := strings.Repeat(`{"id":1,"name":"a"}`+"\n", 10)
	for _, c := range []struct {
		name   string
		change func(path string) error
		rows   int
		err    string
	}{
		{"grows", func(path string) error { return os.WriteFile(path, []byte(text+text), 0o644) }, 10, ""},
		{"shrinks", func(path string) error { return os.Truncate(path, 150) }, 0, " at byte 150: the file ends here but had 200 bytes when the statement began"},
		{"vanishes", os.Remove, 0, "read file: open "},
	} {
		path := write(t, filepath.Join(t.TempDir(), "rows.jsonl"), text)
		s := open(t, path)
		splits, err := s.Open()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.change(path); err != nil {
			t.Fatal(err)
		}
		var r reading
		err = r.split(s, splits[0], 1000)
		if len(r.rows) != c.rows || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %d rows, %v", c.name, len(r.rows), err)
		}
		if err != nil && fault.Of(err) != fault.External {
			t.Errorf("%s: the fault is %s", c.name, fault.Of(err))
		}
	}
}

func TestConsumerThatStops(t *testing.T) {
	s := open(t, write(t, filepath.Join(t.TempDir(), "rows.jsonl"), strings.Repeat(`{"id":1,"name":"a"}`+"\n", 10)))
	splits, err := s.Open()
	if err != nil {
		t.Fatal(err)
	}
	c, _, _ := splits[0].Poll(0)
	d, _ := s.NewDecoder()
	enough, batches := errors.New("enough"), 0
	_, err = d.Decode(c, &vector.Pool{}, 3, func(b *vector.Batch) error {
		b.Release()
		if batches++; batches == 2 {
			return enough
		}
		return nil
	})
	if err != enough || batches != 2 {
		t.Errorf("%d batches, %v", batches, err)
	}
}

func TestReadsManyFilesWithFewDescriptors(t *testing.T) {
	descriptors := func() int { names, _ := os.ReadDir("/dev/fd"); return len(names) }
	folder := t.TempDir()
	for i := range 50 {
		write(t, fmt.Sprintf("%s/%02d.jsonl", folder, i), fmt.Sprintf(`{"id":%d,"name":"a"}`+"\n"+`{"id":%d,"name":"b"}`, i, i))
	}
	before := descriptors()
	s := open(t, folder)
	s.ChunkBytes = 10
	splits, err := s.Open()
	if err != nil {
		t.Fatal(err)
	}
	var r reading
	for _, split := range splits {
		c, _, err := split.Poll(0)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.decode(s, c, 1000); err != nil {
			t.Fatal(err)
		}
	}
	if after := descriptors(); len(r.rows) != 50 || after > before {
		t.Errorf("%d rows; %d descriptors open before and %d in the middle of 50 files", len(r.rows), before, after)
	}
}
