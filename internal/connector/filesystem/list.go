package filesystem

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
)

// file is a file to be read, up to the size it had when it was found.
type file struct {
	path string // as the table spells it, joined with the names below
	size int64
}

// list finds the files that path stands for, sorted by path. Links are followed.
func list(path string, pattern *regexp.Regexp) ([]file, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		hint := "check the spelling"
		if directory, err := os.Getwd(); err == nil && !filepath.IsAbs(path) {
			hint = fmt.Sprintf("relative paths start at the working directory, %s", directory)
		}
		return nil, fault.Wrap(fault.User, &connector.OptionError{Key: "path", Message: fmt.Sprintf("no file or folder '%s'", path), Hint: hint})
	}
	if err != nil {
		return nil, fault.Errorf(fault.External, "find files: %w", err)
	}
	var files []file
	if info.IsDir() {
		files, err = walk(nil, path)
	} else {
		files, err = add(nil, path, info)
	}
	if err != nil {
		return nil, err
	}
	if files, err = matching(files, pattern); err != nil {
		return nil, err
	}
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.path, b.path) })
	return files, refuseCompressed(files)
}

// walk appends the files of a folder and of its subfolders. Flink 2.3: names that begin with '.' or '_' are hidden, with all that is below them.
func walk(files []file, folder string) ([]file, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, fault.Errorf(fault.External, "find files: %w", err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || strings.HasPrefix(e.Name(), "_") {
			continue
		}
		path := filepath.Join(folder, e.Name())
		info, err := os.Stat(path)
		if err != nil {
			return nil, fault.Errorf(fault.External, "find files: %w", err)
		}
		if info.IsDir() {
			files, err = walk(files, path)
		} else {
			files, err = add(files, path, info)
		}
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

func add(files []file, path string, info fs.FileInfo) ([]file, error) {
	if !info.Mode().IsRegular() {
		return nil, fault.Wrap(fault.User, &connector.OptionError{Key: "path", Message: fmt.Sprintf("'%s' is neither a file nor a folder", path),
			Hint: "pipes and devices cannot be read twice; write the rows to a file first"})
	}
	return append(files, file{path, info.Size()}), nil
}

// matching keeps the files whose absolute path pattern matches; without a pattern all.
func matching(files []file, pattern *regexp.Regexp) ([]file, error) {
	if pattern == nil {
		return files, nil
	}
	kept := files[:0]
	for _, f := range files {
		absolute, err := filepath.Abs(f.path)
		if err != nil {
			return nil, fault.Errorf(fault.External, "find files: %w", err)
		}
		if pattern.MatchString(filepath.ToSlash(absolute)) {
			kept = append(kept, f)
		}
	}
	return kept, nil
}

// compressed are the endings by which Flink tells that a file has to be decompressed.
var compressed = []string{".gz", ".gzip", ".deflate", ".bz2", ".xz", ".zst", ".zip"}

func refuseCompressed(files []file) error {
	for _, f := range files {
		if ending := filepath.Ext(f.path); slices.Contains(compressed, ending) {
			return fault.Wrap(fault.User, &connector.OptionError{Key: "path", Message: fmt.Sprintf("'%s' cannot be read: %s files are not supported", f.path, ending),
				Hint: "decompress it first"})
		}
	}
	return nil
}
