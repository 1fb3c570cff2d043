package filesystem

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/folders"
)

// prepared is what a checkpoint keeps of a sink, as JSON: which run wrote the parts, how many it had begun, and which of them wait for their names.
type prepared struct {
	Run   string   `json:"run"`
	Begun int      `json:"begun"`
	Parts []string `json:"parts"`
}

// epoch is the parts that were finished since the last checkpoint.
type epoch struct {
	sink  *Sink
	begun int
	parts []*part
}

// Recover implements connector.Checkpointed. Parts are numbered on from those of the checkpoint, so that what an incarnation in between left has the
// names that are used again. Behind a copied one they have names of their own, since the statement that it is from numbers on as well.
func (s *Sink) Recover(r connector.Recovery) error {
	s.checkpointed = true
	if r.State == nil {
		return nil
	}
	if err := s.options.fence.check(s.options.path); err != nil {
		return err
	}
	var p prepared
	if err := json.Unmarshal(r.State, &p); err != nil {
		return fmt.Errorf("read what a checkpoint says of the parts in '%s': %w", s.options.path, err)
	}
	if !r.Copied {
		s.run, s.parts = p.Run, p.Begun
	}
	for _, name := range p.Parts {
		if err := s.reveal(name); err != nil {
			return err
		}
	}
	if len(p.Parts) > 0 {
		if err := writing(folders.Sync(s.options.path)); err != nil {
			return err
		}
	}
	if r.Copied {
		return nil
	}
	return s.forget(fmt.Sprintf("part-%s-", p.Run))
}

// reveal gives a prepared part its name, if it has not got it yet. The folder is not synced.
func (s *Sink) reveal(name string) error {
	hidden, final := filepath.Join(s.options.path, "."+name+inProgress), filepath.Join(s.options.path, name)
	err := os.Rename(hidden, final)
	if !errors.Is(err, fs.ErrNotExist) {
		return writing(err)
	}
	if _, err := os.Stat(final); err != nil {
		return fault.Errorf(fault.Resource, "the checkpoint knows of '%s', and it is not in '%s': somebody took it away, and with it rows that will not be written again; to write them anew, remove the state of the statement and what it has written", name, s.options.path)
	}
	return nil
}

// forget removes hidden parts: what was written behind the checkpoint is written again.
func (s *Sink) forget(prefix string) error {
	entries, err := os.ReadDir(s.options.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if n := e.Name(); strings.HasPrefix(n, "."+prefix) && strings.HasSuffix(n, inProgress) {
			err = errors.Join(err, os.Remove(filepath.Join(s.options.path, n)))
		}
	}
	return writing(err)
}

// Seal implements connector.Checkpointed.
func (s *Sink) Seal() (connector.Epoch, error) {
	if err := s.Flush(); err != nil {
		return nil, err
	}
	if s.part != nil {
		if err := s.publish(); err != nil {
			return nil, err
		}
	}
	e := &epoch{s, s.parts, s.sealed}
	s.sealed = nil
	return e, nil
}

// Prepare implements connector.Epoch.
func (e *epoch) Prepare() ([]byte, error) {
	p := prepared{Run: e.sink.run, Begun: e.begun}
	for _, x := range e.parts {
		if err := x.sync(); err != nil {
			return nil, err
		}
		p.Parts = append(p.Parts, x.name)
	}
	if len(e.parts) > 0 {
		if err := writing(folders.Sync(e.sink.options.path)); err != nil {
			return nil, err
		}
	}
	return json.Marshal(p)
}

// Commit implements connector.Epoch.
func (e *epoch) Commit() error {
	if len(e.parts) == 0 {
		return nil
	}
	for _, x := range e.parts {
		if err := e.sink.reveal(x.name); err != nil {
			return err
		}
	}
	return writing(folders.Sync(e.sink.options.path))
}
