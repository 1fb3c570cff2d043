package format

import (
	"errors"
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// logging leaves out what its decoder cannot read, counts it, and keeps it until it is taken. It reads record by record, as a decoder writes to what it reads and so
// every record is copied before.
type logging struct {
	tolerant
	format string
	buf    []byte
	raw    []byte // the record at hand, as it came
	left   []connector.Misread
}

func (l *logging) Begin(a *vector.Arena, buf []byte, records int) {
	l.buf = buf
	l.Decoder.Begin(a, buf, records)
}

func (l *logging) Read(start, end int) (int, error) {
	l.raw = append(l.raw[:0], l.buf[start:end]...)
	rows, err := l.Decoder.Read(start, end)
	if !l.leavesOut(err) {
		return rows, err
	}
	row, _ := errors.AsType[*RowError](err)
	l.left = append(l.left, connector.Misread{Code: connector.MisreadValue, Message: row.Message, Details: row.details(l.format), Offset: int64(start), Value: append([]byte{}, l.raw...)})
	return 0, nil
}

func (l *logging) End() *vector.Batch {
	l.buf = nil
	return l.Decoder.End()
}

// details are what e knows beside its message.
func (e *RowError) details(format string) []connector.Detail {
	all := []connector.Detail{{Name: "format", Text: format}, {Name: "position", Text: strconv.Itoa(e.Column)}}
	if e.Field != "" {
		all = append(all, connector.Detail{Name: "field", Text: e.Field})
	}
	if e.Hint != "" {
		all = append(all, connector.Detail{Name: "hint", Text: e.Hint})
	}
	return all
}

// Misread takes the records that d has left out since it was asked last, if it is of a table that keeps them. Their offsets are places in the buffer of Begin; whoever
// knows where that is from, and more of them, completes them.
func Misread(d Decoder) []connector.Misread {
	l, ok := d.(*logging)
	if !ok {
		return nil
	}
	left := l.left
	l.left = nil
	return left
}
