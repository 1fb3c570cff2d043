package checkpoint

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/fault"
)

// made are the sections of checkpoint id in these tests.
func made(id int64) map[string][]byte {
	return map[string][]byte{
		"sources":    fmt.Appendf(nil, "offsets of %d", id),
		"empty":      nil,
		"operator/1": bytes.Repeat(fmt.Appendf(nil, "state of %d,", id), 100),
	}
}

func write(f *Folder, id int64) error {
	w, err := f.Begin(id)
	if err != nil {
		return err
	}
	for _, n := range []string{"sources", "empty", "operator/1"} {
		w.Add(n, made(id)[n])
	}
	return w.Commit()
}

func verify(t *testing.T, r *Reader) {
	t.Helper()
	if got := r.Sections(); !slices.Equal(got, []string{"sources", "empty", "operator/1"}) {
		t.Fatalf("sections %q", got)
	}
	for n, want := range made(r.ID) {
		if got, err := r.Section(n); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("section %s of checkpoint %d is %q, %v; want %q", n, r.ID, got, err, want)
		}
	}
}

// TestIdentity: a folder has one, and keeps it.
func TestIdentity(t *testing.T) {
	disk := Memory()
	f, err := Open(disk, 2)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Open(disk, 2)
	if err != nil {
		t.Fatal(err)
	}
	other, err := Open(Memory(), 2)
	if err != nil {
		t.Fatal(err)
	}
	if id := f.Identity(); len(id) != 16 || id != again.Identity() || id == other.Identity() {
		t.Errorf("a folder is called %q, then %q, and another %q", id, again.Identity(), other.Identity())
	}
}

// TestShown: what was noted of a checkpoint goes with it, and is not true of another with its number.
func TestShown(t *testing.T) {
	f, err := Open(Memory(), 2)
	if err != nil {
		t.Fatal(err)
	}
	for id := range int64(3) {
		if err := write(f, id+1); err != nil {
			t.Fatal(err)
		}
		f.Show(id + 1)
	}
	if f.Shown(1) || !f.Shown(2) || !f.Shown(3) || f.Shown(4) {
		t.Errorf("shown: %t, %t, %t, %t", f.Shown(1), f.Shown(2), f.Shown(3), f.Shown(4))
	}
	if err := f.Undo(3); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(f.IDs(), []int64{2}) {
		t.Errorf("behind checkpoint 3 there are %v", f.IDs())
	}
	if err := write(f, 3); err != nil {
		t.Fatal(err)
	}
	if f.Shown(3) {
		t.Error("a new checkpoint has the note of another")
	}
	if err := f.Undo(3); err != nil {
		t.Fatal(err)
	}
	if err := f.Undo(2); err == nil || !slices.Equal(f.IDs(), []int64{2}) {
		t.Errorf("the only checkpoint is undone, and not the first: %v, %v", err, f.IDs())
	}
}

// TestMissing: a file that was taken away is known by the note that its sinks had shown what it covers, if it was the newest; one that cannot be used is not missing.
func TestMissing(t *testing.T) {
	disk := newFaultyDisk(1)
	f, err := Open(disk, 3)
	if err != nil {
		t.Fatal(err)
	}
	for id := range int64(3) {
		if err := write(f, id+1); err != nil {
			t.Fatal(err)
		}
		f.Show(id + 1)
	}
	missing := func(want ...int64) {
		t.Helper()
		if f, err = Open(disk, 3); err != nil {
			t.Fatal(err)
		}
		all, err := f.Missing()
		var got []int64
		for _, d := range all {
			got = append(got, d.ID)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("missing: %v, %v; want %v", got, err, want)
		}
	}
	missing()
	delete(disk.files, name(1))
	missing()
	delete(disk.files, name(3))
	missing(3)
	delete(disk.files, name(2))
	missing(3, 2, 1)
	disk.files[name(3)+aside] = &inode{}
	missing(2, 1)
	if err := write(f, 2); err != nil {
		t.Fatal(err)
	}
	missing()
	disk.failAt = disk.calls + 1
	if _, err := f.Missing(); !errors.Is(err, errDisk) {
		t.Error(err)
	}
}

func TestNewestOfADirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "checkpoints")
	disk, err := Directory(dir)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Open(disk, 2)
	if err != nil {
		t.Fatal(err)
	}
	if r, passed, err := f.Newest(); r != nil || passed != nil || err != nil {
		t.Fatalf("an empty folder gives %v, %v, %v", r, passed, err)
	}
	for _, id := range []int64{1, 2, 5} {
		if err := write(f, id); err != nil {
			t.Fatal(err)
		}
	}
	w, err := f.Begin(6)
	if err != nil {
		t.Fatal(err)
	}
	w.Add("sources", []byte("half"))
	// The process dies here.

	if f, err = Open(disk, 2); err != nil {
		t.Fatal(err)
	}
	names, _ := disk.List()
	slices.Sort(names)
	if !slices.Equal(names, []string{"0000000000000002.checkpoint", "0000000000000005.checkpoint", "identity"}) {
		t.Fatalf("the folder has %q", names)
	}
	r, passed, err := f.Newest()
	if err != nil || passed != nil || r.ID != 5 {
		t.Fatalf("newest is %v, passed over %v, %v", r, passed, err)
	}
	verify(t, r)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestEveryByteIsGuarded changes every byte of a file in turn, and cuts it at every length: the checkpoint before is taken, and why is told.
func TestEveryByteIsGuarded(t *testing.T) {
	disk := newFaultyDisk(1)
	f, err := Open(disk, 2)
	if err != nil {
		t.Fatal(err)
	}
	for id := range int64(2) {
		if err := write(f, id+1); err != nil {
			t.Fatal(err)
		}
	}
	whole := slices.Clone(disk.files[name(2)].data)
	try := func(what string, data []byte) {
		disk.files[name(2)] = &inode{data: data}
		f, err := Open(disk, 2)
		if err != nil {
			t.Fatal(err)
		}
		r, passed, err := f.Newest()
		if err != nil || r.ID != 1 || len(passed) != 1 || passed[0].ID != 2 {
			t.Fatalf("%s: newest is %v, passed over %v, %v", what, r, passed, err)
		}
		if ids := f.IDs(); !slices.Equal(ids, []int64{1}) || disk.files[name(2)] != nil || disk.files[name(2)+aside] == nil {
			t.Fatalf("%s: checkpoints %v", what, ids)
		}
	}
	for i := range whole {
		b := slices.Clone(whole)
		b[i] ^= 0x40
		try(fmt.Sprintf("byte %d changed", i), b)
		try(fmt.Sprintf("cut to %d", i), whole[:i])
	}
	try("longer", append(slices.Clone(whole), 0))
	try("another one's", disk.files[name(1)].data)
	disk.files[name(2)] = &inode{data: whole}
	if f, err = Open(disk, 2); err != nil {
		t.Fatal(err)
	}
	if r, _, err := f.Newest(); err != nil || r.ID != 2 {
		t.Fatal(r, err)
	}
}

func TestNoneIsWhole(t *testing.T) {
	disk := newFaultyDisk(1)
	f, _ := Open(disk, 2)
	for id := range int64(2) {
		if err := write(f, id+1); err != nil {
			t.Fatal(err)
		}
	}
	disk.files[name(1)].data = disk.files[name(1)].data[:20]
	disk.files[name(2)].data = []byte("something else that is as long as it must be at least")
	_, passed, err := f.Newest()
	if err == nil || fault.Of(err) != fault.Resource || len(passed) != 2 {
		t.Fatal(passed, err)
	}
	want := "no checkpoint can be used: checkpoint 2 (0000000000000002.checkpoint) cannot be used: it is not a checkpoint; " +
		"checkpoint 1 (0000000000000001.checkpoint) cannot be used: it is cut off; to begin anew, and write everything again, remove the files"
	if err.Error() != want {
		t.Errorf("got  %s\nwant %s", err, want)
	}
}

func TestNewerVersion(t *testing.T) {
	disk := newFaultyDisk(1)
	f, _ := Open(disk, 2)
	if err := write(f, 1); err != nil {
		t.Fatal(err)
	}
	disk.files[name(1)].data[8] = version + 1
	if _, err := f.Read(1); err == nil || !strings.Contains(err.Error(), "it was written by a newer one") {
		t.Fatal(err)
	}
}

// TestEveryCallFails has each call to the disk fail in turn, with or without effect, alone or with all that follow, and the power go afterwards. What was
// committed is there, and what is there is whole.
func TestEveryCallFails(t *testing.T) {
	for seed := range uint64(200) {
		for failAt := 1; ; failAt++ {
			disk := newFaultyDisk(seed)
			disk.dead = seed%2 == 0
			f, err := Open(disk, 2)
			if err != nil {
				t.Fatal(err)
			}
			disk.calls, disk.failAt = 0, failAt
			committed := int64(0)
			for id := int64(1); id <= 4; id++ {
				if write(f, id) == nil {
					committed = id
				}
			}
			reached := disk.calls >= failAt
			if seed%4 < 2 {
				disk.losePower()
			}
			disk.failAt = 0
			if f, err = Open(disk, 2); err != nil {
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
				verify(t, r)
				// What was begun from is there after a loss of power as well.
				disk.losePower()
				if f, err = Open(disk, 2); err != nil {
					t.Fatal(err)
				}
				if again, _, err := f.Newest(); err != nil || again == nil || again.ID != r.ID {
					t.Fatalf("seed %d, call %d: begun from %d, and after a loss of power there is %v, %v", seed, failAt, r.ID, again, err)
				}
			}
			if !reached {
				break
			}
		}
	}
}

func TestErrorsOfTheDisk(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Directory(filepath.Join(dir, "file")); err == nil {
		t.Error("a file is no folder")
	}
	disk, err := Directory(dir)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Open(disk, 2)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Read(3); !errors.Is(err, fs.ErrNotExist) || fault.Of(err) != fault.External {
		t.Error(err)
	}
}

func FuzzRead(f *testing.F) {
	disk := newFaultyDisk(1)
	folder, _ := Open(disk, 1)
	if err := write(folder, 1); err != nil {
		f.Fatal(err)
	}
	f.Add(disk.files[name(1)].data)
	f.Add(append(header(7), (&contents{origin: origin{1, 7}}).tail(headerSize)...))
	f.Fuzz(func(t *testing.T, data []byte) {
		disk := newFaultyDisk(1)
		disk.files[name(1)] = &inode{data: data}
		folder, err := Open(disk, 1)
		if err != nil {
			t.Fatal(err)
		}
		r, passed, err := folder.Newest()
		if (err == nil) != (r != nil) || (err != nil) != (len(passed) == 1) {
			t.Fatalf("newest is %v, passed over %v, %v", r, passed, err)
		}
	})
}

// TestGoneMeanwhile: a checkpoint that somebody removes while the statement runs is passed over when it is tried again, and told; the next one refers to nothing of it.
func TestGoneMeanwhile(t *testing.T) {
	disk := newFaultyDisk(1)
	f, err := Open(disk, 3)
	if err != nil {
		t.Fatal(err)
	}
	for id := range int64(3) {
		if err := write(f, id+1); err != nil {
			t.Fatal(err)
		}
	}
	delete(disk.files, name(3))
	r, passed, err := f.Newest()
	if err != nil || r.ID != 2 || len(passed) != 1 || *passed[0] != *missing(3) || !slices.Equal(f.IDs(), []int64{1, 2}) {
		t.Fatalf("%v, passed over %v, %v left: %v", r, passed, f.IDs(), err)
	}
	r.Close()
	if err := write(f, 3); err != nil {
		t.Fatal(err)
	}
	if r, passed, err = f.Newest(); err != nil || r.ID != 3 || len(passed) > 0 {
		t.Fatalf("%v, passed over %v: %v", r, passed, err)
	}
	r.Close()
	for id := range int64(3) {
		delete(disk.files, name(id+1))
	}
	if r, passed, err = f.Newest(); r != nil || len(passed) != 3 || fault.Of(err) != fault.Resource || !strings.Contains(err.Error(), "no checkpoint can be used") {
		t.Errorf("%v, passed over %v: %v", r, passed, err)
	}
}
