package sql

// TypeName is a data type as written, with its spelling made canonical: INTEGER is
// INT, NUMERIC and DEC are DECIMAL, CHARACTER VARYING is VARCHAR, TIMESTAMP(3) WITH
// LOCAL TIME ZONE is TIMESTAMP_LTZ(3), `T ARRAY` is ARRAY<T>.
type TypeName struct {
	Located
	// Name is in upper case. Whether such a type exists the binder knows.
	Name string
	// Args are length, precision and scale, as far as they were written.
	Args []int
	// NotNull is NOT NULL after the type; NULL is the default and not kept.
	NotNull bool
	// Key and Elem are the types inside MAP<Key, Elem>; ARRAY and MULTISET have Elem only.
	Key, Elem *TypeName
	// Fields are the fields of ROW.
	Fields []RowField
	// Interval holds the units when Name is INTERVAL.
	Interval *IntervalQualifier
}

// RowField is one field of a ROW type.
type RowField struct {
	Located
	Name    Ident
	Type    *TypeName
	Comment *StringLit
}
