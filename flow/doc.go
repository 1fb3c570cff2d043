// Package flow runs pipelines whose computations are written in Go: code that handles messages by key, with state, timers and watermarks.
//
// A pipeline spec, in the YAML of YTsaurus Flow, names streams, sources, sinks and computations; those of which it says 'processing_function' are found by that name among Computations. Run
// drives a pipeline to the end of its input, or for as long as its context lasts:
//
//	err := flow.Run(ctx, spec, flow.Computations{"count": func() flow.Computation { return &counter{} }}, flow.Options{})
//
// A Computation is given the messages of its streams one by one, and acts on a Context: it reads and writes the state of the message's key, sets timers, and writes messages to output streams. What
// it keeps in its own fields is not kept when the pipeline ends; states and timers are.
//
// Times are instants of package time, exact to the microsecond; the zero Time stands for none. YTsaurus Flow counts whole seconds.
//
// Start at computation.go; message.go, output.go, state.go and timer.go have what a handler works with, harness.go tests a computation without a pipeline around it.
package flow
