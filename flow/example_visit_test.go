package flow_test

import (
	"fmt"
	"time"

	"github.com/tidemark-sql/tidemark/flow"
)

// balances tells once an hour what each account has, and forgets an account that has nothing: what a key visitor of Flow is for.
type balances struct{}

const period = time.Hour

func (balances) ProcessMessage(c *flow.Context, m *flow.Message) error {
	balance := c.State("balance")
	if balance.IsEmpty() { // otherwise a visit waits
		visitNext(c)
	}
	balance.SetInt(balance.Int() + m.Int("amount"))
	return nil
}

func (balances) OnTimer(c *flow.Context, t *flow.Timer) error {
	balance := c.State("balance")
	out := c.NewMessage("balances")
	out.SetText("account", t.Text("account"))
	out.SetInt("amount", balance.Int())
	out.Emit()
	if balance.Int() == 0 {
		balance.Clear() // and with it the key
		return nil
	}
	visitNext(c)
	return nil
}

// visitNext sets the next visit of the key. It holds back what is written no further than to its own time, as one of Flow does; and none is set when the input has ended, since all timers fire then.
func visitNext(c *flow.Context) {
	if c.EventWatermark() == flow.Forever {
		return
	}
	next := c.Now().Add(period)
	c.AddTimer(flow.TimerRequest{Trigger: next, EventTime: next})
}

const visits = `
computations:
  read:
    computation_class_name: TSwiftPassthroughOrderedSourceComputation
    source_streams: {queue: {source_class_name: TQueueSource, parameters: {connector: stdin, format: json}}}
    output_stream_ids: [changes]
    watermark_strategy: {event_timestamp_assigner: {column: ts}, watermark_generator: {out_of_orderness_bound: 5m}}
  visit:
    computation_class_name: TProcessFunctionComputation
    processing_function: visit
    group_by_schema: [{name: hash, type: uint64, expression: farm_hash(account)}, {name: account, type: string}]
    input_stream_ids: [changes]
    output_stream_ids: [balances]
    timer_streams: {hourly: {time_type: real_time}}
    streams_dependency: {hourly: [changes, hourly]}
    allow_timer_self_dependency: true
    sinks: {out: {sink_class_name: TQueueSink, input_stream_ids: [balances], parameters: {connector: print}}}
streams:
  changes: {schema: [{name: account, type: string}, {name: amount, type: int64}, {name: ts, type: timestamp}]}
  balances: {schema: [{name: account, type: string}, {name: amount, type: int64}]}
`

// A timer of the clock that sets itself again visits a key from time to time.
func Example_visit() {
	h, err := flow.NewHarness(visits, "visit", flow.Computations{"visit": func() flow.Computation { return balances{} }}, flow.Options{})
	if err != nil {
		fmt.Print(flow.Render(err))
		return
	}
	start := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	clock := func(at time.Duration) {
		if err := h.SetNow(start.Add(at)); err != nil {
			fmt.Println(err)
		}
		if err := h.Watermark("changes", start.Add(at-5*time.Minute)); err != nil {
			fmt.Println(err)
		}
		for _, m := range h.Received("balances") {
			fmt.Println(start.Add(at).Format(time.TimeOnly), m["account"], m["amount"])
		}
	}
	change := func(account string, amount int) {
		if err := h.Send("changes", flow.Fields{"account": account, "amount": amount}); err != nil {
			fmt.Println(err)
		}
	}
	clock(0)
	change("a", 20)
	change("b", 10)
	clock(30 * time.Minute)
	change("b", -10)
	change("c", 5)
	clock(time.Hour)
	clock(2 * time.Hour)
	fmt.Println(h.Timers(), "visits wait, watermark", h.OutputWatermark("balances").Format(time.TimeOnly))
	if err := h.Watermark("changes", flow.Forever); err != nil {
		fmt.Println(err)
	}
	fmt.Println(len(h.Received("balances")), "are told at the end,", h.Timers(), "visits wait")
	// Output:
	// 13:00:00 b 0
	// 13:00:00 a 20
	// 14:00:00 c 5
	// 14:00:00 a 20
	// 2 visits wait, watermark 13:55:00
	// 2 are told at the end, 0 visits wait
}
