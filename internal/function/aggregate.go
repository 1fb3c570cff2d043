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

	// Grouping says that it is about the grouping sets, and has no overloads: the binder computes it.
	Grouping bool
	// IgnoresDistinct says that it gives the same with and without DISTINCT.
	IgnoresDistinct bool

	// resolve gives no New if the call does not fit the signatures; an error says more than that.
	resolve func(c AggregateCall) (AggregateOverload, error)
}

// AggregateCall is what is known of a call when it is resolved.
type AggregateCall struct {
	// Args are the types of the arguments; none for COUNT(*).
	Args []types.Type
	// Constants has the value of each argument that is a constant, as a constant vector of its type, and nil for the others. It may be shorter than Args.
	Constants []*vector.Vector
	Distinct  bool
	// Updates says that the input takes rows back, so that the accumulators must be Retractors.
	Updates bool
}

// constant is the value of argument i, nil if that varies.
func (c AggregateCall) constant(i int) *vector.Vector {
	if i >= len(c.Constants) {
		return nil
	}
	return c.Constants[i]
}

// single is the type of the only argument, nullable; ok is false if there is another number of them.
func (c AggregateCall) single() (t types.Type, ok bool) {
	if len(c.Args) != 1 {
		return t, false
	}
	return c.Args[0].Nullable(), true
}

// AggregateOverload is an aggregate for one list of argument types.
type AggregateOverload struct {
	// Params is what the leading arguments are converted to. Those behind are constants, which New knows.
	Params []types.Type
	// Result is the type of the result. It is nullable except for counts, because a group may hold no value.
	Result types.Type
	// New makes an accumulator without groups; a Retractor if the input updates.
	New func() Accumulator
}

// Accumulator is the state of one aggregate call for many groups. Groups are dense numbers from 0 on that the owner hands out; it has one
// owner at a time and no lock.
type Accumulator interface {
	// Grow makes the groups below n exist; those that are new are empty.
	Grow(n int)
	// Add takes the rows of a batch in order: ids[k] is the group of the k-th row that rows names. args are positional, one for each of Params. Strings
	// that are kept are copied.
	Add(ids []uint32, args []*vector.Vector, rows vector.Rows)
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
	// Bytes estimates the memory that the groups take; what Reset kept for others is none of it.
	Bytes() int
}

// Retractor is an Accumulator that can take rows back which were added before, as an updating input asks for.
type Retractor interface {
	Accumulator
	// Retract undoes Add of the same values: of equal ones the oldest goes. What was never added is passed over where the values themselves are kept.
	Retract(ids []uint32, args []*vector.Vector, rows vector.Rows)
}

// Aggregates lists every aggregate function.
var Aggregates = []Aggregate{countAggregate, sumAggregate, avgAggregate, minAggregate, maxAggregate, firstValueAggregate, lastValueAggregate, listAggAggregate,
	arrayAggAggregate, collectAggregate, varPopAggregate, varSampAggregate, varianceAggregate, stddevPopAggregate, stddevSampAggregate, stddevAggregate, percentileAggregate,
	approxCountDistinctAggregate, jsonArrayAggAggregate, jsonObjectAggAggregate, groupingAggregate, groupingIDAggregate, groupIDAggregate}

// OtherAggregates lists aggregates that Flink SQL has not, for languages that give them names of their own. Nobody can call them in SQL, so they have no examples.
var OtherAggregates = []Aggregate{topAggregate, listAggregate, setAggregate, bitAndAggregate, bitOrAggregate, bitXorAggregate, covarPopAggregate, covarSampAggregate, corrAggregate}

// LookupOther finds one of OtherAggregates by name.
func LookupOther(name string) (*Aggregate, bool) {
	i := slices.IndexFunc(OtherAggregates, func(f Aggregate) bool { return f.Name == name })
	if i < 0 {
		return nil, false
	}
	return &OtherAggregates[i], true
}

// LookupAggregate finds an aggregate by name, in any case.
func LookupAggregate(name string) (*Aggregate, bool) {
	name = strings.ToUpper(name)
	i := slices.IndexFunc(Aggregates, func(f Aggregate) bool { return f.Name == name })
	if i < 0 {
		return nil, false
	}
	return &Aggregates[i], true
}

// AggregateNames lists the names, and those of OverFunctions, in alphabetical order.
func AggregateNames() []string {
	var names []string
	for _, f := range slices.Concat(Aggregates, OverFunctions) {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	return names
}

// Resolve finds the overload for a call. The error is a *SignatureError, or that of a constant argument.
func (f *Aggregate) Resolve(c AggregateCall) (AggregateOverload, error) {
	o, err := f.overload(c)
	if err != nil || !c.Distinct || f.IgnoresDistinct {
		return o, err
	}
	if !groupable(o.Params) {
		return AggregateOverload{}, f.refuseDistinct(c)
	}
	return distinctOverload(o, c.Updates), nil
}

// overload finds the overload for a call without regard to DISTINCT.
func (f *Aggregate) overload(c AggregateCall) (AggregateOverload, error) {
	o, err := f.resolve(c)
	if err == nil && o.New == nil {
		err = f.refuse(c)
	}
	return o, err
}
