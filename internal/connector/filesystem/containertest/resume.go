package containertest

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/filesystem"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// numbers is the table of Resume: numbers that end pieces early, as their texts are long.
var numbers = types.Schema{{Name: "n", Type: types.BigIntType}, {Name: "text", Type: types.StringType}}

// Resume reads a folder that is watched, with a stop after each of its pieces, and finds the files that come later. The options make a file of 9,000 rows
// have several pieces.
func Resume(t *testing.T, c filesystem.Container, o connector.Options) {
	folder := t.TempDir()
	place := func(name string, first, rows int) {
		var text []byte
		for i := range rows {
			text = fmt.Appendf(text, `{"n":%d,"text":"%0300d"}`+"\n", first+i, first+i)
		}
		var parts []*vector.Batch
		b := Batch(t, numbers, text)
		for at := 0; at < rows; at += 1000 {
			part := *b
			for i := range min(1000, rows-at) {
				part.Sel = append(part.Sel, int32(at+i))
			}
			parts = append(parts, &part)
		}
		if err := os.Rename(Write(t, c, numbers, o, parts...), filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	options := connector.Options{"connector": "filesystem", "path": folder, "format": c.Name, "source.monitor-interval": "1 s"}
	for key, value := range o {
		options[c.Name+"."+key] = value
	}
	open := func() (connector.Source, []connector.Split) {
		s, err := filesystem.New(c).NewSource(connector.Table{Schema: numbers, Needed: []int{0}}, options)
		if err != nil {
			t.Fatal(err)
		}
		splits, err := s.Open()
		if err != nil {
			t.Fatal(err)
		}
		return s, splits
	}
	place("a."+c.Name, 0, 9000)

	source, splits := open()
	var got []int64
	chunks := 0
	for {
		chunk, _, err := splits[0].Poll(0)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, decoded(t, source, chunk)...)
		// What goes on from the position is another process.
		offset := splits[0].Offset()
		source, splits = open()
		if err := splits[0].Resume(offset); err != nil {
			t.Fatal(err)
		}
		chunks++
	}
	if chunks < 2 || !slices.Equal(got, counted(0, 9000)) {
		t.Errorf("%d rows in %d pieces", len(got), chunks)
	}
	if err := splits[0].Resume(int64(chunks + 1)); fault.Of(err) != fault.External {
		t.Errorf("a position behind the file: %v", err)
	}

	place("b."+c.Name, 9000, 10)
	splits, wake, err := source.(connector.Growing).Discover(5_000_000)
	if err != nil || len(splits) != 1 || wake != 6_000_000 {
		t.Fatalf("%d splits, %d, %v", len(splits), wake, err)
	}
	chunk, _, err := splits[0].Poll(5_000_000)
	if err != nil {
		t.Fatal(err)
	}
	if got := decoded(t, source, chunk); !slices.Equal(got, counted(9000, 10)) {
		t.Errorf("the file that came later: %v", got)
	}
}

func counted(first int64, n int) (all []int64) {
	for i := range n {
		all = append(all, first+int64(i))
	}
	return all
}

// decoded is the numbers of a chunk.
func decoded(t *testing.T, s connector.Source, c connector.Chunk) (got []int64) {
	t.Helper()
	d, err := s.NewDecoder()
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.Decode(c, &vector.Pool{}, 100, func(b *vector.Batch) error {
		for i := range b.N {
			got = append(got, b.Cols[0].Int(i))
		}
		b.Release()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}
