package checkpoint

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/tidemark-sql/tidemark/internal/fault"
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

// TestSharing has a statement take checkpoints, fail, die and lose power at random, against the model: what was committed is there, every checkpoint that is kept is whole whoever looks, and room is bounded.
func TestSharing(t *testing.T) {
	var elsewhere int64
	var renamed, anew int
	for seed := range *lives {
		rng := rand.New(rand.NewPCG(seed, 13))
		w, disk, keep := newWorld(rng), newFaultyDisk(seed), 1+rng.IntN(3)
		f, err := small(disk, keep)
		if err != nil {
			t.Fatal(err)
		}
		id, committed := int64(0), []int64(nil) // those that are to be there
		logical := map[int64]int64{}
		for step := range 120 {
			fatal := func(format string, args ...any) {
				t.Helper()
				t.Fatalf("seed %d, step %d, checkpoint %d: %s", seed, step, id, fmt.Sprintf(format, args...))
			}
			if rng.IntN(4) == 0 {
				disk.failAt, disk.dead = disk.calls+1+rng.IntN(60), rng.IntN(2) == 0
			}
			for range 1 + rng.IntN(4) {
				w.change()
				id++
				if err := w.write(f, id); err != nil {
					if !errors.Is(err, errDisk) {
						fatal("%v", err)
					}
					continue
				}
				committed = newest(append(committed, id), keep)
				anew += len(f.held.sparse)
			}
			failed := disk.failAt > 0 && disk.calls >= disk.failAt
			disk.failAt = 0
			if failed || rng.IntN(12) == 0 {
				if rng.IntN(2) == 0 {
					disk.losePower()
				}
				if f, err = small(disk, keep); err != nil {
					fatal("%v", err)
				}
				r, passed, err := f.Newest()
				if err != nil || len(passed) > 0 {
					fatal("passed over %v, %v", passed, err)
				}
				last := int64(0)
				if len(committed) > 0 {
					last = committed[len(committed)-1]
				}
				if r == nil {
					if last > 0 {
						fatal("%v were committed and none is there", committed)
					}
					clear(w.sections)
					clear(w.runs)
					id = 0
					continue
				}
				if r.ID < last {
					fatal("the newest is %d, and %d was committed", r.ID, last)
				}
				all, err := w.read(r)
				if err != nil {
					fatal("%v", err)
				}
				r.Close()
				w.become(all)
				if id = r.ID; id > last {
					committed = newest(append(committed, id), keep)
				}
			}
			// Whoever looks finds all that are kept.
			l, err := Look(disk)
			if err != nil {
				fatal("%v", err)
			}
			for _, kept := range committed {
				if !slices.Contains(l.IDs, kept) {
					fatal("%v are there, and %v were committed", l.IDs, committed)
				}
				r, err := Read(disk, kept)
				if err != nil {
					fatal("%v", err)
				}
				if _, err := w.read(r); err != nil {
					fatal("%v", err)
				}
				n, files := r.Elsewhere()
				if elsewhere += n; files > mostFiles {
					fatal("%d files are referred to", files)
				}
				logical[kept] = 0
				for _, s := range r.Sections() {
					logical[kept] += r.Length(s)
				}
				r.Close()
			}
			renamed += len(l.shared)
			if !failed && len(l.IDs) > keep && len(committed) >= keep && f.held != nil {
				fatal("%v are there, and %d are to be kept", l.IDs, keep)
			}
			if rng.IntN(10) == 0 && len(committed) > 1 && keep > 1 && len(f.IDs()) > 1 && f.IDs()[len(f.IDs())-1] == committed[len(committed)-1] {
				if err := f.Undo(id); err == nil {
					committed = committed[:len(committed)-1]
					r, _, err := f.Newest()
					if err != nil {
						fatal("%v", err)
					}
					all, err := w.read(r)
					if err != nil {
						fatal("%v", err)
					}
					r.Close()
					w.become(all)
					id = r.ID
				}
			}
		}
	}
	if elsewhere == 0 || renamed == 0 || anew == 0 {
		t.Errorf("nothing was tried: %d bytes elsewhere, %d files renamed, %d written anew", elsewhere, renamed, anew)
	}
}

func newest(ids []int64, keep int) []int64 { return ids[max(len(ids)-keep, 0):] }

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

var lives = flag.Uint64("lives", 40, "how many statements TestSharing has live")

var update = flag.Bool("update", false, "write files of versions that have none")

// TestFilesOfVersions reads the files of the folder of each version that can refer to others, written when it was the newest. Version 1 is read in testdata/state of the project.
func TestFilesOfVersions(t *testing.T) {
	files, _, w := sharers(t)
	for v := firstVersion + 1; v <= version; v++ {
		dir := fmt.Sprintf("testdata/version-%d", v)
		if _, err := os.Stat(dir); err != nil && *update && v == version {
			if err := os.MkdirAll(dir, 0o777); err != nil {
				t.Fatal(err)
			}
			for n, x := range files.files {
				if n == identity {
					continue
				}
				if err := os.WriteFile(filepath.Join(dir, n), x.data, 0o666); err != nil {
					t.Fatal(err)
				}
			}
		}
		for id := int64(3); id <= 4; id++ {
			r, err := Read(Browse(dir), id)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.read(r); err != nil {
				t.Error(err)
			}
			if n, files := r.Elsewhere(); n == 0 || files == 0 {
				t.Errorf("checkpoint %d of %s refers to no other file", id, dir)
			}
			r.Close()
		}
	}
}

// TestDamageElsewhere changes every byte of a file that is referred to, and cuts it at every length: those that refer to that byte are damaged, and say so; the others are not.
func TestDamageElsewhere(t *testing.T) {
	disk, _, w := sharers(t)
	r, err := Read(disk, 4)
	if err != nil {
		t.Fatal(err)
	}
	used := make([]bool, len(disk.files[name(1)+shared].data))
	for i := range headerSize {
		used[i] = i < 12 || i >= oldHeaderSize // what is zero is not looked at
	}
	last := 0
	for _, s := range r.sections {
		for _, e := range s.extents {
			if e.file == 1 {
				for i := e.offset; i < e.end(); i++ {
					used[i] = true
				}
				last = max(last, int(e.end()))
			}
		}
	}
	whole := disk.files[name(1)+shared].data
	try := func(data []byte) (why string) {
		disk.files[name(1)+shared] = &inode{data: data}
		r, err := Read(disk, 4)
		if err == nil {
			_, err = w.read(r)
			r.Close()
		}
		if d := (*Damaged)(nil); errors.As(err, &d) {
			return d.Why
		} else if err != nil {
			t.Fatal(err)
		}
		return ""
	}
	for i := range whole {
		b := slices.Clone(whole)
		b[i] ^= 0x40
		if got := try(b); (got != "") != used[i] || got != "" && !strings.HasPrefix(got, "the file of checkpoint 1, which it refers to, ") {
			t.Fatalf("byte %d, used: %t: %q", i, used[i], got)
		}
		want := ""
		if i < headerSize {
			want = "the file of checkpoint 1, which it refers to, is not the one that was written"
		} else if i < last {
			want = "the file of checkpoint 1, which it refers to, is cut off"
		}
		if got := try(whole[:i]); got != want {
			t.Fatalf("cut to %d: %q, want %q", i, got, want)
		}
	}
	// Both that are kept refer to it, so none can be used.
	b := slices.Clone(whole)
	b[headerSize+10] ^= 1
	disk.files[name(1)+shared] = &inode{data: b}
	f, err := small(disk, 2)
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = f.Newest()
	want := "no checkpoint can be used: checkpoint 4 (0000000000000004.checkpoint) cannot be used: the file of checkpoint 1, which it refers to, has changed since it was written; " +
		"checkpoint 3 (0000000000000003.checkpoint) cannot be used: the file of checkpoint 1, which it refers to, has changed since it was written; to begin anew, and write everything again, remove the files"
	if err == nil || err.Error() != want || fault.Of(err) != fault.Resource {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	// Another file under that name is not taken for it, and none is said to be missing.
	disk.files[name(1)+shared] = &inode{data: slices.Clone(disk.files[name(2)+shared].data)}
	if _, err := Read(disk, 4); err == nil || !strings.Contains(err.Error(), "the file of checkpoint 1, which it refers to, is not the one that was written") {
		t.Error(err)
	}
	delete(disk.files, name(1)+shared)
	if _, err := Read(disk, 4); err == nil || !strings.Contains(err.Error(), "the file of checkpoint 1, which it refers to, is not there") {
		t.Error(err)
	}
}

// TestDamagedNewestIsNotShared: a file that was passed over has nothing that later checkpoints refer to.
func TestDamagedNewestIsNotShared(t *testing.T) {
	disk, f, w := sharers(t)
	disk.files[name(4)].data[headerSize+1] ^= 1
	r, passed, err := f.Newest()
	if err != nil || len(passed) != 1 || r.ID != 3 {
		t.Fatal(r, passed, err)
	}
	all, err := w.read(r)
	if err != nil {
		t.Fatal(err)
	}
	w.become(all)
	for id := int64(4); id < 8; id++ {
		if err := w.write(f, id); err != nil {
			t.Fatal(err)
		}
		r, err := f.Read(id)
		if err != nil {
			t.Fatal(err)
		}
		if _, files := r.Elsewhere(); id == 4 && files > 0 {
			t.Errorf("checkpoint 4 refers to %v", r.others)
		}
		if _, err := w.read(r); err != nil {
			t.Fatal(err)
		}
	}
	if n := slices.Sorted(maps.Keys(disk.files)); !slices.Contains(n, name(4)+aside) || slices.Contains(n, name(1)+shared) {
		t.Errorf("there are %v", n)
	}
}

// TestRemovedByAPerson: a file that somebody has removed is not referred to by the next checkpoint.
func TestRemovedByAPerson(t *testing.T) {
	disk, f, w := sharers(t)
	delete(disk.files, name(1)+shared)
	if err := w.write(f, 5); err != nil {
		t.Fatal(err)
	}
	r, err := f.Read(5)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.read(r); err != nil {
		t.Error(err)
	}
}

// TestEveryCallFailsWithSharing has each call to the disk fail in turn while five checkpoints share what they have, as TestEveryCallFails does.
func TestEveryCallFailsWithSharing(t *testing.T) {
	shares := false
	for seed := range uint64(24) {
		for failAt := 1; ; failAt++ {
			w, disk := newWorld(rand.New(rand.NewPCG(seed, 1))), newFaultyDisk(seed)
			disk.dead = seed%2 == 0
			f, err := small(disk, 1+int(seed/4%2))
			if err != nil {
				t.Fatal(err)
			}
			disk.calls, disk.failAt = 0, failAt
			committed := int64(0)
			w.sections["section/0"], w.runs["run/a"] = w.bytes(5000), w.bytes(2000)
			for id := int64(1); id <= 5; id++ {
				if id == 4 {
					w.sections["section/0"] = w.sections["section/0"][3000:]
				}
				w.sections["section/0"] = append(w.sections["section/0"], w.bytes(500)...)
				if w.write(f, id) == nil {
					committed = id
				}
			}
			reached := disk.calls >= failAt
			if seed%4 < 2 {
				disk.losePower()
			}
			disk.failAt = 0
			if f, err = small(disk, 2); err != nil {
				t.Fatalf("seed %d, call %d: %v", seed, failAt, err)
			}
			r, passed, err := f.Newest()
			if err != nil || len(passed) > 0 {
				t.Fatalf("seed %d, call %d: passed over %v, %v", seed, failAt, passed, err)
			}
			if r == nil && committed > 0 || r != nil && r.ID < committed {
				t.Fatalf("seed %d, call %d: checkpoint %d was committed, and the newest is %v", seed, failAt, committed, r)
			}
			if r != nil {
				if _, err := w.read(r); err != nil {
					t.Fatalf("seed %d, call %d: %v", seed, failAt, err)
				}
				n, _ := r.Elsewhere()
				shares = shares || n > 0
			}
			// The next one takes away what nobody refers to any more.
			if err := w.write(f, 6); err != nil {
				t.Fatal(err)
			}
			if err := w.write(f, 7); err != nil {
				t.Fatal(err)
			}
			if n := len(f.shared) + len(f.ids); n > 2+len(f.held.tags) || len(disk.files) > n+2 {
				t.Fatalf("seed %d, call %d: there are %v", seed, failAt, slices.Sorted(maps.Keys(disk.files)))
			}
			if !reached {
				break
			}
		}
	}
	if !shares {
		t.Error("nothing was shared")
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

// between is a shelf on which something happens before the call that is numbered at.
type between struct {
	Shelf
	calls, at int
	happens   func()
}

func (b *between) Open(name string) (Readable, error) {
	if b.calls++; b.calls == b.at {
		b.happens()
	}
	return b.Shelf.Open(name)
}

// TestWhoLooksMeanwhile reads checkpoints while others are written at any call of the reader, and at any call of the writer: a checkpoint is whole, or is not there any more.
func TestWhoLooksMeanwhile(t *testing.T) {
	gone := 0
	for at := 1; ; at++ {
		disk, f, w := sharers(t)
		for id := int64(3); id <= 4; id++ {
			s := &between{Shelf: disk, at: at, happens: func() {
				for range 3 {
					w.change()
					w.runs = map[string][]byte{}
					if err := w.write(f, f.IDs()[len(f.IDs())-1]+1); err != nil {
						t.Fatal(err)
					}
				}
			}}
			r, err := Read(s, id)
			switch {
			case errors.Is(err, fs.ErrNotExist):
				gone++
			case err != nil:
				t.Fatalf("call %d: %v", at, err)
			default:
				if _, err := w.read(r); err != nil {
					t.Fatalf("call %d: %v", at, err)
				}
				r.Close()
			}
			if s.calls < at && id == 4 {
				if gone == 0 {
					t.Error("no checkpoint was removed meanwhile")
				}
				return
			}
		}
	}
}

// TestWhoLooksAtEveryCall has somebody look at every call of a writer.
func TestWhoLooksAtEveryCall(t *testing.T) {
	w, disk := newWorld(rand.New(rand.NewPCG(5, 5))), newFaultyDisk(1)
	looked, looking := 0, false
	disk.called = func() {
		if looking {
			return
		}
		looking = true
		defer func() { looking = false }()
		looked++
		l, err := Look(disk)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range l.IDs {
			r, err := Read(disk, id)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.read(r); err != nil {
				t.Fatal(err)
			}
			r.Close()
		}
	}
	f, err := small(disk, 2)
	if err != nil {
		t.Fatal(err)
	}
	for id := int64(1); id <= 60; id++ {
		w.change()
		if err := w.write(f, id); err != nil {
			t.Fatal(err)
		}
	}
	if looked < 600 {
		t.Errorf("looked %d times", looked)
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

// FuzzReadSharing reads a checkpoint with any table of contents, under the right checksum and in both versions, and any bytes as a file that it refers to.
func FuzzReadSharing(f *testing.F) {
	disk, _, _ := sharers(f)
	whole := disk.files[name(4)].data
	end := len(whole) - footerSize
	begin := end - int(binary.LittleEndian.Uint32(whole[end+4:]))
	f.Add(whole[headerSize:begin], whole[begin:end], binary.LittleEndian.Uint32(whole[end:]), uint32(version), disk.files[name(1)+shared].data)
	f.Add([]byte("abc"), append(append([]byte{1, 0, 'a', 16, 0, 0, 0, 0, 0, 0, 0, 3}, make([]byte, 7)...), 0xb7, 0x3f, 0x4b, 0x36), uint32(1), uint32(firstVersion), []byte(nil))
	f.Fuzz(func(t *testing.T, own, index []byte, count, v uint32, older []byte) {
		file := binary.LittleEndian.AppendUint32([]byte(magic), v)
		file = append(file, make([]byte, 4)...)
		if v != firstVersion {
			file = append(file, whole[oldHeaderSize:headerSize]...)
		}
		head := len(file)
		file = append(append(file, own...), index...)
		foot := binary.LittleEndian.AppendUint32(nil, count)
		foot = binary.LittleEndian.AppendUint32(foot, uint32(len(index)))
		foot = binary.LittleEndian.AppendUint64(foot, uint64(head+len(own)))
		foot = binary.LittleEndian.AppendUint64(foot, 4)
		sum := crc32.Update(crc32.Update(crc32.Checksum(file[:head], castagnoli), castagnoli, index), castagnoli, foot)
		file = append(append(append(file, foot...), binary.LittleEndian.AppendUint32(nil, sum)...), ending...)
		disk.files[name(4)] = &inode{data: file}
		disk.files[name(1)+shared] = &inode{data: older}
		r, err := Read(disk, 4)
		if d := (*Damaged)(nil); err != nil && !errors.As(err, &d) {
			t.Fatal(err)
		}
		if err != nil {
			return
		}
		defer r.Close()
		checked, all := r.Check(), int64(0)
		for i, n := range r.Sections() {
			if _, err := r.Section(n); err != nil && checked == nil {
				t.Fatal(err)
			}
			all += r.sections[i].length()
		}
		if room := len(file) + len(older) + len(disk.files[name(2)+shared].data) + len(disk.files[name(3)].data); all > int64(room) {
			t.Errorf("%d bytes are said to be in %d", all, room)
		}
	})
}
