package types

import (
	"strconv"
	"strings"
	"sync"
)

// inside is what a nested type has in it. There is one of each, so that pointers compare as what they point to.
type inside struct {
	key, elem Type
	fields    Schema
}

var (
	interned   = map[string]*inside{}
	internLock sync.Mutex
)

// intern finds or keeps in, whose spelling as a kind of type tells it from all others.
func intern(k Kind, in *inside) Type {
	spelling := in.spell(k)
	internLock.Lock()
	defer internLock.Unlock()
	if known := interned[spelling]; known != nil {
		in = known
	} else {
		interned[spelling] = in
	}
	return Type{Kind: k, inside: in}
}

// ArrayOf is ARRAY<elem>.
func ArrayOf(elem Type) Type { return intern(Array, &inside{elem: elem}) }

// MultisetOf is MULTISET<elem>.
func MultisetOf(elem Type) Type { return intern(Multiset, &inside{elem: elem}) }

// MapOf is MAP<key, value>.
func MapOf(key, value Type) Type { return intern(Map, &inside{key: key, elem: value}) }

// RowOf is ROW of the fields, which the type keeps.
func RowOf(fields Schema) Type { return intern(Row, &inside{fields: fields}) }

// FieldName is what the field at a position is called if nobody gave it a name, as in Flink.
func FieldName(position int) string { return "EXPR$" + strconv.Itoa(position) }

// Elem is the type of an element of an ARRAY or MULTISET and of a value of a MAP.
func (t Type) Elem() Type { return t.inside.elem }

// Key is the type of a key of a MAP.
func (t Type) Key() Type { return t.inside.key }

// Fields are the fields of a ROW; they must not be changed.
func (t Type) Fields() Schema { return t.inside.fields }

func (in *inside) spell(k Kind) string {
	switch k {
	case Array:
		return "ARRAY<" + in.elem.String() + ">"
	case Multiset:
		return "MULTISET<" + in.elem.String() + ">"
	case Map:
		return "MAP<" + in.key.String() + ", " + in.elem.String() + ">"
	}
	fields := make([]string, len(in.fields))
	for i, f := range in.fields {
		fields[i] = quoteName(f.Name) + " " + f.Type.String()
	}
	return "ROW<" + strings.Join(fields, ", ") + ">"
}

// quoteName writes the name of a field, in backticks as Flink does.
func quoteName(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }
