// Package format turns the text of connectors into columns and back.
//
// JSONDecoder reads JSON lines, one object a line, straight into the columns a plan needs; it is the hottest code of
// the engine. JSONEncoder writes rows as JSON objects. Neither opens files, counts lines of a file or knows splits and
// watermarks: that is the connectors' part.
//
// Start with json_decoder.go. How a row is walked is in json_row.go, what a column takes in json_value.go.
package format
