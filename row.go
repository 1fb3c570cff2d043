package tidemark

import (
	"fmt"
	"time"

	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/valuefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Op is the change that a row stands for.
type Op uint8

// The changes.
const (
	Insert       = Op(vector.Insert)
	UpdateBefore = Op(vector.UpdateBefore)
	UpdateAfter  = Op(vector.UpdateAfter)
	Delete       = Op(vector.Delete)
)

// String spells the change as Flink does: +I, -U, +U, -D.
func (o Op) String() string { return vector.Op(o).String() }

// Row is one row of a result. It is valid until the function it was given to returns; values taken from it stay.
//
// Columns are numbered from 0 in the order of the SELECT. Asking for a column that is not there, or for a value of another type than the
// column has, is a mistake in the program: it panics, in the goroutine that called Query, and like every panic of the function given to Query
// it ends the statement. Text reads every type. A NULL reads as the zero value: ask IsNull.
type Row struct {
	schema types.Schema
	batch  *vector.Batch
	at     int
}

// Op is the change that the row stands for.
func (r Row) Op() Op {
	if r.batch.Ops == nil {
		return Insert
	}
	return Op(r.batch.Ops[r.at])
}

// Len is the number of columns.
func (r Row) Len() int { return len(r.schema) }

// Name is the name of column i.
func (r Row) Name(i int) string { return r.schema[i].Name }

// Type is the SQL type of column i, such as "BIGINT" or "TIMESTAMP(3) NOT NULL".
func (r Row) Type(i int) string { return r.schema[i].Type.String() }

// IsNull reports whether column i is NULL.
func (r Row) IsNull(i int) bool { return r.batch.Cols[i].IsNull(r.at) }

// Bool is the value of a BOOLEAN column.
func (r Row) Bool(i int) bool {
	r.expect(i, "Bool", r.schema[i].Type.Kind == types.Boolean)
	return !r.IsNull(i) && r.batch.Cols[i].Bool(r.at)
}

// Int is the value of an INT or BIGINT column; of an INTERVAL it is microseconds, or months if that is its unit.
func (r Row) Int(i int) int64 {
	t := r.schema[i].Type
	r.expect(i, "Int", t.IsInteger() || t.IsInterval())
	if r.IsNull(i) {
		return 0
	}
	return r.batch.Cols[i].Int(r.at)
}

// Float is the value of a DOUBLE, INT or BIGINT column.
func (r Row) Float(i int) float64 {
	t := r.schema[i].Type
	r.expect(i, "Float", t.IsNumeric())
	switch {
	case r.IsNull(i):
		return 0
	case t.IsInteger():
		return float64(r.batch.Cols[i].Int(r.at))
	}
	return r.batch.Cols[i].Float(r.at)
}

// Text is the value of a column of any type, written as CAST to STRING does.
func (r Row) Text(i int) string {
	if r.IsNull(i) {
		return ""
	}
	return string(valuefmt.Append(nil, r.schema[i].Type, r.batch.Cols[i], r.at))
}

// Time is the value of a TIMESTAMP or TIMESTAMP_LTZ column, in UTC. A TIMESTAMP has no zone: what its wall clock shows is read as UTC.
func (r Row) Time(i int) time.Time {
	r.expect(i, "Time", r.schema[i].Type.IsTime())
	if r.IsNull(i) {
		return time.Time{}
	}
	return time.UnixMicro(r.batch.Cols[i].Int(r.at)).UTC()
}

func (r Row) expect(i int, method string, ok bool) {
	if !ok {
		panic(fmt.Sprintf("tidemark: column %d, '%s', is %s, which %s does not read", i, r.Name(i), r.Type(i), method))
	}
}
