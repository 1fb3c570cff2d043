package types

// Field is a named column.
type Field struct {
	Name string
	Type Type
	// Wording is nil for a column that is spoken of in SQL.
	Wording Wording
}

// Schema is the row type of a table or of an operator's output, in column order.
type Schema []Field

// Index finds the column called name, or -1. Column names are case-sensitive, as in Flink.
func (s Schema) Index(name string) int {
	for i, f := range s {
		if f.Name == name {
			return i
		}
	}
	return -1
}

// Names lists the column names in order.
func (s Schema) Names() []string {
	names := make([]string, len(s))
	for i, f := range s {
		names[i] = f.Name
	}
	return names
}
