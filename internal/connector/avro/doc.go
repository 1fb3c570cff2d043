// Package avro is the format of Avro's object container files for the filesystem connector.
//
// A file begins with a header: the schema of its writer, how its blocks are compressed, and a marker of 16 bytes. Blocks of records follow, with the marker
// behind each. So a piece of a file is a range of bytes, and its rows are those of the blocks that begin in it: whoever starts in the middle looks for the
// next marker. How records are read and written is package format's.
//
// Start at container.go; read.go goes through a piece, write.go writes files.
package avro
