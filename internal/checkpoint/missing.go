package checkpoint

import (
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/fault"
)

// Missing are checkpoints that were there, since it was noted that what they cover has come to light, and that are gone, although they are newer than all that are there. Newest passes
// over them without knowing. They are told newest first; one that could not be used and was set aside is not among them.
func (f *Folder) Missing() ([]*Damaged, error) {
	names, err := f.disk.List()
	if err != nil {
		return nil, failed("look into the folder of checkpoints", err)
	}
	newest := int64(0)
	if n := len(f.ids); n > 0 {
		newest = f.ids[n-1]
	}
	var all []*Damaged
	for _, n := range names {
		file, noted := strings.CutSuffix(n, shown)
		id, ok := idOf(file)
		if noted && ok && id > newest && !slices.Contains(names, file+aside) {
			all = append(all, missing(id))
		}
	}
	slices.SortFunc(all, func(a, b *Damaged) int { return int(b.ID - a.ID) })
	return all, nil
}

// missing is what is wrong with a checkpoint that is not there any more.
func missing(id int64) *Damaged { return &Damaged{id, "its file is missing"} }

// orphaned is an error if files that checkpoints refer to are there, and no checkpoint: those go before them, so somebody has taken them away.
func (f *Folder) orphaned() error {
	if len(f.shared) == 0 {
		return nil
	}
	return fault.Errorf(fault.Resource, "no checkpoint can be used: the files of all are missing, and one that they referred to is there (%s); to begin anew, and write everything again, remove it too",
		name(f.shared[len(f.shared)-1])+shared)
}
