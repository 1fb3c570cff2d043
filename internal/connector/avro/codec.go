package avro

import (
	"bytes"
	"compress/bzip2"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"sync"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
)

// codec is a way to compress blocks, by the name that files give it.
type codec struct {
	name string
	// open appends what src was made of to dst, at most maxBlock bytes.
	open func(dst, src []byte) ([]byte, error)
	// pack appends src compressed to dst; nil: files are only read.
	pack func(dst, src []byte) ([]byte, error)
}

// codecs are all that are known, in the order of the reference.
var codecs = []codec{
	{"null", func(dst, src []byte) ([]byte, error) { return append(dst, src...), nil }, func(dst, src []byte) ([]byte, error) { return append(dst, src...), nil }},
	{"deflate", inflate, deflate},
	{"snappy", openSnappy, packSnappy},
	{"zstandard", openZstd, packZstd},
	{"bzip2", func(dst, src []byte) ([]byte, error) { return readAll(dst, bzip2.NewReader(bytes.NewReader(src))) }, nil},
}

// maxBlock bounds the size of a block, before it is compressed and after.
const maxBlock = 256 << 20

var errTooLarge = fmt.Errorf("a block has more than %d MB", maxBlock>>20)

// codecNames are those that can be written.
func codecNames() (names []string) {
	for _, c := range codecs {
		if c.pack != nil {
			names = append(names, c.name)
		}
	}
	return names
}

// codecNamed is nil if there is none of that name.
func codecNamed(name string) *codec {
	for i := range codecs {
		if codecs[i].name == name {
			return &codecs[i]
		}
	}
	return nil
}

func inflate(dst, src []byte) ([]byte, error) {
	return readAll(dst, flate.NewReader(bytes.NewReader(src)))
}

// readAll appends what r gives.
func readAll(dst []byte, r io.Reader) ([]byte, error) {
	out := bytes.NewBuffer(dst)
	n, err := out.ReadFrom(io.LimitReader(r, maxBlock+1))
	if err == nil && n > maxBlock {
		err = errTooLarge
	}
	return out.Bytes(), err
}

func deflate(dst, src []byte) ([]byte, error) {
	out := bytes.NewBuffer(dst)
	w, err := flate.NewWriter(out, flate.DefaultCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(src); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
}

// checkBytes is the length of the checksum behind a block of snappy.
const checkBytes = 4

func openSnappy(dst, src []byte) ([]byte, error) {
	if len(src) < checkBytes {
		return nil, errCut
	}
	packed, sum := src[:len(src)-checkBytes], binary.BigEndian.Uint32(src[len(src)-checkBytes:])
	n, err := s2.DecodedLen(packed)
	if err != nil {
		return nil, err
	}
	if n > maxBlock {
		return nil, errTooLarge
	}
	at := len(dst)
	dst = append(dst, make([]byte, n)...)
	if _, err := s2.Decode(dst[at:], packed); err != nil {
		return nil, err
	}
	if crc32.ChecksumIEEE(dst[at:]) != sum {
		return nil, errors.New("the checksum of a block does not match")
	}
	return dst, nil
}

func packSnappy(dst, src []byte) ([]byte, error) {
	at := len(dst)
	dst = append(dst, make([]byte, s2.MaxEncodedLen(len(src)))...)
	dst = dst[:at+len(s2.EncodeSnappy(dst[at:], src))]
	return binary.BigEndian.AppendUint32(dst, crc32.ChecksumIEEE(src)), nil
}

var (
	zstdReader = sync.OnceValues(func() (*zstd.Decoder, error) {
		return zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxBlock+stretchBytes))
	})
	zstdWriter = sync.OnceValues(func() (*zstd.Encoder, error) { return zstd.NewWriter(nil) })
)

// zstdSlack is more than what a decoder wants to have behind a block.
const zstdSlack = 64

func openZstd(dst, src []byte) ([]byte, error) {
	r, err := zstdReader()
	if err != nil {
		return nil, err
	}
	at := len(dst)
	var head zstd.Header
	if head.Decode(src) == nil && head.HasFCS && head.FrameContentSize <= maxBlock {
		dst = slices.Grow(dst, int(head.FrameContentSize)+zstdSlack) // the decoder itself would make it just large enough for this block
	}
	if dst, err = r.DecodeAll(src, dst); err == nil && len(dst)-at > maxBlock {
		err = errTooLarge
	}
	return dst, err
}

func packZstd(dst, src []byte) ([]byte, error) {
	w, err := zstdWriter()
	if err != nil {
		return nil, err
	}
	return w.EncodeAll(src, dst), nil
}
