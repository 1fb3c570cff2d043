package filesystem

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/folders"
)

// part is a file being written.
type part struct {
	folder, name string
	file         *os.File
	out          io.Writer
	compressor   io.WriteCloser // nil: none
	size         int64          // bytes of text
	since        int64          // wall clock of its beginning, microseconds
	written      int64          // and of the last rows
}

// inProgress ends the hidden name of a part.
const inProgress = ".inprogress"

func newPart(folder, name string, c *codec, now int64) (*part, error) {
	if c != nil {
		name += c.endings[0]
	}
	f, err := os.OpenFile(filepath.Join(folder, "."+name+inProgress), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, writing(err)
	}
	p := &part{folder: folder, name: name, file: f, out: f, since: now, written: now}
	if c != nil {
		if p.compressor, err = c.writer(f); err != nil {
			return nil, errors.Join(writing(err), p.abandon())
		}
		p.out = p.compressor
	}
	return p, nil
}

func (p *part) write(text []byte, now int64) error {
	p.written = now
	_, err := p.out.Write(text)
	p.size += int64(len(text))
	return writing(err)
}

// publish brings the part to the disk and gives it its name. A part of that name is not replaced: names are not used twice.
func (p *part) publish() error {
	if err := p.finish(); err != nil {
		return err
	}
	if err := p.sync(); err != nil {
		return err
	}
	if err := os.Rename(p.file.Name(), filepath.Join(p.folder, p.name)); err != nil {
		return writing(err)
	}
	return writing(folders.Sync(p.folder))
}

// finish writes what ends the part.
func (p *part) finish() error {
	if p.compressor == nil {
		return nil
	}
	if err := p.compressor.Close(); err != nil {
		return errors.Join(writing(err), p.file.Close())
	}
	return nil
}

// sync brings a finished part to the disk and closes it.
func (p *part) sync() error {
	if err := p.file.Sync(); err != nil {
		return errors.Join(writing(err), p.file.Close())
	}
	return writing(p.file.Close())
}

// abandon removes the part, which nobody has seen.
func (p *part) abandon() error {
	err := p.file.Close()
	if errors.Is(err, fs.ErrClosed) {
		err = nil
	}
	gone := os.Remove(filepath.Join(p.folder, "."+p.name+inProgress))
	if errors.Is(gone, fs.ErrNotExist) {
		gone = nil
	}
	return writing(errors.Join(err, gone))
}

// writing is the error of a file that cannot be written.
func writing(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrPermission):
		return fault.Errorf(fault.External, "write files: %w; let the user who runs the statement write there", err)
	case fault.OfIO(err) == fault.Resource:
		return fault.Errorf(fault.Resource, "write files: %w; make room and run the statement again: the parts that were published are whole", err)
	}
	return fault.Errorf(fault.External, "write files: %w", err)
}
