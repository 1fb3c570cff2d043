package handover

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"

	"github.com/tidemark-sql/tidemark/watermark"
)

// TopicID tells topics apart that had the same name one after the other. Brokers before Kafka 3.1 give none, which is zeros.
type TopicID [16]byte

// Writer is one run of a statement that writes to a topic. No two have the same.
type Writer [8]byte

func (w Writer) String() string { return hex.EncodeToString(w[:]) }

// Key says whose promise a record is, and about which topic.
type Key struct {
	Topic  string
	ID     TopicID
	Writer Writer
}

// State is what a writer does.
type State uint8

// The states. A writer that is Idle has inputs that others need not wait for. One that has Stopped left before the end of its input, one that has Ended came to it.
const (
	Open State = iota
	Idle
	Stopped
	Ended
)

// Promise is what a writer says: every row of mine behind Ends is at or after Frontier.
type Promise struct {
	// Column is the one whose times are meant.
	Column   string
	State    State
	Frontier watermark.Frontier // never Final
	// Ends has the partitions that the writer has written to, ascending.
	Ends []End
}

// End is the offset behind the last row that a promise covers, at least 1.
type End struct {
	Partition int32
	Offset    int64
}

// The first byte of keys and values.
const version = 1

var errShort = errors.New("it ends too early")

// Append appends k as the key of a record:
//
//	1   version
//	8   writer
//	16  id of the topic
//	the name of the topic
//
// and ReadKey reads it.
func (k Key) Append(dst []byte) []byte {
	dst = append(dst, version)
	dst = append(dst, k.Writer[:]...)
	dst = append(dst, k.ID[:]...)
	return append(dst, k.Topic...)
}

// ReadKey reads what Key.Append wrote.
func ReadKey(b []byte) (k Key, err error) {
	const header = 1 + len(k.Writer) + len(k.ID)
	switch {
	case len(b) > 0 && b[0] != version:
		return k, unknownVersion(b[0])
	case len(b) <= header:
		return k, errShort
	}
	copy(k.Writer[:], b[1:])
	copy(k.ID[:], b[1+len(k.Writer):])
	k.Topic = string(b[header:])
	return k, nil
}

// Append appends p as the value of a record, numbers big-endian:
//
//	1  version
//	1  state
//	8  frontier
//	2  length of the column, and its name
//	for each end
//	   4  partition
//	   8  offset
//
// and ReadPromise reads it.
func (p *Promise) Append(dst []byte) []byte {
	be := binary.BigEndian
	dst = append(dst, version, byte(p.State))
	dst = be.AppendUint64(dst, uint64(p.Frontier))
	dst = be.AppendUint16(dst, uint16(len(p.Column)))
	dst = append(dst, p.Column...)
	for _, e := range p.Ends {
		dst = be.AppendUint32(dst, uint32(e.Partition))
		dst = be.AppendUint64(dst, uint64(e.Offset))
	}
	return dst
}

// ReadPromise reads what Promise.Append wrote.
func ReadPromise(b []byte) (p Promise, err error) {
	const header, end = 1 + 1 + 8 + 2, 4 + 8
	be := binary.BigEndian
	switch {
	case len(b) > 0 && b[0] != version:
		return p, unknownVersion(b[0])
	case len(b) < header:
		return p, errShort
	}
	p.State, p.Frontier = State(b[1]), watermark.Frontier(be.Uint64(b[2:]))
	column := int(be.Uint16(b[10:]))
	b = b[header:]
	if len(b) < column || (len(b)-column)%end != 0 {
		return p, errShort
	}
	p.Column, b = string(b[:column]), b[column:]
	switch {
	case p.State > Ended:
		return p, fmt.Errorf("it has the unknown state %d", p.State)
	case p.Frontier == watermark.Final:
		return p, errors.New("its frontier is beyond all times")
	}
	before := int64(-1)
	for ; len(b) > 0; b = b[end:] {
		e := End{int32(be.Uint32(b)), int64(be.Uint64(b[4:]))}
		if int64(e.Partition) <= before || e.Offset < 1 {
			return p, errors.New("its partitions are not in order, or have no rows")
		}
		before = int64(e.Partition)
		p.Ends = append(p.Ends, e)
	}
	return p, nil
}

// MaxColumn is how many bytes the name of the column can have.
const MaxColumn = math.MaxUint16

func unknownVersion(v byte) error {
	return fmt.Errorf("it has version %d, and this program reads version %d", v, version)
}

// reached reports whether whoever has read a partition up to offset has read all its rows that p covers.
func (p *Promise) reached(partition int32, offset int64) bool {
	for _, e := range p.Ends {
		if e.Partition == partition {
			return e.Offset <= offset
		}
	}
	return true
}
