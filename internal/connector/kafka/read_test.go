package kafka

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// columns are "id BIGINT, name STRING" and metadata columns.
func columns(metadata ...string) connector.Table {
	t := connector.Table{Name: "t", Schema: types.Schema{{Name: "id", Type: types.BigIntType}, {Name: "name", Type: types.StringType}}, Metadata: []string{"", ""}}
	for _, key := range metadata {
		t.Schema = append(t.Schema, types.Field{Name: key, Type: findMetadata(key).Type})
		t.Metadata = append(t.Metadata, key)
	}
	for i := range t.Schema {
		t.Needed = append(t.Needed, i)
	}
	return t
}

// options are those of a table over topic, with more as key, value, key, value.
func options(b brokertest.Target, topic string, more ...string) connector.Options {
	o := connector.Options{"topic": topic, "properties.bootstrap.servers": b.Addr, "value.format": "json", "scan.startup.mode": "earliest-offset"}
	for i := 0; i < len(more); i += 2 {
		if more[i+1] == "-" {
			delete(o, more[i])
		} else {
			o[more[i]] = more[i+1]
		}
	}
	return o
}

// bounded is options of a table that ends where the topic ends.
func bounded(b brokertest.Target, topic string, more ...string) connector.Options {
	return options(b, topic, append([]string{"scan.bounded.mode", "latest-offset"}, more...)...)
}

func source(tb testing.TB, c connector.Connector, t connector.Table, o connector.Options) *Source {
	tb.Helper()
	if err := connector.Check(c.Name, o, c.Specs); err != nil {
		tb.Fatal(err)
	}
	s, err := c.NewSource(t, o)
	if err != nil {
		tb.Fatal(err)
	}
	return s.(*Source)
}

// reader reads a source by hand, as the runtime does.
type reader struct {
	tb      testing.TB
	source  *Source
	decoder connector.Decoder
	splits  []connector.Split
	arrived chan struct{}
	memory  vector.Pool
	maxRows int
	several bool     // a record may be several rows
	rows    []string // op, then the columns
	chunks  []string // split and offset behind each
	skipped int64
	misread []connector.Misread
	now     int64
	each    func(*vector.Batch) // sees every batch too
}

func read(tb testing.TB, s *Source) *reader {
	tb.Helper()
	r := &reader{tb: tb, source: s, arrived: make(chan struct{}, 1), maxRows: 1000}
	s.Listen(r.arrived)
	tb.Cleanup(func() { s.Close() })
	var err error
	if r.splits, err = s.Open(); err != nil {
		tb.Fatal(err)
	}
	if r.decoder, err = s.NewDecoder(); err != nil {
		tb.Fatal(err)
	}
	return r
}

// all reads bounded splits to their end.
func (r *reader) all() *reader {
	r.tb.Helper()
	for _, split := range r.splits {
		for {
			more, err := r.next(split)
			if err == io.EOF {
				break
			}
			if err != nil {
				r.tb.Fatal(err)
			}
			if !more {
				<-r.arrived
			}
		}
	}
	return r
}

// until reads all splits until there are n rows.
func (r *reader) until(n int) *reader {
	r.tb.Helper()
	for len(r.rows) < n {
		added, _, _ := r.source.Discover(r.now)
		r.splits = append(r.splits, added...)
		any := false
		for _, split := range r.splits {
			more, err := r.next(split)
			if err != nil && err != io.EOF {
				r.tb.Fatal(err)
			}
			any = any || more
		}
		if !any {
			<-r.arrived
		}
	}
	return r
}

// next reads a chunk if there is one.
func (r *reader) next(split connector.Split) (bool, error) {
	c, _, err := split.Poll(0)
	if c == nil || err != nil {
		return false, err
	}
	r.chunks = append(r.chunks, fmt.Sprintf("%s@%d", split.Name(), split.Offset()))
	d, err := r.decoder.Decode(c, &r.memory, r.maxRows, func(b *vector.Batch) error {
		if b.N == 0 || b.N > r.maxRows && !r.several || b.Ops != nil && len(b.Ops) != b.N {
			r.tb.Errorf("a batch of %d rows and %d ops", b.N, len(b.Ops))
		}
		for i := range b.N {
			r.rows = append(r.rows, r.row(b, i))
		}
		if r.each != nil {
			r.each(b)
		}
		b.Release()
		return nil
	})
	r.skipped += d.Skipped
	r.misread = append(r.misread, d.Misread...)
	return true, err
}

func (r *reader) row(b *vector.Batch, i int) string {
	op := vector.Insert
	if b.Ops != nil {
		op = b.Ops[i]
	}
	cells := []string{op.String()}
	for _, v := range b.Cols {
		switch {
		case v.IsNull(i):
			cells = append(cells, "NULL")
		case v.Kind == vector.Int64:
			cells = append(cells, fmt.Sprint(v.Int(i)))
		default:
			cells = append(cells, string(v.Bytes(i)))
		}
	}
	return strings.Join(cells, " ")
}

func sinkOf(tb testing.TB, c connector.Connector, t connector.Table, o connector.Options) connector.Sink {
	tb.Helper()
	if err := connector.Check(c.Name, o, c.Specs); err != nil {
		tb.Fatal(err)
	}
	s, err := c.NewSink(t, o)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}
