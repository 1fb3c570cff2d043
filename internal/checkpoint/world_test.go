package checkpoint

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// small blocks let little state be shared.
func small(disk Disk, keep int) (*Folder, error) {
	f, err := Open(disk, keep)
	if f != nil {
		f.blocks, f.worthwhile = cutter{least: 512, most: 4096, rare: 1<<8 - 1}, 2048
	}
	return f, err
}

// world is the naive model of a statement: its state, sections that change and runs that come and go, and all that was ever given to a checkpoint.
type world struct {
	rng      *rand.Rand
	sections map[string][]byte
	runs     map[string][]byte
	given    map[int64][]map[string][]byte // by checkpoint, each time
	made     int
	opened   int // runs that were read
}

func newWorld(rng *rand.Rand) *world {
	return &world{rng: rng, sections: map[string][]byte{}, runs: map[string][]byte{}, given: map[int64][]map[string][]byte{}}
}

func (w *world) bytes(n int) []byte {
	b := make([]byte, n)
	for i := 0; i < n; i += 8 {
		var x [8]byte
		binary.LittleEndian.PutUint64(x[:], w.rng.Uint64())
		copy(b[i:], x[:])
	}
	return b
}

// change makes the state another one: what is old leaves at the front, what is new comes at the end, and now and then something in between changes, or everything does.
func (w *world) change() {
	for i := range 3 {
		n := fmt.Sprintf("section/%d", i)
		b := slices.Clone(w.sections[n])
		switch w.rng.IntN(6) {
		case 0:
		case 1:
			b = b[w.rng.IntN(len(b)/4+1):]
		case 2:
			at := w.rng.IntN(len(b) + 1)
			b = slices.Insert(b, at, w.bytes(w.rng.IntN(300))...)
		case 3:
			if len(b) > 0 {
				at := w.rng.IntN(len(b))
				copy(b[at:], w.bytes(w.rng.IntN(500)))
			}
		case 4:
			b = append(b, w.bytes(w.rng.IntN(6000))...)
		case 5:
			if w.rng.IntN(10) == 0 {
				b = w.bytes(w.rng.IntN(40000))
			} else if len(b) > 5000 { // the same bytes twice
				b = append(b, b[:w.rng.IntN(5000)]...)
			}
		}
		w.sections[n] = b[:min(len(b), 100_000)]
	}
	if w.rng.IntN(2) == 0 {
		w.made++
		w.runs[fmt.Sprintf("run/%d/%d", w.made, w.rng.Uint64())] = w.bytes(w.rng.IntN(20_000))
	}
	for _, n := range slices.Sorted(maps.Keys(w.runs)) {
		if w.rng.IntN(8) == 0 {
			delete(w.runs, n)
		}
	}
}

// writes writes a checkpoint and reads back what was written.
func (w *world) writes(t *testing.T, f *Folder, id int64) {
	t.Helper()
	if err := w.write(f, id); err != nil {
		t.Fatal(err)
	}
	r, err := f.Read(id)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.read(r); err != nil {
		t.Error(err)
	}
}

// write gives the state to checkpoint id.
func (w *world) write(f *Folder, id int64) error {
	x, err := f.Begin(id)
	if err != nil {
		return err
	}
	all := map[string][]byte{"statement": fmt.Appendf(nil, "%d", id)}
	maps.Copy(all, w.sections)
	maps.Copy(all, w.runs)
	w.given[id] = append(w.given[id], all)
	x.Add("statement", all["statement"])
	for _, n := range slices.Sorted(maps.Keys(w.sections)) {
		x.Add(n, w.sections[n])
	}
	for _, n := range slices.Sorted(maps.Keys(w.runs)) {
		err := x.AddShared(n, n, int64(len(w.runs[n])), func() io.ReadCloser {
			w.opened++
			return io.NopCloser(bytes.NewReader(w.runs[n]))
		})
		if err != nil {
			return err
		}
	}
	return x.Commit()
}

// read wants a checkpoint to have what it was given at some time.
func (w *world) read(r *Reader) (map[string][]byte, error) {
	got := map[string][]byte{}
	for _, n := range r.Sections() {
		b, err := r.Section(n)
		if err != nil {
			return nil, err
		}
		if int64(len(b)) != r.Length(n) {
			return nil, fmt.Errorf("section %s of checkpoint %d has %d bytes, and says %d", n, r.ID, len(b), r.Length(n))
		}
		got[n] = b
	}
	if !slices.ContainsFunc(w.given[r.ID], func(given map[string][]byte) bool { return maps.EqualFunc(given, got, bytes.Equal) }) {
		return nil, fmt.Errorf("checkpoint %d has what it was never given", r.ID)
	}
	return got, nil
}

// become goes on from what a checkpoint has.
func (w *world) become(all map[string][]byte) {
	clear(w.sections)
	clear(w.runs) // which get other names in another life
	for n, b := range all {
		switch {
		case strings.HasPrefix(n, "section/"):
			w.sections[n] = b
		case strings.HasPrefix(n, "run/"):
			w.made++
			w.runs[fmt.Sprintf("run/%d/%d", w.made, w.rng.Uint64())] = b
		}
	}
}

// sharers is a folder in which checkpoint 4 is in the files of 1, 2 and 4, and so is 3, without 4.
func sharers(t testing.TB) (*faultyDisk, *Folder, *world) {
	w, disk := newWorld(rand.New(rand.NewPCG(1, 1))), newFaultyDisk(1)
	f, err := small(disk, 2)
	if err != nil {
		t.Fatal(err)
	}
	w.sections["section/0"] = w.bytes(6000)
	w.runs["run/a"] = w.bytes(3000)
	for id := range int64(4) {
		if id == 1 {
			w.runs["run/b"] = w.bytes(4000)
		}
		w.sections["section/0"] = append(w.sections["section/0"], w.bytes(50)...)
		if err := w.write(f, id+1); err != nil {
			t.Fatal(err)
		}
	}
	for _, n := range []string{name(1) + shared, name(2) + shared, name(3), name(4)} {
		if disk.files[n] == nil {
			t.Fatalf("%s is not there, but %v", n, slices.Sorted(maps.Keys(disk.files)))
		}
	}
	return disk, f, w
}
