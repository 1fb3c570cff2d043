package flow

import (
	"fmt"
	"math"
	"time"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/int128"
	"github.com/tidemark-sql/tidemark/internal/numfmt"
	"github.com/tidemark-sql/tidemark/internal/process"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// Output is a message that is being written: New begins it, Emit sends it. What it is given is copied. It is used again for the next message of its stream.
//
// Setting a column that is not there, or one to a value that it cannot have, is a mistake in the program, which ends the pipeline when the handler returns.
type Output struct {
	stream *stream
	c      *Context
	number int
	draft  *process.Draft
	failed bool
	common map[*stream][]pair // what CopyFrom copies, by where from
}

// NewMessage begins a message of an output stream. Columns that are not set are NULL. One that has not been emitted when another one of its stream begins is gone.
func (c *Context) NewMessage(stream string) *Output {
	i, ok := c.outputs[stream]
	if !ok {
		c.fail(unknown("output stream", stream, names(c.spec.Outputs, func(o *process.Output) string { return o.Name })), "")
		return &Output{stream: newStream(stream, nil, -1, -1), c: c, failed: true}
	}
	o := &c.out[i]
	o.draft, o.failed = c.inner.Draft(i), false
	return o
}

// column is the place of a column that takes what method sets; -1 if there is none.
func (o *Output) column(name, method string, can func(types.Type) bool) int {
	if o.failed {
		return -1
	}
	i, ok := o.stream.at[name]
	switch {
	case !ok:
		o.fail(unknown("column", name, o.stream.names))
		return -1
	case !can(o.stream.columns[i].Type):
		o.fail(fmt.Errorf("column '%s' is %s, which %s does not set", name, o.stream.columns[i].Type, method))
		return -1
	}
	return i
}

func (o *Output) fail(err error) {
	o.failed = true
	o.c.fail(err, o.stream.name)
}

// SetBool sets a BOOLEAN column.
func (o *Output) SetBool(column string, v bool) {
	if i := o.column(column, "SetBool", isBool); i >= 0 {
		o.draft.SetBool(i, v)
	}
}

// SetInt sets a column of whole numbers, or an INTERVAL, see Row.Int. A number that its type does not hold is a mistake.
func (o *Output) SetInt(column string, v int64) {
	i := o.column(column, "SetInt", isInt)
	if i < 0 {
		return
	}
	if least, most := rangeOf(o.stream.columns[i].Type.Kind); v < least || v > most {
		o.fail(fmt.Errorf("column '%s' is %s, which does not hold %d", column, o.stream.columns[i].Type, v))
		return
	}
	o.draft.SetInt(i, v)
}

func rangeOf(k types.Kind) (least, most int64) {
	switch k {
	case types.TinyInt:
		return math.MinInt8, math.MaxInt8
	case types.SmallInt:
		return math.MinInt16, math.MaxInt16
	case types.Int:
		return math.MinInt32, math.MaxInt32
	}
	return math.MinInt64, math.MaxInt64
}

// SetFloat sets a FLOAT or DOUBLE column.
func (o *Output) SetFloat(column string, v float64) {
	i := o.column(column, "SetFloat", isFloat)
	if i < 0 {
		return
	}
	if o.stream.columns[i].Type.Kind == types.Float {
		v = float64(float32(v))
	}
	o.draft.SetFloat(i, v)
}

// SetText sets a column of strings, or a DECIMAL to a number such as "-12.50", of which digits are rounded away that its type has no place for. What its type does not hold is a mistake.
func (o *Output) SetText(column, v string) {
	i := o.column(column, "SetText", func(t types.Type) bool { return t.IsText() || t.Kind == types.Decimal })
	if i < 0 {
		return
	}
	if o.stream.columns[i].Type.Kind == types.Decimal {
		digits, err := decimalOf(v, o.stream.columns[i].Type)
		if err != nil {
			o.fail(fmt.Errorf("column '%s': %w", column, err))
			return
		}
		o.draft.SetWide(i, digits)
		return
	}
	if n := o.stream.columns[i].Type.Length; n > 0 && utf8.RuneCountInString(v) > int(n) {
		o.fail(fmt.Errorf("column '%s' is %s, which does not hold %q", column, o.stream.columns[i].Type, v))
		return
	}
	o.draft.SetString(i, v)
}

// decimalOf is the digits of a number for a DECIMAL.
func decimalOf(v string, t types.Type) (int128.Int, error) {
	digits, reading := numfmt.ReadDecimal([]byte(v), int(t.Precision), int(t.Scale))
	switch reading {
	case numfmt.NoNumber:
		return digits, fmt.Errorf("%q is no number", v)
	case numfmt.TooGreat:
		return digits, fmt.Errorf("%s does not hold %s", t, v)
	}
	return digits, nil
}

// SetBytes sets a column of strings or bytes.
func (o *Output) SetBytes(column string, v []byte) {
	i := o.column(column, "SetBytes", isText)
	if i < 0 {
		return
	}
	if n := o.stream.columns[i].Type.Length; n > 0 && len(v) > int(n) && (o.stream.columns[i].Type.IsBytes() || utf8.RuneCount(v) > int(n)) {
		o.fail(fmt.Errorf("column '%s' is %s, which does not hold %d bytes", column, o.stream.columns[i].Type, len(v)))
		return
	}
	o.draft.SetBytes(i, v)
}

// SetTime sets a TIMESTAMP, TIMESTAMP_LTZ or DATE column, to as many digits as its type has; a TIMESTAMP, which has no zone, shows t in UTC. The zero Time, which Row.Time is for NULL, makes the column NULL.
func (o *Output) SetTime(column string, t time.Time) {
	i := o.column(column, "SetTime", isTime)
	switch {
	case i < 0:
	case t.IsZero():
		o.draft.SetNull(i)
	default:
		o.draft.SetInt(i, timeOf(t, o.stream.columns[i].Type))
	}
}

// SetNull makes a column NULL, as it is in the beginning.
func (o *Output) SetNull(column string) {
	if i := o.column(column, "SetNull", func(types.Type) bool { return true }); i >= 0 {
		o.draft.SetNull(i)
	}
}

// CopyFrom sets all columns that r has under the same name and with the same type, whatever that is.
func (o *Output) CopyFrom(r *Row) {
	if o.failed {
		return
	}
	common, known := o.common[r.stream]
	if !known {
		common = o.stream.common(r.stream)
		if o.common == nil {
			o.common = map[*stream][]pair{}
		}
		o.common[r.stream] = common
	}
	for _, p := range common {
		o.draft.Copy(p.to, r.values, p.from)
	}
}

// SetEventTime says when what the message tells of happened. Otherwise it is the event time of the message or timer at hand, or the least of SetParents. A time behind the watermark of the stream makes a
// message that is late there.
func (o *Output) SetEventTime(t time.Time) {
	if !o.failed {
		o.draft.EventTime = micros(t)
	}
}

// SetParents says what the message was made of, instead of the message or timer at hand: its event time is the least of theirs. Parents of streams that the output does not depend on do not count; it
// is a mistake if none is left.
func (o *Output) SetParents(parents ...Parent) {
	if o.failed {
		return
	}
	n := o.number
	from := process.Parents{Inputs: o.c.spec.HoldsInputs(n), Timers: o.c.spec.HoldsTimers(n)}
	event, ok := o.c.eventTime(parents, from, o.stream.name)
	if !ok {
		o.failed = true
		return
	}
	o.draft.EventTime, o.draft.Parented = event, true
}

// Emit sends the message.
func (o *Output) Emit() {
	if o.failed {
		return
	}
	for i := range o.stream.columns {
		if c := &o.stream.columns[i]; c.Type.NotNull && o.mine(i) && !o.draft.Has(i) {
			o.fail(fmt.Errorf("column '%s' is %s, and has no value", c.Name, c.Type))
			return
		}
	}
	o.c.inner.Emit(o.number)
	o.failed = true // until NewMessage begins the next
}

// mine reports whether column i is the program's to write.
func (o *Output) mine(i int) bool {
	s := &o.c.spec.Outputs[o.number]
	return i != s.EventTime && i != s.SystemTime
}
