package checkpoint

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"
)

var errDisk = errors.New("the disk fails")

// faultyDisk is a disk in memory whose calls are numbered from 1, of which one may fail, and which can lose power. A failing call may have happened
// or not, in whole or in part, as the random numbers say.
type faultyDisk struct {
	rng    *rand.Rand
	files  map[string]*inode
	calls  int
	failAt int // the call that fails; 0: none
	called func()
	dead   bool // from failAt on every call fails, as for a process that is dying
	// renamed are files whose new name may be forgotten.
	renamed map[string]string // new to old
	removed map[string]*inode // that may come back
}

// inode is the bytes of a file; those up to synced are durable.
type inode struct {
	data   []byte
	synced int
}

func newFaultyDisk(seed uint64) *faultyDisk {
	return &faultyDisk{rng: rand.New(rand.NewPCG(seed, 7)), files: map[string]*inode{}, renamed: map[string]string{}, removed: map[string]*inode{}}
}

// fails counts a call, and tells whether it fails and whether it happens.
func (d *faultyDisk) fails() (fails, happens bool) {
	d.calls++
	if d.called != nil {
		d.called()
	}
	if d.failAt == 0 || d.calls != d.failAt && !(d.dead && d.calls > d.failAt) {
		return false, true
	}
	return true, d.rng.IntN(2) == 0
}

// losePower leaves what a disk may have after a loss of power: of bytes not synced any number, the rest gone or zero; of names not synced the old or the new.
func (d *faultyDisk) losePower() {
	d.failAt = 0
	for to, from := range d.renamed {
		if f, ok := d.files[to]; ok && d.rng.IntN(2) == 0 {
			delete(d.files, to)
			d.files[from] = f
		}
	}
	for n, f := range d.removed {
		if _, ok := d.files[n]; !ok && d.rng.IntN(2) == 0 {
			d.files[n] = f
		}
	}
	clear(d.renamed)
	clear(d.removed)
	for _, f := range d.files {
		if n := len(f.data) - f.synced; n > 0 {
			kept := f.synced + d.rng.IntN(n+1)
			if d.rng.IntN(2) == 0 {
				f.data = f.data[:kept]
			} else {
				clear(f.data[kept:])
			}
			f.synced = len(f.data)
		}
	}
}

func (d *faultyDisk) Create(name string) (Writable, error) {
	fails, happens := d.fails()
	if _, ok := d.files[name]; ok {
		return nil, fs.ErrExist
	}
	if happens {
		d.files[name] = &inode{}
	}
	if fails {
		return nil, errDisk
	}
	return &faultyFile{d, d.files[name]}, nil
}

func (d *faultyDisk) Publish(from, to string) error {
	fails, happens := d.fails()
	if happens {
		f, ok := d.files[from]
		if !ok {
			return fs.ErrNotExist
		}
		delete(d.files, from)
		d.files[to] = f
		if fails {
			d.renamed[to] = from
		} else {
			clear(d.removed) // the folder is durable as it is
			clear(d.renamed)
		}
	}
	if fails {
		return errDisk
	}
	return nil
}

func (d *faultyDisk) Remove(name string) error {
	fails, happens := d.fails()
	f, ok := d.files[name]
	if !ok {
		return fs.ErrNotExist
	}
	if happens {
		delete(d.files, name)
		d.removed[name] = f
	}
	if fails {
		return errDisk
	}
	return nil
}

func (d *faultyDisk) List() ([]string, error) {
	if fails, _ := d.fails(); fails {
		return nil, errDisk
	}
	return slices.Collect(maps.Keys(d.files)), nil
}

func (d *faultyDisk) Open(name string) (Readable, error) {
	if fails, _ := d.fails(); fails {
		return nil, errDisk
	}
	f, ok := d.files[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return &faultyFile{d, f}, nil
}

type faultyFile struct {
	disk *faultyDisk
	*inode
}

func (f *faultyFile) Write(b []byte) (int, error) {
	fails, _ := f.disk.fails()
	n := len(b)
	if fails {
		n = f.disk.rng.IntN(n + 1)
	}
	f.data = append(f.data, b[:n]...)
	if fails {
		return n, errDisk
	}
	return n, nil
}

func (f *faultyFile) Sync() error {
	fails, happens := f.disk.fails()
	if happens {
		f.synced = len(f.data)
	}
	if fails {
		return errDisk
	}
	return nil
}

func (f *faultyFile) Close() error {
	if fails, _ := f.disk.fails(); fails {
		return errDisk
	}
	return nil
}

func (f *faultyFile) Size() (int64, error) {
	if fails, _ := f.disk.fails(); fails {
		return 0, errDisk
	}
	return int64(len(f.data)), nil
}

func (f *faultyFile) ReadAt(b []byte, at int64) (int, error) {
	if fails, _ := f.disk.fails(); fails {
		return 0, errDisk
	}
	if at >= int64(len(f.data)) {
		return 0, io.EOF
	}
	n := copy(b, f.data[at:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}
