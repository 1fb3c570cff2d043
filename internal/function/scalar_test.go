package function

import (
	"strings"
	"testing"
)

// TestRows checks that every row is complete; the examples are run by package engine, as SQL.
func TestRows(t *testing.T) {
	for _, f := range Scalars {
		if f.Name != strings.ToUpper(f.Name) || f.Family == "" || len(f.Signatures) == 0 || f.Example == "" || f.ExampleResult == "" {
			t.Errorf("%s: the row is not complete", f.Name)
		}
		if !strings.HasSuffix(f.Doc, ".") {
			t.Errorf("%s: the documentation is no sentence: %q", f.Name, f.Doc)
		}
		resolved := len(f.Overloads) > 0 || f.Resolver != nil
		if (f.Form == FormFunction) != resolved {
			t.Errorf("%s: a function has overloads or a resolver, another form has neither", f.Name)
		}
		for _, o := range f.Overloads {
			if (o.Kernel == nil) == (o.Bind == nil) {
				t.Errorf("%s%s: exactly one of Kernel and Bind must be set", f.Name, typeList(o.Params))
			}
			if o.Variadic && len(o.Params) == 0 {
				t.Errorf("%s: a variadic overload repeats its last parameter, and has none", f.Name)
			}
		}
	}
}

func TestLookup(t *testing.T) {
	for _, name := range []string{"upper", "Upper", "CEILING", "ceil", "now", "is null", "||"} {
		if _, ok := LookupScalar(name); !ok {
			t.Errorf("no function %s", name)
		}
	}
	if _, ok := LookupScalar("COUNT"); ok {
		t.Error("COUNT is an aggregate")
	}
	if _, ok := LookupAggregate("count"); !ok {
		t.Error("no aggregate count")
	}
	for _, name := range ScalarNames() {
		if _, ok := LookupAggregate(name); ok {
			t.Errorf("%s is a function and an aggregate", name)
		}
	}
}
