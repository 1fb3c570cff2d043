package checkpoint

import (
	"bytes"
	"io/fs"
	"maps"
	"slices"
)

// Memory is a Disk that lives as long as the process, for those who want to see what a checkpoint would bring back.
func Memory() Disk { return memory{} }

type memory map[string][]byte

func (m memory) Create(name string) (Writable, error) {
	if _, ok := m[name]; ok {
		return nil, fs.ErrExist
	}
	m[name] = nil
	return &memoryFile{disk: m, name: name}, nil
}

func (m memory) Publish(from, to string) error {
	b, ok := m[from]
	if !ok {
		return fs.ErrNotExist
	}
	delete(m, from)
	m[to] = b
	return nil
}

func (m memory) Remove(name string) error {
	if _, ok := m[name]; !ok {
		return fs.ErrNotExist
	}
	delete(m, name)
	return nil
}

func (m memory) List() ([]string, error) { return slices.Sorted(maps.Keys(m)), nil }

func (m memory) Open(name string) (Readable, error) {
	b, ok := m[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return memoryReader{bytes.NewReader(b)}, nil
}

type memoryFile struct {
	disk memory
	name string
}

func (f *memoryFile) Write(b []byte) (int, error) {
	f.disk[f.name] = append(f.disk[f.name], b...)
	return len(b), nil
}

func (f *memoryFile) Sync() error  { return nil }
func (f *memoryFile) Close() error { return nil }

type memoryReader struct{ *bytes.Reader }

func (memoryReader) Close() error           { return nil }
func (r memoryReader) Size() (int64, error) { return r.Reader.Size(), nil }
