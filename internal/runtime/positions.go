package runtime

import (
	"fmt"

	"github.com/tidemark-sql/tidemark/internal/connector"
)

// standAt puts the splits where those of the same names were when s was taken, whatever else has changed since; tables that were not read then begin as they would. Split by split that is all that
// is taken of s: watermarks, counts and states are those of a statement that begins. nth tells tables apart that are read several times.
func (x *source) standAt(s *Snapshot, nth int) error {
	was := s.reading(x.spec.Name, nth)
	if was == nil {
		return nil
	}
	before := make(map[string]*SplitSnapshot, len(was.Splits))
	for i := range was.Splits {
		before[was.Splits[i].Name] = &was.Splits[i]
	}
	for _, p := range x.splits {
		from := before[p.Name()]
		if from != nil && from.Done {
			continue // where it ended nobody knows, so it begins anew
		}
		if err := p.standAt(from); err != nil {
			return err
		}
	}
	return nil
}

// reading is what s knows of the nth source that reads a table, nil if there was none.
func (s *Snapshot) reading(table string, nth int) *SourceSnapshot {
	for i := range s.Sources {
		if s.Sources[i].Table != table {
			continue
		}
		if nth == 0 {
			return &s.Sources[i]
		}
		nth--
	}
	return nil
}

// standAt puts a split where it was, or at its very beginning if it is new: nothing in it was read.
func (p *split) standAt(from *SplitSnapshot) error {
	if from == nil {
		if r, ok := p.Split.(connector.Rewinder); ok {
			if err := r.Rewind(); err != nil {
				return fmt.Errorf("begin %s: %w", p.Name(), err)
			}
		}
		return nil
	}
	if err := p.resumeAt(from.Origin, from.Offset); err != nil {
		return fmt.Errorf("begin %s at %d: %w", p.Name(), from.Offset, err)
	}
	return nil
}

// resumeAt has a split go on at an offset of what it was then a split of.
func (p *split) resumeAt(origin []byte, offset int64) error {
	if o, ok := p.Split.(connector.Originated); ok {
		return o.ResumeIn(origin, offset)
	}
	return p.Resume(offset)
}
