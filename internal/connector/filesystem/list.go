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
	"syscall"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
)

// file is a file to be read, as it was when it was found.
type file struct {
	path     string // as the table spells it, joined with the names below
	size     int64  // bytes
	modified int64  // microseconds since the epoch
	fence    *fence // around it
}

// open opens the file.
func (f file) open() (*os.File, error) {
	if err := f.fence.check(f.path); err != nil {
		return nil, err
	}
	opened, err := os.Open(f.path)
	if err != nil {
		return nil, fault.Errorf(fault.External, "read file: %w", err)
	}
	return opened, nil
}

// list finds the files that path stands for, sorted by path. Links are followed. If there is no file or folder of that name, it is a pattern.
func list(path string, pattern *regexp.Regexp, in *fence) ([]file, error) {
	var files []file
	if err := in.check(leading(path)); err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(path, "*?["):
		if files, err = glob(path, in); err == nil && files == nil {
			return nil, missing(path, fmt.Sprintf("no file or folder matches '%s'", path))
		}
	case errors.Is(err, fs.ErrNotExist):
		return nil, missing(path, fmt.Sprintf("no file or folder '%s'", path))
	case err != nil:
		return nil, unreadable(err)
	case info.IsDir():
		files, err = (&walker{fence: in}).walk(nil, path, info)
	default:
		files, err = add(nil, path, info, in)
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

// errMissing is the cause of the error of a path where nothing is.
var errMissing = errors.New("nothing there")

func missing(path, message string) error {
	hint := "check the spelling"
	if directory, err := os.Getwd(); err == nil && !filepath.IsAbs(path) {
		hint = fmt.Sprintf("relative paths start at the working directory, %s", directory)
	}
	return fault.Errorf(fault.User, "%w: %w", &connector.OptionError{Key: "path", Message: message, Hint: hint}, errMissing)
}

// unreadable is the error of files that cannot be looked for or opened.
func unreadable(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fault.Errorf(fault.External, "find files: %w; let the user who runs the statement read it", err)
	}
	return fault.Errorf(fault.External, "find files: %w", err)
}

// leading is the part of a pattern before its first wildcard.
func leading(path string) string {
	if at := strings.IndexAny(path, `*?[\`); at >= 0 {
		return filepath.Dir(path[:at] + "x")
	}
	return path
}

// glob finds what a pattern matches: '*' and '?' match within a name, '[a-z]' is one of some characters. Of folders that match all files are read. Hidden names match
// only a pattern that spells out their first character.
func glob(pattern string, in *fence) ([]file, error) {
	names, err := filepath.Glob(pattern)
	if err != nil {
		return nil, fault.Wrap(fault.User, &connector.OptionError{Key: "path", Message: fmt.Sprintf("'%s' is not a pattern: a bracket is not closed", pattern), Hint: `write \[ for a bracket that stands for itself`})
	}
	var files []file
	for _, name := range names {
		if hides(pattern, name) {
			continue
		}
		if err := in.check(name); err != nil {
			return nil, err
		}
		info, err := os.Stat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ELOOP):
			continue // a link to nothing or to itself, or gone meanwhile
		case err != nil:
			return nil, unreadable(err)
		case info.IsDir():
			files, err = (&walker{fence: in}).walk(files, name, info)
		default:
			files, err = add(files, name, info, in)
		}
		if err != nil {
			return nil, err
		}
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

// walker goes through a folder and all that is below it.
type walker struct {
	above   []fs.FileInfo // the folders that it is in
	folders int           // seen so far
	fence   *fence
}

// maxFolders bounds the ways to folders: a few links that lead to each other's folders make very many.
const maxFolders = 1_000_000

// walk appends the files of a folder and of its subfolders but hidden ones, with all that is below them. A link to a folder that it stands in has nothing new.
func (w *walker) walk(files []file, folder string, info fs.FileInfo) ([]file, error) {
	if slices.ContainsFunc(w.above, func(above fs.FileInfo) bool { return os.SameFile(above, info) }) {
		return files, nil
	}
	if w.folders++; w.folders > maxFolders {
		return nil, fault.Wrap(fault.User, &connector.OptionError{Key: "path", Message: fmt.Sprintf("there are more than %d folders in '%s' and below it, counting those that links lead to", maxFolders, folder),
			Hint: "remove links that lead from folder to folder"})
	}
	w.above = append(w.above, info)
	defer func() { w.above = w.above[:len(w.above)-1] }()
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return files, nil // gone since it was found
	}
	if err != nil {
		return nil, unreadable(err)
	}
	for _, e := range entries {
		if hidden(e.Name()) {
			continue
		}
		path := filepath.Join(folder, e.Name())
		if e.Type()&fs.ModeSymlink != 0 {
			if err := w.fence.check(path); err != nil {
				return nil, err
			}
		}
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ELOOP) {
			continue // a link to nothing or to itself, or gone since it was found
		}
		if err != nil {
			return nil, unreadable(err)
		}
		if info.IsDir() {
			files, err = w.walk(files, path, info)
		} else {
			files, err = add(files, path, info, w.fence)
		}
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

func add(files []file, path string, info fs.FileInfo, in *fence) ([]file, error) {
	if !info.Mode().IsRegular() {
		return nil, fault.Wrap(fault.User, &connector.OptionError{Key: "path", Message: fmt.Sprintf("'%s' is neither a file nor a folder", path),
			Hint: "pipes and devices cannot be read twice; read them with connector 'stdin', or write the rows to a file first"})
	}
	return append(files, file{path, info.Size(), info.ModTime().UnixMicro(), in}), nil
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
