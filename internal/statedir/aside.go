package statedir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tidemark-sql/tidemark/internal/checkpoint"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/runtime"
)

// before is the folder of checkpoints of what the statement was before it was rewritten.
const before = "before"

// SetAside puts the checkpoints of a statement that is about to become another one aside, so that it begins without state. They tell where it had come in what it reads, until it has
// checkpoints of its own. If there are none, those that were set aside before stay.
func (s Statement) SetAside() error {
	from, to := filepath.Join(s.Path, checkpoints), filepath.Join(s.Path, before)
	folder, err := s.Open(1)
	if err != nil {
		return err
	}
	if len(folder.IDs()) == 0 {
		return nil
	}
	if err := os.RemoveAll(to); err != nil {
		return fault.Errorf(fault.OfIO(err), "set the state aside: %w", err)
	}
	if err := os.Rename(from, to); err != nil {
		return fault.Errorf(fault.OfIO(err), "set the state aside: %w", err)
	}
	return nil
}

// Discard removes all state of a statement.
func (s Statement) Discard() error {
	for _, folder := range []string{checkpoints, before} {
		if err := os.RemoveAll(filepath.Join(s.Path, folder)); err != nil {
			return fault.Errorf(fault.OfIO(err), "remove the state: %w", err)
		}
	}
	return nil
}

// Positions are where the statement had come in what it reads when its checkpoints were set aside, nil if none were: at the newest one whose rows are known to be there. It has no state of operators.
func (s Statement) Positions() (*runtime.Snapshot, error) {
	path := filepath.Join(s.Path, before)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	disk, err := checkpoint.Directory(path)
	if err != nil {
		return nil, fault.Errorf(fault.OfIO(err), "open what was set aside: %w", err)
	}
	folder, err := checkpoint.Open(disk, 1)
	if err != nil {
		return nil, err
	}
	var newest *runtime.Snapshot
	ids := folder.IDs()
	for i := len(ids) - 1; i >= 0; i-- {
		at, seen, err := positionsIn(folder, ids[i])
		if seen {
			return at, nil
		}
		if err == nil && newest == nil {
			newest = at
		}
	}
	return newest, nil
}

// positionsIn reads a checkpoint; seen says that all it stands for has come to light. What was only prepared never will, so it is to be written again.
func positionsIn(folder *checkpoint.Folder, id int64) (at *runtime.Snapshot, seen bool, err error) {
	r, err := folder.Read(id)
	if err != nil {
		return nil, false, err
	}
	at, err = runtime.LoadOutline(r)
	seen = err == nil && (runtime.SinkSize(r) == 0 || folder.Shown(id))
	return at, seen, errors.Join(err, r.Close())
}
