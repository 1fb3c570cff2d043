package yql

import (
	"strings"
)

// TypeName is a type as written.
type TypeName struct {
	Located
	// Name is that of the type: for containers in canonical letters (Optional, List, Dict, Set, Tuple, Struct, Variant, Enum, Stream, Flow,
	// Resource, Tagged, Callable), else as written. Names of types do not mind case. T? is Optional with T in Args.
	Name string
	// Args are the types in angle brackets: List<T>, Dict<K, V>, Tuple<A, B>, the parameters of a Callable.
	Args []*TypeName
	// Members are those of Struct<a: T>, and of Variant and Enum when they have names.
	Members []TypeMember
	// Result is what a Callable yields.
	Result *TypeName
	// Params are the numbers of Decimal(precision, scale).
	Params []int
	// Tag is the name of a Resource or a Tagged.
	Tag *StringLit
}

// TypeMember is a member of a Struct, or a case of a Variant; the Type of a case of an Enum is nil.
type TypeMember struct {
	Located
	Name Ident
	Type *TypeName
}

// containers are the names of types that take others, by their lower-case form.
var containers = map[string]string{
	"optional": "Optional", "list": "List", "dict": "Dict", "set": "Set", "tuple": "Tuple", "struct": "Struct", "variant": "Variant",
	"enum": "Enum", "stream": "Stream", "flow": "Flow", "resource": "Resource", "tagged": "Tagged", "callable": "Callable",
}

func container(word string) (string, bool) {
	name, ok := containers[strings.ToLower(word)]
	return name, ok
}

// decimalOf reads Decimal(22, 9) that was read as a call.
func decimalOf(c *Call) (*TypeName, bool) {
	f, ok := c.Callee.(*FunctionRef)
	if !ok || f.Module != nil || !strings.EqualFold(f.Name.Name, "Decimal") || len(c.Args) != 2 {
		return nil, false
	}
	t := &TypeName{Located: c.Located, Name: f.Name.Name}
	for _, a := range c.Args {
		n, ok := a.Value.(*IntegerLit)
		if !ok || a.Name != nil || n.Value > maxDecimalParam {
			return nil, false
		}
		t.Params = append(t.Params, int(n.Value))
	}
	return t, true
}

// maxDecimalParam bounds precision and scale of a Decimal: the parser's bound of small counts.
const maxDecimalParam = 1 << 20
