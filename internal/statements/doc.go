// Package statements is the statements of a server: many in one process, each with a name and a life of its own, kept in a folder. It knows nothing of HTTP; package server shows them
// to the world.
//
// What changes the catalog and what runs in the background is written into a journal before it takes effect, in order. When the server starts again, the journal is read to its
// end: tables are there as before, and a statement is planned again at the very place where it was planned first, whatever became of its tables since. It then goes on from its newest
// checkpoint.
//
// Open hub.go first (what a client can ask for), then life.go (what one statement goes through), then journal.go and record.go (what is on the disk).
package statements
