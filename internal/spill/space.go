package spill

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/tidemark-sql/tidemark/internal/fault"
)

// Space is the tables of one statement. It is safe for concurrent use; a Table is not.
type Space struct {
	disk   Disk
	life   uint64 // told apart from other spaces of the same statement by chance
	making sync.Mutex
	runs   atomic.Int64
}

// In is a Space in a folder, which is the statement's alone and is made when something is written.
func In(dir string) *Space { return On(&folder{path: dir}) }

// On is a Space on a disk.
func On(d Disk) *Space { return &Space{disk: d, life: rand.Uint64()} }

// Table makes an empty table. Nothing is taken for it until something is written.
func (s *Space) Table() *Table { return &Table{space: s, least: leastMerge, most: mostRuns} }

// Close gives the place of the files up. Tables are closed before; what was frozen of them can still be read.
func (s *Space) Close() error {
	s.making.Lock()
	defer s.making.Unlock()
	return s.failed("leave", s.disk.Close())
}

// file is a File that is closed when nobody uses it any more.
type file struct {
	File
	space *Space
	users atomic.Int32
}

func (s *Space) create() (*file, error) {
	s.making.Lock()
	defer s.making.Unlock()
	f, err := s.disk.Create()
	if err != nil {
		return nil, s.failed("be made", err)
	}
	made := &file{File: f, space: s}
	made.users.Store(1)
	return made, nil
}

func (f *file) release() error {
	if f.users.Add(-1) > 0 {
		return nil
	}
	return f.space.failed("be closed", f.Close())
}

// identity names a run for as long as anybody remembers it.
func (s *Space) identity() string { return fmt.Sprintf("%016x-%d", s.life, s.runs.Add(1)) }

// failed says what a file of state could not do. A disk that fails ends a statement and leaves its checkpoints, whatever was wrong with it.
func (s *Space) failed(what string, err error) error {
	if err == nil {
		return nil
	}
	if fault.OfIO(err) == fault.Resource && !errors.Is(err, syscall.EROFS) {
		return fault.Errorf(fault.Resource, "no space left in '%s' for state that does not fit into memory; make room there, or raise the limit of memory: %w", s.disk, err)
	}
	return fault.Errorf(fault.Resource, "a file in '%s' of state that does not fit into memory cannot %s: %w", s.disk, what, err)
}
