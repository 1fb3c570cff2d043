package functions

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// Aggregate is the row of an aggregate.
type Aggregate struct {
	Name    string
	Aliases []string
	// Signature shows how it is called.
	Signature string
	// Doc is a sentence or two for the reference.
	Doc string
	// Example is a call over the values 1, 2, 2 and NULL of an Int32? x, and Result what the result is as JSON; a test computes it.
	Example, Result string
	// Refused says why the aggregate is not there.
	Refused string

	params []param
	make   func(c *invocation) (*Aggregation, error)
}

// Aggregation is a call of an aggregate in the words of a plan.
type Aggregation struct {
	Function *function.Aggregate
	Overload function.AggregateOverload
	// Args are what is aggregated: an expression over the rows for each parameter of the overload; none for COUNT(*).
	Args []expr.Expr
	// Constants are the arguments behind them, which the overload knows.
	Constants []*expr.Literal
	Distinct  bool
	// Filter is a condition that must hold for a row to count, nil if every row does.
	Filter expr.Expr

	held   yqltype.Type
	finish func(v Value) (Value, error)
}

// Of is the result, given the column that holds what the aggregate gave.
func (a *Aggregation) Of(column expr.Expr) (Value, error) {
	v := Value{Expr: column, Type: a.held}
	if a.finish == nil {
		return v, nil
	}
	return a.finish(v)
}

// LookupAggregate finds an aggregate. ok is false if there is none of the name; what is there to be refused is found.
func LookupAggregate(name string) (f *Aggregate, ok bool) {
	key := Normal(name)
	i := slices.IndexFunc(Aggregates, func(f Aggregate) bool {
		return Normal(f.Name) == key || slices.ContainsFunc(f.Aliases, func(alias string) bool { return Normal(alias) == key })
	})
	if i < 0 {
		return nil, false
	}
	return &Aggregates[i], true
}

// AggregateNames lists the names of the aggregates, aliases left out.
func AggregateNames() []string {
	var names []string
	for _, f := range Aggregates {
		if f.Refused == "" {
			names = append(names, f.Name)
		}
	}
	return names
}

// NearestAggregate is the aggregate that was probably meant by a name, or "".
func NearestAggregate(name string) string { return source.Nearest(name, AggregateNames()) }

// Call makes a call of f. Of COUNT(*) there are no arguments. Errors are *Error.
func (f *Aggregate) Call(args []Named, distinct bool) (*Aggregation, error) {
	if f.Refused != "" {
		return nil, hintf(CodeUnsupported, f.Refused, "%s is not supported", f.Name)
	}
	row := Function{Name: f.Name, Signature: f.Signature, params: f.params}
	c, err := row.invoke(args)
	if err != nil {
		return nil, err
	}
	a, err := f.make(c)
	if err != nil {
		return nil, own(f.Name, c.args, err)
	}
	if distinct {
		if err := a.distinct(f.Name); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// distinct makes the call count each value once.
func (a *Aggregation) distinct(name string) error {
	if len(a.Args) == 0 {
		return errorf(CodeSignature, "%s(DISTINCT *) has no value to tell apart", name)
	}
	with, err := aggregation(a.Function, a.Args, a.Constants, true)
	if err != nil {
		return own(name, nil, err)
	}
	a.Overload, a.Distinct = with.Overload, true
	return nil
}

// aggregation finds the overload of an aggregate for arguments and the constants behind them.
func aggregation(f *function.Aggregate, args []expr.Expr, constants []*expr.Literal, distinct bool) (*Aggregation, error) {
	request := function.AggregateCall{Distinct: distinct}
	for _, e := range args {
		request.Args = append(request.Args, e.Type())
		request.Constants = append(request.Constants, nil)
	}
	for _, l := range constants {
		request.Args = append(request.Args, l.Type())
		request.Constants = append(request.Constants, l.Value())
	}
	o, err := f.Resolve(request)
	if err != nil {
		return nil, err
	}
	a := &Aggregation{Function: f, Overload: o, Constants: constants, Distinct: distinct}
	for i, t := range o.Params {
		e, err := expr.Convert(args[i], t)
		if err != nil {
			return nil, err
		}
		a.Args = append(a.Args, e)
	}
	return a, nil
}

// aggregateOf is an aggregate of Tidemark that is known to exist.
func aggregateOf(name string) *function.Aggregate {
	f, ok := function.LookupAggregate(name)
	if !ok {
		f, ok = function.LookupOther(name)
	}
	if !ok {
		panic("tidemark bug: no aggregate " + name)
	}
	return f
}

// over makes the call of an aggregate of Tidemark; held is the YQL type of its result.
func over(name string, held yqltype.Type, values ...Value) (*Aggregation, error) {
	f := aggregateOf(name)
	exprs := make([]expr.Expr, len(values))
	for i, v := range values {
		exprs[i] = v.Expr
	}
	a, err := aggregation(f, exprs, nil, false)
	if err != nil {
		return nil, err
	}
	a.held = held
	return a, nil
}
