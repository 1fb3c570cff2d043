package filesystem

import (
	"compress/bzip2"
	"compress/zlib"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
)

// codec is a way to compress files.
type codec struct {
	name    string // as 'compress' has it, "" if it is only read
	endings []string
	reader  func(r io.Reader) (io.Reader, error) // nil: refused
	writer  func(w io.Writer) (io.WriteCloser, error)
}

// codecs are told by the ending of a file, as in Flink 2.3.
var codecs = []codec{
	{name: "gzip", endings: []string{".gz", ".gzip"},
		reader: func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		writer: func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil }},
	{name: "zstd", endings: []string{".zst"},
		reader: func(r io.Reader) (io.Reader, error) {
			d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1))
			if err != nil {
				return nil, err
			}
			return d.IOReadCloser(), nil
		},
		writer: func(w io.Writer) (io.WriteCloser, error) {
			return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
		}},
	{endings: []string{".deflate"}, reader: func(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) }},
	{endings: []string{".bz2"}, reader: func(r io.Reader) (io.Reader, error) { return bzip2.NewReader(r), nil }},
	{endings: []string{".xz"}},
	{endings: []string{".zip"}},
}

// codecOf is the codec that a file was compressed with, nil if it was not.
func codecOf(path string) *codec {
	ending := filepath.Ext(path)
	for i := range codecs {
		for _, e := range codecs[i].endings {
			if e == ending {
				return &codecs[i]
			}
		}
	}
	return nil
}

func codecNamed(name string) *codec {
	for i := range codecs {
		if name != "" && codecs[i].name == name {
			return &codecs[i]
		}
	}
	return nil
}

func refuseCompressed(files []file) error {
	for _, f := range files {
		if c := codecOf(f.path); c != nil && c.reader == nil {
			return fault.Wrap(fault.User, &connector.OptionError{Key: "path", Message: fmt.Sprintf("'%s' cannot be read: %s files are not supported", f.path, filepath.Ext(f.path)),
				Hint: "decompress it, or compress it with gzip, zstd or bzip2"})
		}
	}
	return nil
}

// contents is the decompressed contents of a file.
type contents struct {
	io.Reader
	file *os.File
	// compressed says that Reader is not the file itself.
	compressed bool
}

// openText opens f from the beginning. Of a file that is not compressed, no more than limit bytes are read.
func openText(f file, limit int64) (*contents, error) {
	opened, err := f.open()
	if err != nil {
		return nil, err
	}
	c := codecOf(f.path)
	if c == nil {
		return &contents{Reader: io.LimitReader(opened, limit), file: opened}, nil
	}
	r, err := c.reader(opened)
	if err != nil {
		info, unknown := opened.Stat()
		_ = opened.Close()
		if unknown == nil && info.Size() == 0 {
			return nil, fault.Errorf(fault.External, "decompress %s: the file is empty, and even a compressed file of no rows has some bytes; remove it, or write it anew", f.path)
		}
		return nil, fault.Errorf(fault.External, "decompress %s: %w", f.path, err)
	}
	return &contents{r, opened, true}, nil
}

// skip goes to a byte of the text.
func (c *contents) skip(offset int64) error {
	_, err := io.CopyN(io.Discard, c.Reader, offset)
	return err
}

func (c *contents) Close() error {
	if r, ok := c.Reader.(io.Closer); ok && c.compressed {
		_ = r.Close() // of a reader, which has nothing to lose
	}
	return c.file.Close()
}
