package yqltype

import (
	"fmt"
	"slices"
	"strings"
)

// Kind is the family of a type.
type Kind uint8

// The kinds. Numbers stand in the order of their size, the signed before the unsigned.
const (
	Null Kind = iota // of the bare NULL
	Bool
	Int8
	Int16
	Int32
	Int64
	Uint8
	Uint16
	Uint32
	Uint64
	Float
	Double
	Decimal
	String // bytes
	Utf8
	Json
	Yson
	Uuid
	Date      // days since 1970-01-01
	Datetime  // whole seconds
	Timestamp // microseconds
	Interval  // microseconds
	List
	Dict
	Struct
	Tuple
	EmptyList // of AsList()
	EmptyDict // of AsDict()
	Node      // Resource<'Yson2.Node'>: a document that was taken apart
	Moment    // Resource<'DateTime2.TM'>: an instant as the fields of a calendar
)

var names = [...]string{Null: "Null", Bool: "Bool", Int8: "Int8", Int16: "Int16", Int32: "Int32", Int64: "Int64", Uint8: "Uint8", Uint16: "Uint16", Uint32: "Uint32",
	Uint64: "Uint64", Float: "Float", Double: "Double", Decimal: "Decimal", String: "String", Utf8: "Utf8", Json: "Json", Yson: "Yson", Uuid: "Uuid", Date: "Date",
	Datetime: "Datetime", Timestamp: "Timestamp", Interval: "Interval", List: "List", Dict: "Dict", Struct: "Struct", Tuple: "Tuple", EmptyList: "EmptyList",
	EmptyDict: "EmptyDict", Node: "Resource<'Yson2.Node'>", Moment: "Resource<'DateTime2.TM'>"}

// String is the name of the kind.
func (k Kind) String() string { return names[k] }

// Type is a type of YQL. The zero value is the type of NULL. Types are compared with Equal.
type Type struct {
	Kind Kind
	// Optional says that a value may be NULL. There is no Optional of an Optional: what would be one is an Optional.
	Optional bool
	// Precision and Scale are the digits of a Decimal, all of them and those behind the point.
	Precision, Scale int8

	inside *inside
}

// Member is a named part of a Struct.
type Member struct {
	Name string
	Type Type
}

type inside struct {
	types []Type   // of a List one, of a Dict two, of a Tuple all
	names []string // of a Struct
}

// Of is the type of a kind that has nothing inside, without NULL.
func Of(k Kind) Type { return Type{Kind: k} }

// DecimalOf is Decimal(precision, scale).
func DecimalOf(precision, scale int) Type {
	return Type{Kind: Decimal, Precision: int8(precision), Scale: int8(scale)}
}

// ListOf is List<elem>.
func ListOf(elem Type) Type { return Type{Kind: List, inside: &inside{types: []Type{elem}}} }

// DictOf is Dict<key, value>.
func DictOf(key, value Type) Type {
	return Type{Kind: Dict, inside: &inside{types: []Type{key, value}}}
}

// TupleOf is Tuple<…>.
func TupleOf(elems ...Type) Type { return Type{Kind: Tuple, inside: &inside{types: elems}} }

// StructOf is Struct<…>. YQL: the members of a Struct are in the order of their names, whatever the order in which they are written.
func StructOf(members []Member) Type {
	sorted := slices.Clone(members)
	slices.SortStableFunc(sorted, func(a, b Member) int { return strings.Compare(a.Name, b.Name) })
	in := &inside{}
	for _, m := range sorted {
		in.types, in.names = append(in.types, m.Type), append(in.names, m.Name)
	}
	return Type{Kind: Struct, inside: in}
}

// OrNull is Optional<t>.
func (t Type) OrNull() Type { t.Optional = true; return t }

// Required is t without its Optional.
func (t Type) Required() Type { t.Optional = false; return t }

// Elem is the type of an element of a List.
func (t Type) Elem() Type { return t.inside.types[0] }

// Key is the type of a key of a Dict.
func (t Type) Key() Type { return t.inside.types[0] }

// Value is the type of a value of a Dict.
func (t Type) Value() Type { return t.inside.types[1] }

// Elems are the types of the elements of a Tuple; they must not be changed.
func (t Type) Elems() []Type { return t.inside.types }

// Members are those of a Struct in the order of their names.
func (t Type) Members() []Member {
	members := make([]Member, len(t.inside.names))
	for i, name := range t.inside.names {
		members[i] = Member{name, t.inside.types[i]}
	}
	return members
}

// Member is the position of a member of a Struct, -1 if it has none of that name.
func (t Type) Member(name string) int { return slices.Index(t.inside.names, name) }

// Equal reports whether a and b are the same type.
func Equal(a, b Type) bool {
	if a.Kind != b.Kind || a.Optional != b.Optional || a.Precision != b.Precision || a.Scale != b.Scale {
		return false
	}
	if a.inside == nil || b.inside == nil {
		return a.inside == b.inside
	}
	return slices.EqualFunc(a.inside.types, b.inside.types, Equal) && slices.Equal(a.inside.names, b.inside.names)
}

// IsInteger reports whether t is a whole number.
func (t Type) IsInteger() bool { return t.Kind >= Int8 && t.Kind <= Uint64 }

// IsUnsigned reports whether t is a whole number that is never negative.
func (t Type) IsUnsigned() bool { return t.Kind >= Uint8 && t.Kind <= Uint64 }

// IsApproximate reports whether t is Float or Double.
func (t Type) IsApproximate() bool { return t.Kind == Float || t.Kind == Double }

// IsNumber reports whether arithmetic applies to t.
func (t Type) IsNumber() bool { return t.Kind >= Int8 && t.Kind <= Decimal }

// IsText reports whether t is String or Utf8.
func (t Type) IsText() bool { return t.Kind == String || t.Kind == Utf8 }

// IsInstant reports whether t is a point in time.
func (t Type) IsInstant() bool { return t.Kind >= Date && t.Kind <= Timestamp }

// IsContainer reports whether values of t have values inside.
func (t Type) IsContainer() bool { return t.Kind >= List && t.Kind <= EmptyDict }

// Bits is the size of a whole number: 8, 16, 32 or 64; 0 of anything else.
func (t Type) Bits() int {
	switch {
	case t.IsUnsigned():
		return 8 << (t.Kind - Uint8)
	case t.IsInteger():
		return 8 << (t.Kind - Int8)
	}
	return 0
}

// String spells t as YQL's FormatType does: Optional is a question mark.
func (t Type) String() string {
	s := t.spell()
	if t.Optional {
		s += "?"
	}
	return s
}

func (t Type) spell() string {
	switch t.Kind {
	case Decimal:
		return fmt.Sprintf("Decimal(%d,%d)", t.Precision, t.Scale)
	case List, Dict, Tuple, Struct:
		parts := make([]string, len(t.inside.types))
		for i, part := range t.inside.types {
			parts[i] = part.String()
			if t.Kind == Struct {
				parts[i] = quoteMember(t.inside.names[i]) + ":" + parts[i]
			}
		}
		return t.Kind.String() + "<" + strings.Join(parts, ",") + ">"
	}
	return t.Kind.String()
}

// quoteMember writes the name of a member, in quotes unless it is a plain word.
func quoteMember(name string) string {
	for i := range len(name) {
		c := name[i]
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return "'" + strings.ReplaceAll(strings.ReplaceAll(name, `\`, `\\`), "'", `\'`) + "'"
		}
	}
	if name == "" {
		return "''"
	}
	return name
}
