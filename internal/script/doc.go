// Package script runs test scripts: plain-text files that declare tables, feed them row by row at exact wall-clock times, and list what must
// come out. docs/testing.md specifies the grammar for users; `tidemark test` and the tests of this project both run scripts through Run.
//
// Nothing here sleeps. The statement is stepped by hand under a clock that moves only when the script says so, and rows enter at the seam where a
// connector's splits are polled, so brokers and files are not part of a script.
//
// Start at report.go for the entrance, parse.go for the shape of a file, rig.go for the run of one script. source.go is the connector 'script',
// topic.go makes topics that nobody declared, value.go reads and writes the values of rows, show.go prints watermarks and counters, spells.go what splits did, hold.go pauses them, handover.go is who writes to a table or reads what the statement writes, variation.go lists the ways in which a script must give
// the same output.
package script
