package spill

import (
	"io"
	"sync"
	"testing"
)

// memory is a Disk in memory whose calls are numbered from 1, and fail from number failAt on.
type memory struct {
	mu     sync.Mutex
	calls  int
	failAt int
	err    error
	open   int // files
	size   int64
}

func (m *memory) fails() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.calls++; m.failAt > 0 && m.calls >= m.failAt {
		return m.err
	}
	return nil
}

func (m *memory) grow(files int, size int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.open += files
	m.size += size
}

func (m *memory) String() string { return "memory" }

func (m *memory) Create() (File, error) {
	if err := m.fails(); err != nil {
		return nil, err
	}
	m.grow(1, 0)
	return &memoryFile{disk: m}, nil
}

func (m *memory) Close() error { return m.fails() }

type memoryFile struct {
	disk   *memory
	mu     sync.RWMutex
	data   []byte
	closed bool
}

func (f *memoryFile) Write(b []byte) (int, error) {
	if err := f.disk.fails(); err != nil {
		return 0, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.data = append(f.data, b...)
	f.disk.grow(0, int64(len(b)))
	return len(b), nil
}

func (f *memoryFile) ReadAt(b []byte, at int64) (int, error) {
	if err := f.disk.fails(); err != nil {
		return 0, err
	}
	f.mu.RLock()
	defer f.mu.RUnlock()
	if f.closed {
		panic("a file is read that is closed")
	}
	if at >= int64(len(f.data)) {
		return 0, io.EOF
	}
	n := copy(b, f.data[at:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

func (f *memoryFile) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		panic("a file is closed twice")
	}
	f.closed = true
	f.disk.grow(-1, -int64(len(f.data)))
	f.data = nil
	return f.disk.fails()
}

// done wants nothing to be left.
func (m *memory) done(t *testing.T) {
	t.Helper()
	if m.open != 0 || m.size != 0 {
		t.Errorf("%d files of %d bytes are left", m.open, m.size)
	}
}
