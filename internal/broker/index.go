package broker

import (
	"encoding/binary"
	"hash/crc32"
)

// An index file has an entry for every batch of the segment file of its name, as kfake lays it out:
// version, checksum, epoch (4 bytes), the latest time up to there (8 bytes), whether the batch was in a transaction.
const (
	entryBytes   = 15
	entryVersion = 1
)

// indexEntry makes the entry of a batch.
func indexEntry(b stored, latest int64) []byte {
	e := make([]byte, entryBytes)
	e[0] = entryVersion
	binary.LittleEndian.PutUint32(e[2:], uint32(b.epoch))
	binary.LittleEndian.PutUint64(e[6:], uint64(latest))
	if b.attributes&transactional != 0 && b.attributes&control == 0 {
		e[14] = 1
	}
	e[1] = byte(crc32.Checksum(e[2:], castagnoli))
	return e
}

// readIndexEntry gives the epoch of an entry; ok is false if it is damaged.
func readIndexEntry(e []byte) (epoch int32, ok bool) {
	if e[0] != entryVersion || e[1] != byte(crc32.Checksum(e[2:entryBytes], castagnoli)) || e[14] > 1 {
		return 0, false
	}
	return int32(binary.LittleEndian.Uint32(e[2:])), true
}

// mendIndex gives the index that belongs to batches, from what is there: entries that are damaged or missing are made anew. damaged says that there
// were such as had been written. A batch whose epoch is another than a sound entry says is returned as odd, its number; otherwise that is -1.
func mendIndex(raw []byte, batches []stored) (mended []byte, damaged bool, odd int) {
	latest := int64(-1)
	for i, b := range batches {
		latest = max(latest, b.timestamp)
		if at := i * entryBytes; at+entryBytes <= len(raw) {
			e := raw[at : at+entryBytes]
			if epoch, ok := readIndexEntry(e); ok {
				if epoch != b.epoch {
					return nil, false, i
				}
				mended = append(mended, e...)
				continue
			}
			damaged = true
		}
		mended = append(mended, indexEntry(b, latest)...)
	}
	return mended, damaged, -1
}
