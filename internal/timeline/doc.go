// Package timeline remembers the last minutes of a statement as a picture wants them: event time against wall clock. Of each source it keeps a sample of the rows of some splits, the watermarks of those
// splits and of the source, and the spells in which they took no part; of operators, which windows fired, when, and with how many rows. It is given a fixed amount of memory and thins out what
// it has, so that a short run is shown in detail and a long one back to Span.
//
// Whoever records is one goroutine at a time for a source, and any number for an operator; anybody may read. Times are microseconds, of the wall clock as the job has it.
//
// Open recorder.go first (what is recorded), then line.go (how it is thinned out) and picture.go (what is read).
package timeline
