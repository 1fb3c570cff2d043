package broker

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// sealName is the file in which a broker that ends in order leaves the checksums of its folder. It is gone while a broker runs, and after one
// was killed.
const sealName = "seal"

const sealHead = "tidemark seal 1 "

// sums are checksums of files by their path below the folder, with slashes.
type sums map[string]uint32

// sum reads the folder. Indexes are left out: they can be made anew.
func sum(dir string) (sums, error) {
	all := sums{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		switch ext := filepath.Ext(name); {
		case ext == ".dat":
			all[name], err = sumHeads(path)
		case ext == ".json" || ext == ".log":
			var raw []byte
			raw, err = os.ReadFile(path)
			all[name] = crc32.Checksum(raw, castagnoli)
		}
		return err
	})
	return all, err
}

// sumHeads sums the beginnings of the batches in a segment file, which hold the checksums of the rest.
func sumHeads(path string) (uint32, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	sum, at := uint32(0), int64(0)
	var head [attributesAt]byte
	for {
		n, err := f.ReadAt(head[:], at)
		sum = crc32.Update(sum, castagnoli, head[:n])
		if err == io.EOF {
			return sum, nil
		}
		if err != nil {
			return 0, err
		}
		at += behindLength + int64(binary.BigEndian.Uint32(head[lengthAt:]))
	}
}

// writeSeal seals the folder.
func writeSeal(dir string) error {
	all, err := sum(dir)
	if err != nil {
		return err
	}
	var lines []string
	for name, sum := range all {
		lines = append(lines, fmt.Sprintf("%08x %s\n", sum, name))
	}
	slices.Sort(lines)
	body := strings.Join(lines, "")
	return replace(filepath.Join(dir, sealName), fmt.Appendf(nil, "%s%08x\n%s", sealHead, crc32.Checksum([]byte(body), castagnoli), body))
}

// readSeal reads what writeSeal wrote; sealed is false if there is none.
func readSeal(dir string) (all sums, sealed bool, err error) {
	raw, err := os.ReadFile(filepath.Join(dir, sealName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	head, body, _ := strings.Cut(string(raw), "\n")
	if head != fmt.Sprintf("%s%08x", sealHead, crc32.Checksum([]byte(body), castagnoli)) {
		return nil, false, damagedf(dir, sealName, "its own checksum is wrong; what it guards may be whole: remove it to open the folder without it")
	}
	all = sums{}
	for line := range strings.Lines(body) {
		sum, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		var n uint32
		if _, err := fmt.Sscanf(sum, "%08x", &n); err != nil {
			return nil, false, damagedf(dir, sealName, "it is not one that this version reads; remove it to open the folder without it")
		}
		all[name] = n
	}
	return all, true, nil
}

// checkSeal compares the folder with its seal.
func checkSeal(dir string, want sums) error {
	got, err := sum(dir)
	if err != nil {
		return err
	}
	const what = "; take the folder from a backup, or remove the file 'seal' in it to open it as it is"
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if n, ok := got[name]; !ok {
			return damagedf(dir, name, "it is gone since the folder was closed"+what)
		} else if n != want[name] {
			return damagedf(dir, name, "it is not what it was when the folder was closed"+what)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[name]; !ok && strings.Contains(name, "/") {
			return damagedf(dir, name, "it was not there when the folder was closed"+what)
		}
	}
	return nil
}

// replace writes a file so that it is there whole or not at all.
func replace(path string, data []byte) error {
	f, err := os.OpenFile(path+".tmp", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Sync(), f.Close())
	if err != nil {
		os.Remove(path + ".tmp")
		return err
	}
	return os.Rename(path+".tmp", path)
}
