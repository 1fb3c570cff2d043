package checkpoint

import (
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"hash/crc32"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/fault"
)

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

// TestAnotherWithItsNumber: what was undone or set aside is not shared, also if a later attempt at its number has left a file that could not be removed.
func TestAnotherWithItsNumber(t *testing.T) {
	for _, undo := range []bool{false, true} {
		disk, f, w := sharers(t)
		other := slices.Clone(disk.files[name(4)].data)
		other[headerSize-1] ^= 1
		if undo {
			if err := f.Undo(4); err != nil {
				t.Fatal(err)
			}
		} else {
			disk.files[name(4)].data = other[:40]
			if _, passed, err := f.Newest(); err != nil || len(passed) != 1 {
				t.Fatal(passed, err)
			}
		}
		disk.files[name(4)] = &inode{data: other}
		w.writes(t, f, 5)
	}
}

// TestRemovedByAPerson: a file that somebody has removed is not referred to by the next checkpoint.
func TestRemovedByAPerson(t *testing.T) {
	disk, f, w := sharers(t)
	delete(disk.files, name(1)+shared)
	w.writes(t, f, 5)
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
