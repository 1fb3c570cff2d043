// Package checkpoint keeps on disk what a statement needs to go on where it was: checkpoints, each a file of named sections whose bytes belong to
// others. It promises that what was committed is there after the process, or the machine, has died at any moment, and that a file which is not whole
// is never taken for one that is. It knows neither what a section means nor when a checkpoint is due; the first is package runtime's, the second cadence.go's,
// which is arithmetic.
//
// Open folder.go first (what a folder holds and what it promises), then encoding.go (the file, byte by byte), then writer.go, held.go and blocks.go (what a checkpoint shares with the one before, and how that is found), then retire.go (which files go), then
// cadence.go. disk.go is all that touches a file system; tests put one below it that fails, tears and forgets.
package checkpoint
