package flow

import (
	"fmt"
	"time"

	"github.com/tidemark-sql/tidemark/internal/process"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/valuefmt"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Row is the columns of a message, or those of the key of a timer. It is valid until the handler returns; values taken from it stay, unless it is said otherwise.
//
// Asking for a column that is not there, or for a value of another type than the column has, is a mistake in the program: the value is the zero value, and the pipeline ends with an error that
// says what was asked when the handler returns. A NULL reads as the zero value: ask IsNull.
type Row struct {
	stream *stream
	values *process.Values
	c      *Context
}

// stream is what is known of the columns of a stream.
type stream struct {
	name    string
	columns types.Schema
	at      map[string]int
	names   []string
}

// newStream leaves out columns that are not the user's, -1 for none.
func newStream(name string, columns types.Schema, event, system int) *stream {
	s := &stream{name: name, columns: columns, at: map[string]int{}}
	for i, c := range columns {
		if i != event && i != system {
			s.at[c.Name] = i
			s.names = append(s.names, c.Name)
		}
	}
	return s
}

// pair is a column of one stream that is the same in another.
type pair struct{ to, from int }

// common are the columns that from has under the same name and with the same type, in the order of s.
func (s *stream) common(from *stream) (all []pair) {
	for _, name := range s.names {
		i := s.at[name]
		if j, ok := from.at[name]; ok && types.Same(s.columns[i].Type, from.columns[j].Type) {
			all = append(all, pair{i, j})
		}
	}
	return all
}

// keyStream is the columns of the key, which a timer has.
func keyStream(in *process.Input) *stream {
	var key types.Schema
	for _, k := range in.Keys {
		key = append(key, in.Columns[k])
	}
	return newStream("the key", key, -1, -1)
}

// column is the place of a column that can be read as want says; -1 if there is none, which is noted.
func (r *Row) column(name, method string, can func(types.Type) bool) int {
	i, ok := r.stream.at[name]
	if !ok {
		r.c.fail(unknown("column", name, r.stream.names), r.stream.name)
		return -1
	}
	if t := r.stream.columns[i].Type; can != nil && !can(t) {
		r.c.fail(fmt.Errorf("column '%s' is %s, which %s does not take", name, t, method), r.stream.name)
		return -1
	}
	if r.values.IsNull(i) {
		return -1
	}
	return i
}

// Columns are the names of all columns. They may not be changed.
func (r *Row) Columns() []string { return r.stream.names }

// IsNull reports whether a column is NULL.
func (r *Row) IsNull(column string) bool { return r.column(column, "IsNull", nil) < 0 }

// Bool is the value of a BOOLEAN column.
func (r *Row) Bool(column string) bool {
	i := r.column(column, "Bool", isBool)
	return i >= 0 && r.values.Cols[i].Bool(r.values.Row)
}

// Int is the value of a column of whole numbers; of an INTERVAL DAY TO SECOND it is microseconds, of an INTERVAL YEAR TO MONTH months.
func (r *Row) Int(column string) int64 {
	i := r.column(column, "Int", isInt)
	if i < 0 {
		return 0
	}
	return r.values.Cols[i].Int(r.values.Row)
}

// Float is the value of a FLOAT or DOUBLE column, or of one of whole numbers.
func (r *Row) Float(column string) float64 {
	i := r.column(column, "Float", func(t types.Type) bool { return isFloat(t) || t.IsInteger() })
	switch {
	case i < 0:
		return 0
	case r.stream.columns[i].Type.IsInteger():
		return float64(r.values.Cols[i].Int(r.values.Row))
	}
	return r.values.Cols[i].Float(r.values.Row)
}

// Text is the value of a column of any type; of one that is not a string it is what CAST to STRING writes, instants in UTC.
func (r *Row) Text(column string) string {
	i := r.column(column, "Text", nil)
	switch {
	case i < 0:
		return ""
	case r.stream.columns[i].Type.IsText():
		return string(r.values.Cols[i].Bytes(r.values.Row))
	}
	return string(valuefmt.Append(nil, r.stream.columns[i].Type, r.values.Cols[i], r.values.Row))
}

// Bytes is the value of a column of strings or bytes. It may not be changed, and is valid until the handler returns.
func (r *Row) Bytes(column string) []byte {
	i := r.column(column, "Bytes", isText)
	if i < 0 {
		return nil
	}
	return r.values.Cols[i].Bytes(r.values.Row)
}

// Time is the value of a TIMESTAMP, TIMESTAMP_LTZ or DATE column, in UTC.
func (r *Row) Time(column string) time.Time {
	i := r.column(column, "Time", isTime)
	if i < 0 {
		return time.Time{}
	}
	return ofTime(r.values.Cols[i].Int(r.values.Row), r.stream.columns[i].Type)
}

func isBool(t types.Type) bool  { return t.Kind == types.Boolean }
func isInt(t types.Type) bool   { return t.IsInteger() || t.IsInterval() }
func isFloat(t types.Type) bool { return t.Kind == types.Float || t.Kind == types.Double }
func isText(t types.Type) bool  { return t.IsText() || t.IsBytes() }
func isTime(t types.Type) bool  { return t.IsTime() || t.Kind == types.Date }

// instant is a time of the engine for the program; there may be none.
func instant(micros int64) time.Time {
	if micros == watermark.NoTime {
		return time.Time{}
	}
	return time.UnixMicro(micros).UTC()
}

// timeOf is a time as a column of type t holds it.
func timeOf(v time.Time, t types.Type) int64 {
	if t.Kind == types.Date {
		return timefmt.FloorDiv(v.UnixMicro(), 24*60*60*1e6)
	}
	return timefmt.Floor(v.UnixMicro(), timefmt.Step(t.Precision))
}

// ofTime is timeOf the other way round.
func ofTime(v int64, t types.Type) time.Time {
	if t.Kind == types.Date {
		return time.Unix(v*24*60*60, 0).UTC()
	}
	return instant(v)
}

// Forever is the watermark of a stream that has ended: nothing comes any more.
var Forever = instant(int64(watermark.Final))

// micros is a time of the program for the engine; the zero Time is none.
func micros(t time.Time) int64 {
	if t.IsZero() {
		return watermark.NoTime
	}
	return t.UnixMicro()
}
