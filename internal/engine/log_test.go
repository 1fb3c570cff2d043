package engine

import (
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/blackhole"
	"github.com/tidemark-sql/tidemark/internal/connector/values"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// logConnector is a log with partitions, as far as statements that are not run can tell: it has metadata, and can be read and written.
var logConnector = connector.Connector{
	Name:  "log",
	Specs: []connector.Spec{{Key: "topic", Doc: "its name"}},
	Metadata: []connector.MetadataColumn{
		{Key: "partition", Type: types.Type{Kind: types.Int, NotNull: true}},
		{Key: "offset", Type: types.Type{Kind: types.BigInt, NotNull: true}},
		{Key: "timestamp", Type: types.Type{Kind: types.TimestampLTZ, Precision: 3, NotNull: true}, Writable: true, Timestamp: true},
		{Key: "headers", Type: types.MapOf(types.BytesType, types.BytesType), Writable: true},
		{Key: "topic", Type: types.Type{Kind: types.String, NotNull: true}},
	},
	NewSource: func(connector.Table, connector.Options) (connector.Source, error) { return &values.Source{}, nil },
	NewSink: func(_ connector.Table, o connector.Options) (connector.Sink, error) {
		if o["topic"] == "closed" {
			return nil, &connector.OptionError{Key: "topic", Message: "topic 'closed' takes no rows", Hint: "write to another one"}
		}
		return blackhole.NewSink(connector.Table{}, nil)
	},
}

// TestWhatConnectorsLearn: a connector is told of metadata, keys and buckets, and of the options that hints add.
func TestWhatConnectorsLearn(t *testing.T) {
	var read, written connector.Table
	var readOptions, writtenOptions connector.Options
	c := logConnector
	c.NewSource = func(t connector.Table, o connector.Options) (connector.Source, error) {
		read, readOptions = t, o
		return &values.Source{}, nil
	}
	c.NewSink = func(t connector.Table, o connector.Options) (connector.Sink, error) {
		written, writtenOptions = t, o
		return blackhole.NewSink(connector.Table{}, nil)
	}
	e := New(Options{Connectors: []connector.Connector{c}})
	const script = `CREATE TABLE t (
  double_part AS part * 2, id BIGINT, part BIGINT METADATA FROM 'partition' VIRTUAL, seen TIMESTAMP_LTZ(3) METADATA FROM 'timestamp', name STRING,
  PRIMARY KEY (name, id) NOT ENFORCED
) DISTRIBUTED BY HASH(id) INTO 7 BUCKETS WITH ('connector' = 'log');
INSERT INTO t /*+ OPTIONS('topic' = 'out') */ SELECT id, seen, name FROM t /*+ OPTIONS('topic' = 'in') */ WHERE double_part > 2;`
	if err := start(e, source.Text{Name: "q.sql", Body: script}); err != nil {
		t.Fatal(render(err))
	}
	if got, want := read.Schema.Names(), []string{"id", "part", "seen", "name"}; !slices.Equal(got, want) {
		t.Errorf("is read as %v, want %v", got, want)
	}
	if want := []string{"", "partition", "timestamp", ""}; !slices.Equal(read.Metadata, want) || read.Schema[1].Type.Kind != types.Int {
		t.Errorf("metadata is %v of %v, want %v", read.Metadata, read.Schema, want)
	}
	if want := []int{0, 1, 2, 3}; !slices.Equal(read.Needed, want) || !slices.Equal(read.Keys, []int{3, 0}) || !read.Primary || read.Buckets != 7 {
		t.Errorf("reads %v by keys %v, primary %t, in %d buckets", read.Needed, read.Keys, read.Primary, read.Buckets)
	}
	if got, want := written.Schema.Names(), []string{"id", "seen", "name"}; !slices.Equal(got, want) || !slices.Equal(written.Keys, []int{2, 0}) {
		t.Errorf("is written as %v by keys %v, want %v", got, written.Keys, want)
	}
	if readOptions["topic"] != "in" || writtenOptions["topic"] != "out" {
		t.Errorf("the hints became %v and %v", readOptions, writtenOptions)
	}
}

// TestCreateAsLeavesNothing: a table that CREATE TABLE … AS has made is gone again if its INSERT cannot start, and there if it can.
func TestCreateAsLeavesNothing(t *testing.T) {
	c := logConnector
	opened := 0
	c.NewSink = func(connector.Table, connector.Options) (connector.Sink, error) {
		if opened++; opened == 2 {
			return nil, &connector.OptionError{Key: "topic", Message: "the log is full"}
		}
		return blackhole.NewSink(connector.Table{}, nil)
	}
	e := New(Options{Connectors: []connector.Connector{c}})
	text := source.Text{Name: "q.sql", Body: "CREATE TABLE t WITH ('connector' = 'log') AS SELECT 1 AS a"}
	for _, fails := range []bool{true, false} {
		results, err := execute(e, text)
		if err != nil {
			t.Fatal(render(err))
		}
		_, err = results[0].Query.Start(nil, 1, runtime.Options{})
		if fails != (err != nil) {
			t.Fatalf("starts with %v", err)
		}
		_, there := e.session.Find(e.path("t"))
		if there == fails {
			t.Errorf("the statement failed: %t, the table is there: %t", fails, there)
		}
	}
}
