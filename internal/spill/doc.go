// Package spill keeps what an operator has of a key on disk when there is no memory for it. It is neither a cache nor a database: a key is either in the
// operator's own tables or a record here, records are written in bulk and never changed, and they are asked for in two ways only: by key, many at once, and in
// the order in which they are due.
//
// A Table is an index in memory, eleven bytes or so for a key, over runs: files of records in the order in which they are due, written once from start to end. A record that is taken
// dies by a bit; when too much of the files is dead, or there are too many, what lives is merged into a new one, a little with every call. Files are scratch: they have no
// name, are never synced, and are gone with the process. What has to survive is in checkpoints, for which Freeze lends the runs as they are.
//
// Open table.go first, then record.go (the bytes of a run) and run.go; index.go, cursor.go and merge.go are what makes it fast. folder.go is all that touches a
// file system; tests put one below it that fails.
package spill
