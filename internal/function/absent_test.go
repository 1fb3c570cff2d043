package function

import (
	"slices"
	"strings"
	"testing"
)

// TestNotYet expects of every absent function that it is absent, and named once.
func TestNotYet(t *testing.T) {
	var seen []string
	for _, a := range NotYet {
		for _, name := range a.Names {
			if name != strings.ToUpper(name) || slices.Contains(seen, name) {
				t.Errorf("%s is listed twice, or in lower case", name)
			}
			seen = append(seen, name)
			if _, ok := LookupScalar(name); ok {
				t.Errorf("%s is a function now", name)
			}
			if _, ok := LookupAggregate(name); ok {
				t.Errorf("%s is an aggregate now", name)
			}
			if instead, ok := LookupNotYet(strings.ToLower(name)); !ok || instead != a.Instead {
				t.Errorf("%s is not found", name)
			}
		}
	}
	if _, ok := LookupNotYet("UPPER"); ok {
		t.Error("UPPER is there")
	}
}

// TestCallNames expects no operators among what is called by name.
func TestCallNames(t *testing.T) {
	names := CallNames()
	for _, operator := range []string{"AND", "NOT", "LIKE", "+", "IS NULL"} {
		if slices.Contains(names, operator) {
			t.Errorf("%s is listed", operator)
		}
	}
	for _, name := range []string{"UPPER", "NOW", "IF"} {
		if !slices.Contains(names, name) {
			t.Errorf("%s is not listed", name)
		}
	}
}
