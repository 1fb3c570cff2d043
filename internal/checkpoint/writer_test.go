package checkpoint

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// TestRoom: of what a folder holds, at least half is in use, but for what the last checkpoint has let go.
func TestRoom(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 14))
		w, disk, keep := newWorld(rng), newFaultyDisk(seed), 1+rng.IntN(3)
		f, err := small(disk, keep)
		if err != nil {
			t.Fatal(err)
		}
		var bounds []int64 // of the checkpoints, what their own files and those that they refer to may take
		before := int64(0)
		for id := int64(1); id <= 200; id++ {
			w.change()
			if err := w.write(f, id); err != nil {
				t.Fatal(err)
			}
			own := int64(len(disk.files[name(id)].data))
			bounds = append(bounds, own+2*before)
			before = 0
			for _, b := range w.given[id][0] {
				before += int64(len(b))
			}
			took, bound := int64(0), int64(0)
			for n, x := range disk.files {
				if n != identity {
					took += int64(len(x.data))
				}
			}
			for _, b := range newest(bounds, keep) {
				bound += b
			}
			if took > bound {
				t.Fatalf("seed %d: %d checkpoints of %d bytes take %d, and at most %d", seed, keep, before, took, bound)
			}
		}
	}
}

// TestManyFiles appends a little many times: the number of files is bounded, and what is written for that is not much.
func TestManyFiles(t *testing.T) {
	w, disk := newWorld(rand.New(rand.NewPCG(1, 1))), newFaultyDisk(1)
	f, err := small(disk, 2)
	if err != nil {
		t.Fatal(err)
	}
	written, state := 0, 0
	for id := int64(1); id <= 1000; id++ {
		w.runs[fmt.Sprintf("run/%d", id)] = w.bytes(20_000)
		state += 20_000
		if err := w.write(f, id); err != nil {
			t.Fatal(err)
		}
		if len(f.held.tags)-1 > mostFiles || len(disk.files) > mostFiles+3 {
			t.Fatalf("checkpoint %d refers to %d files, of %d", id, len(f.held.tags)-1, len(disk.files))
		}
		written += len(disk.files[name(id)].data)
		delete(w.given, id-2)
	}
	if written > 4*state {
		t.Errorf("%d bytes were written for a state of %d", written, state)
	}
	r, _, err := f.Newest()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.read(r); err != nil {
		t.Error(err)
	}
}

// TestWhole: nothing is shared, and what was needed for that goes.
func TestWhole(t *testing.T) {
	disk, f, w := sharers(t)
	f.Whole()
	for id := int64(5); id < 8; id++ {
		if err := w.write(f, id); err != nil {
			t.Fatal(err)
		}
		r, err := f.Read(id)
		if err != nil {
			t.Fatal(err)
		}
		if _, files := r.Elsewhere(); files > 0 {
			t.Errorf("checkpoint %d refers to %v", id, r.others)
		}
		if _, err := w.read(r); err != nil {
			t.Error(err)
		}
		r.Close()
	}
	if n := slices.Sorted(maps.Keys(disk.files)); !slices.Equal(n, []string{name(6), name(7), identity}) {
		t.Errorf("there are %v", n)
	}
}

// TestNothingIsReadTwice: a section of an identity is asked for once.
func TestNothingIsReadTwice(t *testing.T) {
	_, _, w := sharers(t)
	if w.opened != 2 {
		t.Errorf("%d runs were read, of 2", w.opened)
	}
}

// TestStreamsThatFail: an error of what a section is made of, and a length that is not what was said, end the checkpoint.
func TestStreamsThatFail(t *testing.T) {
	wrong := errors.New("wrong")
	for _, c := range []struct {
		data io.Reader
		want string
	}{
		{io.MultiReader(strings.NewReader("ab"), iotest.ErrReader(wrong)), "write checkpoint 1: read what section 'run' is made of: wrong"},
		{strings.NewReader("ab"), "write checkpoint 1: section 'run' is 2 bytes long, and should be 3"},
		{strings.NewReader("abcd"), "write checkpoint 1: section 'run' is 4 bytes long, and should be 3"},
	} {
		disk := Memory()
		f, err := Open(disk, 1)
		if err != nil {
			t.Fatal(err)
		}
		w, err := f.Begin(1)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.AddShared("run", "run", 3, func() io.ReadCloser { return io.NopCloser(c.data) }); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
		if err := w.Commit(); err == nil || len(f.IDs()) > 0 {
			t.Errorf("committed: %v", err)
		}
	}
}

// TestAnotherSize: a section that has grown under its identity is another one.
func TestAnotherSize(t *testing.T) {
	f, err := Open(Memory(), 2)
	if err != nil {
		t.Fatal(err)
	}
	for id, data := range []string{"ab", "ab", "abc"} {
		w, err := f.Begin(int64(id + 1))
		if err != nil {
			t.Fatal(err)
		}
		if err := w.AddShared("run", "run", int64(len(data)), func() io.ReadCloser { return io.NopCloser(strings.NewReader(data)) }); err != nil {
			t.Fatal(err)
		}
		if err := w.Commit(); err != nil {
			t.Fatal(err)
		}
		r, err := f.Read(int64(id + 1))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := r.Section("run"); err != nil || string(got) != data {
			t.Errorf("%q, %v, want %q", got, err, data)
		}
	}
}

// TestHabits: a section of which nothing is found is looked at twice in thirty-two checkpoints, one of which most is found every time.
func TestHabits(t *testing.T) {
	var h habit
	looked := 0
	for range 320 {
		if h.rest > 0 {
			h.rest--
			continue
		}
		looked++
		h.found(0, 100)
	}
	if looked > 28 {
		t.Errorf("looked %d times", looked)
	}
	h = habit{}
	for range 100 {
		if h.found(25, 100); h.rest > 0 {
			t.Fatal("one that is worth it rests")
		}
	}
}

// TestCut: blocks are within their bounds, and are found again behind a change.
func TestCut(t *testing.T) {
	w := newWorld(rand.New(rand.NewPCG(1, 1)))
	data := w.bytes(8 << 20)
	cut := func(b []byte) map[string]bool {
		all := map[string]bool{}
		for len(b) > 0 {
			n := blocks.cut(b)
			if n > blocks.most || n < blocks.least && n < len(b) {
				t.Fatalf("a block of %d bytes", n)
			}
			all[string(b[:n])] = true
			b = b[n:]
		}
		return all
	}
	whole := cut(data)
	if n := len(whole); n < 100 || n > 160 {
		t.Errorf("8 MB are %d blocks", n)
	}
	found := 0
	for b := range cut(data[1_000_001:]) {
		if whole[b] {
			found += len(b)
		}
	}
	if found < 6<<20 {
		t.Errorf("of 7 MB only %d bytes are found again", found)
	}
	cut(make([]byte, 1<<20))
}
