package filesystem

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/connector"
)

// Confined is the connector c of this package for tables whose files are in one of the folders, and no others: what a path, or the part of a pattern before its first wildcard, leads to when
// links are followed. Without folders it makes no table at all.
func Confined(c connector.Connector, folders []string) connector.Connector {
	source, sink := c.NewSource, c.NewSink
	c.NewSource = func(t connector.Table, o connector.Options) (connector.Source, error) {
		if err := within(o["path"], folders); err != nil {
			return nil, err
		}
		return source(t, o)
	}
	c.NewSink = func(t connector.Table, o connector.Options) (connector.Sink, error) {
		if err := within(o["path"], folders); err != nil {
			return nil, err
		}
		return sink(t, o)
	}
	return c
}

func within(option string, folders []string) error {
	path, err := localPath(option)
	if err != nil {
		return err
	}
	if at := strings.IndexAny(path, `*?[\`); at >= 0 {
		path = filepath.Dir(path[:at] + "x")
	}
	if path, err = resolved(path); err == nil {
		for _, f := range folders {
			if folder, err := resolved(f); err == nil && inside(folder, path) {
				return nil
			}
		}
	}
	hint := "this server lets no statement read or write files"
	if len(folders) > 0 {
		hint = "this server lets statements read and write files in: " + strings.Join(folders, ", ")
	}
	return &connector.OptionError{Key: "path", Message: fmt.Sprintf("'%s' is outside of what statements may read and write", option), Hint: hint}
}

// resolved is an absolute path without links. What is not there yet is taken as it is written.
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
