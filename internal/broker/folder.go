package broker

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/fault"
)

// longestName is how many bytes the name of a file has at most.
const longestName = 255

// damagedf is the error about a file of the folder.
func damagedf(dir, name, format string, args ...any) error {
	return fault.Errorf(fault.External, "the data folder '%s' is damaged: %s: %s", dir, name, fmt.Sprintf(format, args...))
}

// folder is a data folder before it is opened.
type folder struct {
	dir  string
	note func(string)
}

// inspect looks whether all that the folder should have is there and whole. What a broker that was killed did not write to its end is cut off, and
// what can be made anew is; note tells. Anything else that is wrong is an error, since kfake would open the folder with less in it.
func (f folder) inspect() error {
	sealed, err := f.unbroken()
	if err != nil {
		return err
	}
	topics, err := f.topics()
	if err != nil {
		return err
	}
	partitions, err := os.ReadDir(filepath.Join(f.dir, "partitions"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fault.Wrap(fault.OfIO(err), err)
	}
	var committing *commit
	if !sealed {
		if committing, err = begun(f.dir); err != nil {
			return err
		}
	}
	all := unended{}
	for _, d := range partitions {
		name := "partitions/" + d.Name()
		at := strings.LastIndexByte(d.Name(), '-')
		number, err := strconv.Atoi(d.Name()[at+1:])
		if !d.IsDir() || at < 0 || err != nil {
			continue
		}
		if n, ok := topics[d.Name()[:at]]; !ok || number >= n {
			return damagedf(f.dir, name, "topics.json has no such partition; take topics.json from a backup, or put this folder away")
		}
		open, err := f.partition(name, sealed, committing)
		if err != nil {
			return err
		}
		for producer, epoch := range open {
			if !committing.is(producer, epoch) {
				all[producer] = max(all[producer], epoch)
			}
		}
	}
	if committing != nil {
		if err := committing.complete(f.dir); err != nil {
			return err
		}
	}
	return all.fence(f.dir)
}

// unbroken checks the seal if there is one.
func (f folder) unbroken() (sealed bool, err error) {
	want, sealed, err := readSeal(f.dir)
	if sealed {
		err = checkSeal(f.dir, want)
	}
	return sealed, fault.Wrap(fault.External, err)
}

// topics reads how many partitions the topics have, by the name that they have in folders. Those that no folder can be named after are taken off
// the list: nothing was ever written to them.
func (f folder) topics() (map[string]int, error) {
	const backup = "take it from a backup, or another folder"
	raw, err := os.ReadFile(filepath.Join(f.dir, "topics.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fault.Wrap(fault.OfIO(err), err)
	}
	if meta, err := os.ReadFile(filepath.Join(f.dir, "meta.json")); err != nil || !json.Valid(meta) {
		return nil, damagedf(f.dir, "meta.json", "it is missing or not JSON; "+backup)
	}
	var list struct {
		Version int               `json:"version"`
		Topics  []json.RawMessage `json:"topics"`
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, damagedf(f.dir, "topics.json", "%s; %s", err, backup)
	}
	topics := map[string]int{}
	all := len(list.Topics)
	list.Topics = slices.DeleteFunc(list.Topics, func(entry json.RawMessage) bool {
		var t struct {
			Name       string `json:"name"`
			Partitions int    `json:"partitions"`
		}
		if err = json.Unmarshal(entry, &t); err != nil {
			return false
		}
		name := url.PathEscape(t.Name)
		if len(name)+len("-0") > longestName {
			f.note(fmt.Sprintf("the topic '%.20s…' is taken off the list: no folder can have its name of %d characters, and nothing was ever written to it", t.Name, len(t.Name)))
			return true
		}
		topics[name] = t.Partitions
		return false
	})
	if err != nil {
		return nil, damagedf(f.dir, "topics.json", "%s; %s", err, backup)
	}
	if len(list.Topics) < all {
		if raw, err = json.Marshal(list); err == nil {
			err = replace(filepath.Join(f.dir, "topics.json"), raw)
		}
	}
	return topics, fault.Wrap(fault.External, err)
}

// partition looks at the files of a partition. If its broker was killed, transactions that were open are ended.
func (f folder) partition(name string, sealed bool, committing *commit) (open unended, err error) {
	entries, err := os.ReadDir(filepath.Join(f.dir, name))
	if err != nil {
		return nil, fault.Wrap(fault.OfIO(err), err)
	}
	var bases []int64
	for _, e := range entries {
		if number, ok := strings.CutSuffix(e.Name(), ".dat"); ok {
			if base, err := strconv.ParseInt(number, 10, 64); err == nil {
				bases = append(bases, base)
			}
		}
	}
	slices.Sort(bases)
	next := int64(0)
	sizes := map[int64]int64{}
	var batches []stored
	for i, base := range bases {
		file := fmt.Sprintf("%s/%d.dat", name, base)
		if base < next {
			return nil, damagedf(f.dir, file, "it begins at offset %d, and the file before ends at %d; take the folder from a backup", base, next)
		}
		s, err := f.segment(file, base, !sealed && i == len(bases)-1)
		if err != nil {
			return nil, err
		}
		if len(s.batches) > 0 {
			next = s.batches[len(s.batches)-1].end
		}
		sizes[base] = int64(s.good)
		batches = append(batches, s.batches...)
	}
	if err := f.snapshot(name+"/snapshot.json", sizes, batches); err != nil || sealed || len(batches) == 0 {
		return nil, err
	}
	open = find(batches)
	if len(open) == 0 {
		return nil, nil
	}
	last := bases[len(bases)-1]
	file := fmt.Sprintf("%s/%d.dat", name, last)
	if err := open.end(filepath.Join(f.dir, file), batches[len(batches)-1], committing); err != nil {
		return nil, fault.Wrap(fault.OfIO(err), err)
	}
	_, err = f.segment(file, last, false) // which makes the index as long
	return open, err
}

// segment looks at a segment file and its index. open says that a broker may have been writing to it when it was killed.
func (f folder) segment(file string, base int64, open bool) (segment, error) {
	path := filepath.Join(f.dir, file)
	raw, err := os.ReadFile(path)
	if err != nil {
		return segment{}, fault.Wrap(fault.OfIO(err), err)
	}
	s := readSegment(raw, base)
	giveUp := fmt.Sprintf("; take the folder from a backup, or give up this and all that is behind it: truncate --size %d '%s' && rm -f '%s'", s.good, path, filepath.Join(f.dir, sealName))
	switch {
	case s.torn && open:
		if err := os.Truncate(path, int64(s.good)); err != nil {
			return s, fault.Wrap(fault.OfIO(err), err)
		}
		f.note(fmt.Sprintf("%s: the last batch was not written to its end when the broker was killed; its %d bytes are cut off at byte %d", path, len(raw)-s.good, s.good))
	case s.torn:
		return s, damagedf(f.dir, file, "at byte %d: the file ends within a batch%s", s.good, giveUp)
	case s.damage != "":
		return s, damagedf(f.dir, file, "at byte %d: %s%s", s.good, s.damage, giveUp)
	}
	path = strings.TrimSuffix(path, ".dat") + ".idx"
	index, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return s, fault.Wrap(fault.OfIO(err), err)
	}
	mended, damaged, odd := mendIndex(index, s.batches)
	if odd >= 0 {
		return s, damagedf(f.dir, file, "at byte %d: a batch has another epoch than the index says; take the folder from a backup, or remove '%s'", s.batches[odd].at, path)
	}
	if damaged {
		f.note(path + ": it was damaged and is made anew")
	}
	if string(mended) != string(index) {
		if err := replace(path, mended); err != nil {
			return s, fault.Wrap(fault.OfIO(err), err)
		}
	}
	return s, nil
}

// snapshot looks whether the snapshot of a partition hides batches that are there.
func (f folder) snapshot(file string, sizes map[int64]int64, batches []stored) error {
	raw, err := os.ReadFile(filepath.Join(f.dir, file))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fault.Wrap(fault.OfIO(err), err)
	}
	var s struct {
		End      int64 `json:"high_watermark"`
		Stable   int64 `json:"last_stable_offset"`
		Start    int64 `json:"log_start_offset"`
		Segments []struct {
			Base int64 `json:"base_offset"`
			Size int64 `json:"size"`
		} `json:"segments"`
	}
	const anew = "; remove it: it is made anew, and records that were deleted may be there again"
	if err := json.Unmarshal(raw, &s); err != nil {
		return damagedf(f.dir, file, "%s%s", err, anew)
	}
	for _, part := range s.Segments {
		if size, ok := sizes[part.Base]; !ok || size != part.Size {
			return nil // it is of another time, and nobody reads it
		}
	}
	if len(s.Segments) != len(sizes) || len(batches) == 0 {
		return nil
	}
	open := func(b stored) bool { return b.base == s.Stable && b.attributes&transactional != 0 }
	if s.End < batches[len(batches)-1].end || s.Start > s.End || s.Stable < s.End && !slices.ContainsFunc(batches, open) {
		return damagedf(f.dir, file, "it says that the partition has the offsets %d to %d, stable up to %d, and there are records up to %d%s",
			s.Start, s.End, s.Stable, batches[len(batches)-1].end, anew)
	}
	return nil
}
