package functions

import (
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// Function is the row of a function.
type Function struct {
	// Module is what stands before the two colons; empty for what is built in.
	Module  string
	Name    string
	Aliases []string
	// Signature shows how it is called.
	Signature string
	// Doc is a sentence or two for the reference.
	Doc string
	// Example is a call and Result what CAST to String makes of it; a test computes it. Both are empty where the value is another every time.
	Example, Result string
	// Refused says why the function is not there, in a row for what people look for.
	Refused string
	// Lazy says that an argument may be passed over, so that one which fails need not be an error.
	Lazy bool

	params []param
	// rest is what any number of further arguments are; with names if each needs one.
	rest  *accept
	names bool
	apply func(c *invocation) (Value, error)
}

// param is a parameter.
type param struct {
	name string
	accept
	// absent is what is taken if the argument is not given; the zero Value if it has to be.
	absent Value
}

func (p param) optional() bool { return p.absent.Expr != nil || p.absent.Static != nil }

// accept says what an argument may be.
type accept struct {
	// what it is, for errors.
	what string
	// take converts an argument; ok is false if it is something else.
	take func(v Value) (taken Value, ok bool)
}

// invocation is a call of a function whose arguments fit: one for each parameter, and then the rest.
type invocation struct {
	name string
	args []Value
	// rest are the names of what stands behind the parameters, empty where there is none.
	rest []string
}

// Full is the name with its module.
func (f *Function) Full() string {
	if f.Module == "" {
		return f.Name
	}
	return f.Module + "::" + f.Name
}

// maxArguments is more than any call has.
const maxArguments = 1 << 16

// Family is functions that the documentation has together.
type Family struct {
	Title     string
	Functions []Function
}

// Families lists every function, in the order of the documentation.
var Families = []Family{
	{"NULL, conditions and types", optionalFunctions},
	{"Strings", textFunctions},
	{"Lists", slices.Concat(listFunctions, lambdaFunctions)},
	{"Dicts", dictFunctions},
	{"Structs and Tuples", structFunctions},
	{"JSON", jsonFunctions},
	{"Yson", slices.Concat(ysonFunctions, ysonConversions)},
	{"DateTime", slices.Concat(dateTimeFunctions, dateTimeTextFunctions)},
	{"String", stringFunctions},
	{"Unicode", unicodeFunctions},
	{"Re2", regexpFunctions},
	{"Math", mathFunctions},
	{"Digest", digestFunctions},
	{"Url", urlFunctions},
	{"Dsv", dsvFunctions},
	{"Aggregates as values", factoryFunctions},
}

// Functions lists every function.
var Functions = allFunctions()

func allFunctions() []Function {
	var all []Function
	for _, f := range Families {
		all = append(all, f.Functions...)
	}
	return all
}

var byName = index()

func index() map[string]*Function {
	all := make(map[string]*Function, 2*len(Functions))
	for i := range Functions {
		f := &Functions[i]
		for _, name := range append([]string{f.Name}, f.Aliases...) {
			key := Normal(f.Module) + "::" + Normal(name)
			if all[key] != nil {
				panic("tidemark bug: two functions are called " + f.Module + "::" + name)
			}
			all[key] = f
		}
	}
	return all
}

// Normal is a name of a function or module as names are compared. YQL: in any case, with underscores or without.
func Normal(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// modules have other names.
var modules = map[string]string{"yson2": "yson", "datetime2": "datetime", "json2": "json", "unicode2": "unicode"}

// Lookup finds a function, built in if module is empty. The error is an *Error and names what was probably meant.
func Lookup(module, name string) (*Function, error) {
	m := Normal(module)
	if other := modules[m]; other != "" {
		m = other
	}
	if f := byName[m+"::"+Normal(name)]; f != nil {
		if f.Refused != "" {
			return nil, hintf(CodeUnsupported, f.Refused, "%s is not supported", f.Full())
		}
		return f, nil
	}
	return nil, unknown(module, m, name)
}

func unknown(module, m, name string) error {
	written := name
	if module != "" {
		written = module + "::" + name
	}
	e := &Error{Code: CodeUnknown, Message: "there is no function " + written, Arg: -1}
	var others []string
	elsewhere := ""
	for i := range Functions {
		f := &Functions[i]
		if f.Refused != "" {
			continue
		}
		if module == "" || Normal(f.Module) != m {
			others = append(others, f.Full())
		}
		if Normal(f.Name) == Normal(name) && elsewhere == "" {
			elsewhere = f.Full()
		}
	}
	meant, near := nearestModule(module, m), elsewhere
	switch known := byName[Normal(meant)+"::"+Normal(name)]; {
	case meant == "" && module != "": // no name within a module that is not there
	case module != "" && known != nil:
		near = known.Full()
	case module != "" && elsewhere == "":
		near = nearestIn(meant, name)
	}
	if near == "" && module == "" {
		near = source.Nearest(name, others)
	}
	switch {
	case near != "":
		e.Hint = "did you mean " + near + "?"
	case module != "" && meant == "":
		e.Hint = "there is no module " + module + "; there are " + strings.Join(Modules(), ", ")
	}
	return e
}

// nearestModule is the module that a name of one, and as normal has it, is probably meant to be, or "".
func nearestModule(module, m string) string {
	for _, known := range Modules() {
		if Normal(known) == m {
			return known
		}
	}
	return source.Nearest(module, Modules())
}

// nearestIn is the function of a module that a name was probably meant to be: the shortest that begins with it, else one that differs by slips, of which none is in the first letter: short
// names that share some letters mean other things. It is "" if there is none.
func nearestIn(module, name string) string {
	var names []string
	begun := ""
	for i := range Functions {
		f := &Functions[i]
		if f.Module != module || f.Refused != "" {
			continue
		}
		if strings.EqualFold(f.Name[:1], name[:1]) {
			names = append(names, f.Name)
		}
		for _, alias := range f.Aliases {
			if strings.EqualFold(alias[:1], name[:1]) {
				names = append(names, alias)
			}
		}
		if strings.HasPrefix(Normal(f.Name), Normal(name)) && (begun == "" || len(f.Name) < len(begun)) {
			begun = f.Name
		}
	}
	near := begun
	if near == "" {
		near = source.Nearest(name, names)
	}
	if near == "" {
		return ""
	}
	return module + "::" + near
}

// Modules lists the modules in alphabetical order.
func Modules() []string {
	var list []string
	for _, f := range Functions {
		if f.Module != "" && f.Refused == "" {
			list = append(list, f.Module)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Call applies a function to arguments, of which those that have names stand last. Errors are *Error.
func Call(module, name string, args []Named) (Value, error) {
	f, err := Lookup(module, name)
	if err != nil {
		return Value{}, err
	}
	return f.Call(args)
}

// Call applies f.
func (f *Function) Call(args []Named) (Value, error) {
	c, err := f.invoke(args)
	if err != nil {
		return Value{}, err
	}
	v, err := f.apply(c)
	return v, own(f.Full(), c.args, err)
}

// invoke puts the arguments to their parameters.
func (f *Function) invoke(args []Named) (*invocation, error) {
	c := &invocation{name: f.Full(), args: make([]Value, len(f.params))}
	given := make([]bool, len(f.params))
	for i, a := range args {
		at := i
		if a.Name != "" && !f.names {
			at = slices.IndexFunc(f.params, func(p param) bool { return strings.EqualFold(p.name, a.Name) })
			if at < 0 {
				return nil, about(i, f.noParameter(a.Name))
			}
			if given[at] {
				return nil, about(i, errorf(CodeSignature, "%s is given %s twice", f.Full(), a.Name))
			}
		}
		take := f.rest
		if at < len(f.params) {
			take = &f.params[at].accept
		}
		if take == nil {
			return nil, f.counts(len(args))
		}
		if f.names && (a.Name == "") {
			return nil, about(i, hintf(CodeSignature, "write "+f.Signature, "argument %d of %s has no name", i+1, f.Full()))
		}
		v, ok := take.take(a.Value)
		if !ok {
			return nil, wants(f.Full(), i, take.what, a.Value)
		}
		if at < len(f.params) {
			c.args[at], given[at] = v, true
			continue
		}
		c.args = append(c.args, v)
		c.rest = append(c.rest, a.Name)
	}
	for i, p := range f.params {
		if given[i] {
			continue
		}
		if !p.optional() {
			return nil, f.counts(len(args))
		}
		c.args[i] = p.absent
	}
	return c, nil
}

func (f *Function) noParameter(name string) error {
	e := &Error{Code: CodeSignature, Message: f.Full() + " has no argument " + name, Hint: "it is called as " + f.Signature, Arg: -1}
	names := make([]string, len(f.params))
	for i, p := range f.params {
		names[i] = p.name
	}
	if near := source.Nearest(name, names); near != "" {
		e.Hint = "did you mean " + near + "?"
	}
	return e
}

// counts is the error of a wrong number of arguments.
func (f *Function) counts(n int) error {
	least, most := 0, len(f.params)
	for _, p := range f.params {
		if !p.optional() {
			least++
		}
	}
	if f.rest != nil {
		most = maxArguments + 1
	}
	return hintf(CodeSignature, "it is called as "+f.Signature, "%s takes %s, not %d", f.Full(), counted(least, most, "argument"), n)
}

// gives applies a kernel of this package to all arguments.
func gives(result yqltype.Type, s spec) func(*invocation) (Value, error) {
	return func(c *invocation) (Value, error) { return call(c.name, s, result, c.args...) }
}

// Callable is f as a value: ListMap($list, String::AsciiToUpper).
func (f *Function) Callable() Value {
	least := 0
	for _, p := range f.params {
		if !p.optional() {
			least++
		}
	}
	most := len(f.params)
	if f.rest != nil {
		most = maxArguments
	}
	return Value{Static: &Callable{Name: f.Full(), Least: least, Most: most, Apply: func(args []Value) (Value, error) {
		named := make([]Named, len(args))
		for i, v := range args {
			named[i].Value = v
		}
		return f.Call(named)
	}}}
}
