package connector

// Inferred are the tables that are there without CREATE TABLE: what holds the rows says what they are. Confluent Cloud: every topic is a table. Its errors
// are about the world outside.
type Inferred interface {
	// Names lists them, in alphabetical order.
	Names() ([]string, error)
	// Describe tells of those of the names that are there, in any order.
	Describe(names []string) ([]InferredTable, error)
}

// InferredTable is such a table as CREATE TABLE would declare it.
type InferredTable struct {
	Table
	// Options have 'connector' among them.
	Options Options
}
