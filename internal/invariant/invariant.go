// Package invariant holds the switch for checks that cost too much for a shipped binary: contracts of edges, poisoned
// buffers. Build with -tags invariants to turn them on; tests do.
//
// Guard a check with `if invariant.Enabled { … }`: without the tag the compiler removes it.
package invariant

import "fmt"

// Check panics with the prefix of a bug in Tidemark unless ok.
func Check(ok bool, format string, args ...any) {
	if !ok {
		panic("tidemark bug: " + fmt.Sprintf(format, args...))
	}
}
