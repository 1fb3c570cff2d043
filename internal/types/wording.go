package types

// Wording is how the language that declared a column speaks of its type, in messages about values that the column does not take.
type Wording interface {
	// String is the type, without whether NULL is one of its values.
	String() string
	// Part is the wording of part i of a nested type: the element of a list, the key and the value of a map, a field.
	Part(i int) Wording
	// Advice says what to do about a value of a column, whose name within a nested one has dots and brackets; it may be empty.
	Advice(column string, found Found) string
}

// Found is a value in a record that its column does not take: what it is, and its text, whole or the beginning of it.
type Found struct {
	Kind FoundKind
	Text string
}

// FoundKind is what a value in a record is.
type FoundKind uint8

// The kinds. FoundNothing is a NULL, or a field that is not there.
const (
	FoundNothing FoundKind = iota
	FoundInteger
	FoundFraction
	FoundBoolean
	FoundText
	FoundList
	FoundObject
)
