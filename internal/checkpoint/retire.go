package checkpoint

import (
	"errors"
	"io/fs"
	"slices"
)

// retire removes the checkpoints that are not to be kept any more, and what they alone referred to. A file that a kept one refers to stays under another name, by which it is no checkpoint. What fails takes room and
// does no harm; the next commit tries again.
func (f *Folder) retire() {
	for len(f.ids) > f.keep {
		id := f.ids[0]
		used, sure := f.inUse(f.ids[1:])
		var err error
		if used[id] || !sure {
			// It may have been renamed before, by a rename that told an error.
			if err = f.disk.Publish(name(id), name(id)+shared); err == nil || errors.Is(err, fs.ErrNotExist) {
				f.shared = append(f.shared, id)
			}
		} else {
			err = f.disk.Remove(name(id))
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return
		}
		f.disk.Remove(name(id) + shown)
		f.ids = f.ids[1:]
		delete(f.origins, id)
	}
	// Checkpoints go before what they refer to, so that nobody who looks takes one for damaged.
	used, sure := f.inUse(f.ids)
	if !sure {
		return
	}
	f.shared = slices.DeleteFunc(f.shared, func(id int64) bool {
		if used[id] {
			return false
		}
		err := f.disk.Remove(name(id) + shared)
		return err == nil || errors.Is(err, fs.ErrNotExist)
	})
}

// inUse tells which files checkpoints refer to, and whether that could be read of all that are whole.
func (f *Folder) inUse(ids []int64) (used map[int64]bool, sure bool) {
	used, sure = map[int64]bool{}, true
	for _, id := range ids {
		others, ok := f.origins[id]
		if !ok {
			c, err := f.contents(id)
			if d := errDamaged(""); err != nil && !errors.As(err, &d) && !errors.Is(err, fs.ErrNotExist) {
				sure = false
				continue
			}
			if err == nil {
				others = c.others
			}
			f.origins[id] = others
		}
		for _, o := range others {
			used[o.id] = true
		}
	}
	return used, sure
}

// contents reads what the file of a checkpoint says of itself.
func (f *Folder) contents(id int64) (*contents, error) {
	file, err := f.disk.Open(name(id))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return readContents(file, id)
}
