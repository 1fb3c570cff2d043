package checkpoint

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	mathrand "math/rand/v2"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/fault"
)

const (
	suffix     = ".checkpoint"
	unfinished = ".unfinished"
	aside      = ".damaged"
	shown      = ".shown"
	shared     = ".shared"
	identity   = "identity"
)

// Folder holds the checkpoints of one statement, a file each. It belongs to one process, which is for others to see to, and its methods to one goroutine at a time.
//
// A file is written under another name, synced, and renamed, so a name that ends in ".checkpoint" stands for a whole file from the first moment. What the checkpoint before has already is not written again: the new file
// says in which older file of the folder it is. Such a file stays for as long as a checkpoint that is kept refers to it.
type Folder struct {
	disk     Disk
	keep     int
	ids      []int64 // of the checkpoints that are there, ascending
	shared   []int64 // of the files that are not checkpoints any more, and which those may refer to
	identity string

	origins    map[int64][]origin // the files that checkpoints refer to, as far as that is known
	held       *held              // what the next one can share, nil if nothing
	prints     *fingerprinter
	blocks     cutter
	worthwhile int
	whole      bool
}

// Open looks into a folder and removes what a writer left unfinished there. It keeps that many checkpoints, the newest, when another is committed.
func Open(disk Disk, keep int) (*Folder, error) {
	f := &Folder{disk: disk, keep: keep, origins: map[int64][]origin{}, prints: newFingerprinter(), blocks: blocks, worthwhile: worthwhile}
	l, err := Look(disk)
	if err != nil {
		return nil, err
	}
	for _, n := range l.Unfinished {
		if err := disk.Remove(n); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, failed("remove what an earlier run left unfinished", err)
		}
	}
	f.ids, f.shared = l.IDs, l.shared
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
	f.held = nil
	delete(f.origins, id)
	return nil
}

// Lacks reports whether there is surely no checkpoint id, after it could not be written.
func (f *Folder) Lacks(id int64) bool {
	names, err := f.disk.List()
	return err == nil && !slices.Contains(names, name(id))
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

// Begin begins checkpoint id, which is greater than all that are there.
func (f *Folder) Begin(id int64) (*Writer, error) {
	if n := len(f.ids); id <= 0 || n > 0 && id <= f.ids[n-1] {
		return nil, fmt.Errorf("tidemark bug: checkpoint %d begun behind %v", id, f.ids)
	}
	w := &Writer{contents: contents{origin: origin{id, mathrand.Uint64()}}, folder: f, base: f.base(), next: newHeld()}
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
	w.write(header(w.tag))
	return w, nil
}

// Whole has every checkpoint written in a file of its own from now on. What was written before may be in several.
func (f *Folder) Whole() { f.whole = true }

// base is what the next checkpoint can share: nothing if a file that it would refer to is not there any more, for people may have removed it.
func (f *Folder) base() *held {
	if f.held == nil || f.whole {
		return nil
	}
	names, err := f.disk.List()
	if err != nil {
		return nil
	}
	for id := range f.held.tags {
		if !slices.Contains(names, name(id)) && !slices.Contains(names, name(id)+shared) {
			return nil
		}
	}
	return f.held
}
