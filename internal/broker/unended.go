package broker

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/tidemark-sql/tidemark/internal/fault"
)

// unended are the producers whose transactions were open when a broker was killed, with their epochs. kfake takes such a transaction for given up and writes that nowhere, so that the next marker of
// the producer would be about it as well: readers would leave out what is committed then, or see what was given up.
type unended map[int64]int16

// find looks for transactions that are open behind batches, which are all of a partition.
func find(batches []stored) unended {
	open := unended{}
	for _, b := range batches {
		switch {
		case b.attributes&control != 0:
			delete(open, b.producer)
		case b.attributes&transactional != 0:
			open[b.producer] = b.producerEpoch
		}
	}
	return open
}

// giveUp appends the markers that kfake would have written to a partition's last segment, and returns all batches.
func (u unended) giveUp(path string, batches []stored) ([]stored, error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	last := batches[len(batches)-1]
	at, err := file.Seek(0, 2)
	if err != nil {
		return nil, err
	}
	for _, producer := range slices.Sorted(maps.Keys(u)) {
		raw := marker(last.end, last.epoch, last.timestamp, producer, u[producer])
		if _, err := file.Write(raw); err != nil {
			return nil, err
		}
		last = stored{at: int(at), base: last.end, end: last.end + 1, epoch: last.epoch, timestamp: last.timestamp, attributes: transactional | control, producer: producer, producerEpoch: u[producer]}
		at += int64(len(raw))
		batches = append(batches, last)
	}
	return batches, file.Sync()
}

// marker is the batch that says that a transaction is given up.
func marker(offset int64, leader int32, timestamp, producer int64, epoch int16) []byte {
	key := kmsg.ControlRecordKey{Type: kmsg.ControlRecordKeyTypeAbort}
	value := kmsg.EndTxnMarker{}
	r := kmsg.Record{Key: key.AppendTo(nil), Value: value.AppendTo(nil)}
	r.Length = int32(len(r.AppendTo(nil)) - 1) // without itself, which is a byte
	b := kmsg.RecordBatch{FirstOffset: offset, PartitionLeaderEpoch: leader, Magic: 2, Attributes: transactional | control, FirstTimestamp: timestamp, MaxTimestamp: timestamp,
		ProducerID: producer, ProducerEpoch: epoch, FirstSequence: -1, NumRecords: 1, Records: r.AppendTo(nil)}
	b.Length = int32(len(b.AppendTo(nil)) - behindLength)
	b.CRC = int32(crc32.Checksum(b.AppendTo(nil)[attributesAt:], castagnoli))
	return b.AppendTo(nil)
}

// fence has the list of producers say that theirs epochs are over, so that who has not heard of the kill cannot go on in the middle of a transaction.
func (u unended) fence(dir string) error {
	path := filepath.Join(dir, "pids.log")
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) || len(u) == 0 {
		return nil
	}
	if err != nil {
		return fault.Wrap(fault.OfIO(err), err)
	}
	raw = raw[:wholeEntries(raw)]
	for _, producer := range slices.Sorted(maps.Keys(u)) {
		entry, err := json.Marshal(map[string]any{"type": "timeout", "pid": producer, "epoch": u[producer] + 1})
		if err != nil {
			return fmt.Errorf("tidemark bug: %w", err)
		}
		raw = appendEntry(raw, entry)
	}
	return fault.Wrap(fault.External, replace(path, raw))
}

// A list such as pids.log is entries one after the other: length (4 bytes, little-endian, of what is behind the checksum), CRC-32C (4), version (2), JSON.
const entryHead = 10

func appendEntry(b, entry []byte) []byte {
	body := append(binary.LittleEndian.AppendUint16(nil, 1), entry...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(body)))
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(body, castagnoli))
	return append(b, body...)
}

// wholeEntries is how many bytes of a list are whole entries.
func wholeEntries(b []byte) (good int) {
	for {
		left := b[good:]
		if len(left) < entryHead {
			return good
		}
		length := uint64(binary.LittleEndian.Uint32(left)) + 8
		if length < entryHead || length > uint64(len(left)) || crc32.Checksum(left[8:length], castagnoli) != binary.LittleEndian.Uint32(left[4:]) {
			return good
		}
		good += int(length)
	}
}
