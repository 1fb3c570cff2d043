// Package advice finds out how long the delay of a table's watermark has to be.
//
// A [Study] is shown the rows of a table as they are read, split by split, and makes a [Report] whenever it is asked: how far rows are out of order, how many would be late for each of
// many delays, the shortest delay for most of them, and what makes such advice worthless. It keeps no rows, so its memory hangs on the number of splits and not on that of rows. It does not
// read anything itself: runtime.Options.Witness shows it what the watermark core of a source is shown.
//
// # What is exact
//
// All counts are, those of late rows for every delay among them: they are made by watermark cores that run beside the table's own, or follow from one of them. So are the largest values. Quantiles are
// those of a DDSketch, and are wrong by at most [Accuracy] of themselves.
//
// # What a delay is held against
//
// A row is late if it is behind the watermark of the table, the least of its splits'. The cores have the table's own strategy, idleness and dimension and all, but for two things: its delay,
// and that they send their watermark with every row if the table sends it by the clock. Otherwise the answer would hang on how fast the rows are read, and history is read fast.
//
// To read the code, open study.go (what is shown), then ladder.go (delays), split.go (how far rows are out of order), report.go, findings.go, and text.go.
package advice
