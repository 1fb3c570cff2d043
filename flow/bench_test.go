package flow_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/flow"
	"github.com/tidemark-sql/tidemark/internal/process"
)

// work is what a handler of the benchmark does with each message.
type work struct {
	trying
	does func(c *flow.Context, m *flow.Message)
}

func (w work) ProcessMessage(c *flow.Context, m *flow.Message) error {
	w.does(c, m)
	return nil
}

// Messages of a thousand keys, as a computation sees them: one that does nothing, one that reads two columns, one that counts in a state, one that writes a message, one that sets and gets a timer.
func BenchmarkMessages(b *testing.B) {
	for _, c := range []struct {
		name string
		does func(c *flow.Context, m *flow.Message)
	}{
		{"nothing", func(*flow.Context, *flow.Message) {}},
		{"columns", func(_ *flow.Context, m *flow.Message) {
			if len(m.Bytes("id")) == 0 || len(m.Bytes("banner")) == 0 {
				panic("no text")
			}
		}},
		{"state", func(c *flow.Context, _ *flow.Message) {
			n := c.State("n")
			n.SetInt(n.Int() + 1)
		}},
		{"message", func(c *flow.Context, m *flow.Message) {
			out := c.NewMessage("out")
			out.SetBytes("id", m.Bytes("id"))
			out.SetTime("at", m.EventTime())
			out.Emit()
		}},
		{"copy", func(c *flow.Context, m *flow.Message) {
			out := c.NewMessage("out")
			out.CopyFrom(&m.Row)
			out.Emit()
		}},
		{"timer", func(c *flow.Context, m *flow.Message) {
			c.AddTimer(flow.TimerRequest{Stream: "wait", Trigger: m.EventTime().Add(time.Second)})
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			at := input("out", nil, text("id")).Columns[1]
			at.Name = "at"
			spec := process.Spec{Name: "bench", Inputs: []process.Input{input("in", []int{0}, text("id"), text("banner"))},
				Timers: []process.TimerStream{{Name: "wait"}}, Outputs: []process.Output{output("out", text("id"), at)}}
			h, err := flow.HarnessOf(spec, "", func() flow.Computation { return work{does: c.does} })
			if err != nil {
				b.Fatal(err)
			}
			d := flow.NewDrive(h, 4096, noon, func(i int) (string, string) { return strconv.Itoa(i * 7919 % 1000), "banner" })
			b.ReportAllocs()
			for b.Loop() {
				if err := d.Batch(64); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/4096, "ns/message")
		})
	}
}
