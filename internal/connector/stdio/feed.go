package stdio

import (
	"io"
	"sync"
)

// feed reads ahead in a goroutine of its own, since a read of a pipe waits for whoever writes to it, and a split must not. That goroutine is the one
// that no statement waits for: nothing can call it back from a read.
type feed struct {
	mu     sync.Mutex
	room   sync.Cond // on mu: buf was taken, or the reader is gone
	buf    []byte
	err    error // of the last read, io.EOF at the end
	closed bool
	// arrived is told, without waiting, when there is more than there was.
	arrived chan<- struct{}
}

const (
	// readBytes is how much is read at once.
	readBytes = 256 << 10
	// aheadBytes is how much is read ahead at most, but for one read.
	aheadBytes = 2 << 20
)

func newFeed(r io.Reader, arrived chan<- struct{}) *feed {
	f := &feed{arrived: arrived}
	f.room.L = &f.mu
	go f.run(r)
	return f
}

func (f *feed) run(r io.Reader) {
	buf := make([]byte, readBytes)
	for {
		n, err := r.Read(buf)
		f.mu.Lock()
		f.buf = append(f.buf, buf[:n]...)
		f.err = err
		select {
		case f.arrived <- struct{}{}:
		default:
		}
		for len(f.buf) > aheadBytes && !f.closed {
			f.room.Wait()
		}
		over := f.closed || err != nil
		f.mu.Unlock()
		if over {
			return
		}
	}
}

// take hands over what has been read, and the error behind it.
func (f *feed) take() ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	buf := f.buf
	f.buf = nil
	f.room.Signal()
	return buf, f.err
}

func (f *feed) close() {
	f.mu.Lock()
	f.closed = true
	f.mu.Unlock()
	f.room.Signal()
}
