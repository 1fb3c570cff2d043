package checkpoint

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// TestStreams writes sections of any length piece by piece, among others, and reads them in both ways. One that has changed is told at its end.
func TestStreams(t *testing.T) {
	for _, n := range []int{0, 1, 100, 256 << 10, 1_000_000} {
		disk := newFaultyDisk(1)
		f, err := Open(disk, 1)
		if err != nil {
			t.Fatal(err)
		}
		w, err := f.Begin(1)
		if err != nil {
			t.Fatal(err)
		}
		data := bytes.Repeat([]byte("seven b"), n/7+1)[:n]
		w.Add("before", []byte("x"))
		if err := w.AddStream("stream", iotest.HalfReader(bytes.NewReader(data))); err != nil {
			t.Fatal(err)
		}
		w.Add("behind", data)
		if err := w.Commit(); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"stream", "behind"} {
			r, err := f.Read(1)
			if err != nil {
				t.Fatal(err)
			}
			whole, err := r.Section(name)
			if err != nil || !bytes.Equal(whole, data) || r.Length(name) != int64(n) {
				t.Fatalf("%d bytes, %v, want %d", len(whole), err, n)
			}
			s, err := r.Stream(name)
			if err != nil {
				t.Fatal(err)
			}
			pieces, err := io.ReadAll(iotest.OneByteReader(s))
			if err != nil || !bytes.Equal(pieces, data) {
				t.Fatalf("%d bytes in pieces, %v, want %d", len(pieces), err, n)
			}
		}
		if n == 0 {
			continue
		}
		file := disk.files[name(1)]
		file.data = slices.Clone(file.data)
		file.data[headerSize+1+n/2] ^= 1 // in the stream
		r, err := f.Read(1)
		if err != nil {
			t.Fatal(err)
		}
		s, err := r.Stream("stream")
		if err != nil {
			t.Fatal(err)
		}
		var d *Damaged
		if got, err := io.ReadAll(s); !errors.As(err, &d) || !strings.Contains(err.Error(), "'stream'") || len(got) != n {
			t.Errorf("of a stream that has changed %d bytes are read: %v", len(got), err)
		}
		if _, err := r.Stream("none"); !errors.As(err, &d) {
			t.Error(err)
		}
	}
}

// TestStreamsThatFail tells what was wrong with what was to be written.
func TestStreamsThatFail(t *testing.T) {
	f, err := Open(Memory(), 1)
	if err != nil {
		t.Fatal(err)
	}
	w, err := f.Begin(1)
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	if err := w.AddStream("stream", io.MultiReader(strings.NewReader("some"), iotest.ErrReader(broken))); !errors.Is(err, broken) {
		t.Error(err)
	}
	w.Abort()
	if r, _, err := f.Newest(); r != nil || err != nil {
		t.Error(r, err)
	}
}
