package checkpoint

import (
	"slices"
	"strings"
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
