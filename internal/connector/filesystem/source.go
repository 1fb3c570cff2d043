package filesystem

import (
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/format"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// ChunkBytes is the size of a chunk's range.
const ChunkBytes = 512 << 10

// Source is a path being read.
type Source struct {
	// ChunkBytes is the size of a chunk's range, to be set before Open if at all. It does not change which rows come, in which order.
	ChunkBytes int64

	options options
	fields  types.Schema
	maxLine int64
	size    int64
}

// NewSource makes a *Source.
func NewSource(t connector.Table, o connector.Options) (connector.Source, error) {
	r, err := readOptions(o)
	if err != nil {
		return nil, err
	}
	// Types are checked for all columns, so that whether a table is valid does not depend on the statement that reads it.
	if _, err := format.NewJSONDecoder(t.Schema, r.json); err != nil {
		return nil, &connector.OptionError{Key: "format", Message: err.Error(), Hint: "declare the column with another type, such as STRING"}
	}
	return &Source{ChunkBytes: ChunkBytes, options: r, fields: t.Fields(), maxLine: maxLine}, nil
}

// NewSink refuses.
func NewSink(connector.Table, connector.Options) (connector.Sink, error) {
	return nil, connector.NotWritable("filesystem", "write to a table with connector 'print', or run the SELECT and redirect its output to a file")
}

// Open finds the files, one split each, sorted by path. A folder without files has no splits and so no rows.
func (s *Source) Open() ([]connector.Split, error) {
	files, err := list(s.options.path, s.options.pattern)
	if err != nil {
		return nil, err
	}
	splits := make([]connector.Split, len(files))
	s.size = 0
	for i, f := range files {
		splits[i] = &split{file: f, step: s.ChunkBytes}
		s.size += f.size
	}
	return splits, nil
}

// NewDecoder makes a decoder, which holds nothing that needs closing.
func (s *Source) NewDecoder() (connector.Decoder, error) {
	json, err := format.NewJSONDecoder(s.fields, s.options.json)
	if err != nil {
		return nil, err
	}
	return &decoder{json: json, maxLine: s.maxLine}, nil
}

// Bounded is true: files are read up to the size that Open found.
func (s *Source) Bounded() bool { return true }

// Size is the bytes of all files that Open found.
func (s *Source) Size() int64 { return s.size }
