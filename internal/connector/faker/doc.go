// Package faker is the connector of made-up rows that look like real ones: names, addresses, products. What a column holds is said by an
// expression, as in the Flink connector of the same name: '#{Name.fullName}'.
//
// A row depends on its number and the names of table and column alone. The words come from a library (gofakeit, MIT licence); which expressions there are
// is a slice in providers.go. Rows are written as JSON and read by the json format, so that a column takes what it would take of a
// file. They come at a pace, which is package datagen's part. Start at options.go.
package faker
