package filesystem

import (
	"errors"
	"fmt"
	"sync/atomic"

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

	options  sourceOptions
	framer   format.Framer
	schema   types.Schema // what is in a record
	needed   []int        // of them
	told     []string     // metadata of the format that is needed
	metadata []string     // see decoder
	maxLine  int64
	size     atomic.Int64
	known    map[connector.SplitID]struct{} // by path: files that are splits, or were
}

// NewSource makes a *Source of Connector.
func NewSource(t connector.Table, o connector.Options) (connector.Source, error) {
	return family{}.newSource(t, o)
}

func (f family) newSource(t connector.Table, o connector.Options) (connector.Source, error) {
	r, err := f.readSourceOptions(o)
	if err != nil {
		return nil, err
	}
	// What is wrong for the other direction is wrong too, so that a table is refused when it is made.
	if _, err := f.readSinkOptions(o); err != nil {
		return nil, err
	}
	s := &Source{ChunkBytes: ChunkBytes, options: r, maxLine: maxLine, known: map[connector.SplitID]struct{}{}}
	told := s.columns(t)
	// Types are checked for all columns, so that whether a table is valid does not depend on the statement that reads it.
	if r.container != nil {
		if len(told) > 0 {
			return nil, placed(r.container, format.UnknownMetadata(r.container.Name, told[0]))
		}
		return s, r.container.check(s.schema)
	}
	if err := r.format.Check(s.schema, told...); err != nil {
		return nil, err
	}
	if r.follow && r.format.Whole {
		return nil, &connector.OptionError{Key: followKey, Message: fmt.Sprintf("a file in format '%s' cannot be followed: it is one record", r.format.Name), Hint: "leave it out, and use '" + monitorKey + "' to read new files"}
	}
	s.framer, err = r.format.NewFramer()
	return s, err
}

// columns tells those that are in a record from those that are about the file, and lists the metadata of the format.
func (s *Source) columns(t connector.Table) (told []string) {
	places := make([]int, len(t.Schema)) // in s.schema
	for i, f := range t.Schema {
		if t.Metadata == nil || t.Metadata[i] == "" {
			places[i] = len(s.schema)
			s.schema = append(s.schema, f)
		} else if key, ok := format.MetadataKey(t.Metadata[i]); ok {
			told = append(told, key)
		}
	}
	for _, k := range t.Needed {
		key := ""
		if t.Metadata != nil {
			key = t.Metadata[k]
		}
		if key == "" {
			s.needed = append(s.needed, places[k])
		} else if name, ok := format.MetadataKey(key); ok {
			s.told = append(s.told, name)
		}
		s.metadata = append(s.metadata, key)
	}
	if len(s.needed) == len(t.Needed) {
		s.metadata = nil
	}
	return told
}

// Open finds the files, one split each, sorted by path. A folder without files has no splits and so no rows.
func (s *Source) Open() ([]connector.Split, error) {
	s.size.Store(0)
	clear(s.known)
	return s.find()
}

// Discover implements connector.Growing: files are told by their paths. Flink 2.3: one that was seen is not read again, whatever becomes of it.
func (s *Source) Discover(now int64) ([]connector.Split, int64, error) {
	if s.options.monitor == 0 {
		return nil, connector.Never, nil
	}
	splits, err := s.find()
	if errors.Is(err, errMissing) {
		err = nil // all files are gone; others may come
	}
	return splits, now + s.options.monitor, err
}

// find makes splits of the files that are not known.
func (s *Source) find() ([]connector.Split, error) {
	files, err := list(s.options.path, s.options.pattern, s.options.fence)
	if err != nil {
		return nil, err
	}
	var splits []connector.Split
	for _, f := range files {
		id := connector.IDOf(f.path)
		if _, known := s.known[id]; known {
			continue
		}
		split, err := s.split(f)
		if err != nil {
			return nil, err
		}
		s.known[id] = struct{}{}
		s.size.Add(f.size)
		splits = append(splits, split)
	}
	return splits, nil
}

func (s *Source) split(f file) (connector.Split, error) {
	compressed := codecOf(f.path) != nil
	switch {
	case s.options.container != nil && compressed:
		return nil, &connector.OptionError{Key: "path", Message: fmt.Sprintf("'%s' is compressed as a whole, and a file in format '%s' is not", f.path, s.options.container.Name), Hint: "decompress it"}
	case s.options.container != nil:
		p := &pieces{file: f, container: s.options.container}
		p.begin(f.size)
		return p, nil
	case s.options.follow && compressed:
		return nil, &connector.OptionError{Key: followKey, Message: fmt.Sprintf("'%s' is compressed and cannot be followed", f.path), Hint: "leave the option out, or follow the file that is compressed later"}
	case s.options.follow:
		p := &followed{file: f, framer: s.framer, step: s.ChunkBytes, maxLine: s.maxLine}
		p.backlog.begin(f.size)
		return p, nil
	case compressed || s.framer != format.Lines:
		p := &stream{file: f, framer: s.framer, step: s.ChunkBytes, maxLine: s.maxLine}
		if p.begin(f.size); compressed {
			p.begin(unknown)
		}
		return p, nil
	}
	p := &split{file: f, step: s.ChunkBytes}
	p.begin(f.size)
	return p, nil
}

// NewDecoder makes a decoder, which holds nothing that needs closing.
func (s *Source) NewDecoder() (connector.Decoder, error) {
	if c := s.options.container; c != nil {
		return &decoder{pieces: c.NewReader(s.schema, s.needed, c.options), metadata: s.metadata}, nil
	}
	d, err := s.options.format.NewDecoder(s.schema, s.needed, s.told...)
	if err != nil {
		return nil, err
	}
	return &decoder{records: d, framer: s.framer, marked: s.options.format.Marked, header: s.options.format.Header(), maxLine: s.maxLine, metadata: s.metadata}, nil
}

// Bounded is false if files are followed or looked for again. Otherwise they are read up to the size that Open found.
func (s *Source) Bounded() bool { return s.options.monitor == 0 && !s.options.follow }

// Size is the bytes of all files found. Of those that are compressed, more is read.
func (s *Source) Size() int64 {
	if !s.Bounded() {
		return 0
	}
	return s.size.Load()
}
