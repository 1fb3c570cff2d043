package checkpoint

import (
	"slices"
	"strings"
)

// Listing is what lies in a folder of checkpoints. Unlike a Folder it changes nothing, so that anybody can look while somebody else writes.
type Listing struct {
	// IDs are those of the files that stand for whole checkpoints, oldest first.
	IDs []int64
	// Aside are the names of files that a run could not use, Unfinished those that a run is writing or died over.
	Aside, Unfinished []string
	shared            []int64 // files that were checkpoints, and which others may refer to
}

// Orphaned reports whether files are there that checkpoints refer to, and no checkpoint.
func (l Listing) Orphaned() bool { return len(l.IDs) == 0 && len(l.shared) > 0 }

// Look lists a folder.
func Look(s Shelf) (Listing, error) {
	var l Listing
	names, err := s.List()
	if err != nil {
		return l, failed("look into the folder of checkpoints", err)
	}
	slices.Sort(names)
	for _, n := range names {
		id, ok := idOf(n)
		switch {
		case ok:
			l.IDs = append(l.IDs, id)
		case strings.HasSuffix(n, suffix+aside):
			l.Aside = append(l.Aside, n)
		case strings.HasSuffix(n, suffix+shared):
			if id, ok := idOf(strings.TrimSuffix(n, shared)); ok {
				l.shared = append(l.shared, id)
			}
		case strings.HasSuffix(n, unfinished):
			l.Unfinished = append(l.Unfinished, n)
		}
	}
	return l, nil
}

// FileName is the name of the file of checkpoint id.
func FileName(id int64) string { return name(id) }
