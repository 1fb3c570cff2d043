package flow_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/tidemark-sql/tidemark/flow"
)

// watch tells when a minute has passed since a message was seen, by the clock, and since it was written, by the system watermark.
type watch struct{}

func (watch) ProcessMessage(c *flow.Context, m *flow.Message) error {
	c.AddTimer(flow.TimerRequest{Stream: "seen", Trigger: c.Now().Add(time.Minute)})
	c.AddTimer(flow.TimerRequest{Stream: "written", Trigger: c.SystemWatermark().Add(time.Minute)})
	return nil
}

func (watch) OnTimer(c *flow.Context, t *flow.Timer) error {
	out := c.NewMessage("told")
	out.SetText("id", t.Text("id"))
	out.SetText("by", t.Stream())
	out.Emit()
	return nil
}

const watching = `
computations:
  read:
    computation_class_name: TSwiftPassthroughOrderedSourceComputation
    source_streams: {queue: {source_class_name: TQueueSource, parameters: {connector: stdin, format: json}}}
    output_stream_ids: [orders]
    watermark_strategy: {event_timestamp_assigner: {column: ts}, watermark_generator: {out_of_orderness_bound: 5m}}
  watch:
    computation_class_name: TProcessFunctionComputation
    processing_function: watch
    group_by_schema: [{name: hash, type: uint64, expression: farm_hash(id)}, {name: id, type: string}]
    input_stream_ids: [orders]
    output_stream_ids: [told]
    timer_streams: {seen: {time_type: real_time}, written: {time_type: system_time}}
    sinks: {out: {sink_class_name: TQueueSink, input_stream_ids: [told], parameters: {connector: print}}}
streams:
  orders: {schema: [{name: id, type: string}, {name: ts, type: timestamp}]}
  told: {schema: [{name: id, type: string}, {name: by, type: string}]}
`

var watchers = flow.Computations{"watch": func() flow.Computation { return watch{} }}

// The clock and system time stand still until they are moved, each by itself.
func ExampleHarness_SetNow() {
	h, err := flow.NewHarness(watching, "watch", watchers, flow.Options{})
	if err != nil {
		fmt.Print(flow.Render(err))
		return
	}
	noon := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	told := func(err error) {
		for _, f := range h.Received("told") {
			fmt.Println(f["id"], "by", f["by"])
		}
		fmt.Println(h.Timers(), "timers wait", err)
	}
	told(h.SetNow(noon))
	told(h.SystemWatermark("orders", noon.Add(-time.Hour))) // what was written an hour ago is read now
	told(h.Send("orders", flow.Fields{"id": "a", flow.EventTimeField: noon}))
	told(h.SetNow(noon.Add(59 * time.Second)))
	told(h.SetNow(noon.Add(time.Minute)))
	told(h.SystemWatermark("orders", noon.Add(-59*time.Minute)))
	// Output:
	// 0 timers wait <nil>
	// 0 timers wait <nil>
	// 2 timers wait <nil>
	// 2 timers wait <nil>
	// a by seen
	// 1 timers wait <nil>
	// a by written
	// 0 timers wait <nil>
}

// What a pipeline will do can be looked at before it runs.
func ExampleExplain() {
	plan, err := flow.Explain(watching, watchers, flow.Options{Parallelism: 2})
	if err != nil {
		fmt.Print(flow.Render(err))
		return
	}
	operators, _, _ := strings.Cut(plan, "\n\n") // what is behind tells of watermarks and guarantees
	fmt.Println(operators)
	// Output:
	// Shared watch
	// └─ Process watch by [id], timers [seen in real_time, written in system_time], writes [told]
	//    └─ Stream orders
	//       └─ Project [id, ts, $event_timestamp, CURRENT_ROW_TIMESTAMP() AS $system_timestamp]
	//          └─ Part of queue
	//             └─ Scan read/queue [id, ts, $event_timestamp *ROWTIME*]
	// Insert into watch/out
	// └─ Project [id, by]
	//    └─ Stream told
	//       └─ Read watch, output 1
}
