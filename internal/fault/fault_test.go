package fault

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"
)

// TestOfIO: whoever can make room, or a folder that can be written, is told so at once; anything else is tried again.
func TestOfIO(t *testing.T) {
	for err, want := range map[error]Class{
		syscall.ENOSPC:           Resource,
		syscall.EDQUOT:           Resource,
		syscall.EFBIG:            Resource,
		syscall.EROFS:            Resource,
		syscall.ECONNREFUSED:     External,
		errors.New("it is gone"): External,
	} {
		if got := OfIO(fmt.Errorf("write: %w", &fs.PathError{Op: "write", Path: "p", Err: err})); got != want {
			t.Errorf("%v is of class %v, want %v", err, got, want)
		}
	}
}
