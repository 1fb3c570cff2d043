package plan

import (
	"maps"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/types"
)

// Kept is what a statement keeps beside its results: rows that it leaves out, in a table.
type Kept uint8

// What can be kept.
const (
	NotKept Kept = iota // the results themselves
	KeptLate
	KeptMisread
)

// String is what is kept, for EXPLAIN.
func (k Kept) String() string {
	return [...]string{"", "late rows", "records that cannot be read"}[k]
}

// Lateness adds to the late rows of a table what is known of them as such: the columns of LatenessColumns.
type Lateness struct {
	Input *Scan
	Cols  []Column
}

// NewLateness makes a Lateness over late rows of a table.
func NewLateness(in *Scan) *Lateness {
	return &Lateness{in, append(slices.Clone(in.Cols), LatenessColumns(in)...)}
}

// LatenessColumns are what Lateness adds: the watermark that the row came behind, by how many milliseconds it did, the split that it came by, and how many rows of that had
// come before.
func LatenessColumns(in *Scan) []Column {
	at := in.Table.Columns[in.Table.Watermark.Column].Type
	at.NotNull, at.Precision = true, 3
	count, text := types.BigIntType, types.StringType
	count.NotNull, text.NotNull = true, true
	return []Column{{Name: "watermark", Type: at}, {Name: "lateness", Type: count}, {Name: "split", Type: text}, {Name: "row", Type: count}}
}

// Columns implements Node.
func (n *Lateness) Columns() []Column { return n.Cols }

// Children implements Node.
func (n *Lateness) Children() []Node { return []Node{n.Input} }

// Misread is the records of a table that cannot be read, as MisreadColumns has them.
type Misread struct {
	// Input is the reading that leaves them out. It yields no columns.
	Input *Scan
	Cols  []Column
}

// Columns implements Node.
func (n *Misread) Columns() []Column { return n.Cols }

// Children implements Node.
func (n *Misread) Children() []Node { return []Node{n.Input} }

// MisreadColumns are those of Misread. Confluent Cloud: they have these names and types in the table of errors, which has more.
var MisreadColumns = []Column{
	{Name: "error_timestamp", Type: notNull(types.TimestampLTZType)},
	{Name: "error_code", Type: notNull(types.IntType)},
	{Name: "error_reason", Type: notNull(types.StringType)},
	{Name: "error_message", Type: notNull(types.StringType)},
	{Name: "error_details", Type: notNull(types.MapOf(notNull(types.StringType), types.StringType))},
	{Name: "source_record", Type: types.RowOf(types.Schema{
		{Name: "topic", Type: types.StringType},
		{Name: "partition", Type: types.IntType},
		{Name: "offset", Type: types.BigIntType},
		{Name: "timestamp", Type: types.TimestampLTZType},
		{Name: "timestamp_type", Type: types.StringType},
		{Name: "headers", Type: types.MapOf(notNull(types.StringType), types.BytesType)},
		{Name: "key", Type: types.BytesType},
		{Name: "value", Type: types.BytesType},
	})},
}

func notNull(t types.Type) types.Type { t.NotNull = true; return t }

// SameReading reports whether two scans differ in their columns and rows alone: they read one state of one table, with the same options and strategy.
func SameReading(a, b *Scan) bool {
	return a.Table.Path == b.Table.Path && &a.Table.Columns[0] == &b.Table.Columns[0] && maps.Equal(a.Table.Options, b.Table.Options) &&
		slices.Equal(a.Strategy.Fields, b.Strategy.Fields) && a.Zone == b.Zone
}
