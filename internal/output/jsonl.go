package output

import (
	"io"

	"github.com/tidemark-sql/tidemark/internal/connector/format"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

type jsonl struct {
	buffer
	encoder *format.JSONEncoder
	leads   [4][]byte // by op: `{"op":"+I"`; nil without ops
}

// NewJSONL makes a Writer of JSON lines: an object a row, its op first, times in ISO 8601 (UTC with a Z for
// TIMESTAMP_LTZ), NaN and the infinities as strings.
func NewJSONL(w io.Writer, schema types.Schema) Writer {
	j := &jsonl{
		buffer:  buffer{w: w},
		encoder: format.NewJSONEncoder(schema, format.JSONOptions{TimestampFormat: format.ISO8601}),
	}
	for op := range j.leads {
		j.leads[op] = []byte(`{"` + opName(schema) + `":"` + vector.Op(op).String() + `"`)
	}
	return j
}

// NewPlainJSONL is NewJSONL for rows that are no changelog: they have no op.
func NewPlainJSONL(w io.Writer, schema types.Schema) Writer {
	return &jsonl{buffer: buffer{w: w}, encoder: format.NewJSONEncoder(schema, format.JSONOptions{TimestampFormat: format.ISO8601})}
}

func (j *jsonl) WriteBatch(b *vector.Batch) error {
	rows := b.Rows()
	for k := range rows.Count() {
		i := rows.At(k)
		if lead := j.leads[opOf(b, i)]; lead != nil {
			j.text = append(j.encoder.AppendMembers(append(j.text, lead...), b, i), '}', '\n')
		} else {
			j.text = append(j.encoder.AppendRow(j.text, b, i), '\n')
		}
		if err := j.flushIfFull(); err != nil {
			return err
		}
	}
	return j.err
}

func (j *jsonl) Close() error { return j.Flush() }
