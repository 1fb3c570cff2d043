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

// Times are the same whether they are sent, read, set or received: as many digits as the type has, NULL for the zero Time, and the event time to the microsecond.
func TestTimes(t *testing.T) {
	columns := []types.Field{{Name: "day", Type: types.DateType}, {Name: "second", Type: types.Type{Kind: types.Timestamp}}, {Name: "exact", Type: types.Type{Kind: types.TimestampLTZ, Precision: 6}}}
	spec := process.Spec{Name: "try", Inputs: []process.Input{input("in", nil, columns...)}, Outputs: []process.Output{output("set", columns...), output("copied", columns...)}}
	h, err := flow.HarnessOf(spec, "", func() flow.Computation {
		return flow.MessageFunc(func(c *flow.Context, m *flow.Message) error {
			set := c.NewMessage("set")
			for _, name := range m.Columns() {
				set.SetTime(name, m.Time(name))
			}
			set.Emit()
			copied := c.NewMessage("copied")
			copied.CopyFrom(&m.Row)
			copied.Emit()
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	at := noon.Add(1234567 * time.Microsecond)
	before := time.Date(1969, 12, 31, 23, 59, 59, 999_999_000, time.UTC)
	for _, c := range []struct{ sent, day, second, exact time.Time }{
		{at, noon.Truncate(24 * time.Hour), noon.Add(time.Second), at},
		{before, time.Date(1969, 12, 31, 0, 0, 0, 0, time.UTC), before.Truncate(time.Second), before},
		{time.Time{}, time.Time{}, time.Time{}, time.Time{}},
	} {
		if err := h.Send("in", flow.Fields{"day": c.sent, "second": c.sent, "exact": c.sent, flow.EventTimeField: c.sent}); err != nil {
			t.Fatal(err)
		}
		want := flow.Fields{"day": c.day, "second": c.second, "exact": c.exact, flow.EventTimeField: c.sent}
		if c.sent.IsZero() {
			want = flow.Fields{"day": nil, "second": nil, "exact": nil, flow.EventTimeField: nil}
		}
		for _, stream := range []string{"set", "copied"} {
			if got := h.Received(stream); fmt.Sprint(got) != fmt.Sprint([]flow.Fields{want}) {
				t.Errorf("%s of %s is %v, want %v", stream, c.sent, got, want)
			}
		}
	}
}

// What is copied is what both streams have, whichever stream the message is of.
func TestCopies(t *testing.T) {
	number := types.Field{Name: "n", Type: types.BigIntType}
	spec := process.Spec{Name: "try", Inputs: []process.Input{input("words", nil, text("a"), text("n")), input("numbers", nil, number, text("a"), text("b"))},
		Outputs: []process.Output{output("out", text("b"), text("a"), number)}}
	h, err := flow.HarnessOf(spec, "", func() flow.Computation {
		return flow.MessageFunc(func(c *flow.Context, m *flow.Message) error {
			out := c.NewMessage("out")
			out.CopyFrom(&m.Row)
			out.Emit()
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		for _, c := range []struct {
			stream     string
			sent, want flow.Fields
		}{
			{"words", flow.Fields{"a": "x", "n": "y"}, flow.Fields{"a": "x", "b": nil, "n": nil}},
			{"numbers", flow.Fields{"a": "x", "b": "z", "n": 5}, flow.Fields{"a": "x", "b": "z", "n": 5}},
		} {
			c.want[flow.EventTimeField] = nil
			if err := h.Send(c.stream, c.sent); err != nil {
				t.Fatal(err)
			}
			if got := h.Received("out"); fmt.Sprint(got) != fmt.Sprint([]flow.Fields{c.want}) {
				t.Errorf("of %s: %v, want %v", c.stream, got, c.want)
			}
		}
	}
}

// A mistake in a test is told to whoever writes it: what cannot be sent is an error, and a stream that is not there is not one without messages.
func TestMistakesInTests(t *testing.T) {
	spec := process.Spec{Name: "try", Inputs: []process.Input{input("in", nil, types.Field{Name: "small", Type: types.TinyIntType}, text("id"))}, Outputs: []process.Output{output("out", text("id"))}}
	h, err := flow.HarnessOf(spec, "", func() flow.Computation {
		return flow.MessageFunc(func(*flow.Context, *flow.Message) error { return nil })
	})
	if err != nil {
		t.Fatal(err)
	}
	for want, fields := range map[string]flow.Fields{
		"TINYINT does not hold 128":                        {"small": 128},
		"a string is no TINYINT":                           {"small": "1"},
		"column 'smll' is not there; did you mean 'small'": {"smll": 1},
		"a string is no TIMESTAMP_LTZ":                     {flow.EventTimeField: "now"},
	} {
		if err := h.Send("in", fields); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	for name, ask := range map[string]func(){
		"Received":        func() { h.Received("ot") },
		"OutputWatermark": func() { h.OutputWatermark("ot") },
	} {
		func() {
			defer func() {
				if told := fmt.Sprint(recover()); told != "flow: output stream 'ot' is not there; did you mean 'out'?" {
					t.Errorf("%s: %s", name, told)
				}
			}()
			ask()
		}()
	}
}

// Decimals are text on their way in and out, with the digits that their type has.
func TestDecimals(t *testing.T) {
	decimal := func(name string, precision, scale int8) types.Field {
		return types.Field{Name: name, Type: types.Type{Kind: types.Decimal, Precision: precision, Scale: scale}}
	}
	columns := []types.Field{decimal("price", 10, 2), decimal("wide", 38, 4)}
	spec := process.Spec{Name: "try", Inputs: []process.Input{input("in", nil, append(columns, text("say"))...)}, Outputs: []process.Output{output("out", columns...)}}
	h, err := flow.HarnessOf(spec, "", func() flow.Computation {
		return flow.MessageFunc(func(c *flow.Context, m *flow.Message) error {
			out := c.NewMessage("out")
			out.SetText("price", m.Text("say"))
			out.SetText("wide", m.Text("wide"))
			out.Emit()
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Send("in", flow.Fields{"price": "1", "wide": "-1234567890123456789012.5", "say": "12.345"}); err != nil {
		t.Fatal(err)
	}
	if got := h.Received("out"); len(got) != 1 || got[0]["price"] != "12.35" || got[0]["wide"] != "-1234567890123456789012.5000" {
		t.Errorf("%v", got)
	}
	if err := h.Send("in", flow.Fields{"price": "123456789", "wide": "0", "say": "0"}); err == nil || !strings.Contains(err.Error(), "DECIMAL(10, 2) does not hold 123456789") {
		t.Errorf("%v", err)
	}
	if err := h.Send("in", flow.Fields{"wide": "0", "say": "much"}); err == nil || !strings.Contains(err.Error(), `column 'price': "much" is no number`) {
		t.Errorf("%v", err)
	}
}

// An idle input holds nobody, until a message of it comes; one that has ended takes no more.
func TestIdle(t *testing.T) {
	spec := process.Spec{Name: "try", Inputs: []process.Input{input("a", nil, text("k")), input("b", nil, text("k"))}, Outputs: []process.Output{output("out", text("k"))}}
	h, err := flow.HarnessOf(spec, "", func() flow.Computation {
		return flow.MessageFunc(func(*flow.Context, *flow.Message) error { return nil })
	})
	if err != nil {
		t.Fatal(err)
	}
	at := func(about string, want time.Time) {
		t.Helper()
		if got := h.OutputWatermark("out"); !got.Equal(want) {
			t.Errorf("%s: the output is at %s, want %s", about, got, want)
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(h.Watermark("a", noon.Add(time.Minute)))
	must(h.Watermark("b", noon))
	at("both", noon)
	must(h.Idle("b"))
	at("b is idle", noon.Add(time.Minute))
	must(h.Restart())
	must(h.Watermark("a", noon.Add(2*time.Minute)))
	at("b is idle still", noon.Add(2*time.Minute))
	must(h.Watermark("b", noon.Add(time.Minute)))
	must(h.Watermark("a", noon.Add(3*time.Minute)))
	at("b goes on", noon.Add(2*time.Minute))
	must(h.Idle("b"))
	at("b is idle again", noon.Add(3*time.Minute))
	must(h.Send("b", flow.Fields{"k": "x"}))
	must(h.Watermark("a", noon.Add(4*time.Minute)))
	at("a message of b", noon.Add(3*time.Minute))
	must(h.Watermark("b", flow.Forever))
	if err := h.Send("b", flow.Fields{"k": "x"}); err == nil || !strings.Contains(err.Error(), "stream 'b' has ended") {
		t.Errorf("behind the end: %v", err)
	}
	if err := h.Idle("c"); err == nil {
		t.Error("there is no stream c")
	}
}
