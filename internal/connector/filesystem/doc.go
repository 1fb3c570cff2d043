// Package filesystem is the connector of files on the machine's own disks: one file, or all files of a folder, read once from their beginning
// to the end that they had when the statement began.
//
// Each file is a split. A chunk is a range of its bytes, and the rows of a chunk are the lines that begin in the range; so where ranges are
// cut does not show in the rows. No descriptor stays open between chunks.
//
// The package parses no lines, which is package format's part, and writes no files. Start at source.go; which files a path stands for is in
// list.go, how a range becomes whole lines in read.go.
package filesystem
