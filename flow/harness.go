package flow

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/process"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/valuefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Harness runs one computation by hand, in virtual time: it is sent messages, told watermarks and the time of the clock, and asked what was written. Its errors are those that would end a pipeline. It
// belongs to one goroutine.
type Harness struct {
	spec   *process.Spec
	memory *vector.Pool
	x      *process.Instance
	now    int64
	got    [][]Fields        // by output
	told   []process.Reached // by input
	idle   []bool            // by input
}

// Fields are the columns of a message by name. In what is sent a value is nil, a bool, an int or int64, a float64, a string, which a DECIMAL is too, a []byte, or a time.Time, of which the zero Time is NULL; in what is
// received the same, but for types that have none of these, whose values are text.
type Fields map[string]any

// EventTimeField is the name under which the event time of a message is among its Fields, as a time.Time; it may be left out.
const EventTimeField = "$event_timestamp"

// NewHarness makes a harness of a computation of a pipeline: its streams, key and timers are those of the spec. Of o Name and Tables count. Nothing outside is read or written.
func NewHarness(spec, computation string, computations Computations, o Options) (*Harness, error) {
	o.init()
	q, err := o.pipeline(context.Background(), spec, computations)
	if err != nil {
		return nil, err
	}
	var all []string
	var found *process.Spec
	var visit func(n plan.Node)
	visit = func(n plan.Node) {
		if p, ok := n.(*plan.Process); ok && !slices.Contains(all, p.Spec.Name) {
			if all = append(all, p.Spec.Name); p.Spec.Name == computation {
				found = p.Spec
			}
		}
		for _, c := range n.Children() {
			visit(c)
		}
	}
	for _, s := range q.Plans {
		visit(s.Root)
	}
	if found == nil {
		return nil, unknown("computation in Go", computation, all)
	}
	return newHarness(found)
}

func newHarness(spec *process.Spec) (*Harness, error) {
	h := &Harness{spec: spec, memory: &vector.Pool{}, got: make([][]Fields, len(spec.Outputs)), idle: make([]bool, len(spec.Inputs))}
	for range spec.Inputs {
		h.told = append(h.told, process.Reached{Event: watermark.Unset, System: watermark.Unset})
	}
	return h, h.begin()
}

func (h *Harness) begin() (err error) {
	if h.x, err = process.NewInstance(h.spec, h.memory); err != nil {
		return err
	}
	h.x.Full = h.take
	h.x.SetNow(h.now)
	return nil
}

// Restart ends the computation and makes another one, which goes on from its states and timers, as behind a checkpoint.
func (h *Harness) Restart() error {
	kept := h.x.Snapshot(nil)
	if err := h.begin(); err != nil {
		return err
	}
	if err := h.x.Restore([][]byte{kept}, func(uint64) bool { return true }); err != nil {
		return err
	}
	for i, r := range h.told { // as whoever sends them does too
		if err := h.done(h.x.Reach(i, r, !h.idle[i])); err != nil {
			return err
		}
	}
	return nil
}

// Send sends a message to an input stream. One that was idle no longer is; one that has ended takes none.
func (h *Harness) Send(stream string, fields Fields) error {
	in, i := h.input(stream)
	if in == nil {
		return h.noInput(stream)
	}
	if h.told[i].Event == watermark.Final {
		return fmt.Errorf("stream '%s' has ended: its watermark is Forever", stream)
	}
	a := h.memory.Get()
	defer a.Release()
	known := newStream(in.Name, in.Columns, in.EventTime, in.SystemTime)
	for name := range fields {
		if _, ok := known.at[name]; !ok && name != EventTimeField {
			return fmt.Errorf("stream '%s': %w", stream, unknown("column", name, known.names))
		}
	}
	cols := make([]*vector.Vector, len(in.Columns))
	for c, col := range in.Columns {
		b, v, t := vector.NewBuilder(a, vector.KindOf(col.Type), 1), fields[col.Name], col.Type
		if c == in.EventTime {
			v = fields[EventTimeField]
			t.Precision = 6 // whatever the column shows
		}
		if err := put(b, t, v); err != nil {
			return fmt.Errorf("stream '%s', column '%s': %w", stream, col.Name, err)
		}
		cols[c] = b.Done()
	}
	if h.idle[i] {
		h.idle[i] = false
		if err := h.x.Reach(i, h.told[i], true); err != nil {
			return h.done(err)
		}
	}
	return h.done(h.x.Messages(i, cols, vector.All(1), nil, nil))
}

// put appends a value to a column of a type.
func put(b *vector.Builder, t types.Type, v any) error {
	switch v := v.(type) {
	case nil:
		b.AppendNull()
		return nil
	case bool:
		if isBool(t) {
			b.AppendBool(v)
			return nil
		}
	case int:
		return put(b, t, int64(v))
	case int64:
		switch {
		case isFloat(t):
			b.AppendFloat(float64(v))
			return nil
		case isInt(t):
			if least, most := rangeOf(t.Kind); v < least || v > most {
				return fmt.Errorf("%s does not hold %d", t, v)
			}
			b.AppendInt(v)
			return nil
		}
	case float64:
		if isFloat(t) {
			b.AppendFloat(v)
			return nil
		}
	case string:
		switch {
		case isText(t):
			b.AppendBytes([]byte(v))
			return nil
		case t.Kind == types.Decimal:
			digits, err := decimalOf(v, t)
			if err == nil {
				b.AppendDigits(digits)
			}
			return err
		}
	case []byte:
		if isText(t) {
			b.AppendBytes(v)
			return nil
		}
	case time.Time:
		switch {
		case v.IsZero():
			b.AppendNull()
			return nil
		case isTime(t):
			b.AppendInt(timeOf(v, t))
			return nil
		}
	}
	return fmt.Errorf("a %T is no %s", v, t)
}

// Watermark tells how far event time has come in an input stream: nothing with less comes any more. Forever ends the stream. Timers that are due by it fire.
func (h *Harness) Watermark(stream string, t time.Time) error {
	return h.reach(stream, process.Reached{Event: watermark.Frontier(t.UnixMicro()), System: watermark.Unset})
}

// SystemWatermark tells how far system time has come in an input stream.
func (h *Harness) SystemWatermark(stream string, t time.Time) error {
	return h.reach(stream, process.Reached{Event: watermark.Unset, System: watermark.Frontier(t.UnixMicro())})
}

func (h *Harness) reach(stream string, r process.Reached) error {
	in, i := h.input(stream)
	if in == nil {
		return h.noInput(stream)
	}
	h.told[i] = process.Reached{Event: max(h.told[i].Event, r.Event), System: max(h.told[i].System, r.System)}
	h.idle[i] = false
	return h.done(h.x.Reach(i, h.told[i], true))
}

// Idle tells that nothing is to be expected of an input stream for now: nobody waits for its watermark. Its next message or watermark ends that. Timers that are due without it fire.
func (h *Harness) Idle(stream string) error {
	in, i := h.input(stream)
	if in == nil {
		return h.noInput(stream)
	}
	h.idle[i] = true
	return h.done(h.x.Reach(i, h.told[i], false))
}

// SetNow sets the clock. Timers that are due by it fire.
func (h *Harness) SetNow(t time.Time) error {
	h.now = t.UnixMicro()
	h.x.SetNow(h.now)
	return h.done(h.x.Tick())
}

// Received takes what was written to an output stream since it was asked last, with the event times. It panics if the computation writes no stream of that name: the test would find that nothing was written.
func (h *Harness) Received(stream string) []Fields {
	k := h.output(stream)
	got := h.got[k]
	h.got[k] = nil
	return got
}

// OutputWatermark is how far event time has come in an output stream: timers that wait hold it back. It is the zero Time before anything is known. It panics as Received does.
func (h *Harness) OutputWatermark(stream string) time.Time {
	f, _ := h.x.Frontier(h.output(stream))
	return instant(int64(f))
}

func (h *Harness) output(stream string) int {
	for k := range h.spec.Outputs {
		if h.spec.Outputs[k].Name == stream {
			return k
		}
	}
	panic("flow: " + unknown("output stream", stream, names(h.spec.Outputs, func(o *process.Output) string { return o.Name })).Error())
}

// Timers is how many timers wait.
func (h *Harness) Timers() int {
	_, timers, _ := h.x.Kept()
	return int(timers)
}

func (h *Harness) input(stream string) (*process.Input, int) {
	for i := range h.spec.Inputs {
		if h.spec.Inputs[i].Name == stream {
			return &h.spec.Inputs[i], i
		}
	}
	return nil, 0
}

func (h *Harness) noInput(stream string) error {
	return unknown("input stream", stream, names(h.spec.Inputs, func(s *process.Input) string { return s.Name }))
}

// done takes what was written, also before an error.
func (h *Harness) done(err error) error {
	for k := range h.spec.Outputs {
		if h.x.Rows(k) > 0 {
			_ = h.take(k)
		}
	}
	h.x.Compact()
	return err
}

// take takes what an output has gathered.
func (h *Harness) take(k int) error {
	b, _ := h.x.Cut(k)
	out := &h.spec.Outputs[k]
	defer b.Release()
	for row := range b.N {
		f := Fields{}
		for i, c := range out.Columns {
			switch name := c.Name; {
			case i == out.SystemTime:
			case i == out.EventTime:
				f[EventTimeField] = get(b.Cols[i], row, c.Type)
			default:
				f[name] = get(b.Cols[i], row, c.Type)
			}
		}
		h.got[k] = append(h.got[k], f)
	}
	return nil
}

// get is a value of a column.
func get(v *vector.Vector, row int, t types.Type) any {
	switch {
	case v.IsNull(row):
		return nil
	case isBool(t):
		return v.Bool(row)
	case isInt(t):
		return v.Int(row)
	case isFloat(t):
		return v.Float(row)
	case t.IsText():
		return string(v.Bytes(row))
	case t.IsBytes():
		return append([]byte(nil), v.Bytes(row)...)
	case isTime(t):
		return ofTime(v.Int(row), t)
	}
	return string(valuefmt.Append(nil, t, v, row))
}
