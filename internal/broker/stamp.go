package broker

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"sync"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// The cluster cannot keep a batch that says that its time is the broker's: it would write another time into it and leave the checksum as it was. So the
// batch is kept with a mark, a bit that Kafka has no use for, and the connection that reads it turns the mark into what it stands for.
const (
	appendTime = 0x08
	mark       = 0x4000
)

func attributesOf(batch []byte) uint16 { return binary.BigEndian.Uint16(batch[attributesAt:]) }

// setAttributes changes a batch in place, and its checksum with it.
func setAttributes(batch []byte, attributes uint16) {
	binary.BigEndian.PutUint16(batch[attributesAt:], attributes)
	binary.BigEndian.PutUint32(batch[crcAt:], crc32.Checksum(batch[attributesAt:], castagnoli))
}

// intact reports whether a batch has the checksum that it should have.
func intact(batch []byte) bool {
	return len(batch) >= batchHead && binary.BigEndian.Uint32(batch[crcAt:]) == crc32.Checksum(batch[attributesAt:], castagnoli)
}

// clean takes the mark, and what it stands for, from a batch that a client sends with it. A batch that is not intact is left to the cluster to refuse.
func clean(batch []byte) []byte {
	if len(batch) < batchHead || attributesOf(batch)&(mark|appendTime) == 0 || !intact(batch) {
		return batch
	}
	batch = bytes.Clone(batch)
	setAttributes(batch, attributesOf(batch)&^(mark|appendTime))
	return batch
}

// stamp gives all records of a batch the time now, and marks it. A batch that cannot be read is left to the cluster to refuse. It is the records that
// get the time, and not only the head of the batch, since compaction and the search for a time look at them.
func stamp(batch []byte, now int64) []byte {
	var b kmsg.RecordBatch
	if err := b.ReadFrom(batch); err != nil || !intact(batch) {
		return batch
	}
	records, err := kfake.BatchRecords(b)
	if err != nil {
		return batch
	}
	b.FirstTimestamp, b.MaxTimestamp = now, now
	var body, all []byte
	for i := range records {
		r := &records[i]
		r.TimestampDelta, r.TimestampDelta64 = 0, 0
		r.Length = 0
		body = r.AppendTo(body[:0])
		r.Length = int32(len(body) - 1) // a length of 0 takes one byte
		all = r.AppendTo(all)
	}
	var codec kgo.CompressionCodecType
	b.Records, codec = compress(all, kgo.CompressionCodecType(b.Attributes&codecBits))
	b.Attributes = b.Attributes&^codecBits | int16(codec)
	b.Length = int32(batchHead - behindLength + len(b.Records))
	out := b.AppendTo(nil)
	setAttributes(out, uint16(b.Attributes)|mark)
	return out
}

// compress packs records as their batch was packed, so that it is no larger than what the topic takes.
func compress(records []byte, codec kgo.CompressionCodecType) ([]byte, kgo.CompressionCodecType) {
	if int(codec) >= len(compressors) || codec == kgo.CodecNone {
		return records, kgo.CodecNone
	}
	return compressors[codec]().Compress(new(bytes.Buffer), records)
}

var compressors = [...]func() kgo.Compressor{
	kgo.CodecNone:   nil,
	kgo.CodecGzip:   compressor(kgo.GzipCompression()),
	kgo.CodecSnappy: compressor(kgo.SnappyCompression()),
	kgo.CodecLz4:    compressor(kgo.Lz4Compression()),
	kgo.CodecZstd:   compressor(kgo.ZstdCompression()),
}

func compressor(codec kgo.CompressionCodec) func() kgo.Compressor {
	return sync.OnceValue(func() kgo.Compressor {
		c, err := kgo.DefaultCompressor(codec)
		if err != nil {
			panic("tidemark bug: " + err.Error())
		}
		return c
	})
}

// marked calls f with each marked batch among batches that stand one after the other, the last of which may be cut off.
func marked(batches []byte, f func(batch []byte)) {
	for len(batches) >= batchHead {
		size := behindLength + int64(int32(binary.BigEndian.Uint32(batches[lengthAt:])))
		if size < batchHead || size > int64(len(batches)) {
			return
		}
		if attributesOf(batches)&mark != 0 {
			f(batches[:size])
		}
		batches = batches[size:]
	}
}

// unveil makes a marked batch say that its time is the broker's.
func unveil(batch []byte) { setAttributes(batch, attributesOf(batch)&^mark|appendTime) }
