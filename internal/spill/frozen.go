package spill

import (
	"encoding/binary"
	"errors"
	"io"
)

// Frozen is the records of a table as they were at a moment. It may be read by another goroutine while the table goes on, until it is released.
type Frozen struct {
	Runs []FrozenRun
}

// FrozenRun is a run as it was. Its bytes are as record.go says and never change, so whoever kept them needs no more than what is alive now.
type FrozenRun struct {
	// Identity is another for every run that there ever was; two runs of the same identity and size are the same bytes.
	Identity string
	Size     int64 // bytes
	file     *file
	alive    bitmap
}

// Freeze lends what there is now. Nothing is copied but a bit for sixteen bytes.
func (t *Table) Freeze() (*Frozen, error) {
	f := &Frozen{}
	for _, r := range t.runs {
		if r.count == 0 {
			continue
		}
		if err := r.flush(); err != nil {
			return nil, errors.Join(err, f.Release())
		}
		r.file.users.Add(1)
		f.Runs = append(f.Runs, FrozenRun{Identity: r.identity, Size: r.size, file: r.file, alive: append(bitmap(nil), r.alive...)})
	}
	return f, nil
}

// Release gives the runs back. It is called once.
func (f *Frozen) Release() error {
	var err error
	for _, r := range f.Runs {
		err = errors.Join(err, r.file.release())
	}
	f.Runs = nil
	return err
}

// Open reads the bytes of the run from the start. They are valid until the Frozen is released.
func (r *FrozenRun) Open() io.ReadCloser {
	return io.NopCloser(&named{io.NewSectionReader(r.file, 0, r.Size), r.file.space})
}

// Alive is which records of the run live, for Records: a bit for every sixteen bytes of the run, the lowest of a byte first, set where a record begins that is alive.
func (r *FrozenRun) Alive() []byte {
	b := make([]byte, 0, 8*len(r.alive))
	for _, w := range r.alive {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return b
}

// named says of errors where they come from.
type named struct {
	io.Reader
	space *Space
}

func (n *named) Read(b []byte) (int, error) {
	k, err := n.Reader.Read(b)
	if err != nil && err != io.EOF {
		err = n.space.failed("be read", err)
	}
	return k, err
}
