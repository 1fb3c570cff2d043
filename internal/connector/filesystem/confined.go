package filesystem

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
)

// Confined is the connector c of this package for tables whose files are in one of the folders, and no others: what a path, or the part of a pattern before its first wildcard, leads to when
// links are followed. A link that is met on the way, in a folder or by a wildcard, may not lead out either; that is looked at when files are found and again when they are opened. Without folders it
// makes no table at all.
func Confined(c connector.Connector, folders []string) connector.Connector {
	source, sink := c.NewSource, c.NewSink
	inside := &fence{folders}
	c.NewSource = func(t connector.Table, o connector.Options) (connector.Source, error) {
		if err := inside.option(o["path"]); err != nil {
			return nil, err
		}
		made, err := source(t, o)
		if s, ok := made.(*Source); ok {
			s.options.fence = inside
		}
		return made, err
	}
	c.NewSink = func(t connector.Table, o connector.Options) (connector.Sink, error) {
		if err := inside.option(o["path"]); err != nil {
			return nil, err
		}
		made, err := sink(t, o)
		if s, ok := made.(*Sink); ok {
			s.options.fence = inside
		}
		return made, err
	}
	return c
}

// Inside reports whether a path leads into one of the folders when links are followed.
func Inside(folders []string, path string) bool { return (&fence{folders}).holds(path) }

// fence is the folders in which files are read and written. A nil one is around everything.
type fence struct{ folders []string }

// option checks the value of option 'path'.
func (f *fence) option(option string) error {
	path, err := localPath(option)
	if err != nil {
		return err
	}
	if f.holds(leading(path)) {
		return nil
	}
	return f.outside(fmt.Sprintf("'%s' is outside of what statements may read and write", option))
}

func (f *fence) outside(message string) error {
	hint := "this server lets no statement read or write files"
	if len(f.folders) > 0 {
		hint = "this server lets statements read and write files in: " + strings.Join(f.folders, ", ")
	}
	return &connector.OptionError{Key: "path", Message: message, Hint: hint}
}

// check refuses a path that leads out. It names the link that does and not what is behind it.
func (f *fence) check(path string) error {
	if f == nil || f.holds(path) {
		return nil
	}
	link := path
	for above := filepath.Dir(link); above != link && !f.holds(above); above = filepath.Dir(link) {
		link = above
	}
	return fault.Wrap(fault.User, f.outside(fmt.Sprintf("'%s' is a link that leads out of what statements may read and write", link)))
}

// holds reports whether a path leads to a place inside.
func (f *fence) holds(path string) bool {
	path, err := resolved(path)
	if err != nil {
		return false
	}
	for _, folder := range f.folders {
		if folder, err := resolved(folder); err == nil && inside(folder, path) {
			return true
		}
	}
	return false
}

// resolved is an absolute path without links. What is not there yet is taken as it is written; a link to what is not there leads nobody knows where, since that may be there when the file is opened.
func resolved(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	var behind []string
	for at := path; ; at = filepath.Dir(at) {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			slices.Reverse(behind)
			return filepath.Join(append([]string{real}, behind...)...), nil
		} else if _, there := os.Lstat(at); there == nil {
			return "", err
		}
		if at == filepath.Dir(at) {
			return path, nil
		}
		behind = append(behind, filepath.Base(at))
	}
}

func inside(folder, path string) bool {
	relative, err := filepath.Rel(folder, path)
	return err == nil && relative != ".." && !strings.HasPrefix(relative, ".."+string(filepath.Separator))
}
