package datagen

import (
	"fmt"
	"math"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Unbounded is the number of rows of a table that has no end.
const Unbounded = math.MaxInt64

// Filler makes rows. It has one owner; what it makes of a row number and its time is always the same.
type Filler interface {
	// Fill makes n rows from row number row on, in arena a.
	Fill(a *vector.Arena, row int64, n int, clock Clock) (*vector.Batch, error)
}

// generator is a source of one split of rows that are made.
type generator struct {
	name      string
	newFiller func() (Filler, error)
	rate      int64
	rows      int64
	begins    *int64 // the time of row 0 in microseconds, if the table says so
}

// NewSource makes a source of one split.
func NewSource(t connector.Table, o connector.Options) (connector.Source, error) {
	columns, sequence, err := readColumns(t, o)
	if err != nil {
		return nil, err
	}
	needed := make(filler, len(t.Needed))
	for i, c := range t.Needed {
		needed[i] = columns[c]
	}
	return Paced(t.Name, o, sequence, func() (Filler, error) { return needed, nil })
}

// PaceSpecs are the options that Paced reads.
var PaceSpecs = []connector.Spec{
	{Key: "rows-per-second", Doc: "how many rows are made in a second", Default: "10000"},
	{Key: "number-of-rows", Doc: "how many rows are made in all", Default: "no end"},
	{Key: startTime, Doc: "what the present is to row 0, such as 2026-01-01 00:00:00, in UTC; to later rows time goes by as 'rows-per-second' says. With it, times are the same in every run",
		Default: "when the statement begins; without an end, the present is that of the clock"},
}

const startTime = "start-time"

// Paced makes a source whose rows come at 'rows-per-second' until there are 'number-of-rows', but no more than most.
func Paced(name string, o connector.Options, most int64, newFiller func() (Filler, error)) (connector.Source, error) {
	rate, err := o.Int("rows-per-second", defaultRate)
	if err != nil {
		return nil, err
	}
	if rate < 1 {
		return nil, &connector.OptionError{Key: "rows-per-second", Message: fmt.Sprintf("'rows-per-second' is %d", rate), Hint: "use at least 1"}
	}
	rows, err := o.Int("number-of-rows", Unbounded)
	if err != nil {
		return nil, err
	}
	if rows < 0 {
		return nil, &connector.OptionError{Key: "number-of-rows", Message: fmt.Sprintf("'number-of-rows' is %d", rows), Hint: "leave it out for a table without end"}
	}
	g := &generator{name: name, newFiller: newFiller, rate: min(rate, maxRate), rows: min(rows, most)}
	if text, ok := o[startTime]; ok {
		at, _, ok := timefmt.ParseTimestamp([]byte(text))
		if !ok {
			return nil, &connector.OptionError{Key: startTime, Message: fmt.Sprintf("'%s' is '%s'", startTime, text), Hint: "write it as 2026-01-01 00:00:00"}
		}
		g.begins = &at
	}
	return g, nil
}

// NewSink refuses.
func NewSink(connector.Table, connector.Options) (connector.Sink, error) {
	return nil, connector.NotWritable("datagen", connector.WriteElsewhere)
}

func (g *generator) Open() ([]connector.Split, error) {
	return []connector.Split{&split{of: g, pace: pace{rate: g.rate}, beat: max(1, g.rate/beats)}}, nil
}

func (g *generator) NewDecoder() (connector.Decoder, error) {
	f, err := g.newFiller()
	return &decoder{f, firstRows}, err
}

func (g *generator) Bounded() bool { return g.rows != Unbounded }

// decoder makes the rows of chunks, in batches of about batchBytes.
type decoder struct {
	filler Filler
	rows   int // of the next batch
}

const (
	firstRows  = 1 // who knows how large they are
	batchBytes = 4 << 20
)

// Decode implements connector.Decoder.
func (d *decoder) Decode(c connector.Chunk, memory *vector.Pool, maxRows int, each func(*vector.Batch) error) (connector.Decoded, error) {
	k := c.(*chunk)
	for row, end := k.row, k.row+k.rows; row < end; {
		n := int(min(int64(min(maxRows, d.rows)), end-row))
		b, err := d.filler.Fill(memory.Get(), row, n, k.clock)
		if err != nil {
			return connector.Decoded{}, err
		}
		d.rows = max(batchBytes/max(b.Arena.Charged()/n, batchBytes/maxRows, 1), 1)
		if err := each(b); err != nil {
			return connector.Decoded{}, err
		}
		row += int64(n)
	}
	return connector.Decoded{}, nil
}

// filler is the needed columns.
type filler []column

// Fill implements Filler.
func (f filler) Fill(a *vector.Arena, row int64, n int, clock Clock) (*vector.Batch, error) {
	b := &vector.Batch{Cols: a.Columns(len(f)), N: n, Arena: a}
	for i := range f {
		b.Cols[i] = f[i].fill(a, row, n, &clock)
	}
	return b, nil
}
