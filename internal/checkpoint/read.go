package checkpoint

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/fault"
)

// Reader reads one checkpoint. Every section is checked when it is read.
type Reader struct {
	ID    int64
	file  Readable
	index []entry
}

// Damaged is a checkpoint that cannot be used.
type Damaged struct {
	ID  int64
	Why string // half a sentence about its file
}

func (d *Damaged) Error() string {
	return fmt.Sprintf("checkpoint %d (%s) cannot be used: %s", d.ID, name(d.ID), d.Why)
}

// Fault implements the classes of package fault: what is on the disk is not what was written there.
func (d *Damaged) Fault() fault.Class { return fault.Resource }

// Read opens checkpoint id. If its file is not whole the error is a *Damaged; others may work when they are tried again.
func (f *Folder) Read(id int64) (*Reader, error) { return Read(f.disk, id) }

// Read opens a checkpoint of a shelf, as Folder.Read does.
func Read(s Shelf, id int64) (*Reader, error) {
	file, err := s.Open(name(id))
	if err != nil {
		return nil, damage(id, err)
	}
	size, err := file.Size()
	var index []entry
	var is int64
	if err == nil {
		is, index, err = readTail(file, size)
	}
	if err == nil && is != id {
		err = errDamaged(fmt.Sprintf("it is checkpoint %d under another name", is))
	}
	if err != nil {
		file.Close()
		return nil, damage(id, err)
	}
	return &Reader{ID: id, file: file, index: index}, nil
}

// Sections are the names of the sections, in the order in which they were added.
func (r *Reader) Sections() []string {
	var names []string
	for _, e := range r.index {
		names = append(names, e.name)
	}
	return names
}

// Length is the number of bytes of a section, 0 if there is none of that name.
func (r *Reader) Length(name string) int64 {
	for _, e := range r.index {
		if e.name == name {
			return e.length
		}
	}
	return 0
}

// Section reads the section of that name; it is the caller's. One that is not there is an error as well.
func (r *Reader) Section(name string) ([]byte, error) {
	for _, e := range r.index {
		if e.name != name {
			continue
		}
		b := make([]byte, e.length)
		if err := readFull(r.file, b, e.offset); err != nil {
			return nil, damage(r.ID, err)
		}
		if crc32.Checksum(b, castagnoli) != e.sum {
			return nil, damage(r.ID, changedSection(name))
		}
		return b, nil
	}
	return nil, damage(r.ID, errDamaged(fmt.Sprintf("it has no section '%s'", name)))
}

// Check reads everything and tells whether it is what was written.
func (r *Reader) Check() error {
	for _, e := range r.index {
		s, err := r.Stream(e.name)
		if err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, s); err != nil {
			return err
		}
	}
	return nil
}

func changedSection(name string) error {
	return errDamaged(fmt.Sprintf("its section '%s' has changed since it was written", name))
}

// Close ends the reading.
func (r *Reader) Close() error { return r.file.Close() }

func damage(id int64, err error) error {
	var d errDamaged
	if errors.As(err, &d) {
		return &Damaged{id, string(d)}
	}
	return failed(fmt.Sprintf("read checkpoint %d", id), err)
}

// Newest opens the newest checkpoint that is whole, all of its sections checked; nil if the folder has none at all. Those that it passed over are told,
// newest first, and their files get other names. If there are some and none is whole, that is an error: to begin anew would write everything twice, and only a person can want that.
func (f *Folder) Newest() (r *Reader, passed []*Damaged, err error) {
	var damaged []int64
	for i := len(f.ids) - 1; i >= 0; i-- {
		r, err := f.Read(f.ids[i])
		if err == nil {
			if err = r.Check(); err != nil {
				r.Close()
			}
		}
		var d *Damaged
		switch {
		case err == nil:
			return r, passed, f.setAside(damaged)
		case errors.As(err, &d):
			passed = append(passed, d)
			damaged = append(damaged, f.ids[i])
		default:
			return nil, passed, err
		}
	}
	if len(passed) == 0 {
		return nil, nil, nil
	}
	var why []string
	for _, d := range passed {
		why = append(why, d.Error())
	}
	return nil, passed, fault.Errorf(fault.Resource, "no checkpoint can be used: %s; to begin anew, and write everything again, remove the files", strings.Join(why, "; "))
}

// setAside renames files that cannot be used, so that their numbers are free and people can look at them.
func (f *Folder) setAside(ids []int64) error {
	for _, id := range ids {
		if err := f.disk.Publish(name(id), name(id)+aside); err != nil {
			return failed(fmt.Sprintf("set checkpoint %d aside", id), err)
		}
		f.ids = slices.DeleteFunc(f.ids, func(x int64) bool { return x == id })
	}
	return nil
}
