package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"github.com/tidemark-sql/tidemark/internal/int128"
	"github.com/tidemark-sql/tidemark/internal/numfmt"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// What follows are the taking of each physical type, nil if a column c of it does not hold values of t.

func booleansOf(t types.Type) taking[bool] {
	if t.Kind != types.Boolean {
		return nil
	}
	return func(_ *vector.Arena, v *vector.Vector, at int, values []bool) error {
		for i, b := range values {
			v.Bools[at+i] = 0
			if b {
				v.Bools[at+i] = 1
			}
		}
		return nil
	}
}

func float32sOf(t types.Type) taking[float32] {
	if !t.IsApproximate() {
		return nil
	}
	return func(_ *vector.Arena, v *vector.Vector, at int, values []float32) error {
		for i, f := range values {
			v.Floats[at+i] = float64(f)
		}
		return nil
	}
}

func int32sOf(c *schema.Column, t types.Type) taking[int32] {
	check := wholeOf(c, t)
	if check == nil || vector.KindOf(t) != vector.Int64 {
		return nil
	}
	unsigned := false
	if as, ok := c.LogicalType().(schema.IntLogicalType); ok {
		unsigned = !as.IsSigned()
	}
	return func(_ *vector.Arena, v *vector.Vector, at int, values []int32) error {
		ints := v.Ints[at : at+len(values)]
		for i, x := range values {
			ints[i] = int64(x)
		}
		if unsigned {
			for i := range ints {
				ints[i] &= math.MaxUint32
			}
		}
		return check(ints)
	}
}

// int64sOf takes values that are in the vector already.
func int64sOf(c *schema.Column, t types.Type) taking[int64] {
	check := wholeOf(c, t)
	if as, ok := c.LogicalType().(schema.IntLogicalType); ok && !as.IsSigned() {
		return nil
	}
	if check == nil {
		return nil
	}
	return func(_ *vector.Arena, v *vector.Vector, at int, values []int64) error {
		return check(v.Ints[at : at+len(values)])
	}
}

// wholeOf makes values of t of whole numbers, in place.
func wholeOf(c *schema.Column, t types.Type) func([]int64) error {
	switch as := c.LogicalType().(type) {
	case schema.IntLogicalType, schema.NoLogicalType:
		if t.IsInteger() {
			return ranged(t)
		}
	case schema.DateLogicalType:
		if t.Kind == types.Date {
			return func([]int64) error { return nil }
		}
	case schema.TimeLogicalType:
		if t.Kind == types.Time {
			return timed(unitOf(as.TimeUnit()), t)
		}
	case schema.TimestampLogicalType:
		if t.IsTime() {
			return timed(unitOf(as.TimeUnit()), t)
		}
	case schema.DecimalLogicalType:
		if t.Kind == types.Decimal {
			return func(values []int64) error {
				for i, x := range values {
					y, err := decimal(int128.From(x), int(as.Scale()), t)
					if err != nil {
						return err
					}
					values[i], _ = y.Int64()
				}
				return nil
			}
		}
	}
	return nil
}

func unitOf(u schema.TimeUnitType) arrow.TimeUnit {
	switch u {
	case schema.TimeUnitMillis:
		return arrow.Millisecond
	case schema.TimeUnitMicros:
		return arrow.Microsecond
	}
	return arrow.Nanosecond
}

func ranged(t types.Type) func([]int64) error {
	least, greatest := t.Range()
	return func(values []int64) error {
		for _, x := range values {
			if x < least || x > greatest {
				return outOfRange(x, t)
			}
		}
		return nil
	}
}

func outOfRange(x int64, t types.Type) error {
	return fmt.Errorf("%d is out of the range of %s; declare the column BIGINT", x, t.Nullable())
}

// timed makes instants, or times of day, in the precision of t.
func timed(unit arrow.TimeUnit, t types.Type) func([]int64) error {
	return func(values []int64) error {
		for i, x := range values {
			micros, ok := micros(x, unit, t)
			if !ok {
				return timeOutOfRange(x, unit, t)
			}
			values[i] = micros
		}
		return nil
	}
}

func timeOutOfRange(x int64, unit arrow.TimeUnit, t types.Type) error {
	return fmt.Errorf("%d %s is out of the range of %s", x, unit, t.Nullable())
}

// micros is a time in the precision of t.
func micros(x int64, unit arrow.TimeUnit, t types.Type) (micros int64, ok bool) {
	ok = true
	switch unit {
	case arrow.Second:
		ok = x >= math.MinInt64/timefmt.Second && x <= math.MaxInt64/timefmt.Second
		x *= timefmt.Second
	case arrow.Millisecond:
		ok = x >= math.MinInt64/timefmt.Millisecond && x <= math.MaxInt64/timefmt.Millisecond
		x *= timefmt.Millisecond
	case arrow.Nanosecond:
		x = timefmt.FloorDiv(x, 1000)
	}
	if t.Kind == types.Time {
		ok = ok && x >= 0 && x < timefmt.Day
	}
	if t.Precision <= 3 && unit != arrow.Millisecond {
		ok = ok && x >= math.MinInt64+timefmt.Millisecond
		x = timefmt.Floor(x, timefmt.Millisecond)
	}
	return x, ok
}

// julianEpoch is the Julian day of 1970-01-01.
const julianEpoch = 2_440_588

// int96sOf reads the timestamps of older writers: nanoseconds of a day, and the day.
func int96sOf(t types.Type) taking[parquet.Int96] {
	if !t.IsTime() {
		return nil
	}
	return func(_ *vector.Arena, v *vector.Vector, at int, values []parquet.Int96) error {
		for i, x := range values {
			nanos, day := binary.LittleEndian.Uint64(x[:8]), int64(binary.LittleEndian.Uint32(x[8:]))-julianEpoch
			most := int64(math.MaxInt64 / timefmt.Day)
			if nanos >= uint64(timefmt.Day)*1000 || day > most-1 {
				return fmt.Errorf("a timestamp is out of the range of %s", t.Nullable())
			}
			v.Ints[at+i] = timefmt.Floor(day*timefmt.Day+int64(nanos/1000), t.Tick())
		}
		return nil
	}
}

func bytesOf[T ~[]byte](c *schema.Column, t types.Type) taking[T] {
	switch as := c.LogicalType().(type) {
	case schema.DecimalLogicalType:
		if t.Kind == types.Decimal {
			return decimals[T](int(as.Scale()), t)
		}
	case schema.StringLogicalType, schema.EnumLogicalType, schema.JSONLogicalType, schema.BSONLogicalType, schema.NoLogicalType:
		if t.IsBytes() {
			return copied[T]
		}
		if t.IsText() && c.PhysicalType() == parquet.Types.ByteArray {
			return texts[T]
		}
	case schema.UUIDLogicalType:
		if t.IsBytes() {
			return copied[T]
		}
	}
	return nil
}

func texts[T ~[]byte](a *vector.Arena, v *vector.Vector, at int, values []T) error {
	from := len(v.Buf)
	if err := copied(a, v, at, values); err != nil {
		return err
	}
	return checkText(v.Buf[from:], from, v.Views[at:at+len(values)])
}

// checkText makes sure that views into text, which stands at offset from of its buffer, are UTF-8.
func checkText(text []byte, from int, views []vector.View) error {
	if !utf8.Valid(text) {
		return errNotUTF8
	}
	for _, w := range views { // of all that is valid, a part is if it begins at a character
		if w.Len > 0 && !utf8.RuneStart(text[int(w.Off)-from]) {
			return errNotUTF8
		}
	}
	return nil
}

var errNotUTF8 = errors.New("a string is not valid UTF-8")

func copied[T ~[]byte](a *vector.Arena, v *vector.Vector, at int, values []T) error {
	total := len(v.Buf)
	for _, s := range values {
		total += len(s)
	}
	buf := a.Bytes(total)
	to := copy(buf, v.Buf)
	for i, s := range values {
		v.Views[at+i] = vector.View{Off: uint32(to), Len: uint32(len(s))}
		to += copy(buf[to:], s)
	}
	v.Buf = buf
	return nil
}

func decimals[T ~[]byte](scale int, t types.Type) taking[T] {
	return func(_ *vector.Arena, v *vector.Vector, at int, values []T) error {
		for i, b := range values {
			x, ok := bigEndian(b)
			if !ok {
				return fmt.Errorf("a decimal of %d bytes is out of the range of %s", len(b), t.Nullable())
			}
			x, err := decimal(x, scale, t)
			if err != nil {
				return err
			}
			set(v, at+i, x)
		}
		return nil
	}
}

// bigEndian reads a number in two's complement, the highest byte first.
func bigEndian(b []byte) (x int128.Int, ok bool) {
	if len(b) == 0 {
		return x, true
	}
	x = int128.From(int64(int8(b[0])) >> 7)
	if len(b) > 16 {
		for ; len(b) > 16; b = b[1:] {
			if b[0] != byte(x.Lo) {
				return x, false
			}
		}
		if b[0]>>7 != byte(x.Lo)>>7 {
			return x, false
		}
	}
	for _, c := range b[:max(len(b)-8, 0)] {
		x.Hi = x.Hi<<8 | int64(c)
	}
	for _, c := range b[max(len(b)-8, 0):] {
		x.Lo = x.Lo<<8 | uint64(c)
	}
	return x, true
}

// decimal makes the digits of a t of those of a number with another scale.
func decimal(x int128.Int, scale int, t types.Type) (int128.Int, error) {
	y, ok := x.Rescale(scale, int(t.Scale))
	if !ok || !y.Fits(int(t.Precision)) {
		return y, fmt.Errorf("%s is out of the range of %s", numfmt.AppendDecimal(nil, x, scale), t.Nullable())
	}
	return y, nil
}
