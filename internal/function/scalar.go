package function

import (
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Family groups functions as the documentation does.
type Family string

// The families, in the order of the documentation.
const (
	FamilyComparison  Family = "comparison"
	FamilyLogical     Family = "logical"
	FamilyArithmetic  Family = "arithmetic"
	FamilyString      Family = "string"
	FamilyPattern     Family = "pattern"
	FamilyEncoding    Family = "encoding"
	FamilyJSON        Family = "json"
	FamilyTime        Family = "time"
	FamilyConditional Family = "conditional"
	FamilyCollection  Family = "collection"
)

// Stability says on what a result depends beside the arguments, and so when an expression of constants may be computed.
type Stability uint8

// The stabilities.
const (
	// Pure functions depend on their arguments alone and are folded while planning.
	Pure Stability = iota
	// Zoned functions depend on the session's zone too.
	Zoned
	// Clocked functions depend on the clock too, and give one value per batch for constant arguments.
	Clocked
	// Volatile functions give another value for every row.
	Volatile
)

// Form says which kind of expression a call makes.
type Form uint8

// The forms. All but FormFunction evaluate an argument only on the rows where it matters.
const (
	FormFunction Form = iota
	FormAnd
	FormOr
	FormCoalesce
	FormIf
	FormNullIf
)

// Notation says how a call is written.
type Notation uint8

// The notations.
const (
	Prefix     Notation = iota // NAME(a, b)
	Infix                      // a + b, and -a if there is one argument
	Postfix                    // a IS NULL
	Bracketed                  // NAME[a, b]
	Subscript                  // a[b]
	Difference                 // (a - b) NAME
)

// Scalar is the row of a scalar function or operator.
type Scalar struct {
	// Name is in upper case; operators are called by their sign.
	Name    string
	Aliases []string
	Family  Family
	// Notation is Prefix unless the function is an operator.
	Notation Notation
	// Signatures show how it is called, one form each: "SUBSTRING(string, start [, length])".
	Signatures []string
	// Doc is a sentence or two for the reference.
	Doc string
	// Example is an expression and ExampleResult what CAST to STRING makes of it; package engine runs it.
	Example, ExampleResult string

	// Spell writes a call, of arguments that are written already, where NAME(a, b) is not the way; params are the overload's.
	Spell func(args []string, params []types.Type) string
	// Form is other than FormFunction for what package expr builds as a node of its own; such rows have neither overloads nor resolver.
	Form Form
	// Overloads are tried in order, the least conversion winning. A function whose types follow a rule has Resolver instead, or before them.
	Overloads []Overload
	Resolver  Resolver
	// Key is what a function that is made for one call computes: two of one key compute the same. It is empty in the registry, which has each function once.
	Key string
}

// Same reports whether f and g compute the same.
func (f *Scalar) Same(g *Scalar) bool { return f == g || f.Key != "" && f.Key == g.Key }

// Resolver finds the overload for arguments of these types; ok is false if there is none. constants[k] is the value of argument k as a constant vector of its
// type, or nil if it varies.
type Resolver func(args []types.Type, constants []*vector.Vector) (o Overload, ok bool)

// byTypes is a resolver that does not look at values.
func byTypes(resolve func(args []types.Type) (Overload, bool)) Resolver {
	return func(args []types.Type, _ []*vector.Vector) (Overload, bool) { return resolve(args) }
}

// Overload is a function for one list of argument types.
type Overload struct {
	// Name is that of the function, or CAST. Resolve sets it.
	Name string
	// Params is what each argument is converted to. In a row's list the last one may stand for any number more, see Variadic.
	Params   []types.Type
	Variadic bool
	// Result is the type of the result. Resolve sets its NotNull: it is NULL only if an argument is, unless MayBeNull; what is NullAware may be NOT NULL always.
	Result    types.Type
	Nulls     NullPolicy
	MayBeNull bool
	Stability Stability
	// Kernel computes it. Exactly one of Kernel and Bind is set in a row; after NewCall there always is a kernel.
	Kernel Kernel
	// Bind makes the kernel for a call, knowing its constant arguments: a pattern is compiled and a unit looked up once. constants[k] is a constant
	// vector, or nil if argument k varies. An error is the user's.
	Bind func(constants []*vector.Vector) (Kernel, error)
}

// Scalars lists every scalar function and operator.
var Scalars = slices.Concat(comparisonFunctions, logicalFunctions, arithmeticFunctions, roundFunctions, mathFunctions, greatestFunctions, realFunctions, hexFunctions,
	randomFunctions, textFunctions, timeFunctions, timeTextFunctions, conditionalFunctions, typeFunctions, collectionFunctions, arrayFunctions, arraySetFunctions,
	mapFunctions)

var scalarsByName = indexScalars()

func indexScalars() map[string]*Scalar {
	byName := make(map[string]*Scalar, 2*len(Scalars))
	for i := range Scalars {
		f := &Scalars[i]
		for _, name := range append([]string{f.Name}, f.Aliases...) {
			if byName[name] != nil {
				panic("tidemark bug: two functions are called " + name)
			}
			byName[name] = f
		}
	}
	return byName
}

// LookupScalar finds a function by name or alias, in any case.
func LookupScalar(name string) (*Scalar, bool) {
	f, ok := scalarsByName[strings.ToUpper(name)]
	return f, ok
}

// ScalarNames lists names and aliases in alphabetical order.
func ScalarNames() []string { return namesOf(func(*Scalar) bool { return true }) }

// CallNames lists what is called by a name and parentheses, so no operators, in alphabetical order.
func CallNames() []string { return namesOf(func(f *Scalar) bool { return f.Notation == Prefix }) }

func namesOf(wanted func(*Scalar) bool) []string {
	var names []string
	for name, f := range scalarsByName {
		if wanted(f) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// MustScalar finds a function that is known to exist.
func MustScalar(name string) *Scalar {
	f, ok := LookupScalar(name)
	if !ok {
		panic("tidemark bug: no function " + name)
	}
	return f
}
