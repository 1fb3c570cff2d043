// Package window computes windows over event time: which windows a time belongs to, how they are cut into slices, and when a
// local window of a time zone is over.
//
// It is arithmetic on microseconds since the epoch, correct before 1970, and nothing else: it keeps no rows and fires nothing.
// Aligned windows (TUMBLE, HOP, CUMULATE) are unions of slices, the pieces between neighbouring window edges, so that a row is
// aggregated once, in its slice. A slice is named by its end.
//
// Open spec.go first; tumble.go, hop.go, cumulate.go and session.go hold one kind each, zone.go turns instants into local time
// and back.
package window
