//go:build unix

package folders

import (
	"syscall"

	"github.com/tidemark-sql/tidemark/internal/fault"
)

// Claim claims a folder, which is made if it is not there; what names it to people, in "another process has … open". The error is of class User if another process has it.
func Claim(dir, what string) (*Claimed, error) {
	f, err := open(dir)
	if err != nil {
		return nil, fault.Wrap(fault.OfIO(err), err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		return nil, fault.Errorf(fault.User, "another process has the %s '%s' open; end it, or name another folder", what, dir)
	}
	return &Claimed{f}, nil
}
