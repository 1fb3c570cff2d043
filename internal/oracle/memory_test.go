package oracle

import (
	"fmt"
	"io"
	"slices"
	"sync/atomic"
	"time"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// memory is the connector of random cases: tables whose splits, rows and chunks are given. It notes in which order they are read, since
// that order is the engine's choice and everything else follows from it.
type memory struct {
	tables map[string]*memoryTable
	reads  []read
	opened []string // table names, by open source
	budget int      // polls that still give something; the splits have nothing now when it is used up
}

type memoryTable struct {
	// splits[i][j] is chunk j of split i: rows of all physical columns, and behind them, unless there are inserts only, the change that the row stands for.
	splits    [][][]Row
	changelog connector.Changelog
}

// changelogs are the values of the option 'changelog'.
var changelogs = map[string]connector.Changelog{"": connector.Append, "upsert": connector.Upsert, "retract": connector.Retract}

// splitChange takes the row of a table that has others than inserts apart: the row, and what it stands for.
func splitChange(row Row) (Row, vector.Op) {
	last := len(row) - 1
	return row[:last], vector.Op(row[last].Int)
}

// read is one chunk, or the end of a split if rows is nil.
type read struct {
	source, split int
	rows          []Row
}

func (m *memory) connector() connector.Connector {
	return connector.Connector{
		Name:   "memory",
		Specs:  []connector.Spec{{Key: "changelog"}},
		Yields: func(_ connector.Table, o connector.Options) connector.Changelog { return changelogs[o["changelog"]] },
		NewSource: func(t connector.Table, _ connector.Options) (connector.Source, error) {
			return &memorySource{memory: m, table: t}, nil
		},
	}
}

// restart makes ready for a job that goes on behind the first reads, or from the beginning.
func (m *memory) restart(reads []read) {
	m.opened, m.reads = nil, slices.Clone(reads)
}

type memorySource struct {
	memory *memory
	table  connector.Table
}

func (s *memorySource) Bounded() bool { return true }

func (s *memorySource) Open() ([]connector.Split, error) {
	number := len(s.memory.opened)
	s.memory.opened = append(s.memory.opened, s.table.Name)
	var splits []connector.Split
	for i, chunks := range s.memory.tables[s.table.Name].splits {
		splits = append(splits, &memorySplit{memory: s.memory, source: number, number: i, chunks: chunks})
	}
	return splits, nil
}

func (s *memorySource) NewDecoder() (connector.Decoder, error) {
	return &memoryDecoder{s.table, s.memory.tables[s.table.Name].changelog}, nil
}

type memorySplit struct {
	memory         *memory
	source, number int
	chunks         [][]Row
	next           int
}

func (s *memorySplit) Name() string { return fmt.Sprintf("split %d", s.number) }

func (s *memorySplit) Poll(now int64) (connector.Chunk, int64, error) {
	m := s.memory
	if m.budget == 0 {
		return nil, now + 1, nil
	}
	m.budget--
	r := read{source: s.source, split: s.number}
	if s.next == len(s.chunks) {
		m.reads = append(m.reads, r)
		return nil, 0, io.EOF
	}
	r.rows = s.chunks[s.next]
	m.reads = append(m.reads, r)
	s.next++
	return memoryChunk(r.rows), 0, nil
}

func (s *memorySplit) Offset() int64 { return int64(s.next) }

func (s *memorySplit) Resume(offset int64) error {
	s.next = int(offset)
	return nil
}

func (s *memorySplit) Close() error { return nil }

type memoryChunk []Row

func (c memoryChunk) Size() int64 { return int64(len(c)) }

type memoryDecoder struct {
	table     connector.Table
	changelog connector.Changelog
}

func (d *memoryDecoder) Decode(c connector.Chunk, memory *vector.Pool, maxRows int, each func(*vector.Batch) error) (connector.Decoded, error) {
	for rows := range slices.Chunk([]Row(c.(memoryChunk)), maxRows) {
		a := memory.Get()
		b := &vector.Batch{N: len(rows), Arena: a}
		for _, column := range d.table.Needed {
			kind := vector.KindOf(d.table.Schema[column].Type)
			values := vector.NewBuilder(a, kind, len(rows))
			for _, row := range rows {
				row[column].Append(values, kind)
			}
			b.Cols = append(b.Cols, values.Done())
		}
		if d.changelog != connector.Append {
			for _, row := range rows {
				_, op := splitChange(row)
				b.Ops = append(b.Ops, op)
			}
		}
		if err := each(b); err != nil {
			return connector.Decoded{}, err
		}
	}
	return connector.Decoded{}, nil
}

// rowSink keeps the rows that a statement writes, as text.
type rowSink struct {
	schema types.Schema
	rows   []string
}

func (s *rowSink) Write(b *vector.Batch) error {
	rows := b.Rows()
	for k := range rows.Count() {
		i := rows.At(k)
		op := vector.Insert
		if b.Ops != nil {
			op = b.Ops[i]
		}
		row := make(Row, len(b.Cols))
		for c, v := range b.Cols {
			row[c] = ValueAt(v, i)
		}
		s.rows = append(s.rows, op.String()+" "+FormatRow(row, s.schema))
	}
	return nil
}

func (s *rowSink) Flush() error { return nil }

func (s *rowSink) Close() error { return nil }

// stoppedClock is a wall clock that moves only when told.
type stoppedClock struct{ now atomic.Int64 }

func newStoppedClock() *stoppedClock {
	c := &stoppedClock{}
	c.now.Store(1)
	return c
}

func (c *stoppedClock) Now() int64 { return c.now.Load() }

// At never fires: jobs under this clock are stepped by hand.
func (c *stoppedClock) At(int64) (<-chan time.Time, func()) { return nil, func() {} }
