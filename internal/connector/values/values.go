// Package values is the source of rows that are written in a statement: VALUES, and SELECT without FROM.
package values

import (
	"io"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Source yields N rows, given as columns, once.
type Source struct {
	Columns []*vector.Vector
	N       int
}

// Open implements connector.Source.
func (s *Source) Open() ([]connector.Split, error) { return []connector.Split{&split{source: s}}, nil }

// Bounded implements connector.Source.
func (s *Source) Bounded() bool { return true }

// NewDecoder implements connector.Source.
func (s *Source) NewDecoder() (connector.Decoder, error) { return decoder{}, nil }

type split struct {
	source *Source
	at     int
}

func (p *split) Name() string { return "VALUES" }

func (p *split) Poll(int64) (connector.Chunk, int64, error) {
	if p.at == p.source.N {
		return nil, 0, io.EOF
	}
	c := chunk{p.source, p.at}
	p.at = p.source.N
	return c, 0, nil
}

func (p *split) Offset() int64 { return int64(p.at) }

func (p *split) Resume(offset int64) error { p.at = int(offset); return nil }

func (p *split) Close() error { return nil }

// chunk is the rows from from on.
type chunk struct {
	source *Source
	from   int
}

func (chunk) Size() int64 { return 0 }

type decoder struct{}

func (decoder) Decode(c connector.Chunk, memory *vector.Pool, maxRows int, each func(b *vector.Batch) error) (connector.Decoded, error) {
	k := c.(chunk)
	for from := k.from; from < k.source.N; from += maxRows {
		a := memory.Get()
		rows := a.Sel(min(maxRows, k.source.N-from))
		for i := range rows {
			rows[i] = int32(from + i)
		}
		b := &vector.Batch{N: len(rows), Arena: a, Cols: a.Columns(len(k.source.Columns))}
		for i, col := range k.source.Columns {
			b.Cols[i] = col.Take(a, rows)
		}
		if err := each(b); err != nil {
			return connector.Decoded{}, err
		}
	}
	return connector.Decoded{}, nil
}
