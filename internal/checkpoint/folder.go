package checkpoint

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/fault"
)

const (
	suffix     = ".checkpoint"
	unfinished = ".unfinished"
	aside      = ".damaged"
	shown      = ".shown"
	identity   = "identity"
)

// Folder holds the checkpoints of one statement, a file each. It belongs to one process, which is for others to see to, and its methods to one goroutine at a time.
//
// A file is written under another name, synced, and renamed, so a name that ends in ".checkpoint" stands for a whole file from the first moment.
type Folder struct {
	disk     Disk
	keep     int
	ids      []int64 // of the files that are there, ascending
	identity string
}

// Open looks into a folder and removes what a writer left unfinished there. It keeps that many checkpoints, the newest, when another is committed.
func Open(disk Disk, keep int) (*Folder, error) {
	f := &Folder{disk: disk, keep: keep}
	l, err := Look(disk)
	if err != nil {
		return nil, err
	}
	for _, n := range l.Unfinished {
		if err := disk.Remove(n); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, failed("remove what an earlier run left unfinished", err)
		}
	}
	f.ids = l.IDs
	f.identity, err = f.identify()
	return f, err
}

// identify reads what the folder is called, or names it.
func (f *Folder) identify() (string, error) {
	b, err := f.readAll(identity)
	if err == nil {
		return string(b), nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", failed("read the identity of the folder of checkpoints", err)
	}
	random := make([]byte, 8)
	rand.Read(random)
	name := hex.EncodeToString(random)
	w, err := f.disk.Create(identity + unfinished)
	if err == nil {
		_, err = w.Write([]byte(name))
		if err == nil {
			err = w.Sync()
		}
		err = errors.Join(err, w.Close())
	}
	if err == nil {
		err = f.disk.Publish(identity+unfinished, identity)
	}
	if err != nil {
		return "", failed("name the folder of checkpoints", err)
	}
	return name, nil
}

func (f *Folder) readAll(name string) ([]byte, error) {
	r, err := f.disk.Open(name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	size, err := r.Size()
	if err != nil {
		return nil, err
	}
	b := make([]byte, size)
	return b, readFull(r, b, 0)
}

// Identity is 16 letters and digits that no other folder has. It is made with the folder and never changes.
func (f *Folder) Identity() string { return f.identity }

// Show notes that what checkpoint id covers has come to light. The note spares questions, and sometimes answers one that nobody else can any more; it may get lost, so whether
// it could be written is not told.
func (f *Folder) Show(id int64) {
	if w, err := f.disk.Create(name(id) + shown); err == nil {
		w.Close()
	}
}

// Shown reports whether there is such a note of checkpoint id.
func (f *Folder) Shown(id int64) bool {
	r, err := f.disk.Open(name(id) + shown)
	if err != nil {
		return false
	}
	r.Close()
	return true
}

// Undo removes checkpoint id, the newest: the statement goes on from the one before, or begins if it was the first that there ever was.
func (f *Folder) Undo(id int64) error {
	n := len(f.ids)
	if n == 0 || f.ids[n-1] != id {
		return fmt.Errorf("tidemark bug: checkpoint %d undone, and there are %v", id, f.ids)
	}
	if n == 1 && id > 1 {
		return fault.Errorf(fault.Resource, "checkpoint %d cannot be used, since what it covers was given up by the system that it was written to, and the one before is not there; to begin anew, and write everything again, remove the folder", id)
	}
	if err := f.disk.Remove(name(id)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return failed(fmt.Sprintf("remove checkpoint %d", id), err)
	}
	f.ids = f.ids[:n-1]
	return nil
}

// IDs are those of the checkpoints that are there, oldest first, whole or not. The caller must not change them.
func (f *Folder) IDs() []int64 { return f.ids }

func name(id int64) string { return fmt.Sprintf("%016d%s", id, suffix) }

func idOf(name string) (id int64, ok bool) {
	digits, ok := strings.CutSuffix(name, suffix)
	if !ok || len(digits) != 16 {
		return 0, false
	}
	for _, c := range []byte(digits) {
		if c < '0' || c > '9' {
			return 0, false
		}
		id = id*10 + int64(c-'0')
	}
	return id, true
}

// Writer writes one checkpoint. It ends with Commit or Abort.
type Writer struct {
	folder *Folder
	id     int64
	file   Writable
	at     int64
	index  []entry
	err    error // the first one
}

// Begin begins checkpoint id, which is greater than all that are there.
func (f *Folder) Begin(id int64) (*Writer, error) {
	if n := len(f.ids); id <= 0 || n > 0 && id <= f.ids[n-1] {
		return nil, fmt.Errorf("tidemark bug: checkpoint %d begun behind %v", id, f.ids)
	}
	w := &Writer{folder: f, id: id}
	// What an attempt at the same number left, whose removal failed too, is in the way; and what was noted of another checkpoint with the number is not true of this one.
	for _, left := range []string{unfinished, shown} {
		if err := f.disk.Remove(name(id) + left); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, w.failed(err)
		}
	}
	file, err := f.disk.Create(name(id) + unfinished)
	if err != nil {
		return nil, w.failed(err)
	}
	w.file = file
	w.write(header())
	return w, nil
}

// Add adds a section; its name is new in this checkpoint, and data stays the caller's. An error of the disk is told by Commit.
func (w *Writer) Add(name string, data []byte) {
	w.begin(name)
	e := &w.index[len(w.index)-1]
	e.length, e.sum = int64(len(data)), crc32.Checksum(data, castagnoli)
	w.write(data)
}

// begin adds a section to the index.
func (w *Writer) begin(name string) {
	if len(name) > maxName || slices.ContainsFunc(w.index, func(e entry) bool { return e.name == name }) {
		panic(fmt.Sprintf("tidemark bug: section '%s' added to a checkpoint", name))
	}
	w.index = append(w.index, entry{name: name, offset: w.at})
}

func (w *Writer) write(b []byte) {
	if w.err != nil {
		return
	}
	var n int
	n, w.err = w.file.Write(b)
	w.at += int64(n)
}

// Commit makes the checkpoint durable and removes older ones that are not to be kept. If it fails there is no such checkpoint, except that the disk may
// bring it back after a loss of power: then it is whole.
func (w *Writer) Commit() error {
	w.write(tail(w.id, w.index, w.at))
	if w.err == nil {
		w.err = w.file.Sync()
	}
	if err := w.file.Close(); w.err == nil {
		w.err = err
	}
	temporary, f := name(w.id)+unfinished, w.folder
	if w.err == nil {
		w.err = f.disk.Publish(temporary, name(w.id))
	}
	if w.err != nil {
		// Both names, for a rename can fail and have happened. What cannot be removed is removed when the folder is opened, or overwritten by no other: it is whole.
		f.disk.Remove(temporary)
		f.disk.Remove(name(w.id))
		return w.failed(w.err)
	}
	f.ids = append(f.ids, w.id)
	for len(f.ids) > f.keep {
		if err := f.disk.Remove(name(f.ids[0])); err != nil && !errors.Is(err, fs.ErrNotExist) {
			break // it takes room and does no harm; the next commit tries again
		}
		f.disk.Remove(name(f.ids[0]) + shown)
		f.ids = f.ids[1:]
	}
	return nil
}

// Abort drops what was written.
func (w *Writer) Abort() {
	w.file.Close()
	w.folder.disk.Remove(name(w.id) + unfinished)
}

func (w *Writer) failed(err error) error {
	return failed(fmt.Sprintf("write checkpoint %d", w.id), err)
}

func failed(what string, err error) error {
	return fault.Wrap(fault.OfIO(err), fmt.Errorf("%s: %w", what, err))
}
