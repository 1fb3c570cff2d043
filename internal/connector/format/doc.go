// Package format turns the text of connectors into columns and back.
//
// A format is a row of Formats: how records are decoded straight into the columns a plan needs, how rows are encoded, and how records lie in a
// file. Connectors take a format by name, with Choose. JSONDecoder is the hottest code of the engine.
//
// Nothing here opens files, counts lines of a file or knows splits and watermarks: that is the connectors' part.
//
// Start with format.go; choice.go reads the options of a table. Each format has files of its own: json_decoder.go, csv_decoder.go, raw.go, avro_decoder.go. How
// a row of JSON is walked is in json_row.go, what a column takes in json_value.go.
package format
