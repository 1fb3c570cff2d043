package statedir

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/checkpoint"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/folders"
	"github.com/tidemark-sql/tidemark/internal/runtime"
)

// Saved is a checkpoint that was copied.
type Saved struct {
	Name string
	ID   int64
}

// Save copies the newest whole checkpoint of every statement in dir into a new folder of states, which nobody changes any more: a savepoint. It is there as a whole or not at all.
// Statements without a checkpoint are left out.
func Save(dir, to string) ([]Saved, error) {
	statements, err := Find(dir)
	if err != nil {
		return nil, err
	}
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return nil, fault.Errorf(fault.User, "'%s' is there already; name a folder that is not, so that no savepoint is overwritten", to)
	}
	to = filepath.Clean(to)
	if within(to, dir) {
		return nil, fault.Errorf(fault.User, "'%s' is in the folder that it would save, and goes when that is removed; name a folder beside '%s'", to, dir)
	}
	unfinished := to + ".unfinished"
	all, err := copyAll(statements, unfinished)
	if err == nil && len(all) == 0 {
		err = fault.Errorf(fault.User, "no statement in '%s' has a checkpoint that can be saved", dir)
	}
	if err == nil {
		if err = os.Rename(unfinished, to); err == nil {
			err = folders.Sync(filepath.Dir(to))
		}
		if err != nil {
			err = fault.Errorf(fault.OfIO(err), "save the state: %w", err)
		}
	}
	if err != nil {
		os.RemoveAll(unfinished) // what cannot be removed now is removed by the next that saves there
		return nil, err
	}
	return all, nil
}

// within reports whether a path that is not there yet would be below a folder that is.
func within(path, folder string) bool {
	path, err := filepath.Abs(path)
	for err == nil && path != filepath.Dir(path) {
		if path = filepath.Dir(path); Same(path, folder) {
			return true
		}
	}
	return false
}

func copyAll(statements []Statement, to string) ([]Saved, error) {
	if err := os.RemoveAll(to); err != nil {
		return nil, fault.Errorf(fault.OfIO(err), "save the state: %w", err)
	}
	var all []Saved
	for _, s := range statements {
		r, err := s.newest()
		if err != nil {
			return nil, err
		}
		if r == nil {
			continue
		}
		copied := At(to, s.Name)
		f, err := copied.Open(1)
		if err == nil {
			err = copied.Note(s.SQL())
		}
		if err == nil {
			err = copyOne(r, f, r.Sections())
		}
		r.Close()
		if err != nil {
			return nil, err
		}
		if err := folders.Sync(copied.Path); err != nil {
			return nil, fault.Errorf(fault.OfIO(err), "save the state: %w", err)
		}
		all = append(all, Saved{s.Name, r.ID})
	}
	return all, nil
}

// copyOne writes a checkpoint of these sections, with all that they have in one file; one that r does not have is empty.
func copyOne(r *checkpoint.Reader, to *checkpoint.Folder, sections []string) error {
	w, err := to.Begin(r.ID)
	if err != nil {
		return err
	}
	for _, name := range sections {
		data := io.Reader(strings.NewReader(""))
		if slices.Contains(r.Sections(), name) {
			data, err = r.Stream(name)
		}
		if err == nil {
			err = w.AddStream(name, data)
		}
		if err != nil {
			w.Abort()
			return err
		}
	}
	return w.Commit()
}

// newest opens the newest whole checkpoint without changing anything, nil if there is none at all. If there are some and none is whole, that is an error.
func (s Statement) newest() (*checkpoint.Reader, error) {
	listing, err := checkpoint.Look(s.shelf())
	if err != nil {
		return nil, err
	}
	var damaged error
	for _, id := range slices.Backward(listing.IDs) {
		r, err := checkpoint.Read(s.shelf(), id)
		if err == nil {
			if err = r.Check(); err == nil {
				return r, nil
			}
			r.Close()
		}
		if d := (*checkpoint.Damaged)(nil); !errors.As(err, &d) && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		} else if d != nil && damaged == nil {
			damaged = fault.Errorf(fault.Resource, "%s: no checkpoint can be used: %w", s.Name, d)
		}
	}
	return nil, damaged
}

// Outline is the newest whole checkpoint without the state of operators and sink, nil if there is none. Nothing is changed.
func (s Statement) Outline() (*runtime.Snapshot, error) {
	r, err := s.newest()
	if r == nil || err != nil {
		return nil, err
	}
	at, err := runtime.LoadOutline(r)
	return at, errors.Join(err, r.Close())
}

// Begin has a statement that has no checkpoint yet, and whose folder is open as f, begin from the savepoint in dir: its checkpoint is copied, and the copy goes when it is old. One that
// began from there before goes on where it is; one that has checkpoints of another origin is an error.
func (s Statement) Begin(f *checkpoint.Folder, dir string) error {
	from, err := filepath.Abs(dir)
	if err != nil {
		return fault.Errorf(fault.OfIO(err), "begin from a savepoint: %w", err)
	}
	origin := filepath.Join(s.Path, originFile)
	if len(f.IDs()) > 0 {
		if began, err := os.ReadFile(origin); err == nil && string(began) == from+"\n" {
			return nil
		}
		return fault.Errorf(fault.User, "'%s' has checkpoints that do not come from '%s'; leave --from out to go on with them, or name another --state-dir", s.Path, dir)
	}
	savepoint := At(dir, s.Name)
	if !savepoint.Exists() {
		return fault.Errorf(fault.User, "'%s' has no state of a statement '%s'; it has: %s; with --allow-non-restored-state the statement begins anew", dir, s.Name, strings.Join(names(dir), ", "))
	}
	r, err := savepoint.newest()
	if err != nil {
		return err
	}
	if r == nil {
		return fault.Errorf(fault.User, "'%s' has no checkpoint", savepoint.Path)
	}
	defer r.Close()
	// Before the copy: who finds the copy can tell where it is from.
	if err := os.WriteFile(origin, []byte(from+"\n"), 0o644); err != nil {
		return fault.Errorf(fault.OfIO(err), "begin from a savepoint: %w", err)
	}
	sections := r.Sections()
	if !slices.Contains(sections, runtime.CopiedSection) { // the savepoint may be of one that had just begun from another
		sections = append(sections, runtime.CopiedSection)
	}
	return copyOne(r, f, sections)
}

// originFile names the savepoint that a statement began from.
const originFile = "begun-from"

func names(dir string) (all []string) {
	statements, _ := Find(dir) // the caller has found some
	for _, s := range statements {
		all = append(all, s.Name)
	}
	return all
}
