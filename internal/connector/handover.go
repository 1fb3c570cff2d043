package connector

import "github.com/tidemark-sql/tidemark/watermark"

// OptionHandover is the option of a table, 'true' or 'false', that says that pipelines hand their watermarks over in it.
const OptionHandover = "watermark.handover"

// OptionHandoverTimeout is the option of such a table that says after how long without a word a pipeline counts as gone.
const OptionHandoverTimeout = "watermark.handover.timeout"

// DefaultHandoverTimeout is that length if the table does not say, microseconds.
const DefaultHandoverTimeout = 60_000_000

// Promising is a Sink that passes on how far event time has come in what it is written.
type Promising interface {
	// Promise tells that every row written from now on is at or after f, unless it was late before. Active is false while nobody need wait for the statement. It is called with watermark.Unset before the
	// first row, and with watermark.Final behind the last one of a statement that came to its end.
	Promise(f watermark.Frontier, active bool) error
}

// Promised is a Split whose rows were written by such sinks.
type Promised interface {
	// HandedOver is what holds for the rows behind Offset.
	HandedOver() watermark.Handover
}
