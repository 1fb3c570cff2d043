//go:build unix

package broker

import (
	"os"
	"syscall"

	"github.com/tidemark-sql/tidemark/internal/fault"
)

// claim makes the folder this process's own until the file is closed, however the process ends: two brokers would overwrite each other.
func claim(dir string) (*os.File, error) {
	f, err := openLock(dir)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		return nil, fault.Errorf(fault.User, "another process has the data folder '%s' open; end it, or name another folder", dir)
	}
	return f, nil
}
