package function

import (
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Aggregate is the row of an aggregate function.
type Aggregate struct {
	Name string
	// Signatures show how it is called, one form each.
	Signatures []string
	// Doc is a sentence or two for the reference.
	Doc string
	// Example is a call over the values 1, 2, 2 and NULL of a column x, and ExampleResult what CAST to STRING makes of it; package engine runs it.
	Example, ExampleResult string

	resolve func(c aggregateCall) (AggregateOverload, bool)
}

// AggregateOverload is an aggregate for one argument type.
type AggregateOverload struct {
	// Param is what the argument is converted to; it means nothing for COUNT(*).
	Param types.Type
	// Result is the type of the result. It is nullable except for counts, because a group may hold no value.
	Result types.Type
	// New makes an accumulator without groups.
	New func() Accumulator
}

// Accumulator is the state of one aggregate call for many groups. Groups are dense numbers from 0 on that the owner hands out; it has one
// owner at a time and no lock.
type Accumulator interface {
	// Grow makes the groups below n exist; those that are new are empty.
	Grow(n int)
	// Add takes the rows of a batch in order: ids[k] is the group of the k-th row that rows names. arg is positional, and nil for COUNT(*). Strings
	// that are kept are copied.
	Add(ids []uint32, arg *vector.Vector, rows vector.Rows)
	// Merge adds groups of from, which comes from the same overload: group src[k] goes to group dst[k], after what is there. A nil src stands for 0, 1, 2 …
	// Groups of from stay as they are, and from may be the accumulator itself.
	Merge(dst []uint32, from Accumulator, src []uint32)
	// Result gives the values of the groups ids, in that order, as a flat vector in arena a.
	Result(a *vector.Arena, ids []uint32) *vector.Vector
	// Encode appends the state of group id. The bytes hold no version: the table that keeps them has one.
	Encode(dst []byte, id uint32) []byte
	// Decode reads what Encode wrote into the empty group id and returns the bytes behind it. The bytes come from disk, so wrong ones are an error.
	Decode(src []byte, id uint32) (rest []byte, err error)
	// Clear makes group id empty.
	Clear(id uint32)
	// Reset forgets all groups and keeps the memory.
	Reset()
	// Bytes estimates the memory held.
	Bytes() int
}

// Retractor is an Accumulator that can take rows back which were added before, as an updating input asks for.
type Retractor interface {
	Accumulator
	// Retract undoes Add of the same values, in whatever order they were added.
	Retract(ids []uint32, arg *vector.Vector, rows vector.Rows)
}

// aggregateCall is what is known of a call when it is resolved.
type aggregateCall struct {
	arg      types.Type
	hasArg   bool // false for COUNT(*)
	distinct bool
}

// Aggregates lists every aggregate function.
var Aggregates = []Aggregate{countAggregate, sumAggregate, avgAggregate, minAggregate, maxAggregate}

// LookupAggregate finds an aggregate by name, in any case.
func LookupAggregate(name string) (*Aggregate, bool) {
	name = strings.ToUpper(name)
	i := slices.IndexFunc(Aggregates, func(f Aggregate) bool { return f.Name == name })
	if i < 0 {
		return nil, false
	}
	return &Aggregates[i], true
}

// AggregateNames lists the names in alphabetical order.
func AggregateNames() []string {
	names := make([]string, len(Aggregates))
	for i, f := range Aggregates {
		names[i] = f.Name
	}
	slices.Sort(names)
	return names
}

// Resolve finds the overload for an argument of type arg; hasArg is false for COUNT(*). The error is a *SignatureError.
func (f *Aggregate) Resolve(arg types.Type, hasArg, distinct bool) (AggregateOverload, error) {
	o, ok := f.resolve(aggregateCall{arg, hasArg, distinct})
	if !ok {
		return AggregateOverload{}, f.refuse(arg, hasArg, distinct)
	}
	return o, nil
}
