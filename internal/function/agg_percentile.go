package function

import (
	"math"

	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var percentileAggregate = Aggregate{
	Name:       "PERCENTILE",
	Signatures: []string{"PERCENTILE(number, percentage)", "PERCENTILE(number, percentage, frequency)", "PERCENTILE(number, ARRAY[percentage, …] [, frequency])"},
	Doc: "The value below which the given part of the values lies, from 0 to 1, as a DOUBLE, between the two nearest ones if it is none of them; of several parts an ARRAY. " +
		"The frequency, a whole number, is how often a value counts. Percentages are constants. NULL if there are no values.",
	Example: "PERCENTILE(x, 0.25e0)", ExampleResult: "1.5",
	resolve: resolvePercentile,
}

func resolvePercentile(c AggregateCall) (AggregateOverload, error) {
	if len(c.Args) < 2 || len(c.Args) > 3 || !c.Args[0].IsNumeric() || len(c.Args) == 3 && !c.Args[2].IsInteger() {
		return AggregateOverload{}, nil
	}
	parts, isArray, err := percentages(c)
	if err != nil || parts == nil {
		return AggregateOverload{}, err
	}
	t := c.Args[0].Nullable()
	o := AggregateOverload{Params: []types.Type{t}, Result: types.DoubleType}
	if isArray {
		o.Result = types.ArrayOf(types.DoubleType)
	}
	g := gathering{sort: counted, valid: ofSize(vector.Float64), write: func(dst []byte, args []*vector.Vector, i int) ([]byte, bool) {
		if args[0].IsNull(i) || len(args) == 3 && (args[2].IsNull(i) || args[2].Int(i) <= 0) {
			return dst, false
		}
		return appendOrderedInt(dst, doubleKey(doubleOf(t, args[0], i)+0)), true
	}}
	if len(c.Args) == 3 {
		// The percentage stands between them and is known; it is a column all the same, since parameters lead.
		o.Params = append(o.Params, c.Args[1].Nullable(), c.Args[2].Nullable())
		g.times = func(args []*vector.Vector, i int) int64 { return args[2].Int(i) }
	}
	g.finish = func(a *vector.Arena, values *bag, ids []uint32) *vector.Vector {
		results := vector.NewBuilder(a, vector.Float64, len(ids)*len(parts))
		ends := a.Sel(len(ids))
		empty := a.Flat(vector.Bytes, len(ids))
		var entries []uint32
		for k, id := range ids {
			entries = values.sorted(entries[:0], id)
			if len(entries) == 0 {
				setNull(a, empty, k)
			}
			for _, p := range parts {
				if len(entries) > 0 {
					results.AppendFloat(percentile(values, entries, p))
				} else if !isArray {
					results.AppendNull()
				}
			}
			ends[k] = int32(results.Len())
		}
		if !isArray {
			return results.Done()
		}
		nested.Pack(a, results.Done(), ends, vector.All(len(ids)), empty)
		return empty
	}
	o.New = g.accumulators(c.Updates)
	return o, nil
}

// percentages reads the second argument; parts is nil if it is of no such type.
func percentages(c AggregateCall) (parts []float64, isArray bool, err error) {
	t, v := c.Args[1], c.constant(1)
	element := t
	if isArray = t.Kind == types.Array; isArray {
		element = t.Elem()
	}
	switch {
	case !element.IsNumeric():
		return nil, isArray, nil
	case v == nil:
		return nil, isArray, constantErrorf("write a number: PERCENTILE(x, 0.5)", "the percentage of PERCENTILE must be a constant")
	case v.IsNull(0):
		return nil, isArray, errPercentage
	case !isArray:
		parts = []float64{doubleOf(t, v, 0)}
	default:
		parts = []float64{}
		a := (&vector.Pool{}).Get()
		elements, _ := nested.Expand(a, v, vector.KindOf(element), vector.All(1))
		for i := range elements.Len() {
			if elements.IsNull(i) {
				return nil, isArray, errPercentage
			}
			parts = append(parts, doubleOf(element, elements, i))
		}
	}
	for _, p := range parts {
		if !(p >= 0 && p <= 1) {
			return nil, isArray, errPercentage
		}
	}
	return parts, isArray, nil
}

var errPercentage = constantErrorf("the median is PERCENTILE(x, 0.5)", "the percentage of PERCENTILE is a number from 0 to 1")

// percentile is the value at part p of the sorted entries.
func percentile(values *bag, entries []uint32, p float64) float64 {
	total := 0.0 // whole numbers as far as a double has them; a sum of frequencies can be more than a BIGINT
	for _, entry := range entries {
		total += float64(values.count(entry))
	}
	place := (total - 1) * p
	lower := nth(values, entries, math.Floor(place))
	upper := nth(values, entries, math.Ceil(place))
	if lower == upper {
		return lower
	}
	return (math.Ceil(place)-place)*lower + (place-math.Floor(place))*upper
}

// nth is value number n, from 0 on; the last one if n is beyond it because it was rounded.
func nth(values *bag, entries []uint32, n float64) float64 {
	at, end := 0, float64(values.count(entries[0]))
	for end <= n && at+1 < len(entries) {
		at++
		end += float64(values.count(entries[at]))
	}
	return doubleOfKey(orderedInt(values.value(entries[at])))
}
