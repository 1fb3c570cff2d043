package filesystem

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
)

func appendTo(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func line(id string) string { return `{"id":` + id + `,"name":"x"}` + "\n" }

// clock is when a split is asked.
type clock int64

// drain reads all that a split has at the moment.
func (c *clock) drain(t *testing.T, s *Source, split connector.Split) (ids []string) {
	t.Helper()
	var r reading
	for {
		chunk, wake, err := split.Poll(int64(*c))
		if err != nil {
			t.Fatal(err)
		}
		if chunk == nil {
			if wake <= int64(*c) {
				t.Fatalf("asked at %d, to be asked again at %d", *c, wake)
			}
			if wake-int64(*c) >= followEvery {
				break
			}
			*c = clock(wake)
			continue
		}
		if err := r.decode(s, chunk, 100); err != nil {
			t.Fatal(err)
		}
	}
	for _, row := range r.rows {
		ids = append(ids, row[:1])
	}
	return ids
}

func TestFollow(t *testing.T) {
	for _, step := range []int64{7, ChunkBytes} {
		path := write(t, filepath.Join(t.TempDir(), "log.json"), line("1")+line("2"))
		s := open(t, path, "source.follow", "true")
		s.ChunkBytes = step
		if s.Bounded() {
			t.Fatal("a followed file has no end")
		}
		splits, err := s.Open()
		if err != nil {
			t.Fatal(err)
		}
		var now clock
		expect := func(what string, want ...string) {
			t.Helper()
			if got := now.drain(t, s, splits[0]); !slices.Equal(got, want) {
				t.Errorf("steps of %d, %s: got %q, want %q", step, what, got, want)
			}
		}
		expect("what is there", "1", "2")
		expect("nothing more")
		appendTo(t, path, line("3")+line("4")[:5])
		expect("a line and a half", "3")
		appendTo(t, path, line("4")[5:])
		expect("the other half", "4")

		// Written anew, shorter than what was read; the half line of before is gone.
		appendTo(t, path, line("9")[:7])
		expect("a half line")
		write(t, path, line("5"))
		expect("after truncation", "5")

		// Replaced: the old file has one more line and a half, which counts as it is.
		if err := os.Rename(path, path+".1"); err != nil {
			t.Fatal(err)
		}
		expect("nobody has the name")
		appendTo(t, path+".1", line("6")+line("7")[:len(line("7"))-1])
		expect("the old file grows", "6")
		write(t, path, line("8"))
		expect("after rotation", "7", "8")

		// A split that goes on elsewhere.
		offset := splits[0].Offset()
		if err := splits[0].Close(); err != nil {
			t.Fatal(err)
		}
		appendTo(t, path, line("9"))
		if splits, err = s.Open(); err != nil {
			t.Fatal(err)
		}
		if err := splits[0].Resume(offset); err != nil {
			t.Fatal(err)
		}
		expect("after a restart", "9")
		if err := splits[0].Close(); err != nil {
			t.Fatal(err)
		}
		write(t, path, line("1"))
		if err := splits[0].Resume(offset + 100); err != nil {
			t.Fatal(err)
		}
		expect("after a restart with a shorter file", "1")
		if err := splits[0].Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFollowRefusesCompressed(t *testing.T) {
	_, err := open(t, write(t, filepath.Join(t.TempDir(), "a.json.gz"), ""), "source.follow", "true").Open()
	refused(t, "gz", err, followKey, "is compressed and cannot be followed", "leave the option out")
}

func TestMonitor(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "in")
	write(t, filepath.Join(folder, "b.json"), line("1"))
	s := open(t, folder, "source.monitor-interval", "2 s")
	if s.Bounded() || s.Size() != 0 {
		t.Fatal("a folder that is watched has no end")
	}
	splits, err := s.Open()
	if err != nil || len(splits) != 1 {
		t.Fatal(len(splits), err)
	}
	discover := func(want ...string) {
		t.Helper()
		found, wake, err := s.Discover(10)
		if err != nil || wake != 2_000_010 {
			t.Errorf("wake at %d, %v", wake, err)
		}
		var names []string
		for _, f := range found {
			names = append(names, filepath.Base(f.Name()))
			var r reading
			for {
				c, _, err := f.Poll(0)
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
			if len(r.rows) != 1 {
				t.Errorf("%s: rows %q", f.Name(), r.rows)
			}
		}
		if !slices.Equal(names, want) {
			t.Errorf("found %q, want %q", names, want)
		}
	}
	discover()
	write(t, filepath.Join(folder, "c", "x.json"), line("2"))
	write(t, filepath.Join(folder, "a.json"), line("3"))
	write(t, filepath.Join(folder, ".hidden.json"), line("4"))
	discover("a.json", "x.json")
	// Files that grow or are written anew are not new.
	appendTo(t, filepath.Join(folder, "a.json"), line("5"))
	discover()
	if err := os.Remove(filepath.Join(folder, "a.json")); err != nil {
		t.Fatal(err)
	}
	discover()
	write(t, filepath.Join(folder, "a.json"), line("6"))
	discover() // nor is one that comes back
	if err := os.Symlink(filepath.Join(folder, "nowhere"), filepath.Join(folder, "link.json")); err != nil {
		t.Fatal(err)
	}
	discover()
	if err := os.Rename(folder, folder+"-away"); err != nil {
		t.Fatal(err)
	}
	discover()
	if err := os.Rename(folder+"-away", folder); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(folder, "d.json.xz"), "")
	if _, _, err := s.Discover(10); fault.Of(err) != fault.User {
		t.Errorf("an .xz file: %v", err)
	}
}

// What is written between the look at a file and the look at who has its name now is read too.
func TestFollowedFileGrowsBeforeItIsReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.jsonl")
	appendTo(t, path, line("1"))
	s := open(t, path, "source.follow", "true")
	splits, err := s.Open()
	if err != nil {
		t.Fatal(err)
	}
	var now clock
	if got := now.drain(t, s, splits[0]); !slices.Equal(got, []string{"1"}) {
		t.Fatalf("read %q", got)
	}
	f := splits[0].(*followed)
	looked, err := f.open.Stat()
	if err != nil {
		t.Fatal(err)
	}
	appendTo(t, path, line("2"))
	if err := os.Rename(path, path+".1"); err != nil {
		t.Fatal(err)
	}
	appendTo(t, path, line("3"))
	if chunk, wake, err := f.turn(int64(now), looked, false); chunk != nil || wake <= int64(now) || err != nil {
		t.Fatalf("turned to the new file: %v, %d, %v", chunk, wake, err)
	}
	if got := now.drain(t, s, splits[0]); !slices.Equal(got, []string{"2", "3"}) {
		t.Errorf("read %q", got)
	}
}
