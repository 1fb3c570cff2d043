// Package connector says what sources and sinks promise the engine, and reads their options.
//
// A Source has splits; a split is read in chunks; a chunk is a stretch of the split that can be decoded anywhere, by any worker, while
// the next ones are already being handed out. Reading is apart from decoding so that one goroutine can decide in which order
// chunks enter the statement, and many can decode.
//
// Each connector is a package below this one, named for its value of 'connector'. A connector knows this package, vector and
// types, and nothing of plans or tasks.
package connector
