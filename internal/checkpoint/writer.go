package checkpoint

import (
	"cmp"
	"fmt"
	"hash/crc32"
	"io"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/fault"
)

// Writer writes one checkpoint. It ends with Commit or Abort.
type Writer struct {
	contents
	folder *Folder
	file   Writable
	at     int64
	base   *held // what can be shared, nil if nothing can be
	next   *held // what the checkpoint after this one can share
	buffer []byte
	err    error // the first one
}

// Add adds a section; its name is new in this checkpoint, and data stays the caller's. What the checkpoint before has of it is not written again. An error of the disk is told by Commit.
func (w *Writer) Add(name string, data []byte) {
	s := w.section(name)
	if f := w.folder; f.whole || f.prints == nil || len(data) < f.worthwhile {
		s.extents = w.put(s.extents, data)
		return
	}
	h := w.base.habit(name)
	if h.rest > 0 {
		h.rest--
		s.extents = w.put(s.extents, data)
	} else {
		h.found(w.addBlocks(s, data), len(data))
	}
	w.next.habits[name] = h
}

// addBlocks adds a section block by block, and tells how many of its bytes the checkpoint before has.
func (w *Writer) addBlocks(s *section, data []byte) (found int) {
	fresh := 0 // data[fresh:at] is to be written in one piece
	for at := 0; at < len(data); {
		end := at + w.folder.blocks.cut(data[at:])
		block := data[at:end]
		print := w.folder.prints.of(block)
		e, known := w.base.block(print)
		_, twice := w.next.blocks[print] // no byte of a file is referred to twice
		if known && !twice {
			found += len(block)
		}
		if known && !twice && !w.base.sparse[e.file] {
			w.write(data[fresh:at])
			fresh = end
			w.refer(e)
		} else {
			e = extent{w.id, w.at + int64(at-fresh), int64(len(block)), crc32.Checksum(block, castagnoli)}
		}
		if !twice {
			w.next.blocks[print] = e
		}
		s.extents = append(s.extents, e)
		at = end
	}
	w.write(data[fresh:])
	return found
}

// AddStream is Add of a section that is never in memory as a whole: it holds what data gives until its end, and is shared with nobody. An error is one of data; then the writer is only good for being aborted.
func (w *Writer) AddStream(name string, data io.Reader) error {
	s := w.section(name)
	e, err := w.stream(name, data)
	if e.length > 0 {
		s.extents = append(s.extents, e)
	}
	return err
}

// AddShared is AddStream of a section of size bytes whose identity, with that size, stands for these very bytes for as long as the Folder is open. If the checkpoint before has it, open is not called. No two sections of a checkpoint have the same one.
func (w *Writer) AddShared(name, identity string, size int64, open func() io.ReadCloser) error {
	s, key := w.section(name), identified{identity, size}
	if _, twice := w.next.sections[key]; twice {
		panic(fmt.Sprintf("tidemark bug: '%s' is in a checkpoint twice", identity))
	}
	e, known := w.base.identified(key)
	if known && !w.base.sparse[e.file] {
		w.refer(e)
	} else {
		data := open()
		defer data.Close()
		var err error
		if e, err = w.stream(name, data); err != nil || w.err != nil {
			return err
		}
		if e.length != size {
			return w.fail(fault.Errorf(fault.Resource, "section '%s' is %d bytes long, and should be %d", name, e.length, size))
		}
	}
	if size > 0 {
		s.extents = append(s.extents, e)
		w.next.sections[key] = e
	}
	return nil
}

// stream writes what data gives.
func (w *Writer) stream(name string, data io.Reader) (extent, error) {
	e := extent{file: w.id, offset: w.at}
	if w.buffer == nil {
		w.buffer = make([]byte, 1<<18)
	}
	for w.err == nil {
		n, err := data.Read(w.buffer)
		e.sum = crc32.Update(e.sum, castagnoli, w.buffer[:n])
		e.length += int64(n)
		w.write(w.buffer[:n])
		if err == io.EOF {
			return e, nil
		}
		if err != nil {
			return e, w.fail(fmt.Errorf("read what section '%s' is made of: %w", name, err))
		}
	}
	return e, nil
}

// section begins a section.
func (w *Writer) section(name string) *section {
	if len(name) > maxName || slices.ContainsFunc(w.sections, func(s section) bool { return s.name == name }) {
		panic(fmt.Sprintf("tidemark bug: section '%s' added to a checkpoint", name))
	}
	w.sections = append(w.sections, section{name: name})
	return &w.sections[len(w.sections)-1]
}

// put writes bytes that are not shared.
func (w *Writer) put(to []extent, b []byte) []extent {
	if len(b) == 0 {
		return to
	}
	e := extent{w.id, w.at, int64(len(b)), crc32.Checksum(b, castagnoli)}
	w.write(b)
	return append(to, e)
}

// refer notes that bytes of another file are of this checkpoint.
func (w *Writer) refer(e extent) {
	o := origin{e.file, w.base.tags[e.file]}
	if i, ok := slices.BinarySearchFunc(w.others, o.id, func(o origin, id int64) int { return cmp.Compare(o.id, id) }); !ok {
		w.others = slices.Insert(w.others, i, o)
		w.next.tags[o.id], w.next.sizes[o.id] = o.tag, w.base.sizes[o.id]
	}
}

func (w *Writer) write(b []byte) {
	if w.err != nil || len(b) == 0 {
		return
	}
	var n int
	n, w.err = w.file.Write(b)
	w.at += int64(n)
}

// fail has the checkpoint not be committed, for something beside the disk.
func (w *Writer) fail(err error) error {
	if w.err == nil {
		w.err = err
	}
	return w.failed(err)
}

// Commit makes the checkpoint durable and removes older ones that are not to be kept. If it fails there is no such checkpoint, except that the disk may
// bring it back after a loss of power: then it is whole.
func (w *Writer) Commit() error {
	w.write(w.tail(w.at))
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
	w.next.id = w.id
	w.next.tags[w.id], w.next.sizes[w.id] = w.tag, w.at
	w.next.thin(w.referred())
	f.held = w.next
	f.ids = append(f.ids, w.id)
	f.origins[w.id] = w.others
	f.retire()
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

// failed is an error of the disk, or one that has a class already.
func failed(what string, err error) error {
	class := fault.Of(err)
	if class == fault.Internal {
		class = fault.OfIO(err)
	}
	return fault.Wrap(class, fmt.Errorf("%s: %w", what, err))
}

// Bytes is how many bytes have been written, without those that older files have.
func (w *Writer) Bytes() int64 { return w.at }
