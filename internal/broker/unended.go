package broker

import (
	"encoding/json"
	"hash/crc32"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"
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

// end appends the markers that kfake would have written to a partition's last segment, behind its last batch. The transaction that was being committed is, all others are given up.
func (u unended) end(path string, last stored, committing *commit) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	at := last.end
	for _, id := range slices.Sorted(maps.Keys(u)) {
		kind := kmsg.ControlRecordKeyTypeAbort
		if committing.is(id, u[id]) {
			kind = kmsg.ControlRecordKeyTypeCommit
		}
		if _, err := file.Write(marker(kind, at, last.epoch, last.timestamp, id, u[id])); err != nil {
			return err
		}
		at++
	}
	return file.Sync()
}

// marker is the batch that ends a transaction.
func marker(kind kmsg.ControlRecordKeyType, offset int64, leader int32, timestamp, id int64, epoch int16) []byte {
	key := kmsg.ControlRecordKey{Type: kind}
	value := kmsg.EndTxnMarker{}
	r := kmsg.Record{Key: key.AppendTo(nil), Value: value.AppendTo(nil)}
	r.Length = int32(len(r.AppendTo(nil)) - 1) // without itself, which is a byte
	b := kmsg.RecordBatch{FirstOffset: offset, PartitionLeaderEpoch: leader, Magic: 2, Attributes: transactional | control, FirstTimestamp: timestamp, MaxTimestamp: timestamp,
		ProducerID: id, ProducerEpoch: epoch, FirstSequence: -1, NumRecords: 1, Records: r.AppendTo(nil)}
	b.Length = int32(len(b.AppendTo(nil)) - behindLength)
	b.CRC = int32(crc32.Checksum(b.AppendTo(nil)[attributesAt:], castagnoli))
	return b.AppendTo(nil)
}

// fence has the list of producers say that their epochs are over, so that who has not heard of the kill cannot go on in the middle of a transaction.
func (u unended) fence(dir string) error {
	var fences [][]byte
	for _, id := range slices.Sorted(maps.Keys(u)) {
		raw, err := json.Marshal(producer{Type: "timeout", ID: id, Epoch: u[id] + 1})
		if err != nil {
			return err
		}
		fences = append(fences, raw)
	}
	return appendEntries(filepath.Join(dir, "pids.log"), fences)
}
