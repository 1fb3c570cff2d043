package script

import (
	"os"
	"regexp"
	"strings"
)

// Listed is a script that Run would run.
type Listed struct {
	Path string
	// About is the first line of the comment that it begins with, empty if there is none.
	About string
}

// List lists the scripts that Run would run with the same paths, where only is what Options.Only is. The error tells of a path that cannot be read.
func List(paths []string, only *regexp.Regexp) ([]Listed, error) {
	files, err := findAll(paths, only)
	if err != nil {
		return nil, err
	}
	listed := make([]Listed, len(files))
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		listed[i] = Listed{file, heading(string(text))}
	}
	return listed, nil
}

// heading is the first line of the comment that a script begins with, or nothing.
func heading(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	about, ok := strings.CutPrefix(line, "#")
	if !ok {
		return ""
	}
	return strings.TrimSpace(about)
}
