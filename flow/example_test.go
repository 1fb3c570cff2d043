package flow_test

import (
	"fmt"
	"time"

	"github.com/tidemark-sql/tidemark/flow"
)

// reminder tells of orders that are not paid within a day.
type reminder struct{}

func (reminder) ProcessMessage(c *flow.Context, m *flow.Message) error {
	if m.Text("what") == "paid" {
		c.State("open").Clear() // a timer cannot be taken back, and finds nothing to do
		return nil
	}
	c.State("open").SetInt(m.Int("amount"))
	c.AddTimer(flow.TimerRequest{Trigger: m.EventTime().Add(24 * time.Hour)})
	return nil
}

func (reminder) OnTimer(c *flow.Context, t *flow.Timer) error {
	open := c.State("open")
	if open.IsEmpty() {
		return nil
	}
	out := c.NewMessage("reminders")
	out.SetText("id", t.Text("id"))
	out.SetInt("amount", open.Int())
	out.Emit()
	open.Clear()
	return nil
}

const reminders = `
computations:
  read:
    computation_class_name: TSwiftPassthroughOrderedSourceComputation
    source_streams: {queue: {source_class_name: TQueueSource, parameters: {connector: stdin, format: json}}}
    output_stream_ids: [orders]
    watermark_strategy: {event_timestamp_assigner: {column: ts}, watermark_generator: {out_of_orderness_bound: 5m}}
  remind:
    computation_class_name: TProcessFunctionComputation
    processing_function: remind
    group_by_schema: [{name: hash, type: uint64, expression: farm_hash(id)}, {name: id, type: string}]
    input_stream_ids: [orders]
    output_stream_ids: [reminders]
    timer_streams: {unpaid: {}}
    sinks: {out: {sink_class_name: TQueueSink, input_stream_ids: [reminders], parameters: {connector: print}}}
streams:
  orders: {schema: [{name: id, type: string}, {name: what, type: string}, {name: amount, type: int64}, {name: ts, type: timestamp}]}
  reminders: {schema: [{name: id, type: string}, {name: amount, type: int64}]}
`

// A computation is tried by itself, in virtual time. See examples/flow for pipelines that run.
func ExampleHarness() {
	h, err := flow.NewHarness(reminders, "remind", flow.Computations{"remind": func() flow.Computation { return reminder{} }}, flow.Options{})
	if err != nil {
		fmt.Print(flow.Render(err))
		return
	}
	day := time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
	send := func(id, what string, amount int, at time.Duration) {
		if err := h.Send("orders", flow.Fields{"id": id, "what": what, "amount": amount, flow.EventTimeField: day.Add(at)}); err != nil {
			fmt.Println(err)
		}
	}
	reach := func(at time.Duration) {
		if err := h.Watermark("orders", day.Add(at)); err != nil {
			fmt.Println(err)
		}
		fmt.Println(h.Received("reminders"), h.Timers(), "timers wait, watermark", h.OutputWatermark("reminders").Format(time.Stamp))
	}
	send("a", "placed", 20, time.Hour)
	send("b", "placed", 10, 2*time.Hour)
	send("a", "paid", 20, 3*time.Hour)
	reach(12 * time.Hour) // both timers wait, and hold back what is written
	if err := h.Restart(); err != nil {
		fmt.Println(err)
	}
	reach(25 * time.Hour) // that of a, which has been paid
	reach(26 * time.Hour)
	// Output:
	// [] 2 timers wait, watermark Nov 30 01:00:00
	// [] 1 timers wait, watermark Nov 30 02:00:00
	// [map[$event_timestamp:2026-11-30 02:00:00 +0000 UTC amount:10 id:b]] 0 timers wait, watermark Dec  1 02:00:00
}
