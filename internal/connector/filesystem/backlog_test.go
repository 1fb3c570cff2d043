package filesystem

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
)

// TestBacklog: a split knows how many bytes it has left, also where reading goes on, unless its file is compressed.
func TestBacklog(t *testing.T) {
	left := func(s connector.Split) int64 {
		b := s.(connector.Backlogged).Backlog()
		if b.Records != -1 {
			t.Errorf("%s has %d records", s.Name(), b.Records)
		}
		return b.Bytes
	}
	text := strings.Repeat(line("1"), 100)
	size := int64(len(text))
	for _, c := range []struct {
		name    string
		options []string
	}{{"rows.jsonl", nil}, {"rows.csv", csvOptions}} {
		body := text
		if c.options != nil {
			body = strings.Repeat("1,1,abcdefghijklmnop\n", len(text)/21+1)[:size-1] + "\n"
		}
		s := open(t, write(t, filepath.Join(t.TempDir(), c.name), body), c.options...)
		s.ChunkBytes = size / 7
		for _, from := range []int64{0, size / 2} {
			splits, err := s.Open()
			if err != nil {
				t.Fatal(err)
			}
			if got := left(splits[0]); got != size {
				t.Errorf("%s: %d bytes of %d are left", c.name, got, size)
			}
			if from > 0 {
				if err := splits[0].Resume(from); err != nil {
					t.Fatal(err)
				}
			}
			for {
				chunk, _, err := splits[0].Poll(0)
				if got, want := left(splits[0]), size-splits[0].Offset(); got != want {
					t.Fatalf("%s: %d bytes are left, want %d", c.name, got, want)
				}
				if err == io.EOF {
					break
				}
				if err != nil || chunk == nil {
					t.Fatal(err)
				}
			}
		}
	}

	packed, err := open(t, write(t, filepath.Join(t.TempDir(), "rows.jsonl.gz"), compressed(t, ".gz", text))).Open()
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := packed[0].Poll(0); err != nil || left(packed[0]) != -1 {
		t.Errorf("%d bytes of a compressed file are left, %v", left(packed[0]), err)
	}

	var now clock
	path := write(t, filepath.Join(t.TempDir(), "log.jsonl"), line("1"))
	s := open(t, path, followKey, "true")
	splits, err := s.Open()
	if err != nil {
		t.Fatal(err)
	}
	for _, more := range []string{"", line("2"), line("3") + `{"id"`, `:4,"name":"x"}` + "\n"} {
		appendTo(t, path, more)
		now.drain(t, s, splits[0])
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := left(splits[0]), info.Size()-splits[0].Offset(); got != want {
			t.Errorf("%d bytes are left behind %q, want %d", got, more, want)
		}
		now += followEvery
	}
	if err := splits[0].Close(); err != nil {
		t.Fatal(err)
	}
}
