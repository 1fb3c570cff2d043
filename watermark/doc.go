// Package watermark decides how far event time has come.
//
// It turns the event times of a source's splits into one [Frontier], the promise that every later row has t >= F, and combines the frontiers of an operator's inputs. It is pure: it reads no clock (callers hand in
// the wall time), starts no goroutine and does no I/O, so the same rows, ticks and gaps always give the same marks. It does not parse options, evaluate watermark expressions or decide what becomes of late rows; it
// says which rows are late and where the frontier moved. All times and lengths are microseconds, unless they are a [time.Duration].
//
// A [Core] is the watermarks of one source. [New] makes one of a [Strategy]; splits are added to it, rows are shown to it in runs, and what it finds is in an [Observed]:
//
//	core, err := watermark.New(watermark.BoundedOutOfOrderness(5*time.Second), now)
//	split := core.AddSplit(now)
//	core.Observe(split, times, times, now, &found) // found.Marks, found.Late, found.Null
//	core.Tick(now, &found)                         // now and then: idle splits, watermarks by the clock
//
// # Strategies
//
// The zero Strategy emits with every row the greatest candidate that it was shown. [BoundedOutOfOrderness], [Monotonous] and [FromGenerator] make others, and [Strategy.WithIdleness] and [Strategy.WithAlignment] add to
// them, as the helpers of Flink's DataStream API do. A [Generator] is code that makes the watermarks of a split. The parts of a strategy can also be set one by one: [Emission], [Idleness], [Alignment], [Dimension],
// [Candidates], and the policies for rows without a time, from the future and late.
//
// # Several inputs
//
// [Merge] is the rule for the inputs of an operator, as the core is for the splits of a source.
//
// # Contracts
//
// A wrong strategy is an error, and no row or state makes anything panic. Calls out of their order do, like an index out of range: for a split that is unknown or finished, a restore behind the first split,
// more Unstall than Stall, and calls that belong to a part that the strategy does not have.
//
// Fetched, Complete, Announce, ConfirmEmpty, ReadFailed, ReadWorked and SetGroup are for [Lookahead] alone, ObserveValues and Value for a Dimension.
//
// To read the code, open frontier.go first (the number and its two predicates), then strategy.go (what can be configured), then core.go (one per source), code.go (generators), dimension.go and member.go (rows
// divided by a value). merge.go is the inputs of an operator, snapshot.go what people see.
package watermark
