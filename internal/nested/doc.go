// Package nested is how the value of an ARRAY, MAP, MULTISET or ROW is laid out: as one string of bytes, in a column of kind vector.Bytes.
//
// So everything that moves, keeps, hashes or compares rows knows nothing of nesting, and two values are equal if their bytes are: there is one encoding of a
// value. Whoever looks inside asks for elements by position (Array, Row), or turns a column into the column of all its elements and
// back (Expand, Pack), which lets a kernel work on all elements of a batch at once. The layouts of what is inside are not written down; they
// follow from the type. Numbers are little-endian.
//
//	ARRAY     count (4 bytes), validity (a bit each, 1 for a value), values
//	values    booleans 1 byte, int64 and float64 8, int128 16; of bytes, where each ends (4 bytes each) and all bytes. A NULL is zeroes.
//	ROW       validity, then 8 bytes a field: the value, or for int128 and bytes offset and length (4 bytes each) of what follows behind the fields
//	MAP       size of the keys in bytes (4 bytes), ARRAY of keys, ARRAY of values; entries in the order in which they were put in
//	MULTISET  as a MAP of elements and how often they occur
//
// The decision is explained in docs/decisions/nested-values.md. Start at array.go.
package nested
