// Package folders is what a folder is asked for beyond package os: to belong to one process (Claim), and to keep its names through a loss of power (Sync).
package folders

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Claimed is a folder that no other process can claim until it is released, or this process ends, however that comes.
type Claimed struct{ file *os.File }

// Release gives the folder up.
func (c *Claimed) Release() error { return c.file.Close() }

// open makes the folder if need be, and opens the file in it by which it is claimed.
func open(dir string) (*os.File, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	return os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o644)
}

// Sync makes the names in a folder durable. Some file systems cannot; there a rename has to do. Errors are those of package os.
func Sync(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrInvalid) {
		err = nil
	}
	return errors.Join(err, d.Close())
}
