package broker

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io/fs"
	"iter"
	"os"

	"github.com/tidemark-sql/tidemark/internal/fault"
)

// Lists such as pids.log are entries one after the other, as kfake lays them out: length (4 bytes, little-endian, of what is behind the checksum), CRC-32C (4), version (2), JSON.
const entryHead = 10

// entries are the JSON of the whole entries of a list. What a kill left unfinished behind them is no part of it.
func entries(list []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for len(list) >= entryHead {
			length := uint64(binary.LittleEndian.Uint32(list)) + 8
			if length < entryHead || length > uint64(len(list)) || crc32.Checksum(list[8:length], castagnoli) != binary.LittleEndian.Uint32(list[4:]) {
				return
			}
			if !yield(list[entryHead:length]) {
				return
			}
			list = list[length:]
		}
	}
}

func appendEntry(list, entry []byte) []byte {
	body := append(binary.LittleEndian.AppendUint16(nil, 1), entry...)
	list = binary.LittleEndian.AppendUint32(list, uint32(len(body)))
	list = binary.LittleEndian.AppendUint32(list, crc32.Checksum(body, castagnoli))
	return append(list, body...)
}

// appendEntries appends to the list in a file.
func appendEntries(path string, more [][]byte) error {
	if len(more) == 0 {
		return nil
	}
	raw, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fault.Wrap(fault.OfIO(err), err)
	}
	whole := 0
	for entry := range entries(raw) {
		whole += entryHead + len(entry)
	}
	raw = raw[:whole]
	for _, entry := range more {
		raw = appendEntry(raw, entry)
	}
	err = replace(path, raw)
	return fault.Wrap(fault.OfIO(err), err)
}
