// Package claim makes a folder the own of one process.
package claim

import (
	"os"
	"path/filepath"
)

// Claim is a folder that no other process can claim until it is released, or this process ends, however that comes.
type Claim struct{ file *os.File }

// Release gives the folder up.
func (c *Claim) Release() error { return c.file.Close() }

// open makes the folder if need be, and opens the file in it by which it is claimed.
func open(dir string) (*os.File, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	return os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o644)
}
