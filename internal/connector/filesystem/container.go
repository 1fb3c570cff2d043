package filesystem

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/format"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Container is a format that a file has as a whole: its rows lie in pieces, such as the row groups of Parquet, and what is in them the file itself
// tells. Connectors are given theirs by whoever puts the program together, because of what they link.
type Container struct {
	// Name is its value of 'format'.
	Name string
	// Doc is a phrase for the reference.
	Doc string
	// Specs are its options, without the name and the dot that stand before them in a table.
	Specs []connector.Spec
	// Check refuses columns and options with an *OptionError, whose key has no prefix and is empty for the format itself.
	Check func(schema types.Schema, o connector.Options) error
	// Pieces counts the pieces of a file.
	Pieces func(path string) (int, error)
	// NewReader makes a reader of the columns needed, each an index into schema. Schema and options have passed Check.
	NewReader func(schema types.Schema, needed []int, o connector.Options) PieceReader
	// NewWriter makes a writer of a new file.
	NewWriter func(out io.Writer, schema types.Schema, o connector.Options) (PieceWriter, error)
}

// PieceReader reads pieces of files. It belongs to one goroutine and keeps no file open.
type PieceReader interface {
	// Read gives the rows of a piece, counted from 0, in batches as connector.Decoder does.
	Read(path string, piece int, memory *vector.Pool, maxRows int, each func(b *vector.Batch) error) error
}

// PieceWriter writes a file. It belongs to one goroutine.
type PieceWriter interface {
	// Write takes the selected rows of b, which stays the caller's.
	Write(b *vector.Batch) error
	// Size is about how many bytes the file would have if it were closed now.
	Size() int64
	// Close writes what is left. Nothing can be read of a file that was not closed.
	Close() error
}

// contained is a container with the options that a table gives it.
type contained struct {
	*Container
	options connector.Options // without prefix
}

// family is the connector with the containers that it was given.
type family struct{ containers []Container }

// specs are the options of formats.
func (f family) specs() []connector.Spec {
	specs := format.FileSpecs()
	names := slices.Clone(specs[0].Values)
	for _, c := range f.containers {
		names = append(names, c.Name)
		for _, s := range c.Specs {
			s.Key = c.Name + "." + s.Key
			specs = append(specs, s)
		}
	}
	specs[0].Values, specs[0].Doc = names, "how rows are written: "+strings.Join(names, ", ")
	return specs
}

// choose finds the container that a table names, nil if it names another format.
func (f family) choose(o connector.Options) (*contained, error) {
	var chosen *contained
	for i := range f.containers {
		c := &f.containers[i]
		if c.Name == o["format"] {
			chosen = &contained{c, connector.Options{}}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(o)) {
		owner, rest := f.owner(key)
		switch {
		case chosen != nil && owner == chosen.Name:
			chosen.options[rest] = o[key]
		case owner != "" && owner != o["format"]:
			return nil, &connector.OptionError{Key: key, Message: fmt.Sprintf("option '%s' is for 'format' = '%s', and the table has '%s'", key, owner, o["format"]), Hint: "leave it out, or change the format"}
		}
	}
	if chosen == nil {
		return nil, nil
	}
	if mode := o[connector.OptionErrors]; mode != "" && mode != "fail" {
		return nil, &connector.OptionError{Key: connector.OptionErrors, Message: fmt.Sprintf("'error-handling.mode' = '%s' is for records, and a file in format '%s' is whole or it is not", mode, chosen.Name), Hint: "leave it out"}
	}
	if follow := o[followKey]; follow == "true" {
		return nil, &connector.OptionError{Key: followKey, Message: fmt.Sprintf("a file in format '%s' cannot be followed: nothing is appended to it", chosen.Name), Hint: "leave it out, and use '" + monitorKey + "' to read new files"}
	}
	if compress, ok := o[compressKey]; ok && compress != "none" {
		return nil, &connector.OptionError{Key: compressKey, Message: fmt.Sprintf("a file in format '%s' is not compressed as a whole", chosen.Name), Hint: fmt.Sprintf("use the options '%s.…' of the format", chosen.Name)}
	}
	return chosen, nil
}

// owner is the format that an option belongs to, "" if it is of the connector.
func (f family) owner(key string) (name, rest string) {
	name, rest, _ = strings.Cut(key, ".")
	known := slices.ContainsFunc(f.containers, func(c Container) bool { return c.Name == name }) ||
		slices.ContainsFunc(format.Formats, func(g format.Format) bool { return g.Name == name && len(g.Specs) > 0 })
	if !known {
		return "", ""
	}
	return name, rest
}

// check refuses what the container cannot hold.
func (c *contained) check(schema types.Schema) error { return placed(c, c.Check(schema, c.options)) }

// placed turns the keys of a container into those of the table.
func placed(c *contained, err error) error {
	option, ok := err.(*connector.OptionError)
	if !ok {
		return err
	}
	with := *option
	with.Key = "format"
	if option.Key != "" {
		with.Key = c.Name + "." + option.Key
		with.Message = strings.Replace(option.Message, "'"+option.Key+"'", "'"+with.Key+"'", 1)
	}
	return &with
}

// pieces is a split of a file whose pieces are read one after the other. Its offset is the number of a piece.
type pieces struct {
	backlog
	file      file
	container *contained
	counted   bool
	n, at     int
}

// piece is a chunk of pieces.
type piece struct {
	file   file
	number int
	size   int64
}

// Size is about how many bytes of the file the piece has.
func (p *piece) Size() int64 { return p.size }

func (s *pieces) Name() string { return s.file.path }

func (s *pieces) Poll(int64) (connector.Chunk, int64, error) {
	if err := s.count(); err != nil {
		return nil, 0, err
	}
	if s.at >= s.n {
		return nil, connector.Never, io.EOF
	}
	p := &piece{s.file, s.at, s.file.size / int64(s.n)}
	s.at++
	s.left.Store(p.size * int64(s.n-s.at))
	return p, 0, nil
}

func (s *pieces) count() (err error) {
	if !s.counted {
		if err := s.file.fence.check(s.file.path); err != nil {
			return err
		}
		s.n, err = s.container.Pieces(s.file.path)
		s.counted = err == nil
	}
	return err
}

func (s *pieces) Offset() int64 { return int64(s.at) }

func (s *pieces) Resume(offset int64) error {
	if err := s.count(); err != nil {
		return err
	}
	if offset < 0 || offset > int64(s.n) {
		return fault.Errorf(fault.External, "resume %s at piece %d: the file has only %d pieces; it was replaced since the position was saved", s.file.path, offset, s.n)
	}
	s.at = int(offset)
	s.left.Store(s.file.size / max(int64(s.n), 1) * int64(s.n-s.at))
	return nil
}

func (s *pieces) Close() error { return nil }
