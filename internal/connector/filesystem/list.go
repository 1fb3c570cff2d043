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

// file is a file to be read, as it was when it was found.
type file struct {
	path     string // as the table spells it, joined with the names below
	size     int64  // bytes
	modified int64  // microseconds since the epoch
}

// list finds the files that path stands for, sorted by path. Links are followed. If there is no file or folder of that name, it is a pattern.
func list(path string, pattern *regexp.Regexp) ([]file, error) {
	var files []file
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(path, "*?["):
		files, err = glob(path)
	case errors.Is(err, fs.ErrNotExist):
		return nil, missing(path, fmt.Sprintf("no file or folder '%s'", path))
	case err != nil:
		return nil, unreadable(err)
	case info.IsDir():
		files, err = walk(nil, path)
	default:
		files, err = add(nil, path, info)
	}
	if err != nil {
		return nil, err
	}
	if files, err = matching(files, pattern); err != nil {
		return nil, err
	}
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.path, b.path) })
	return slices.CompactFunc(files, func(a, b file) bool { return a.path == b.path }), refuseCompressed(files)
}

func missing(path, message string) error {
	hint := "check the spelling"
	if directory, err := os.Getwd(); err == nil && !filepath.IsAbs(path) {
		hint = fmt.Sprintf("relative paths start at the working directory, %s", directory)
	}
	return fault.Wrap(fault.User, &connector.OptionError{Key: "path", Message: message, Hint: hint})
}

// unreadable is the error of files that cannot be looked for or opened.
func unreadable(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fault.Errorf(fault.External, "find files: %w; let the user who runs the statement read it", err)
	}
	return fault.Errorf(fault.External, "find files: %w", err)
}

// glob finds what a pattern matches: '*' and '?' match within a name, '[a-z]' is one of some characters. Of folders that match all files are read. Hidden names match
// only a pattern that spells out their first character.
func glob(pattern string) ([]file, error) {
	names, err := filepath.Glob(pattern)
	if err != nil {
		return nil, fault.Wrap(fault.User, &connector.OptionError{Key: "path", Message: fmt.Sprintf("'%s' is not a pattern: a bracket is not closed", pattern), Hint: `write \[ for a bracket that stands for itself`})
	}
	var files []file
	for _, name := range names {
		if hides(pattern, name) {
			continue
		}
		info, err := os.Stat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue // a link to nothing, or gone meanwhile
		case err != nil:
			return nil, unreadable(err)
		case info.IsDir():
			files, err = walk(files, name)
		default:
			files, err = add(files, name, info)
		}
		if err != nil {
			return nil, err
		}
	}
	if files == nil {
		return nil, missing(pattern, fmt.Sprintf("no file or folder matches '%s'", pattern))
	}
	return files, nil
}

// hides reports whether a hidden name in path is matched by a wildcard.
func hides(pattern, path string) bool {
	ps, names := strings.Split(filepath.Clean(pattern), string(filepath.Separator)), strings.Split(path, string(filepath.Separator))
	for i := range min(len(ps), len(names)) {
		if hidden(names[i]) && !hidden(ps[i]) && ps[i] != names[i] {
			return true
		}
	}
	return false
}

// hidden names are not read. Flink 2.3: they begin with '.' or '_'.
func hidden(name string) bool { return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") }

// walk appends the files of a folder and of its subfolders but hidden ones, with all that is below them.
func walk(files []file, folder string) ([]file, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, unreadable(err)
	}
	for _, e := range entries {
		if hidden(e.Name()) {
			continue
		}
		path := filepath.Join(folder, e.Name())
		info, err := os.Stat(path)
		if err != nil {
			return nil, unreadable(err)
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
			Hint: "pipes and devices cannot be read twice; read them with connector 'stdin', or write the rows to a file first"})
	}
	return append(files, file{path, info.Size(), info.ModTime().UnixMicro()}), nil
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
			return nil, unreadable(err)
		}
		if pattern.MatchString(filepath.ToSlash(absolute)) {
			kept = append(kept, f)
		}
	}
	return kept, nil
}
