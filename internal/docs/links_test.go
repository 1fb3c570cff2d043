package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// TestLinks follows the links of the pages within the tree, to the heading if they name one.
func TestLinks(t *testing.T) {
	for _, page := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(read(t, page), -1) {
			target, heading, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			path := page
			if target != "" {
				path = filepath.ToSlash(filepath.Join(filepath.Dir(page), target))
			}
			if _, err := os.Stat(filepath.Join(root, path)); err != nil {
				t.Errorf("%s links to %s, which does not exist", page, m[1])
				continue
			}
			if heading != "" && !hasHeading(read(t, path), heading) {
				t.Errorf("%s links to %s, and there is no such heading", page, m[1])
			}
		}
	}
}

var unlinked = regexp.MustCompile(`[^\p{L}\p{N} _-]`)

// hasHeading reports whether a heading of the page gets that anchor.
func hasHeading(text, anchor string) bool {
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") {
			continue
		}
		name := strings.ToLower(strings.TrimSpace(strings.TrimLeft(line, "#")))
		if strings.ReplaceAll(unlinked.ReplaceAllString(name, ""), " ", "-") == anchor {
			return true
		}
	}
	return false
}
