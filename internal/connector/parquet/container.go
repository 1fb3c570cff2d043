package parquet

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/apache/arrow-go/v18/parquet/compress"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/filesystem"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// Container is the format.
var Container = filesystem.Container{
	Name: "parquet",
	Doc:  "Parquet files, whose row groups are read side by side",
	Specs: []connector.Spec{
		{Key: compressionKey, Values: codecNames(), Doc: "how pages are compressed when a file is written", Default: "SNAPPY"},
		{Key: blockKey, Doc: "the size of a row group, before compression, at which the next one is begun; the rows of one are kept in memory while it is written", Default: "128 MB"},
		{Key: "utc-timezone", Values: []string{"true"}, Doc: "true is all there is: a TIMESTAMP is written as if it were in UTC. Flink's default is the zone of the machine", Default: "true"},
		{Key: "write.int64.timestamp", Values: []string{"true"}, Doc: "true is all there is: timestamps are written as INT64. Flink's default is INT96, which can be read", Default: "true"},
		{Key: "timestamp.time.unit", NotYet: "leave it out: the precision of the column says it"},
	},
	Check:  check,
	Pieces: rowGroups,
	NewReader: func(schema types.Schema, needed []int, _ connector.Options) filesystem.PieceReader {
		r := &reader{}
		for _, i := range needed {
			r.fields = append(r.fields, schema[i])
		}
		return r
	},
	NewWriter: func(out io.Writer, schema types.Schema, o connector.Options) (filesystem.PieceWriter, error) {
		w, err := readOptions(o)
		if err != nil {
			return nil, err
		}
		return newWriter(out, schema, w)
	},
}

const (
	compressionKey = "compression"
	blockKey       = "block.size"
)

// codecs are the names that Parquet itself gives.
var codecs = []struct {
	name  string
	codec compress.Compression
}{
	{"UNCOMPRESSED", compress.Codecs.Uncompressed}, {"SNAPPY", compress.Codecs.Snappy}, {"GZIP", compress.Codecs.Gzip},
	{"ZSTD", compress.Codecs.Zstd}, {"BROTLI", compress.Codecs.Brotli}, {"LZ4_RAW", compress.Codecs.Lz4Raw},
}

func codecNames() (names []string) {
	for _, c := range codecs {
		names = append(names, c.name)
	}
	return names
}

type writeOptions struct {
	codec compress.Compression
	block int64 // bytes
}

func readOptions(o connector.Options) (w writeOptions, err error) {
	w.codec = compress.Codecs.Snappy
	for _, c := range codecs {
		if c.name == o[compressionKey] {
			w.codec = c.codec
		}
	}
	if w.block, err = o.Size(blockKey, 128<<20); err == nil && w.block < 1 {
		err = &connector.OptionError{Key: blockKey, Message: fmt.Sprintf("option '%s' is '%s'", blockKey, o[blockKey]), Hint: "it must be more than 0"}
	}
	return w, err
}

func check(schema types.Schema, o connector.Options) error {
	if _, err := readOptions(o); err != nil {
		return err
	}
	_, err := arrowSchema(schema)
	return err
}

// rowGroups counts those of a file.
func rowGroups(path string) (n int, err error) {
	err = guarded(path, func() error {
		f, err := open(path)
		if err != nil {
			return err
		}
		n = f.NumRowGroups()
		return f.Close()
	})
	return n, err
}

// guarded says which file an error is about, and makes one of a panic: the library panics where bytes are not as it expects.
func guarded(path string, f func() error) (err error) {
	defer func() {
		if wrong := recover(); wrong != nil {
			if e, ok := wrong.(error); ok && fault.Of(e) == fault.Resource {
				panic(wrong)
			}
			err = fault.Errorf(fault.Data, "read %s: the file is damaged or not Parquet: %v", path, wrong)
		}
	}()
	err = f()
	if err == nil || fault.Of(err) != fault.Internal {
		return err
	}
	if fault.OfIO(err) == fault.Resource || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return fault.Errorf(fault.External, "read %s: %w", path, err)
	}
	return fault.Errorf(fault.Data, "read %s: the file is damaged or not Parquet: %w", path, err)
}
