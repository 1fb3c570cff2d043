package page

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// served is what a mux with Patterns, and nothing else, answers.
func served(t *testing.T, path string, headers ...string) *http.Response {
	t.Helper()
	mux := http.NewServeMux()
	for _, p := range Patterns {
		mux.Handle(p, Handler())
	}
	q := httptest.NewRequest("GET", path, nil)
	for i := 0; i < len(headers); i += 2 {
		q.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, q)
	return w.Result()
}

func body(t *testing.T, r *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestPaths(t *testing.T) {
	index := body(t, served(t, "/"))
	for path, want := range map[string]string{"/": "text/html", "/new": "text/html", "/statements/x": "text/html", "/statements/x/profiler": "text/html", "/licenses.txt": "text/plain"} {
		r := served(t, path)
		if r.StatusCode != http.StatusOK || !strings.HasPrefix(r.Header.Get("Content-Type"), want) {
			t.Errorf("%s: %d, %s", path, r.StatusCode, r.Header.Get("Content-Type"))
		}
		if r.Header.Get("Content-Security-Policy") != policy {
			t.Errorf("%s has no policy", path)
		}
		if want == "text/html" && body(t, r) != index {
			t.Errorf("%s is not the page", path)
		}
	}
	for _, path := range []string{"/assets/none.js", "/nothing", "/assets/../index.html", "/index.html"} {
		if r := served(t, path); r.StatusCode == http.StatusOK {
			t.Errorf("%s is answered", path)
		}
	}
}

// TestAssets: what the page names is there, is kept for good since its name tells its content, and asks nobody else for anything.
func TestAssets(t *testing.T) {
	index := body(t, served(t, "/"))
	names := regexp.MustCompile(`(?:src|href)="([^"]+)"`).FindAllStringSubmatch(index, -1)
	if len(names) != 3 {
		t.Fatalf("the page names %d files: %s", len(names), index)
	}
	if regexp.MustCompile(`<style|<script[^>]*>[^<]`).MatchString(index) {
		t.Error("the page has a script or style in its text, which its policy forbids")
	}
	for _, n := range names {
		r := served(t, n[1])
		if r.StatusCode != http.StatusOK || !strings.Contains(r.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d, %s", n[1], r.StatusCode, r.Header.Get("Cache-Control"))
		}
	}
	if c := served(t, "/").Header.Get("Cache-Control"); c != "no-cache" {
		t.Errorf("the page itself may be kept: %s", c)
	}
	for name, f := range files() {
		if f.kind == "" {
			t.Errorf("%s has no content type", name)
		}
		if strings.HasSuffix(name, ".css") && regexp.MustCompile(`url\(|@import`).Match(f.content) {
			t.Errorf("%s loads something", name)
		}
	}
}

func TestCompressedAndUnchanged(t *testing.T) {
	plain := served(t, "/licenses.txt")
	z := served(t, "/licenses.txt", "Accept-Encoding", "gzip, br")
	if z.Header.Get("Content-Encoding") != "gzip" || z.Header.Get("ETag") == plain.Header.Get("ETag") {
		t.Fatalf("compressed: %v, plain: %v", z.Header, plain.Header)
	}
	want := body(t, plain)
	r, err := gzip.NewReader(z.Body)
	if err != nil {
		t.Fatal(err)
	}
	have, err := io.ReadAll(r)
	if err != nil || string(have) != want {
		t.Errorf("compressed text is another: %v", err)
	}
	if r := served(t, "/", "If-None-Match", served(t, "/").Header.Get("ETag")); r.StatusCode != http.StatusNotModified {
		t.Errorf("the same page is sent again: %d", r.StatusCode)
	}
}

// TestLicences: whose code is in the page is said with the text of the licence.
func TestLicences(t *testing.T) {
	text := files()["licenses.txt"].content
	for _, name := range []string{"react", "react-dom", "uplot", "@codemirror/view", "@lezer/highlight"} {
		if !bytes.Contains(text, []byte("\n"+name+" ")) {
			t.Errorf("there is nothing about %s", name)
		}
	}
	if n := bytes.Count(text, []byte("Permission is hereby granted")); n < 10 {
		t.Errorf("only %d licences are there", n)
	}
}

// maxBytes is how much a browser is asked to load at most: all files, compressed.
const maxBytes = 350 << 10

func TestSize(t *testing.T) {
	total := 0
	var names []string
	for name, f := range files() {
		total += len(f.compressed)
		names = append(names, name)
	}
	if total > maxBytes {
		slices.Sort(names)
		t.Errorf("the page has %d bytes compressed, and %d is enough: %v", total, maxBytes, names)
	}
}
