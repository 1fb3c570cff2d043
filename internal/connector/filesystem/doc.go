// Package filesystem is the connector of files on the machine's own disks: one file, those that a pattern matches, or all files of a folder; read
// once from their beginning to the end that they had when the statement began, or followed. It writes folders of part files.
//
// Each file is a split. Where records are lines and the file is not compressed, a chunk is a range of its bytes, and the rows of a chunk are the lines
// that begin in the range; so where ranges are cut does not show in the rows, workers read the file themselves, and no descriptor stays open between chunks.
// Otherwise a split reads its file from the beginning on and hands out blocks of whole records.
//
// The package parses no records, which is package format's part. Start at source.go; which files a path stands for is in list.go, how a range
// becomes whole lines in read.go, the three kinds of splits are in split.go, stream.go and follow.go; sink.go writes, part by part (part.go).
package filesystem
