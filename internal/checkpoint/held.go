package checkpoint

import (
	"cmp"
	"slices"
)

// held is what a checkpoint has that the next one can share: where its blocks and its sections of an identity are. It is in memory alone, so the first checkpoint of a process has everything in its own file.
type held struct {
	id       int64
	tags     map[int64]uint64 // of the files that it is in, its own among them
	sizes    map[int64]int64
	blocks   map[fingerprint]extent
	sections map[identified]extent
	habits   map[string]habit // by name of the section
	// sparse are files of which too little is still in use: what the next checkpoint has of them it writes anew, so that they can go.
	sparse map[int64]bool
}

// identified stands for the bytes of a section that has a name for them.
type identified struct {
	identity string
	size     int64
}

func newHeld() *held {
	return &held{tags: map[int64]uint64{}, sizes: map[int64]int64{}, blocks: map[fingerprint]extent{}, sections: map[identified]extent{}, habits: map[string]habit{}, sparse: map[int64]bool{}}
}

// mostFiles is how many files a checkpoint may refer to. More are open when it is read.
const mostFiles = 64

// thin finds the files that are to go: those less than half of which is in use, and, where there are too many, those that have the least in use, half of all: what is written anew for that becomes large, and so is seldom written
// again.
func (h *held) thin(inUse map[int64]int64) {
	var others []int64
	for id, n := range inUse {
		switch {
		case id == h.id:
		case 2*n < h.sizes[id]:
			h.sparse[id] = true
		default:
			others = append(others, id)
		}
	}
	if len(others) < mostFiles {
		return
	}
	slices.SortFunc(others, func(a, b int64) int { return cmp.Or(cmp.Compare(inUse[a], inUse[b]), cmp.Compare(a, b)) })
	for _, id := range others[:mostFiles/2] {
		h.sparse[id] = true
	}
}

// habit is whether it pays to look for blocks of a section in the checkpoint before. If it does not, nobody looks for a while, which becomes longer each time.
type habit struct {
	based bool // its blocks are in the checkpoint before
	rest  int  // how many checkpoints nobody looks
	pause int  // how many it was the last time
}

const (
	// worthwhile is the least section that is cut into blocks. To write less takes no longer than to bring it to the disk.
	worthwhile = 1 << 20
	longest    = 30
)

// found notes that of n bytes so many were in the checkpoint before. Looking costs more than half of the work of writing, and none of the waiting for the disk (docs/decisions/checkpoints.md), so less than a quarter is not worth it.
func (h *habit) found(bytes, n int) {
	switch {
	case !h.based:
		h.based = true
	case 4*bytes >= n:
		h.pause = 0
	default:
		h.pause = min(2*h.pause+2, longest)
		h.based, h.rest = false, h.pause
	}
}

// block, identified and habit look into what the checkpoint before has; without one it has nothing.
func (h *held) block(f fingerprint) (e extent, ok bool) {
	if h != nil {
		e, ok = h.blocks[f]
	}
	return e, ok
}

func (h *held) identified(key identified) (e extent, ok bool) {
	if h != nil {
		e, ok = h.sections[key]
	}
	return e, ok
}

func (h *held) habit(name string) (x habit) {
	if h != nil {
		x = h.habits[name]
	}
	return x
}
