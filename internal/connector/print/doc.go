// Package print is the connector of tables whose rows are written for a person, in the shape of Flink's print table: +I[a, b, c], one row a line.
//
// It is not the form in which the command line shows the result of a SELECT; package output has those. Start at sink.go.
package print
