package checkpoint

import (
	"io"
	"os"
	"path/filepath"

	"github.com/tidemark-sql/tidemark/internal/folders"
)

// Disk is a folder of files. Errors are those of package os.
type Disk interface {
	// Create makes a file that is not there yet.
	Create(name string) (Writable, error)
	// Publish renames a file that has been synced, over another one if need be. When it returns nil the new name survives a loss of power; when it
	// fails, either name may be there.
	Publish(from, to string) error
	Remove(name string) error
	Shelf
}

// Shelf is the half of a Disk that reads.
type Shelf interface {
	// List names the files in any order.
	List() ([]string, error)
	Open(name string) (Readable, error)
}

// Writable is a file being written. When Sync returns nil, what was written before survives a loss of power, under a published name.
type Writable interface {
	io.WriteCloser
	Sync() error
}

// Readable is a file that does not change any more.
type Readable interface {
	io.ReaderAt
	io.Closer
	Size() (int64, error)
}

// Directory is the Disk of a path of the operating system, which is made if it is not there.
func Directory(path string) (Disk, error) {
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, err
	}
	return directory(path), folders.Sync(filepath.Dir(path))
}

// Browse is the Shelf of a path of the operating system, of which nothing is changed.
func Browse(path string) Shelf { return directory(path) }

type directory string

func (d directory) Create(name string) (Writable, error) {
	return os.OpenFile(filepath.Join(string(d), name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
}

func (d directory) Publish(from, to string) error {
	if err := os.Rename(filepath.Join(string(d), from), filepath.Join(string(d), to)); err != nil {
		return err
	}
	return folders.Sync(string(d))
}

func (d directory) Remove(name string) error { return os.Remove(filepath.Join(string(d), name)) }

func (d directory) List() ([]string, error) {
	entries, err := os.ReadDir(string(d))
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	return names, err
}

func (d directory) Open(name string) (Readable, error) {
	f, err := os.Open(filepath.Join(string(d), name))
	if err != nil {
		return nil, err
	}
	return file{f}, nil
}

type file struct{ *os.File }

func (f file) Size() (int64, error) {
	i, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return i.Size(), nil
}
