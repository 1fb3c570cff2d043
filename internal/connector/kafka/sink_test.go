package kafka

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// change is a row "id name" and what is done with it.
type change struct {
	op   vector.Op
	id   int64
	name string
}

func batchOf(table connector.Table, changes ...change) *vector.Batch {
	a := (&vector.Pool{}).Get()
	id, name := vector.NewBuilder(a, vector.Int64, len(changes)), vector.NewBuilder(a, vector.Bytes, len(changes))
	b := &vector.Batch{N: len(changes), Arena: a}
	for _, c := range changes {
		id.AppendInt(c.id)
		name.AppendBytes([]byte(c.name))
		b.Ops = append(b.Ops, c.op)
	}
	b.Cols = []*vector.Vector{id.Done(), name.Done()}
	for _, key := range table.Metadata[2:] {
		v := a.Flat(vector.Int64, len(changes))
		for i := range changes {
			v.Ints[i] = changes[i].id * 1_000_000
		}
		if key != "timestamp" {
			panic(key)
		}
		b.Cols = append(b.Cols, v)
	}
	return b
}

// records are what a topic holds, as "partition key value op timestamp".
func records(t *testing.T, b brokertest.Target, topic string, n int) []string {
	t.Helper()
	var got []string
	for _, r := range b.Records(t, topic, n) {
		value := "NULL"
		if r.Value != nil {
			value = string(r.Value)
		}
		line := fmt.Sprintf("%d %s %s", r.Partition, r.Key, value)
		for _, h := range r.Headers {
			line += fmt.Sprintf(" %s=%d", h.Key, h.Value)
		}
		got = append(got, line)
	}
	return got
}

func writeAll(t *testing.T, s connector.Sink, batches ...*vector.Batch) {
	t.Helper()
	for _, b := range batches {
		if err := s.Write(b); err != nil {
			t.Fatal(err)
		}
		b.Release() // nothing of it may be needed any more
	}
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestWrites(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		keyed := columns()
		keyed.Keys, keyed.Primary = []int{0}, true
		grouped := columns()
		grouped.Keys = []int{1}
		all := []change{{vector.Insert, 1, "a"}, {vector.UpdateBefore, 1, "a"}, {vector.UpdateAfter, 1, "b"}, {vector.Delete, 1, "b"}}
		managed := Managed(At(b.Addr))
		plain := func(c connector.Connector, more ...string) func(string) connector.Options {
			return func(topic string) connector.Options { return options(b, topic, more...) }
		}
		own := func(more ...string) func(string) connector.Options {
			return func(string) connector.Options {
				o := connector.Options{}
				for i := 0; i < len(more); i += 2 {
					o[more[i]] = more[i+1]
				}
				return o
			}
		}
		for _, c := range []struct {
			name      string
			connector connector.Connector
			table     connector.Table
			options   func(string) connector.Options
			changes   []change
			want      []string
		}{
			{"append", Connector, columns(), plain(Connector, "scan.startup.mode", "-"), all[:1], []string{`0  {"id":1,"name":"a"}`}},
			{"key", Connector, columns(), plain(Connector, "key.format", "json", "key.fields", "name"), all[:1], []string{`0 {"name":"a"} {"id":1,"name":"a"}`}},
			{"key apart", Connector, columns(), plain(Connector, "key.format", "json", "key.fields", "name", "key.fields-prefix", "na", "value.fields-include", "EXCEPT_KEY"), all[:1], []string{`0 {"me":"a"} {"id":1}`}},
			{"upsert", Upsert, keyed, plain(Upsert, "key.format", "json"), all, []string{`0 {"id":1} {"id":1,"name":"a"}`, `0 {"id":1} {"id":1,"name":"b"}`, `0 {"id":1} NULL`}},
			{"a row that leaves", Upsert, keyed, plain(Upsert, "key.format", "json"), []change{{vector.Insert, 1, "a"}, {vector.Insert, 2, "b"}, {vector.UpdateBefore, 1, "a"}, {vector.UpdateBefore, 2, "b"}, {vector.UpdateAfter, 2, "c"}, {vector.UpdateBefore, 2, "c"}},
				[]string{`0 {"id":1} {"id":1,"name":"a"}`, `0 {"id":2} {"id":2,"name":"b"}`, `0 {"id":1} NULL`, `0 {"id":2} {"id":2,"name":"c"}`, `0 {"id":2} NULL`}},
			{"managed", managed, columns(), own(), all[:1], []string{`0  {"id":1,"name":"a"}`}},
			{"managed with a key", managed, keyed, own(), all, []string{`0 {"id":1} {"name":"a"}`, `0 {"id":1} {"name":"b"}`, `0 {"id":1} NULL`}},
			{"managed and distributed", managed, grouped, own("value.fields-include", "all"), all[:1], []string{`0 {"name":"a"} {"id":1,"name":"a"}`}},
			{"managed retractions", managed, columns(), own("changelog.mode", "retract"), all, []string{`0  {"id":1,"name":"a"}`, `0  {"id":1,"name":"a"} op=[1]`, `0  {"id":1,"name":"b"} op=[2]`, `0  {"id":1,"name":"b"} op=[3]`}},
		} {
			topic := b.Topic(t, 1)
			c.table.Name = topic
			writeAll(t, sinkOf(t, c.connector, c.table, c.options(topic)), batchOf(c.table, c.changes...))
			if got := records(t, b, topic, len(c.want)); !slices.Equal(got, c.want) {
				t.Errorf("%s: %q, want %q", c.name, got, c.want)
			}
			// What was written is read again.
			var want []string
			for _, x := range c.changes {
				switch {
				case len(c.changes) == 1 || strings.HasSuffix(c.name, "retractions"):
					want = append(want, fmt.Sprintf("%s %d %s", x.op, x.id, x.name))
				case c.name == "a row that leaves":
					want = []string{"+U 1 a", "+U 2 b", "-D 1 NULL", "+U 2 c", "-D 2 NULL"}
				case x.op == vector.Delete:
					want = append(want, fmt.Sprintf("-D %d NULL", x.id))
				case x.op != vector.UpdateBefore:
					want = append(want, fmt.Sprintf("+U %d %s", x.id, x.name))
				}
			}
			o := c.options(topic)
			o["scan.startup.mode"], o["scan.bounded.mode"] = "earliest-offset", "latest-offset"
			if r := read(t, source(t, c.connector, c.table, o)).all(); !slices.Equal(r.rows, want) {
				t.Errorf("%s: read again: %q, want %q", c.name, r.rows, want)
			}
		}
	})
}

// TestWritesCompressed: batches leave as the table says, and are read again.
func TestWritesCompressed(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		for name, codec := range codecTypes {
			for _, managed := range []bool{false, true} {
				topic, c, o := b.Topic(t, 1), Connector, connector.Options{}
				table := columns()
				if managed {
					table.Name, c = topic, Managed(At(b.Addr))
					o["kafka.producer.compression.type"] = name
				} else {
					o = options(b, topic, "properties.compression.type", name)
				}
				writeAll(t, sinkOf(t, c, table, o), batchOf(table, change{vector.Insert, 1, strings.Repeat("a", 1000)}, change{vector.Insert, 2, strings.Repeat("b", 1000)}))
				for _, r := range b.Records(t, topic, 2) {
					if got := kgo.CompressionCodecType(r.Attrs.CompressionType()); got != codec {
						t.Errorf("%s, managed %t: a record has the codec %d", name, managed, got)
					}
				}
				wantRows(t, read(t, source(t, Connector, columns(), bounded(b, topic))).all(), []string{"+I 1 " + strings.Repeat("a", 1000), "+I 2 " + strings.Repeat("b", 1000)})
			}
		}
	})
}

var codecTypes = map[string]kgo.CompressionCodecType{"none": kgo.CodecNone, "gzip": kgo.CodecGzip, "snappy": kgo.CodecSnappy, "lz4": kgo.CodecLz4, "zstd": kgo.CodecZstd}

func TestPartitioners(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		var all []change
		for i := range 12 {
			all = append(all, change{vector.Insert, int64(i), fmt.Sprint("k", i%4)})
		}
		partitions := func(more ...string) map[string][]string {
			topic := b.Topic(t, 3)
			table := columns()
			writeAll(t, sinkOf(t, Connector, table, options(b, topic, more...)), batchOf(table, all...))
			by := map[string][]string{}
			for _, r := range records(t, b, topic, len(all)) {
				f := strings.Fields(r)
				by[f[0]] = append(by[f[0]], f[1])
			}
			return by
		}
		if by := partitions("sink.partitioner", "fixed"); len(by) != 1 || len(by["0"]) != 12 {
			t.Errorf("fixed: %v", by)
		}
		if by := partitions("sink.partitioner", "round-robin"); len(by["0"]) != 4 || len(by["1"]) != 4 || len(by["2"]) != 4 {
			t.Errorf("round-robin: %v", by)
		}
		seen := map[string]string{}
		for p, keys := range partitions("key.format", "json", "key.fields", "name") {
			for _, k := range keys {
				if before, ok := seen[k]; ok && before != p {
					t.Errorf("key %s is in partitions %s and %s", k, before, p)
				}
				seen[k] = p
			}
		}
		if len(seen) != 4 {
			t.Errorf("keys %v", seen)
		}
	})
}

func TestWritesTimestamps(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		topic := b.Topic(t, 1, "message.timestamp.after.max.ms", "9223372036854775807")
		table := columns("timestamp")
		writeAll(t, sinkOf(t, Connector, table, options(b, topic)), batchOf(table, change{vector.Insert, 5, "a"}, change{vector.Insert, 4_000_000_000, "b"}))
		wantRows(t, read(t, source(t, Connector, table, bounded(b, topic))).all(), []string{"+I 5 a 5000000", "+I 4000000000 b 4000000000000000"})
		early := sinkOf(t, Connector, table, options(b, topic))
		if err := early.Write(batchOf(table, change{vector.Insert, -1, "a"})); fault.Of(err) != fault.Data {
			t.Errorf("before 1970: %v", err)
		}
		early.Close()
	})
}

// TestASinkMakesItsTopic writes to a topic that is not there, which the client may make unless an option forbids it.
func TestASinkMakesItsTopic(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		table, topic := columns(), b.Topic(t, 1)+"-not-there"
		writeAll(t, sinkOf(t, Connector, table, options(b, topic)), batchOf(table, change{vector.Insert, 1, "a"}))
		wantRows(t, read(t, source(t, Connector, table, bounded(b, topic))).all(), []string{"+I 1 a"})
	})
}

func TestWhatASinkRefuses(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		table := columns()
		topic := b.Topic(t, 1)
		s := sinkOf(t, Connector, table, options(b, topic))
		if err := s.Write(batchOf(table, change{vector.Delete, 1, "a"})); fault.Of(err) != fault.User || !strings.Contains(err.Error(), "takes only new rows") {
			t.Errorf("a deletion: %v", err)
		}
		s.Close()
		s = sinkOf(t, Connector, table, options(b, "no-such-topic", "properties.allow.auto.create.topics", "false"))
		if err := s.Write(batchOf(table, change{vector.Insert, 1, "a"})); err != nil {
			t.Errorf("the first row: %v", err)
		}
		if err := s.Close(); fault.Of(err) != fault.User || !strings.Contains(err.Error(), "there is no topic 'no-such-topic'") {
			t.Errorf("no topic: %v", err)
		}
		small := b.Topic(t, 1, "max.message.bytes", "1000")
		s = sinkOf(t, Connector, table, options(b, small))
		if err := s.Write(batchOf(table, change{vector.Insert, 1, strings.Repeat("ab%c", 1000)})); err != nil {
			t.Errorf("the first row: %v", err)
		}
		if err := s.Close(); fault.Of(err) != fault.Data || !strings.Contains(err.Error(), "max.message.bytes") {
			t.Errorf("too large: %v", err)
		}
	})
}

// TestBadRecords: a record that cannot be read stops the statement, with its place, or is left out and counted.
func TestBadRecords(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		topic := b.Topic(t, 1)
		send := func(key, value string) *kgo.Record {
			return &kgo.Record{Topic: topic, Key: []byte(key), Value: []byte(value)}
		}
		b.Send(t, false, send(`{"name":"a"}`, `{"id":1}`), send(`{"name":"b"}`, "{\n \"id\" : 2\n}\n"), send(`{"name":"c"}`, `{"id":"x"}`), send(`nonsense`, `{"id":4}`), send(`{"name":"e"}`, `{"id":5}`))
		b.Send(t, false, &kgo.Record{Topic: topic, Value: []byte(`{"id":6}`)}, &kgo.Record{Topic: topic, Key: []byte(`{"name":"g"}`)})
		apart := []string{"key.format", "json", "key.fields", "name", "value.fields-include", "EXCEPT_KEY"}
		r := read(t, source(t, Connector, columns(), bounded(b, topic, apart...)))
		if err := r.failure(); fault.Of(err) != fault.Data || !strings.HasPrefix(err.Error(), topic+"-0 offset 2: field 'id': expected BIGINT") {
			t.Errorf("%v", err)
		}
		wantRows(t, r, []string{"+I 1 a", "+I 2 b"})
		r = read(t, source(t, Connector, columns(), bounded(b, topic, append(apart, "scan.startup.mode", "specific-offsets", "scan.startup.specific-offsets", "partition:0,offset:3")...)))
		if err := r.failure(); fault.Of(err) != fault.Data || !strings.HasPrefix(err.Error(), topic+"-0 offset 3: the key: expected a JSON object") {
			t.Errorf("%v", err)
		}
		for _, maxRows := range []int{1, 2, 100} {
			r = read(t, source(t, Connector, columns(), bounded(b, topic, append(apart, "error-handling.mode", "ignore")...)))
			r.maxRows = maxRows
			r.all()
			wantRows(t, r, []string{"+I 1 a", "+I 2 b", "+I 4 NULL", "+I 5 e", "+I 6 NULL"})
			if r.skipped != 2 {
				t.Errorf("%d skipped", r.skipped)
			}
		}
	})
}

// TestRawBytes: the bytes are shown as they came, although decoding writes into them.
func TestRawBytes(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		topic := b.Topic(t, 1)
		table := columns("raw-key", "raw-value")
		table.Name = topic
		value := `{"name":"a\"b","id":1}`
		b.Send(t, false, &kgo.Record{Topic: topic, Value: []byte(value)}, &kgo.Record{Topic: topic, Key: []byte("k"), Value: []byte(value)})
		r := read(t, source(t, Managed(At(b.Addr)), table, connector.Options{"scan.bounded.mode": "latest-offset"})).all()
		wantRows(t, r, []string{`+I 1 a"b NULL ` + value, `+I 1 a"b k ` + value})
	})
}

// TestFewColumns: only what is needed is decoded, and nothing at all for a count.
func TestFewColumns(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		topic := b.Topic(t, 1)
		b.Send(t, false, row(topic, 0, 1), row(topic, 0, 2))
		table := columns("offset")
		for _, c := range []struct {
			needed []int
			want   []string
		}{{[]int{2, 0}, []string{"+I 0 1", "+I 1 2"}}, {[]int{1}, []string{"+I n1", "+I n2"}}, {nil, []string{"+I", "+I"}}} {
			table.Needed = c.needed
			wantRows(t, read(t, source(t, Connector, table, bounded(b, topic))).all(), c.want)
		}
	})
}

// TestRawNulls: NULL is written as a record without a value or key, and comes back as NULL. In an upsert it is what deletes a key.
func TestRawNulls(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		topic := b.Topic(t, 1)
		table := columns()
		apart := []string{"value.format", "raw", "key.format", "raw", "key.fields", "id", "value.fields-include", "EXCEPT_KEY"}
		rows := batchOf(table, change{vector.Insert, 1, "a"}, change{vector.Insert, 2, ""}, change{vector.Insert, 3, "gone"}, change{vector.Insert, 4, "d"})
		for _, column := range rows.Cols {
			column.Valid = rows.Arena.AllValid(rows.N)
		}
		rows.Cols[1].Valid.Clear(2)
		rows.Cols[0].Valid.Clear(3)
		writeAll(t, sinkOf(t, Connector, table, options(b, topic, apart...)), rows)
		one := []string{"0 \x00\x00\x00\x00\x00\x00\x00\x01 a", "0 \x00\x00\x00\x00\x00\x00\x00\x02 ", "0 \x00\x00\x00\x00\x00\x00\x00\x03 NULL", "0  d"}
		if got := records(t, b, topic, 4); !slices.Equal(got, one) {
			t.Errorf("got %q, want %q", got, one)
		}
		for _, maxRows := range []int{1, 2, 100} {
			r := read(t, source(t, Connector, table, bounded(b, topic, apart...)))
			r.maxRows = maxRows
			wantRows(t, r.all(), []string{"+I 1 a", "+I 2 ", "+I 3 NULL", "+I NULL d"})
		}
		table.Keys, table.Primary = []int{0}, true
		upserts := bounded(b, topic, "value.format", "raw", "key.format", "raw", "value.fields-include", "EXCEPT_KEY", "scan.startup.mode", "-")
		wantRows(t, read(t, source(t, Upsert, table, upserts)).all(), []string{"+U 1 a", "+U 2 ", "-D 3 NULL", "+U NULL d"})
	})
}
