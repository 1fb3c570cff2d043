package process

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// code is a function that is written where it is needed.
type code struct {
	message func(c *Context, m *Message) error
	timer   func(c *Context, t *Timer) error
}

func (f code) Message(c *Context, m *Message) error {
	if f.message == nil {
		return nil
	}
	return f.message(c, m)
}

func (f code) Timer(c *Context, t *Timer) error {
	if f.timer == nil {
		return nil
	}
	return f.timer(c, t)
}

// noted is a function that writes of every timer its key, trigger and event time to its first output.
func noted(message func(c *Context, m *Message) error) code {
	return code{message, func(c *Context, t *Timer) error {
		d := c.Draft(0)
		d.SetString(0, fmt.Sprintf("%d: timer %d of %d", t.Cols[0].Int(t.Row), t.Trigger, t.EventTime))
		c.Emit(0)
		return nil
	}}
}

// What rows of the rig are made of: a key, a number, and a time.
var keyed = types.Schema{{Name: "k", Type: types.BigIntType}, {Name: "v", Type: types.BigIntType}, {Name: "t", Type: types.TimestampLTZType}}

// spec reads inputs of keyed rows and writes text.
func spec(f Function, inputs int, timers ...TimerStream) *Spec {
	s := &Spec{Name: "test", Timers: timers, New: func() (Function, error) { return f, nil },
		Outputs: []Output{{Name: "out", Columns: types.Schema{{Name: "text", Type: types.StringType}, {Name: "e", Type: types.TimestampLTZType}, {Name: "s", Type: types.TimestampLTZType}}, EventTime: 1, SystemTime: 2}}}
	for i := range inputs {
		s.Inputs = append(s.Inputs, Input{Name: fmt.Sprintf("in%d", i), Columns: keyed, Keys: []int{0}, EventTime: 2, SystemTime: -1})
	}
	return s
}

// rig drives an instance, and collects what it writes with the event time of each row.
type rig struct {
	t    testing.TB
	x    *Instance
	pool *vector.Pool
	got  []string
}

func newRig(t testing.TB, s *Spec) *rig {
	t.Helper()
	r := &rig{t: t, pool: &vector.Pool{}}
	x, err := NewInstance(s, r.pool)
	if err != nil {
		t.Fatal(err)
	}
	r.x = x
	x.Full = func(k int) error { r.drain(k); return nil }
	return r
}

func (r *rig) drain(k int) {
	if r.x.Rows(k) == 0 {
		return
	}
	b, _ := r.x.Cut(k)
	for i := range b.N {
		text := string(b.Cols[0].Bytes(i))
		if b.Cols[1].IsNull(i) {
			text += " @-"
		} else {
			text += fmt.Sprint(" @", b.Cols[1].Int(i))
		}
		r.got = append(r.got, text)
	}
	b.Release()
}

// row shows a row to an input.
func (r *rig) row(input int, key, value, time int64) error {
	a := r.pool.Get()
	defer a.Release()
	cols := []*vector.Vector{a.Flat(vector.Int64, 1), a.Flat(vector.Int64, 1), a.Flat(vector.Int64, 1)}
	cols[0].Ints[0], cols[1].Ints[0], cols[2].Ints[0] = key, value, time
	err := r.x.Messages(input, cols, vector.All(1), nil, nil)
	for k := range r.x.outlets {
		r.drain(k)
	}
	return err
}

// reach tells how far an input has come in event time.
func (r *rig) reach(input int, f watermark.Frontier) error {
	err := r.x.Reach(input, Reached{f, watermark.Unset}, true)
	for k := range r.x.outlets {
		r.drain(k)
	}
	return err
}

// must wants no error.
func (r *rig) must(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

// want compares what was written since it was asked last.
func (r *rig) want(lines ...string) {
	r.t.Helper()
	if got, want := strings.Join(r.got, "\n"), strings.Join(lines, "\n"); got != want {
		r.t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	r.got = nil
}

// frontier wants the first output to be so far.
func (r *rig) frontier(want watermark.Frontier) {
	r.t.Helper()
	if f, _ := r.x.Frontier(0); f != want {
		r.t.Errorf("frontier %d, want %d", f, want)
	}
}

// again is a rig of the same spec which goes on from the state of r.
func (r *rig) again(s *Spec) *rig {
	r.t.Helper()
	next := newRig(r.t, s)
	next.x.SetNow(r.x.now)
	r.must(next.x.Restore([][]byte{r.x.Snapshot(nil)}, func(uint64) bool { return true }))
	return next
}
