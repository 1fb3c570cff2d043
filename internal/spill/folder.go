package spill

import (
	"io"
	"os"
	"path/filepath"
)

// Disk is where the files of a Space are.
type Disk interface {
	// Create makes a file of which nothing is left when it is closed, or the process ends.
	Create() (File, error)
	// Close gives the place up. Files that are still open can still be read.
	Close() error
	// String names the place to people.
	String() string
}

// File is written once, from start to end, and read anywhere, also while it is being written and by several goroutines.
type File interface {
	io.Writer
	io.ReaderAt
	io.Closer
}

// folder is a Disk in a folder of the operating system, which is there only as long as files are needed.
type folder struct {
	path string
	made bool
}

// pattern is what files are called before they lose their names.
const pattern = "*.run"

func (f *folder) String() string { return f.path }

func (f *folder) Create() (File, error) {
	if !f.made {
		if err := os.MkdirAll(f.path, 0o755); err != nil {
			return nil, err
		}
		f.clean()
		f.made = true
	}
	file, err := os.CreateTemp(f.path, pattern)
	if err != nil {
		return nil, err
	}
	if os.Remove(file.Name()) == nil {
		return file, nil
	}
	return keepsName{file}, nil
}

// clean removes what a process left that died at the wrong moment, or could not take the names of its files away.
func (f *folder) clean() {
	left, _ := filepath.Glob(filepath.Join(f.path, pattern))
	for _, name := range left {
		os.Remove(name)
	}
}

func (f *folder) Close() error {
	if !f.made {
		return nil
	}
	f.made = false
	f.clean()
	os.Remove(f.path) // unless something of others is in it
	return nil
}

// keepsName is a file whose name cannot be taken away while it is open.
type keepsName struct{ *os.File }

func (n keepsName) Close() error {
	err := n.File.Close()
	os.Remove(n.Name())
	return err
}
