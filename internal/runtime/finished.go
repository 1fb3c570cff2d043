package runtime

import (
	"bytes"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/connector"
)

// finished remembers the splits of a growing source that were read to their end and are nowhere else: a folder of files that come and go for years takes 16 bytes a
// file. Flink 2.3 keeps their paths.
//
// While a statement runs the source itself knows what it has handed out. What it cannot know is what an earlier run had read.
type finished struct {
	all    []connector.SplitID // in the order in which they lost their places; only appended to, so that snapshots share it
	before []connector.SplitID // those that a snapshot knew, sorted
}

func (f *finished) add(name string) { f.all = append(f.all, connector.IDOf(name)) }

// list is what a snapshot keeps.
func (f *finished) list() []connector.SplitID { return slices.Clip(f.all) }

// restore begins with the splits of a snapshot.
func (f *finished) restore(s *SourceSnapshot) {
	f.all = slices.Clip(s.Finished)
	f.before = slices.Clone(s.Finished)
	for _, p := range s.Splits {
		if p.Done {
			f.before = append(f.before, connector.IDOf(p.Name))
		}
	}
	slices.SortFunc(f.before, compareIDs)
}

// read reports whether an earlier run read the split to its end.
func (f *finished) read(name string) bool {
	if len(f.before) == 0 {
		return false
	}
	_, found := slices.BinarySearchFunc(f.before, connector.IDOf(name), compareIDs)
	return found
}

func compareIDs(a, b connector.SplitID) int { return bytes.Compare(a[:], b[:]) }
