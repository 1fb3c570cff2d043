// Package parquet is the format of Parquet files for the filesystem connector: a container whose pieces are row groups.
//
// It stands on arrow-go, which no other package may import, and is linked by the program alone: the library goes without. Columns that nobody needs are
// not read. A column of a table is found by its name; one that a file does not have is NULL.
//
// Start at container.go; read.go goes through a row group. A column that is flat is read straight from its pages (leaf.go, take.go), one that is nested by way of
// Arrow (column.go). write.go writes files, kinds.go says which type of
// Arrow stands for a type of SQL.
package parquet
