package broker

import (
	"errors"
	"io/fs"
	"sync"

	"github.com/twmb/franz-go/pkg/kfake"

	"github.com/tidemark-sql/tidemark/internal/fault"
)

// storage hears what the cluster logs, and keeps what it could not write. The cluster itself answers that something unexpected has happened.
type storage struct {
	dir  string
	note func(string)

	mu      sync.Mutex
	trouble error
}

// Logf implements kfake.Logger.
func (s *storage) Logf(level kfake.LogLevel, _ string, args ...any) {
	if level > kfake.LogLevelWarn {
		return
	}
	for _, arg := range args {
		err, ok := arg.(error)
		var file *fs.PathError
		if !ok || !errors.As(err, &file) {
			continue
		}
		trouble := fault.Errorf(fault.OfIO(file), "the embedded broker cannot write to its folder '%s': %w", s.dir, file)
		s.mu.Lock()
		told := s.trouble != nil && s.trouble.Error() == trouble.Error()
		s.trouble = trouble
		s.mu.Unlock()
		if !told {
			s.note(trouble.Error())
		}
	}
}

// last is what could not be written last, nil if all could.
func (s *storage) last() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.trouble
}
