// Package page is the page of a server: a program for browsers, written in TypeScript in src and built into dist, which is embedded. It asks the same API as everybody else, with the key that
// its user has typed, and so is open to all. To build it needs Node (.ci/page); the Go program does not. Begin with src/main.tsx.
package page

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"
)

//go:embed dist
var dist embed.FS

// policy lets the page run what is ours and nothing else: no script or style in the text of a page, and no page around it.
const policy = "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'"

// Patterns are the paths, as of package http, that Handler answers. Those below /statements/ are views of the page, not files.
var Patterns = []string{"GET /{$}", "GET /new", "GET /statements/{view...}", "GET /assets/{file}", "GET /licenses.txt"}

// file is one of dist.
type file struct {
	content, compressed []byte
	kind, tag           string
}

var kinds = map[string]string{".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml", ".txt": "text/plain; charset=utf-8"}

// files are those of dist by their path.
var files = sync.OnceValue(func() map[string]file {
	all := map[string]file{}
	fs.WalkDir(dist, "dist", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := dist.ReadFile(name)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(content)
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write(content)
		z.Close()
		all[strings.TrimPrefix(name, "dist/")] = file{content, b.Bytes(), kinds[path.Ext(name)], hex.EncodeToString(sum[:8])}
		return nil
	})
	return all
})

// Handler answers requests for Patterns.
func Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		name := strings.TrimPrefix(q.URL.Path, "/")
		f, ok := files()[name]
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Frame-Options", "DENY")
		h.Set("Vary", "Accept-Encoding")
		switch {
		case ok && strings.HasPrefix(name, "assets/"): // has the hash of its content in its name
			h.Set("Cache-Control", "public, max-age=31536000, immutable")
		case strings.HasPrefix(name, "assets/"):
			http.NotFound(w, q)
			return
		default:
			if !ok {
				f = files()["index.html"]
			}
			h.Set("Cache-Control", "no-cache")
		}
		h.Set("Content-Type", f.kind)
		content, tag := f.content, f.tag
		if strings.Contains(q.Header.Get("Accept-Encoding"), "gzip") {
			content, tag = f.compressed, f.tag+"-gzip"
			h.Set("Content-Encoding", "gzip")
		}
		h.Set("ETag", `"`+tag+`"`)
		http.ServeContent(w, q, "", time.Time{}, bytes.NewReader(content))
	})
}
