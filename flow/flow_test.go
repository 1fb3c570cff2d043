package flow_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/flow"
	"github.com/tidemark-sql/tidemark/internal/process"
	"github.com/tidemark-sql/tidemark/internal/types"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// input is a stream of columns, with an event time behind them.
func input(name string, keys []int, columns ...types.Field) process.Input {
	schema := append(types.Schema(columns), types.Field{Name: flow.EventTimeField, Type: types.TimestampLTZType})
	return process.Input{Name: name, Columns: schema, Keys: keys, EventTime: len(columns), SystemTime: -1}
}

func output(name string, columns ...types.Field) process.Output {
	in := input(name, nil, columns...)
	return process.Output{Name: name, Columns: in.Columns, EventTime: in.EventTime, SystemTime: -1}
}

func text(name string) types.Field { return types.Field{Name: name, Type: types.StringType} }

var joining = process.Spec{
	Name:    "join",
	Inputs:  []process.Input{input("shows", []int{0}, text("id"), text("banner")), input("clicks", []int{0}, text("id"))},
	Timers:  []process.TimerStream{{Name: "wait"}},
	Outputs: []process.Output{output("joined", text("id"), text("banner"), types.Field{Name: "clicked", Type: types.BooleanType})},
}

// What is a mistake of the program, and what it is told.
func TestMistakes(t *testing.T) {
	timer := func(r flow.TimerRequest) flow.MessageFunc {
		return func(c *flow.Context, m *flow.Message) error { c.AddTimer(r); return nil }
	}
	write := func(with func(o *flow.Output)) flow.MessageFunc {
		return func(c *flow.Context, m *flow.Message) error {
			o := c.NewMessage("out")
			with(o)
			o.Emit()
			return nil
		}
	}
	small := types.Field{Name: "small", Type: types.TinyIntType}
	must := types.Field{Name: "must", Type: types.Type{Kind: types.Double, NotNull: true}}
	letters := types.Field{Name: "letters", Type: types.Type{Kind: types.String, Length: 2}}
	for _, c := range []struct {
		name string
		f    flow.MessageFunc
		want string
	}{
		{"column", func(c *flow.Context, m *flow.Message) error { m.Text("banr"); return nil }, "stream 'in': column 'banr' is not there; did you mean 'banner'?"},
		{"type", func(c *flow.Context, m *flow.Message) error { m.Int("banner"); return nil }, "stream 'in': column 'banner' is STRING, which Int does not take"},
		{"hidden", func(c *flow.Context, m *flow.Message) error { m.Time(flow.EventTimeField); return nil }, "stream 'in': column '$event_timestamp' is not there"},
		{"output", func(c *flow.Context, m *flow.Message) error { c.NewMessage("ou").Emit(); return nil }, "output stream 'ou' is not there; did you mean 'out'?"},
		{"input", func(c *flow.Context, m *flow.Message) error { c.Watermarks("joined"); return nil }, `input stream 'joined' is not there; there are ["in"]`},
		{"timer stream", timer(flow.TimerRequest{Stream: "wate", Trigger: noon}), "timer stream 'wate' is not there; did you mean 'wait'?"},
		{"which", timer(flow.TimerRequest{Trigger: noon}), `AddTimer does not say which of the timer streams ["wait" "other"] it means`},
		{"when", timer(flow.TimerRequest{Stream: "wait"}), "AddTimer does not say when the timer is due"},
		{"timer's parents", timer(flow.TimerRequest{Stream: "wait", Trigger: noon, Parents: []flow.Parent{{Stream: "wait"}}}), "none of its parents is a stream that 'wait' depends on"},
		{"parents", write(func(o *flow.Output) { o.SetParents() }), "stream 'out': none of its parents is a stream that 'out' depends on"},
		{"set column", write(func(o *flow.Output) { o.SetInt("smll", 1) }), "stream 'out': column 'smll' is not there; did you mean 'small'?"},
		{"set type", write(func(o *flow.Output) { o.SetText("small", "1") }), "column 'small' is TINYINT, which SetText does not set"},
		{"range", write(func(o *flow.Output) { o.SetInt("small", 128) }), "column 'small' is TINYINT, which does not hold 128"},
		{"length", write(func(o *flow.Output) { o.SetText("letters", "äöü") }), `column 'letters' is VARCHAR(2), which does not hold "äöü"`},
		{"NOT NULL", write(func(o *flow.Output) { o.SetInt("small", 127) }), "column 'must' is DOUBLE NOT NULL, and has no value"},
		{"state", func(c *flow.Context, m *flow.Message) error {
			s := c.State("s")
			s.Set([]byte("no number"))
			s.Int()
			return nil
		}, "the state is not a number that SetInt has set"},
		{"saved", func(c *flow.Context, m *flow.Message) error {
			s := c.State("s")
			s.SetInt(1)
			s.Load(&struct{}{})
			return nil
		}, "the state is not what Save has kept"},
		{"error", func(c *flow.Context, m *flow.Message) error { return fmt.Errorf("no such banner") }, "computation 'try': no such banner"},
		{"panic", func(c *flow.Context, m *flow.Message) error { panic("no such banner") }, "computation 'try', code of the program, panicked: no such banner"},
	} {
		t.Run(c.name, func(t *testing.T) {
			spec := process.Spec{Name: "try", Inputs: []process.Input{input("in", []int{0}, text("id"), text("banner"))},
				Timers: []process.TimerStream{{Name: "wait"}, {Name: "other"}}, Outputs: []process.Output{output("out", small, must, letters)}}
			h, err := flow.HarnessOf(spec, "", func() flow.Computation { return trying{c.f} })
			if err != nil {
				t.Fatal(err)
			}
			if err = h.Send("in", flow.Fields{"id": "a", "banner": "red"}); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "computation 'try'") {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

// trying has a handler for timers too.
type trying struct{ flow.MessageFunc }

func (trying) OnTimer(*flow.Context, *flow.Timer) error { return nil }

// A computation is refused before the first message if it does not fit its spec.
func TestUnfit(t *testing.T) {
	for want, f := range map[string]func() flow.Computation{
		"it has timers, 'wait', and flow.MessageFunc has no method OnTimer": func() flow.Computation {
			return flow.MessageFunc(func(*flow.Context, *flow.Message) error { return nil })
		},
		"returned nil": func() flow.Computation { return nil },
		`processing_function_parameters: json: unknown field "day"`: func() flow.Computation { return &opened{} },
		"panicked: early": func() flow.Computation { panic("early") },
	} {
		if _, err := flow.HarnessOf(joining, `{"day": 1}`, f); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "computation 'join'") {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// opened wants parameters.
type opened struct{ trying }

func (*opened) Open(s *flow.Setup) error { return s.Parameters(&struct{ Hour int }{}) }
