// Package output writes the rows of a changelog for a person or the next program in a pipe: as JSON lines, as CSV or
// as a table on a terminal.
//
// It knows neither statements nor summaries; the command line writes what stands around the rows. Start with
// writer.go; each form has its own file.
package output
