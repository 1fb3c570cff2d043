package parquet

import (
	"encoding/binary"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/valuefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// batchWriter is what the writers of arrow-go have in common.
type batchWriter[T any] interface {
	WriteBatch(values []T, defs, reps []int16) (int64, error)
}

// newShred makes the leaf of t, nil if t has parts.
func newShred(t types.Type, optional bool, within level) shreddedLeaf {
	switch t.Kind {
	case types.Boolean:
		return shredded(optional, within, 1, func(_ *shred[bool], v vector.Values, i int) bool { return v.Bool(i) })
	case types.TinyInt, types.SmallInt, types.Int, types.Date:
		return shredded(optional, within, 4, func(_ *shred[int32], v vector.Values, i int) int32 { return int32(v.Int(i)) })
	case types.BigInt:
		return shredded(optional, within, 8, longOf)
	case types.Float:
		return shredded(optional, within, 4, func(_ *shred[float32], v vector.Values, i int) float32 { return float32(v.Float(i)) })
	case types.Double:
		return shredded(optional, within, 8, func(_ *shred[float64], v vector.Values, i int) float64 { return v.Float(i) })
	case types.Char, types.String, types.Binary, types.VarBinary:
		return shredded(optional, within, 4, func(s *shred[parquet.ByteArray], v vector.Values, i int) parquet.ByteArray {
			b := v.Bytes(i)
			s.text += int64(len(b))
			return b
		})
	case types.Decimal:
		return shredded(optional, within, 0, decimalOf(t, int(pqarrow.DecimalSize(int32(t.Precision)))))
	case types.Time:
		if t.Precision <= 3 {
			return shredded(optional, within, 4, func(_ *shred[int32], v vector.Values, i int) int32 {
				return int32(timefmt.FloorDiv(v.Int(i), timefmt.Millisecond))
			})
		}
		return shredded(optional, within, 8, longOf)
	case types.Timestamp, types.TimestampLTZ:
		if t.Precision <= 3 {
			return shredded(optional, within, 8, func(_ *shred[int64], v vector.Values, i int) int64 {
				return timefmt.FloorDiv(v.Int(i), timefmt.Millisecond)
			})
		}
		return shredded(optional, within, 8, longOf)
	}
	return nil
}

func shredded[T any](optional bool, within level, width int64, value func(*shred[T], vector.Values, int) T) shreddedLeaf {
	return &shred[T]{optional: optional, levels: within.def > 0, repeated: within.rep > 0, width: width, value: value,
		write: func(to file.ColumnChunkWriter, values []T, defs, reps []int16) error {
			_, err := to.(batchWriter[T]).WriteBatch(values, defs, reps)
			return err
		}}
}

func longOf(_ *shred[int64], v vector.Values, i int) int64 { return v.Int(i) }

// decimalOf makes the digits two's complement of so many bytes, the highest first.
func decimalOf(t types.Type, size int) func(*shred[parquet.FixedLenByteArray], vector.Values, int) parquet.FixedLenByteArray {
	return func(s *shred[parquet.FixedLenByteArray], v vector.Values, i int) parquet.FixedLenByteArray {
		d := valuefmt.Digits(t, v, i)
		var b [16]byte
		binary.BigEndian.PutUint64(b[:8], uint64(d.Hi))
		binary.BigEndian.PutUint64(b[8:], d.Lo)
		s.bytes = append(s.bytes, b[16-size:]...) // if it has to move, the values before stay where they were
		return parquet.FixedLenByteArray(s.bytes[len(s.bytes)-size:])
	}
}
