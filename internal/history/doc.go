// Package history keeps what statements were like, minute by minute and for seven days, in files of a stated size that survive the end of the process at any moment.
//
// A minute of all statements is appended to one file, `minutes`, and written through to the disk at once. When an hour is over, what it has of each statement becomes one chunk, in which the
// values of a series stand side by side and take few bits, at the end of the file of its day; then `minutes` begins anew. So there is one write and one fsync a minute, however many statements
// there are. Days that are over are deleted as files.
//
// Whoever reads finds the newest value of a minute, wherever it is: a minute that is there twice, since the clock was set back or the process ended between two writes, does no harm.
// See docs/decisions/history.md.
//
// Open series.go first (what is kept), then look.go (what is taken of a statement), store.go and answer.go (what is asked), day.go, hour.go, chunk.go, pack.go and file.go (from values to bytes), size.go (what is dropped).
package history
