package main

import (
	"io"
	"os"
	"sync"
)

// screen is a terminal that rows, messages and the progress line share. The line is the last one on it, and is gone before anything else is
// written; show brings it back.
type screen struct {
	mu      sync.Mutex
	out     io.Writer // where the line is drawn
	shown   bool
	unended bool // what was written last does not end in a line end: the line would be drawn over it
}

const (
	eraseLine = "\r\x1b[K"
	// A line wider than the terminal is cut off: of one that went on below, the next eraseLine would leave the first part.
	wrapOff, wrapOn = "\x1b[?7l", "\x1b[?7h"
)

// newScreen makes the screen of a progress line on out.
func newScreen(out io.Writer) *screen { return &screen{out: out} }

// writer makes a writer to the same terminal that never writes into the line.
func (s *screen) writer(w io.Writer) io.Writer { return &screenWriter{s, w} }

type screenWriter struct {
	screen *screen
	w      io.Writer
}

// Write implements io.Writer.
func (w *screenWriter) Write(p []byte) (int, error) {
	s := w.screen
	s.mu.Lock()
	defer s.mu.Unlock()
	s.erase()
	n, err := w.w.Write(p)
	if n > 0 {
		s.unended = p[n-1] != '\n'
	}
	return n, err
}

// show draws the line anew.
func (s *screen) show(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.unended {
		return
	}
	s.shown = true
	io.WriteString(s.out, eraseLine+wrapOff+line+wrapOn)
}

// clear takes the line away.
func (s *screen) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.erase()
}

func (s *screen) erase() {
	if s.shown {
		io.WriteString(s.out, eraseLine)
		s.shown = false
	}
}

// terminal reports whether w is one.
func terminal(w io.Writer) bool {
	if c, ok := w.(*checked); ok {
		w = c.Writer
	}
	f, ok := w.(interface {
		Name() string
		Stat() (os.FileInfo, error)
	})
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && f.Name() != os.DevNull
}
