package filesystem

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
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

// csvText has records whose line feeds stand in quotes; its rows are "id name".
const csvText = "1,2.5,a\n2,,\"b\n\"\"b,\"\n\r\n3,1,\"\n\"\r\n4,1,d"

var csvRows = []string{"1 a", "2 b\n\"b,", "3 \n", "4 d"}

var csvOptions = []string{"format", "csv", "csv.null-literal", ""}

// bz2 is `{"id":7,"name":"seven"}` and a line feed.
const bz2 = "QlpoOTFBWSZTWfi9I0QAAAtZgAAQEAQAkCYjCQogACIj1Gj0j1PUKYAAZL0VQqMdTctCLsfF3JFOFCQ+L0jRAA=="

func compressed(t *testing.T, ending, text string) string {
	t.Helper()
	var buf bytes.Buffer
	var w io.WriteCloser
	var err error
	if c := codecOf("x" + ending); c.writer != nil {
		w, err = c.writer(&buf)
	} else {
		w = zlib.NewWriter(&buf)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

// TestStreamsAreCutAnywhere: neither where a stream is cut into blocks nor where it is resumed shows in the rows.
func TestStreamsAreCutAnywhere(t *testing.T) {
	for _, ending := range []string{"", ".gz", ".gzip", ".zst", ".deflate"} {
		text := csvText
		if ending != "" {
			text = compressed(t, ending, csvText)
		}
		s := open(t, write(t, filepath.Join(t.TempDir(), "rows.csv"+ending), text), csvOptions...)
		for s.ChunkBytes = 1; s.ChunkBytes < int64(len(csvText))+2; s.ChunkBytes++ {
			for _, maxRows := range []int{1, 3, 1000} {
				r, err := read(s, maxRows)
				if err != nil || !slices.Equal(r.rows, csvRows) {
					t.Fatalf("%s: blocks of %d bytes, %d rows: got %q, %v", ending, s.ChunkBytes, maxRows, r.rows, err)
				}
			}
			// Stop behind every block and go on with a new split.
			for stop := 1; ; stop++ {
				splits, err := s.Open()
				if err != nil {
					t.Fatal(err)
				}
				var r reading
				for range stop {
					c, _, err := splits[0].Poll(0)
					if err == io.EOF {
						break
					}
					if err != nil {
						t.Fatal(err)
					}
					if err := r.decode(s, c, 10); err != nil {
						t.Fatal(err)
					}
				}
				offset := splits[0].Offset()
				_ = splits[0].Close()
				if splits, err = s.Open(); err != nil {
					t.Fatal(err)
				}
				if err := splits[0].Resume(offset); err != nil {
					t.Fatal(err)
				}
				if err := r.split(s, splits[0], 10); err != nil || !slices.Equal(r.rows, csvRows) {
					t.Fatalf("%s: blocks of %d bytes, resumed at %d: got %q, %v", ending, s.ChunkBytes, offset, r.rows, err)
				}
				if offset == int64(len(csvText)) {
					break
				}
			}
		}
	}
}

func TestCompressedLines(t *testing.T) {
	text, err := base64.StdEncoding.DecodeString(bz2)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	write(t, filepath.Join(folder, "a.json.gz"), compressed(t, ".gz", texts[2].text)+compressed(t, ".gz", `{"id":4,"name":"d"}`))
	write(t, filepath.Join(folder, "b.json.bz2"), string(text))
	write(t, filepath.Join(folder, "c.json.zst"), compressed(t, ".zst", texts[6].text))
	write(t, filepath.Join(folder, "d.json.gz"), compressed(t, ".gz", ""))
	want := slices.Concat(texts[2].rows, []string{"4 d", "7 seven"}, texts[6].rows)
	for _, chunk := range []int64{1, 10, ChunkBytes} {
		s := open(t, folder)
		s.ChunkBytes = chunk
		if r, err := read(s, 2); err != nil || !slices.Equal(r.rows, want) {
			t.Errorf("blocks of %d bytes: got %q, %v; want %q", chunk, r.rows, err, want)
		}
	}
}

func TestBrokenStreams(t *testing.T) {
	whole := compressed(t, ".gz", strings.Repeat(texts[2].text, 1000))
	for _, c := range []struct{ name, text, want string }{
		{"a.json.gz", whole[:len(whole)-3], "decompress "},
		{"a.json.gz", whole[:len(whole)/2], "the file may be cut off"},
		{"a.json.gz", "plain text", "decompress "},
		{"a.json.zst", "plain text", "decompress "},
		{"a.csv", "1,1,a\n2,1,\"b\n", "a.csv line 2: a quote is not closed"},
		{"a.csv", "1,1,a\n\n\"2x\n\n\",1,b\n", "a.csv line 3: field 'id': expected BIGINT"},
		{"a.csv.gz", compressed(t, ".gz", "1,1,a\n2,1,b\nx,1,c\n"), "a.csv.gz line 3: field 'id': expected BIGINT"},
	} {
		options := []string{}
		if strings.Contains(c.name, "csv") {
			options = csvOptions
		}
		_, err := read(open(t, write(t, filepath.Join(t.TempDir(), c.name), c.text), options...), 10)
		if err == nil || !strings.Contains(err.Error(), c.want) || fault.Of(err) == fault.Internal {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
	s := open(t, write(t, filepath.Join(t.TempDir(), "a.csv"), "1,1,\""+strings.Repeat("x\n", 1000)), csvOptions...)
	s.ChunkBytes, s.maxLine = 16, 500
	if _, err := read(s, 10); err == nil || !strings.Contains(err.Error(), "the record is longer than 500 bytes") {
		t.Errorf("an endless record: %v", err)
	}
}

func TestHeader(t *testing.T) {
	folder := t.TempDir()
	write(t, filepath.Join(folder, "a.csv"), "id,unread,\"the\nname\"\n1,1,a\n2,1,b\n")
	write(t, filepath.Join(folder, "b.csv"), "id,unread,name")
	write(t, filepath.Join(folder, "c.csv"), "id,unread,name\n3,1,c")
	for _, extra := range [][]string{{"csv.skip-header", "true"}, {"csv.skip-header", "true", "csv.quote-character", "'"}} {
		for _, chunk := range []int64{1, 7, 1000} {
			s := open(t, folder, append([]string{"format", "csv"}, extra...)...)
			s.ChunkBytes = chunk
			r, err := read(s, 1)
			if len(extra) == 2 && (err != nil || !slices.Equal(r.rows, []string{"1 a", "2 b", "3 c"})) {
				t.Errorf("chunks of %d: got %q, %v", chunk, r.rows, err)
			}
			if len(extra) == 4 && err == nil {
				t.Errorf("chunks of %d: the second line of the header is a row: %q", chunk, r.rows)
			}
		}
	}
	s := open(t, filepath.Join(folder, "c.csv"), "format", "csv", "csv.skip-header", "true", "csv.disable-quote-character", "true")
	for s.ChunkBytes = range int64(30) {
		s.ChunkBytes++
		if r, err := read(s, 1); err != nil || !slices.Equal(r.rows, []string{"3 c"}) {
			t.Errorf("chunks of %d: got %q, %v", s.ChunkBytes, r.rows, err)
		}
	}
}

// TestMetadata: what is known of the file stands where the table wants it.
func TestMetadata(t *testing.T) {
	path := write(t, filepath.Join(t.TempDir(), "rows.json"), `{"id":1}`+"\n"+`{"id":2}`)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	table := connector.Table{Name: "t", Needed: []int{0, 1, 2, 3, 4}}
	for _, c := range Connector.Metadata[:2] {
		table.Schema, table.Metadata = append(table.Schema, types.Field{Name: c.Key, Type: c.Type}), append(table.Metadata, c.Key)
	}
	table.Schema, table.Metadata = append(table.Schema, types.Field{Name: "id", Type: types.BigIntType}), append(table.Metadata, "")
	for _, c := range Connector.Metadata[2:] {
		table.Schema, table.Metadata = append(table.Schema, types.Field{Name: c.Key, Type: c.Type}), append(table.Metadata, c.Key)
	}
	s, err := NewSource(table, connector.Options{"path": path, "format": "json"})
	if err != nil {
		t.Fatal(err)
	}
	splits, err := s.Open()
	if err != nil {
		t.Fatal(err)
	}
	chunk, _, err := splits[0].Poll(0)
	if err != nil {
		t.Fatal(err)
	}
	d, err := s.NewDecoder()
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	_, err = d.Decode(chunk, &vector.Pool{}, 1, func(b *vector.Batch) error {
		rows++
		if len(b.Cols) != 5 || string(b.Cols[0].Bytes(0)) != path || string(b.Cols[1].Bytes(0)) != "rows.json" || b.Cols[2].Int(0) != int64(rows) ||
			b.Cols[3].Int(0) != info.Size() || b.Cols[4].Int(0) != info.ModTime().UnixMilli()*1000 {
			t.Errorf("row %d is wrong", rows)
		}
		b.Release()
		return nil
	})
	if err != nil || rows != 2 {
		t.Errorf("%d rows, %v", rows, err)
	}
	if _, err := NewSink(table, connector.Options{"path": path, "format": "json"}); err == nil {
		t.Error("a column about files can be written")
	}
}

func TestGlobs(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"2025/a.json", "2025/b.jsonl", "2026/a.json", "2026/deep/c.json", ".hidden/a.json", "_tmp/a.json", "2026/.b.json"} {
		write(t, filepath.Join(folder, name), `{"id":1,"name":"`+name+`"}`)
	}
	for _, c := range []struct {
		pattern string
		want    []string
	}{
		{"/20*/*.json", []string{"2025/a.json", "2026/a.json"}},
		{"/20*/a.json", []string{"2025/a.json", "2026/a.json"}},
		{"/202[6-9]", []string{"2026/a.json", "2026/deep/c.json"}},
		{"/*/a.jso?", []string{"2025/a.json", "2026/a.json"}},
		{"/_t*/a.json", []string{"_tmp/a.json"}},
		{"/2026/.*", []string{"2026/.b.json"}},
	} {
		r, err := read(open(t, folder+c.pattern), 10)
		for i := range c.want {
			c.want[i] = "1 " + c.want[i]
		}
		if err != nil || !slices.Equal(r.rows, c.want) {
			t.Errorf("%s: got %q, %v; want %q", c.pattern, r.rows, err, c.want)
		}
	}
	// A file whose name has a bracket is itself.
	if r, err := read(open(t, write(t, filepath.Join(folder, "[x].json"), `{"id":1,"name":"x"}`)), 10); err != nil || len(r.rows) != 1 {
		t.Errorf("got %q, %v", r.rows, err)
	}
}

// TestByteOrderMark: it is no part of the first record, whether lines are read or quoted records, with and without a header.
func TestByteOrderMark(t *testing.T) {
	const mark = "\ufeff"
	for _, c := range []struct {
		ending, format, text string
		more                 []string
		rows                 []string
	}{
		{".json", "json", mark + `{"id":1,"name":"a"}` + "\n" + `{"id":2,"name":"b"}`, nil, []string{"1 a", "2 b"}},
		{".csv", "csv", mark + "1,,a\n2,,b\n", nil, []string{"1 a", "2 b"}},
		{".csv", "csv", mark + "\"1\",,\"a\n;\"\n2,,b\n", nil, []string{"1 a\n;", "2 b"}},
		{".csv", "csv", mark + "\"i\nd\",unread,name\n1,,a\n", []string{"csv.skip-header", "true"}, []string{"1 a"}},
		{".csv", "csv", mark, nil, nil},
		{".csv", "csv", mark + "id,unread,name", []string{"csv.skip-header", "true"}, nil},
	} {
		path := write(t, filepath.Join(t.TempDir(), "rows"+c.ending), c.text)
		for _, step := range []int64{1, 5, 1000} {
			s := open(t, path, append([]string{"format", c.format}, c.more...)...)
			s.ChunkBytes = step
			if r, err := read(s, 1000); err != nil || !slices.Equal(r.rows, c.rows) {
				t.Errorf("%q in chunks of %d: got %q, %v; want %q", c.text, step, r.rows, err, c.rows)
			}
		}
	}
}

// TestWholeFiles: a file can be one record of many rows, wherever it is cut into blocks; it is neither followed nor written.
func TestWholeFiles(t *testing.T) {
	for format, texts := range map[string][2]string{
		"json_list":      {"[{\"id\":1,\"name\":\"a\"},\n {\"id\":2,\"name\":\"b\"}]\n", "[{\"id\":3,\"name\":\"c\"}]"},
		"csv_with_names": {"name,id\na,1\nb,2\n", "id,name\n3,c"},
		"tsv_with_names": {"name\tid\na\t1\nb\t2\n", "id\tname\n3\tc"},
	} {
		folder := t.TempDir()
		write(t, filepath.Join(folder, "a.txt"), texts[0])
		write(t, filepath.Join(folder, "b.txt.gz"), compressed(t, ".gz", texts[1]))
		for _, chunk := range []int64{1, 7, 1000} {
			s := open(t, folder, "format", format)
			s.ChunkBytes = chunk
			if r, err := read(s, 10); err != nil || !slices.Equal(r.rows, []string{"1 a", "2 b", "3 c"}) {
				t.Errorf("%s, chunks of %d: got %q, %v", format, chunk, r.rows, err)
			}
		}
		for option, want := range map[string]string{"": "files are not written in format '" + format, followKey: "a file in format '" + format + "' cannot be followed"} {
			o := connector.Options{"path": folder, "format": format}
			table := connector.Table{Schema: types.Schema{{Name: "id", Type: types.BigIntType}, {Name: "name", Type: types.StringType}}}
			make := func() (any, error) { return Connector.NewSink(table, o) }
			if option != "" {
				o[option] = "true"
				make = func() (any, error) { return Connector.NewSource(table, o) }
			}
			if _, err := make(); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s %s: %v, want %s", format, option, err, want)
			}
		}
	}
}
