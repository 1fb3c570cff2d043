package avro

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
)

// header is what a file begins with.
type header struct {
	schema string // of its writer, in JSON
	codec  *codec
	marker [markerBytes]byte
	end    int64 // where the first block begins
}

const (
	magic       = "Obj\x01"
	markerBytes = 16
	schemaKey   = "avro.schema"
	codecField  = "avro.codec"
)

var (
	errNotAvro = errors.New("the file is not an Avro container: it does not begin with 'Obj' and a 1")
	errCut     = errors.New("the file is cut off or damaged")
)

// firstRead is how much of a file is read at first for its header: more than most have.
const firstRead = 32 << 10

// readHeader reads the header of a file of so many bytes.
func readHeader(f io.ReaderAt, size int64) (header, error) {
	for n := int64(firstRead); ; n *= 8 {
		buf := make([]byte, min(n, size))
		if _, err := f.ReadAt(buf, 0); err != nil && err != io.EOF {
			return header{}, err
		}
		h, whole, err := parseHeader(buf)
		if err != nil || whole {
			return h, err
		}
		if n >= size || n > maxBlock {
			return h, errCut
		}
	}
}

// parseHeader reads a header from the beginning of a file; whole is false if it goes on behind buf.
func parseHeader(buf []byte) (h header, whole bool, err error) {
	if !strings.HasPrefix(string(buf[:min(len(buf), len(magic))]), magic) {
		return h, true, errNotAvro
	}
	c := cursor{buf: buf, at: len(magic)}
	name := "null"
	for {
		count := c.long()
		if count < 0 { // then the size of the entries follows
			count = -count
			c.long()
		}
		if count == 0 || c.short {
			break
		}
		for ; count > 0 && !c.short; count-- {
			switch key, value := c.bytes(), c.bytes(); string(key) {
			case schemaKey:
				h.schema = string(value)
			case codecField:
				name = string(value)
			}
		}
	}
	copy(h.marker[:], c.take(markerBytes))
	if c.wrong {
		return h, true, errCut
	}
	if c.short {
		return h, false, nil
	}
	h.end = int64(c.at)
	if h.codec = codecNamed(name); h.codec == nil {
		return h, true, fmt.Errorf("the file is compressed with '%s', which is not supported; write it with one of: %s", name, strings.Join(codecNames(), ", "))
	}
	if h.schema == "" {
		return h, true, errors.New("the file has no schema")
	}
	return h, true, nil
}

// cursor goes through bytes; what it gives once it is short or wrong means nothing.
type cursor struct {
	buf   []byte
	at    int
	short bool // the bytes ended early
	wrong bool // they are not what they should be
}

func (c *cursor) long() int64 {
	v, n := binary.Varint(c.buf[c.at:])
	if n <= 0 {
		c.short, c.wrong = true, c.wrong || n < 0
		return 0
	}
	c.at += n
	return v
}

func (c *cursor) bytes() []byte {
	n := c.long()
	if n < 0 || n > maxBlock {
		c.short, c.wrong = true, true
		return nil
	}
	return c.take(int(n))
}

func (c *cursor) take(n int) []byte {
	if c.short || n > len(c.buf)-c.at {
		c.short = true
		return nil
	}
	c.at += n
	return c.buf[c.at-n : c.at]
}
