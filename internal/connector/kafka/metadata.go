package kafka

import (
	"bytes"
	"math"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// metadata is something that is known of a record beside its key and value.
type metadata struct {
	connector.MetadataColumn
	raw bool // it shows the bytes of the record
	// read makes the column for the records of c that became rows.
	read func(a *vector.Arena, c *chunk, records []record, rows []int) *vector.Vector
}

// metadataColumns are those of Flink 2.3, in its order, and what Confluent has beside them.
var metadataColumns = []metadata{
	{MetadataColumn: connector.MetadataColumn{Key: "topic", Type: notNull(types.StringType), Doc: "the topic of the record"},
		read: func(a *vector.Arena, c *chunk, _ []record, _ []int) *vector.Vector { return text(a, c.partition.topic) }},
	{MetadataColumn: connector.MetadataColumn{Key: "partition", Type: notNull(types.IntType), Split: true, Doc: "the number of the partition"},
		read: func(a *vector.Arena, c *chunk, _ []record, _ []int) *vector.Vector {
			v := a.Constant(vector.Int64)
			v.Ints[0] = int64(c.partition.number)
			return v
		}},
	{MetadataColumn: connector.MetadataColumn{Key: "offset", Type: notNull(types.BigIntType), Position: true, Doc: "the offset in the partition"},
		read: ints(func(r *record) int64 { return r.offset })},
	{MetadataColumn: connector.MetadataColumn{Key: "timestamp", Type: notNull(types.TimestampLTZType), Writable: true, Timestamp: true,
		Doc: "the record's timestamp; if the table does not write it, the time of writing"},
		read: ints(func(r *record) int64 { return r.timestamp * 1000 })},
	{MetadataColumn: connector.MetadataColumn{Key: "timestamp-type", Type: notNull(types.StringType),
		Doc: "who gave the timestamp: CreateTime if the writer, LogAppendTime if the broker, NoTimestampType if nobody"},
		read: timestampTypes},
	{MetadataColumn: connector.MetadataColumn{Key: "headers", Type: notNull(types.MapOf(types.StringType, types.BytesType)), Writable: true,
		Doc: "the headers; of several with one name the last"},
		read: headers},
	{MetadataColumn: connector.MetadataColumn{Key: "leader-epoch", Type: types.IntType, Doc: "how often the partition had changed its leader when the record was written"},
		read: ints(func(r *record) int64 { return int64(r.batch.epoch()) })},
}

// ownMetadata are what neither Flink nor Confluent shows: the stamps of idempotent producers, NULL in records of others.
var ownMetadata = []metadata{
	{MetadataColumn: connector.MetadataColumn{Key: "create-time", Type: types.TimestampLTZType, Created: true, Doc: "the record's timestamp if the writer gave it. Flink has no such column"},
		read: intsOrNull(func(r *record) (int64, bool) { return r.timestamp * 1000, r.timestampType() == createTime })},
	{MetadataColumn: connector.MetadataColumn{Key: "producer-id", Type: types.BigIntType, Producer: true, Doc: "the number that the brokers gave the program that wrote it, if it is idempotent. Flink has no such column"},
		read: intsOrNull(func(r *record) (int64, bool) { return r.batch.producer(), r.batch.producer() >= 0 })},
	{MetadataColumn: connector.MetadataColumn{Key: "producer-sequence", Type: types.BigIntType, Sequence: true, Doc: "how many records that program had written to the partition before, as far as it counts. Flink has no such column"},
		read: intsOrNull(func(r *record) (int64, bool) {
			return (int64(r.batch.sequence()) + r.offset - r.batch.base()) & math.MaxInt32, r.batch.producer() >= 0 && r.batch.sequence() >= 0
		})},
}

// managedMetadata are what Confluent has beside them, or has otherwise.
var managedMetadata = []metadata{
	{MetadataColumn: connector.MetadataColumn{Key: "raw-key", Type: types.BytesType, Doc: "the bytes of the key"}, raw: true,
		read: raw(func(r *record) []byte { return r.key })},
	{MetadataColumn: connector.MetadataColumn{Key: "raw-value", Type: types.BytesType, Doc: "the bytes of the value"}, raw: true,
		read: raw(func(r *record) []byte { return r.value })},
}

// plainMetadata are the columns of 'kafka' and 'upsert-kafka'.
func plainMetadata() []connector.MetadataColumn {
	var columns []connector.MetadataColumn
	for _, m := range slices.Concat(metadataColumns, ownMetadata) {
		columns = append(columns, m.MetadataColumn)
	}
	return columns
}

// confluentMetadata are the columns of managed tables. Confluent: the names of headers are bytes too.
func confluentMetadata() []connector.MetadataColumn {
	columns := plainMetadata()
	for i := range columns {
		if columns[i].Key == "headers" {
			columns[i].Type = notNull(types.MapOf(types.BytesType, types.BytesType))
		}
	}
	for _, m := range managedMetadata {
		columns = append(columns, m.MetadataColumn)
	}
	return columns
}

func findMetadata(key string) *metadata {
	for _, list := range [][]metadata{metadataColumns, ownMetadata, managedMetadata} {
		for i := range list {
			if list[i].Key == key {
				return &list[i]
			}
		}
	}
	panic("tidemark bug: metadata column '" + key + "' was not checked")
}

func notNull(t types.Type) types.Type { t.NotNull = true; return t }

func text(a *vector.Arena, s string) *vector.Vector {
	v := a.Constant(vector.Bytes)
	v.Buf = a.Bytes(len(s))
	copy(v.Buf, s)
	v.Views[0] = vector.View{Len: uint32(len(s))}
	return v
}

func ints(of func(*record) int64) func(*vector.Arena, *chunk, []record, []int) *vector.Vector {
	return func(a *vector.Arena, _ *chunk, records []record, rows []int) *vector.Vector {
		v := a.Flat(vector.Int64, len(rows))
		for i, k := range rows {
			v.Ints[i] = of(&records[k])
		}
		return v
	}
}

// intsOrNull is ints for what some records do not have.
func intsOrNull(of func(*record) (int64, bool)) func(*vector.Arena, *chunk, []record, []int) *vector.Vector {
	return func(a *vector.Arena, _ *chunk, records []record, rows []int) *vector.Vector {
		b := vector.NewBuilder(a, vector.Int64, len(rows))
		for _, k := range rows {
			if v, ok := of(&records[k]); ok {
				b.AppendInt(v)
			} else {
				b.AppendNull()
			}
		}
		return b.Done()
	}
}

func timestampTypes(a *vector.Arena, _ *chunk, records []record, rows []int) *vector.Vector {
	const names = createTime + appendTime + noTime
	at := map[string]vector.View{createTime: {Len: uint32(len(createTime))}, appendTime: {Off: uint32(len(createTime)), Len: uint32(len(appendTime))},
		noTime: {Off: uint32(len(createTime + appendTime)), Len: uint32(len(noTime))}}
	v := a.Flat(vector.Bytes, len(rows))
	v.Buf = a.Bytes(len(names))
	copy(v.Buf, names)
	for i, k := range rows {
		v.Views[i] = at[records[k].timestampType()]
	}
	return v
}

// The types of timestamps.
const (
	createTime = "CreateTime"
	appendTime = "LogAppendTime"
	noTime     = "NoTimestampType"
)

// timestampType tells who gave the record its timestamp.
func (r *record) timestampType() string {
	switch {
	case r.batch.attributes()&logAppendTime != 0:
		return appendTime
	case r.timestamp < 0:
		return noTime
	}
	return createTime
}

func raw(of func(*record) []byte) func(*vector.Arena, *chunk, []record, []int) *vector.Vector {
	return func(a *vector.Arena, _ *chunk, records []record, rows []int) *vector.Vector {
		b := vector.NewBuilder(a, vector.Bytes, len(rows))
		for _, k := range rows {
			if part := of(&records[k]); part == nil {
				b.AppendNull()
			} else {
				b.AppendBytes(part)
			}
		}
		return b.Done()
	}
}

func headers(a *vector.Arena, _ *chunk, records []record, rows []int) *vector.Vector {
	keys, values := vector.NewBuilder(a, vector.Bytes, 0), vector.NewBuilder(a, vector.Bytes, 0)
	ends := a.Sel(len(rows))
	for i, k := range rows {
		for _, h := range lastHeaders(&records[k]) {
			keys.AppendBytes(h.key)
			if h.value == nil {
				values.AppendNull()
			} else {
				values.AppendBytes(h.value)
			}
		}
		ends[i] = int32(keys.Len())
	}
	out := a.Flat(vector.Bytes, len(rows))
	nested.PackMap(a, keys.Done(), values.Done(), ends, vector.All(len(rows)), out)
	return out
}

// lastHeaders lists the headers of r, of several with one name the last.
func lastHeaders(r *record) (list []header) {
	all := readHeaders(r)
	for n, h := range all {
		if !slices.ContainsFunc(all[n+1:], func(later header) bool { return bytes.Equal(later.key, h.key) }) {
			list = append(list, h)
		}
	}
	return list
}

type header struct{ key, value []byte }

// readHeaders lists the headers of r, as far as they can be read.
func readHeaders(r *record) (list []header) {
	w := walk{rest: r.headers}
	for range r.count {
		key, value, ok := w.header()
		if !ok {
			break
		}
		list = append(list, header{key, value})
	}
	return list
}
