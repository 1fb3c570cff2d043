package datagen

import (
	"fmt"
	"math"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// unbounded is the number of rows of a table that has no end.
const unbounded = math.MaxInt64

type generator struct {
	name    string
	columns []column // the needed ones
	rate    int64
	rows    int64
}

// NewSource makes a source of one split.
func NewSource(t connector.Table, o connector.Options) (connector.Source, error) {
	rate, err := o.Int("rows-per-second", defaultRate)
	if err != nil {
		return nil, err
	}
	if rate < 1 {
		return nil, &connector.OptionError{Key: "rows-per-second", Message: fmt.Sprintf("'rows-per-second' is %d", rate), Hint: "use at least 1"}
	}
	rows, err := o.Int("number-of-rows", unbounded)
	if err != nil {
		return nil, err
	}
	if rows < 0 {
		return nil, &connector.OptionError{Key: "number-of-rows", Message: fmt.Sprintf("'number-of-rows' is %d", rows), Hint: "leave it out for a table without end"}
	}
	columns, sequence, err := readColumns(t, o)
	if err != nil {
		return nil, err
	}
	g := &generator{name: t.Name, rate: min(rate, maxRate), rows: min(rows, sequence)}
	for _, c := range t.Needed {
		g.columns = append(g.columns, columns[c])
	}
	return g, nil
}

// NewSink refuses.
func NewSink(connector.Table, connector.Options) (connector.Sink, error) {
	return nil, connector.NotWritable("datagen", "write to a table with connector 'print' or 'blackhole'")
}

func (g *generator) Open() ([]connector.Split, error) {
	return []connector.Split{&split{of: g, pace: pace{rate: g.rate}, beat: max(1, g.rate/beats)}}, nil
}

func (g *generator) NewDecoder() (connector.Decoder, error) { return decoder{g.columns}, nil }

func (g *generator) Bounded() bool { return g.rows != unbounded }

// decoder makes the rows of chunks.
type decoder struct{ columns []column }

func (d decoder) Decode(c connector.Chunk, memory *vector.Pool, maxRows int, each func(*vector.Batch) error) (connector.Decoded, error) {
	k := c.(*chunk)
	for row, end := k.row, k.row+k.rows; row < end; {
		n := int(min(int64(maxRows), end-row))
		a := memory.Get()
		b := &vector.Batch{Cols: a.Columns(len(d.columns)), N: n, Arena: a}
		for i := range d.columns {
			b.Cols[i] = d.columns[i].fill(a, row, n, k.now)
		}
		if err := each(b); err != nil {
			return connector.Decoded{}, err
		}
		row += int64(n)
	}
	return connector.Decoded{}, nil
}
