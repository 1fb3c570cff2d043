package avro

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/filesystem"
	"github.com/tidemark-sql/tidemark/internal/connector/format"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// Container is the format.
var Container = filesystem.Container{
	Name: "avro",
	Doc:  "Avro's object container files, which are read by the schema of their writer and in pieces side by side",
	Specs: []connector.Spec{
		{Key: codecKey, Values: codecNames(), Doc: "how blocks are compressed when a file is written; files with bzip2 can be read, those with xz not", Default: "snappy"},
		{Key: legacyKey, Doc: "true: TIMESTAMP is written as an instant, and there is no TIMESTAMP_LTZ; false: TIMESTAMP is written as a local time", Default: "true"},
		{Key: encodingKey, Values: []string{"binary", "json"}, Doc: "binary is all there is; json is refused", Default: "binary"},
	},
	Check:  check,
	Pieces: pieces,
	NewReader: func(schema types.Schema, needed []int, _ connector.Options) filesystem.PieceReader {
		return &reader{decoder: format.NewAvroDecoder(schema, needed), bare: len(needed) == 0}
	},
	NewWriter: func(out io.Writer, schema types.Schema, o connector.Options) (filesystem.PieceWriter, error) {
		return newWriter(out, schema, o)
	},
}

const (
	codecKey    = "codec"
	legacyKey   = "timestamp_mapping.legacy"
	encodingKey = "encoding"
)

func check(schema types.Schema, o connector.Options) error {
	if o[encodingKey] == "json" {
		return &connector.OptionError{Key: encodingKey, Message: "option 'encoding' cannot be 'json'", Hint: "use format 'json'"}
	}
	legacy, err := o.Bool(legacyKey, true)
	if err != nil {
		return err
	}
	if _, err := format.AvroSchema(schema, legacy, format.AvroRecord); err != nil {
		return &connector.OptionError{Message: err.Error(), Hint: "declare the column with another type"}
	}
	return nil
}

// pieceBytes is the size of the range that is a piece.
const pieceBytes = 1 << 20

// pieces counts those of a file, which is looked at only to tell whether it is one.
func pieces(path string) (int, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, failed(path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, failed(path, err)
	}
	if _, err := readHeader(f, info.Size()); err != nil {
		return 0, failed(path, err)
	}
	return int((info.Size() + pieceBytes - 1) / pieceBytes), nil
}

// failed says which file an error is about.
func failed(path string, err error) error {
	switch {
	case err == nil || fault.Of(err) != fault.Internal:
		return err
	case isOf[*fs.PathError](err):
		return fault.Errorf(fault.External, "read file: %w", err)
	}
	return fault.Errorf(fault.Data, "read %s: %w", path, err)
}

func isOf[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}
