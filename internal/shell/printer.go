package shell

import (
	"io"
	"strings"
	"sync"
)

// printer is where connectors for people write: to a writer, or line by line above what the screen shows.
type printer struct {
	w io.Writer

	mu   sync.Mutex
	show func(line string) // nil: there is no screen
	rest string            // what was written of a line that has not ended
}

// to sends lines to a screen from now on; nil ends that.
func (p *printer) to(show func(line string)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.show = show
}

// Write implements io.Writer.
func (p *printer) Write(b []byte) (int, error) {
	p.mu.Lock()
	show := p.show
	if show == nil {
		defer p.mu.Unlock()
		return p.w.Write(b)
	}
	text := p.rest + string(b)
	end := strings.LastIndexByte(text, '\n')
	p.rest = text[end+1:]
	p.mu.Unlock()
	if end >= 0 {
		show(text[:end])
	}
	return len(b), nil
}
