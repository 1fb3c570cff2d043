// Package rowfmt writes and reads types and rows of results as they go over the wire: types as package api has them, a row as a JSON array of texts. Servers write them, and clients of our own read
// them back.
//
// Open types.go first; cells.go writes rows and read.go reads them.
package rowfmt
