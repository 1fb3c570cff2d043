package kafka

import (
	"encoding/binary"
	"hash/crc32"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// sealed makes bytes a batch whose length and checksum are right.
func sealed(data []byte) []byte {
	if len(data) < recordsAt {
		return data
	}
	binary.BigEndian.PutUint32(data[lengthAt:], uint32(len(data)-epochAt))
	binary.BigEndian.PutUint32(data[crcAt:], crc32.Checksum(data[attributesAt:], castagnoli))
	return data
}

// FuzzBatches: whatever a broker sends, there are rows or there is an error.
func FuzzBatches(f *testing.F) {
	record := kmsg.Record{Key: []byte(`{"id":1}`), Value: []byte(`{"name":"a\n"}`), Headers: []kmsg.Header{{Key: "op", Value: []byte{3}}}}
	record.Length = int32(len(record.AppendTo(nil)) - 1)
	whole := kmsg.RecordBatch{Magic: 2, NumRecords: 1, FirstTimestamp: 1, MaxTimestamp: 1, ProducerID: -1, Records: record.AppendTo(nil)}
	f.Add(sealed(whole.AppendTo(nil)))
	f.Add([]byte{})
	table := columns("offset", "headers", "timestamp-type")
	table.Keys = []int{0}
	decoder := func(o connector.Options) connector.Decoder {
		s, err := Managed(At("")).NewSource(table, o)
		if err != nil {
			f.Fatal(err)
		}
		d, err := s.NewDecoder()
		if err != nil {
			f.Fatal(err)
		}
		return d
	}
	decoders := []connector.Decoder{decoder(connector.Options{}), decoder(connector.Options{"changelog.mode": "retract"})}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > recordsAt {
			data[attributesAt+1] &^= codecBits // decompression is the library's
		}
		data = sealed(data)
		p := &partition{topic: "t", end: unbounded}
		answer := &kmsg.FetchResponseTopicPartition{RecordBatches: data, HighWatermark: 1}
		if err := p.receive(answer, spot{}, false, true); err != nil {
			return
		}
		c := &chunk{partition: p, to: unbounded}
		if p.queue.take(c, true) {
			for _, d := range decoders {
				// An error is fine, a panic is not.
				_, _ = d.Decode(c, &vector.Pool{}, 100, func(b *vector.Batch) error { b.Release(); return nil })
			}
		}
	})
}

// TestWalkAgreesWithKmsg: records come out as the protocol's own library reads them.
func TestWalkAgreesWithKmsg(t *testing.T) {
	var data []byte
	want := []kmsg.Record{
		{TimestampDelta64: 0, OffsetDelta: 0, Value: []byte("v")},
		{TimestampDelta64: -5, OffsetDelta: 1, Key: []byte{}, Value: nil},
		{TimestampDelta64: 1 << 40, OffsetDelta: 300, Key: make([]byte, 300), Value: make([]byte, 70_000), Headers: []kmsg.Header{{Key: "", Value: nil}, {Key: "k", Value: []byte("x")}}},
	}
	for i := range want {
		r := &want[i]
		r.TimestampDelta = int32(r.TimestampDelta64)
		body := r.AppendTo(nil)
		r.Length = int32(len(body) - 1)
		data = r.AppendTo(data)
	}
	w := walk{data, len(data)}
	for i, r := range want {
		var got record
		ok := w.record(&got)
		if !ok || got.timestamp != r.TimestampDelta64 || got.offset != int64(r.OffsetDelta) || (got.key == nil) != (r.Key == nil) || (got.value == nil) != (r.Value == nil) ||
			len(got.key) != len(r.Key) || len(got.value) != len(r.Value) || got.count != len(r.Headers) {
			t.Fatalf("record %d: %+v", i, got)
		}
		if len(got.value) > 0 && &data[got.valueAt] != &got.value[0] || len(got.key) > 0 && &data[got.keyAt] != &got.key[0] {
			t.Errorf("record %d is not where it says", i)
		}
		for k, h := range readHeaders(&got) {
			if string(h.key) != r.Headers[k].Key || string(h.value) != string(r.Headers[k].Value) {
				t.Errorf("record %d: header %d is %s", i, k, h.key)
			}
		}
	}
	if w.record(new(record)) {
		t.Error("one record more")
	}
}
