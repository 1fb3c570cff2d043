package checkpoint

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/fault"
)

// Reader reads one checkpoint, wherever its bytes are. Every section is checked when it is read.
type Reader struct {
	ID    int64
	files map[int64]Readable // by the checkpoint that each is of
	contents
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

// Read opens checkpoint id. If its file is not whole, or one that it refers to, the error is a *Damaged; others may work when they are tried again.
func (f *Folder) Read(id int64) (*Reader, error) { return Read(f.disk, id) }

// Read opens a checkpoint of a shelf, as Folder.Read does. One that is removed meanwhile is fs.ErrNotExist.
func Read(s Shelf, id int64) (*Reader, error) {
	file, err := s.Open(name(id))
	if err != nil {
		return nil, damage(id, err)
	}
	r := &Reader{ID: id, files: map[int64]Readable{id: file}}
	c, err := readContents(file, id)
	if err == nil {
		r.contents = *c
		err = r.openOthers(s)
	}
	if err != nil {
		r.Close()
		again, gone := s.Open(name(id))
		switch {
		case gone == nil:
			again.Close()
		case errors.Is(gone, fs.ErrNotExist):
			err = gone // somebody who keeps newer ones removes first it, and then what it refers to
		}
		return nil, damage(id, err)
	}
	return r, nil
}

// openOthers opens the files that r refers to, and sees that they are as long as they have to be.
func (r *Reader) openOthers(s Shelf) error {
	ends := map[int64]int64{}
	for _, x := range r.sections {
		for _, e := range x.extents {
			ends[e.file] = max(ends[e.file], e.end())
		}
	}
	for _, o := range r.others {
		file, err := openOrigin(s, o)
		if err != nil {
			return err
		}
		r.files[o.id] = file
		size, err := file.Size()
		if err != nil {
			return err
		}
		if size < ends[o.id] {
			return elsewhere(o.id, "is cut off")
		}
	}
	return nil
}

// readContents reads what the file of checkpoint id says of itself.
func readContents(file Readable, id int64) (*contents, error) {
	size, err := file.Size()
	if err != nil {
		return nil, err
	}
	c, err := readTail(file, size)
	if err == nil && c.id != id {
		err = errDamaged(fmt.Sprintf("it is checkpoint %d under another name", c.id))
	}
	return c, err
}

// openOrigin opens a file that another one refers to, under the name that it has now.
func openOrigin(s Shelf, o origin) (Readable, error) {
	err := error(elsewhere(o.id, "is not there"))
	for _, n := range []string{name(o.id), name(o.id) + shared} {
		file, failed := s.Open(n)
		if errors.Is(failed, fs.ErrNotExist) {
			continue
		}
		if failed != nil {
			return nil, failed
		}
		_, v, tag, failed := readHeader(file)
		if failed == nil && v > firstVersion && tag == o.tag {
			return file, nil
		}
		file.Close()
		if d := errDamaged(""); failed != nil && !errors.As(failed, &d) {
			return nil, failed
		}
		err = elsewhere(o.id, "is not the one that was written")
	}
	return nil, err
}

// elsewhere is damage of the file of another checkpoint, which is that of all that refer to it.
func elsewhere(id int64, what string) errDamaged {
	return errDamaged(fmt.Sprintf("the file of checkpoint %d, which it refers to, %s", id, what))
}

// Sections are the names of the sections, in the order in which they were added.
func (r *Reader) Sections() []string {
	var names []string
	for _, s := range r.sections {
		names = append(names, s.name)
	}
	return names
}

// Length is the number of bytes of a section, 0 if there is none of that name.
func (r *Reader) Length(name string) int64 {
	if i := r.find(name); i >= 0 {
		return r.sections[i].length()
	}
	return 0
}

// Elsewhere tells how many bytes of the checkpoint are not in its own file, and in how many others they are.
func (r *Reader) Elsewhere() (bytes int64, files int) {
	for id, n := range r.referred() {
		if id != r.ID {
			bytes += n
		}
	}
	return bytes, len(r.others)
}

func (r *Reader) find(name string) int {
	return slices.IndexFunc(r.sections, func(s section) bool { return s.name == name })
}

// Section reads the section of that name; it is the caller's. One that is not there is an error as well.
func (r *Reader) Section(name string) ([]byte, error) {
	s, err := r.Stream(name)
	if err != nil {
		return nil, err
	}
	b := make([]byte, r.Length(name))
	if _, err := io.ReadFull(s, b); err != nil {
		return nil, err
	}
	return b, nil
}

// Stream reads the section of that name piece by piece, for as long as r is open. What it gives is checked piece by piece, so all of it is known to be right only when the stream has ended. Streams of
// one Reader may be read side by side.
func (r *Reader) Stream(name string) (io.Reader, error) {
	i := r.find(name)
	if i < 0 {
		return nil, damage(r.ID, errDamaged(fmt.Sprintf("it has no section '%s'", name)))
	}
	return &stream{reader: r, section: r.sections[i]}, nil
}

// stream reads one section from its beginning to its end.
type stream struct {
	reader  *Reader
	section        // of which extents are what is left
	at      int64  // in the first of them
	sum     uint32 // of that so far
}

// Read implements io.Reader. Errors beside io.EOF are those of Read of a checkpoint.
func (s *stream) Read(b []byte) (int, error) {
	if len(s.extents) == 0 {
		return 0, io.EOF
	}
	e := s.extents[0]
	n := min(int64(len(b)), e.length-s.at)
	if err := readFull(s.reader.files[e.file], b[:n], e.offset+s.at); err != nil {
		return 0, s.damage(e, err)
	}
	s.sum = crc32.Update(s.sum, castagnoli, b[:n])
	s.at += n
	if s.at == e.length {
		if s.sum != e.sum {
			s.at = 0 // who asks again gets the same answer
			s.sum = 0
			return 0, s.damage(e, errDamaged(fmt.Sprintf("its section '%s' has changed since it was written", s.name)))
		}
		s.extents, s.at, s.sum = s.extents[1:], 0, 0
	}
	return int(n), nil
}

func (s *stream) damage(e extent, err error) error {
	if d := errDamaged(""); e.file != s.reader.ID && errors.As(err, &d) {
		err = elsewhere(e.file, "has changed since it was written")
		if d == torn {
			err = elsewhere(e.file, "is cut off")
		}
	}
	return damage(s.reader.ID, err)
}

// Check reads everything and tells whether it is what was written.
func (r *Reader) Check() error {
	b := make([]byte, 1<<18)
	for _, x := range r.sections {
		s := &stream{reader: r, section: x}
		for {
			if _, err := s.Read(b); err == io.EOF {
				break
			} else if err != nil {
				return err
			}
		}
	}
	return nil
}

// Close ends the reading.
func (r *Reader) Close() error {
	var failed error
	for _, f := range r.files {
		failed = errors.Join(failed, f.Close())
	}
	return failed
}

func damage(id int64, err error) error {
	var d errDamaged
	if errors.As(err, &d) {
		return &Damaged{id, string(d)}
	}
	return failed(fmt.Sprintf("read checkpoint %d", id), err)
}

// Newest opens the newest checkpoint that is whole, all of its sections checked; nil if the folder has none at all, and never had. Those that it passed over are told,
// newest first, and their files get other names; one whose file is gone since it was seen last is among them. If there are some and none is whole, that is an error: to begin anew would write everything twice, and only a person can want that.
func (f *Folder) Newest() (r *Reader, passed []*Damaged, err error) {
	var damaged, gone []int64 // gone since the folder was opened
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
			// Whoever wrote it may have died before its name was durable. What goes on from it must not be without it after a loss of power.
			if err := errors.Join(f.setAside(damaged), f.disk.Publish(name(r.ID), name(r.ID))); err != nil {
				r.Close()
				return nil, passed, failed(fmt.Sprintf("keep checkpoint %d", r.ID), err)
			}
			f.forget(gone)
			return r, passed, nil
		case errors.As(err, &d):
			passed = append(passed, d)
			f.held = nil
			damaged = append(damaged, f.ids[i])
		case errors.Is(err, fs.ErrNotExist):
			passed = append(passed, missing(f.ids[i]))
			f.held = nil
			gone = append(gone, f.ids[i])
		default:
			return nil, passed, err
		}
	}
	if len(passed) == 0 {
		return nil, nil, f.orphaned()
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
	}
	f.forget(ids)
	return nil
}

// forget notes that there are no such checkpoints any more.
func (f *Folder) forget(ids []int64) {
	for _, id := range ids {
		f.ids = slices.DeleteFunc(f.ids, func(x int64) bool { return x == id })
		delete(f.origins, id)
	}
}
