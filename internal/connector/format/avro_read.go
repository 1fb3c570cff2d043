package format

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/int128"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// target is where values go: a column of the batch, or a node of a nested value.
type target struct {
	*column
	node *node
	top  bool // a column: strings stay where they are, and the batch has its own NULLs
}

func (t target) setNull(d *AvroDecoder, n int) int {
	if t.Type.NotNull {
		return d.fail(t.column, "null in a column of type %s", t.Type)
	}
	if t.top {
		d.setNull(t.column, n)
	} else {
		t.node.setNull(n)
	}
	return 0
}

// setBytes makes value n the bytes buf[from:to].
func (t target) setBytes(d *AvroDecoder, n, from, to int) {
	switch {
	case !t.top:
		t.node.setBytes(n, d.buf[from:to])
	case ownBytes(t.Type):
		at := len(t.data)
		t.data = append(t.data, d.buf[from:to]...)
		t.vector.Views[n] = vector.View{Off: uint32(at), Len: uint32(to - from)}
	default:
		t.vector.Views[n] = vector.View{Off: uint32(from), Len: uint32(to - from)}
	}
}

// read works out how a value that was written as w goes into t.
func (p *avroPlanner) read(w *avroType, t target) (avroStep, error) {
	k := t.Type.Kind
	switch {
	case w.kind == "union":
		return p.union(w, t)
	case w.kind == "null":
		return func(d *AvroDecoder, at, n int) int {
			if t.setNull(d, n) < 0 {
				return -1
			}
			return at
		}, nil
	case w.kind == "boolean" && k == types.Boolean:
		return func(d *AvroDecoder, at, n int) int {
			after := d.fixed(at, 1)
			if after < 0 {
				return -1
			}
			t.vector.Bools[n] = 0
			if d.buf[at] != 0 {
				t.vector.Bools[n] = 1
			}
			return after
		}, nil
	case w.kind == "int" || w.kind == "long":
		return readWhole(w, t)
	case (w.kind == "float" || w.kind == "double") && t.Type.IsApproximate():
		return readFloat(w, t), nil
	case (w.kind == "bytes" || w.kind == "fixed") && w.logical == "decimal" && k == types.Decimal:
		return readDecimal(w, t), nil
	case w.kind == "string" && (t.Type.IsText() || t.Type.IsBytes()), w.kind == "bytes" && (t.Type.IsBytes() || t.Type.IsText() && w.logical == ""):
		return func(d *AvroDecoder, at, n int) int {
			from, to := d.bytes(at)
			if to < 0 {
				return -1
			}
			if t.Type.IsText() && !isASCII(d.buf[from:to]) && !utf8.Valid(d.buf[from:to]) {
				return d.fail(t.column, "%s", lineFaults[notUTF8].message)
			}
			t.setBytes(d, n, from, to)
			return to
		}, nil
	case w.kind == "fixed" && t.Type.IsBytes():
		return func(d *AvroDecoder, at, n int) int {
			after := d.fixed(at, w.size)
			if after >= 0 {
				t.setBytes(d, n, at, after)
			}
			return after
		}, nil
	case w.kind == "enum" && t.Type.IsText():
		return readEnum(w, t), nil
	case w.kind == "array" && k == types.Array, w.kind == "map" && (k == types.Map || k == types.Multiset), w.kind == "record" && k == types.Row:
		return p.nested(w, t)
	}
	return nil, fmt.Errorf("column '%s': Avro's %s cannot be read as %s", t.Name, w.describe(), t.Type.Nullable())
}

func (w *avroType) describe() string {
	if w.logical != "" {
		return w.kind + " (" + w.logical + ")"
	}
	return w.kind
}

func (p *avroPlanner) union(w *avroType, t target) (avroStep, error) {
	steps := make([]avroStep, len(w.branches))
	good := false
	var wrong error
	for i, b := range w.branches {
		step, err := p.read(b, t)
		if err != nil {
			wrong = err
			what := b.describe()
			step = func(d *AvroDecoder, _, _ int) int {
				return d.fail(t.column, "a %s, which is not %s", what, t.Type.Nullable())
			}
		} else if b.kind != "null" {
			good = true
		}
		steps[i] = step
	}
	if !good && wrong != nil {
		return nil, wrong
	}
	return func(d *AvroDecoder, at, n int) int {
		branch, at := d.long(at)
		if at < 0 {
			return -1
		}
		if branch < 0 || branch >= int64(len(steps)) {
			return d.fail(t.column, "branch %d of a union of %d", branch, len(steps))
		}
		return steps[branch](d, at, n)
	}, nil
}

// avroWhole is how an int or long becomes a number, a date, a time of day or an instant.
type avroWhole struct {
	least, greatest int64 // that can be read
	scale           int64 // what it is multiplied with
	step            int64 // of what is kept
}

// wholeOf works it out for values of t; ok is false if they are not such.
func wholeOf(w *avroType, t types.Type) (how avroWhole, ok bool) {
	how = avroWhole{least: math.MinInt64, greatest: math.MaxInt64, scale: 1, step: 1}
	switch k := t.Kind; {
	case t.IsInteger():
		how.least, how.greatest = t.Range()
	case k == types.Date && w.logical == "date":
		how.least, how.greatest = math.MinInt32, math.MaxInt32
	case k == types.Time && (w.logical == "time-millis" || w.logical == "time-micros"):
		how.least, how.greatest = 0, timefmt.Day-1
		if w.logical == "time-millis" {
			how.scale, how.greatest = timefmt.Millisecond, how.greatest/timefmt.Millisecond
		}
		for p := t.Precision; p < 6; p++ {
			how.step *= 10
		}
	case t.IsTime() && (w.logical == "timestamp-millis" || w.logical == "local-timestamp-millis"):
		how.scale, how.least, how.greatest = timefmt.Millisecond, math.MinInt64/timefmt.Millisecond, math.MaxInt64/timefmt.Millisecond
	case t.IsTime() && (w.logical == "timestamp-micros" || w.logical == "local-timestamp-micros"):
		how.step = t.Tick()
		how.least += how.step
	default:
		return how, false
	}
	return how, true
}

// readWhole reads an int or long.
func readWhole(w *avroType, t target) (avroStep, error) {
	if t.Type.IsApproximate() {
		return func(d *AvroDecoder, at, n int) int {
			v, after := d.long(at)
			if after >= 0 {
				t.vector.Floats[n] = float64(v)
			}
			return after
		}, nil
	}
	how, ok := wholeOf(w, t.Type)
	if !ok {
		return nil, fmt.Errorf("column '%s': Avro's %s cannot be read as %s", t.Name, w.describe(), t.Type.Nullable())
	}
	return func(d *AvroDecoder, at, n int) int {
		v, after := d.long(at)
		if after < 0 {
			return -1
		}
		if v < how.least || v > how.greatest {
			return d.fail(t.column, "%d is out of the range of %s", v, t.Type.Nullable())
		}
		t.vector.Ints[n] = timefmt.Floor(v*how.scale, how.step)
		return after
	}, nil
}

func readFloat(w *avroType, t target) avroStep {
	if w.kind == "float" {
		return func(d *AvroDecoder, at, n int) int {
			after := d.fixed(at, 4)
			if after >= 0 {
				t.vector.Floats[n] = float64(math.Float32frombits(binary.LittleEndian.Uint32(d.buf[at:])))
			}
			return after
		}
	}
	return func(d *AvroDecoder, at, n int) int {
		after := d.fixed(at, 8)
		if after < 0 {
			return -1
		}
		v := math.Float64frombits(binary.LittleEndian.Uint64(d.buf[at:]))
		if t.Type.Kind == types.Float {
			v = float64(float32(v))
		}
		t.vector.Floats[n] = v
		return after
	}
}

// readDecimal reads the digits of a decimal: a number in two's complement, the highest byte first.
func readDecimal(w *avroType, t target) avroStep {
	return func(d *AvroDecoder, at, n int) int {
		from, to := at, 0
		if w.kind == "fixed" {
			to = d.fixed(at, w.size)
		} else {
			from, to = d.bytes(at)
		}
		if to < 0 {
			return -1
		}
		v, ok := twosComplement(d.buf[from:to])
		if ok {
			v, ok = v.Rescale(w.scale, int(t.Type.Scale))
		}
		if !ok || !v.Fits(int(t.Type.Precision)) {
			return d.fail(t.column, "a decimal is out of the range of %s", t.Type.Nullable())
		}
		if t.vector.Kind == vector.Int128 {
			t.vector.Wides[n] = v
		} else {
			t.vector.Ints[n], _ = v.Int64()
		}
		return to
	}
}

func twosComplement(b []byte) (int128.Int, bool) {
	if len(b) <= 8 {
		v := int64(0)
		if len(b) > 0 && b[0]&0x80 != 0 {
			v = -1
		}
		for _, c := range b {
			v = v<<8 | int64(c)
		}
		return int128.From(v), true
	}
	x := new(big.Int).SetBytes(b)
	if b[0]&0x80 != 0 {
		x.Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return int128.FromBig(x)
}

func readEnum(w *avroType, t target) avroStep {
	return func(d *AvroDecoder, at, n int) int {
		i, after := d.long(at)
		if after < 0 {
			return -1
		}
		if i < 0 || i >= int64(len(w.symbols)) {
			return d.fail(t.column, "symbol %d of an enum of %d", i, len(w.symbols))
		}
		if !t.top {
			t.node.setBytes(n, []byte(w.symbols[i]))
			return after
		}
		// Symbols stand in no record; the column gets a buffer that has all of it.
		t.own(d)
		at = len(t.data)
		t.data = append(t.data, w.symbols[i]...)
		t.vector.Views[n] = vector.View{Off: uint32(at), Len: uint32(len(t.data) - at)}
		return after
	}
}

// own moves the strings of a column from the records to a buffer of its own, which it has from then on.
func (t target) own(d *AvroDecoder) {
	if t.data != nil {
		return
	}
	t.data = append(t.data, d.buf...)
}
