package datagen

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Connector is the registry row.
var Connector = connector.Connector{
	Name: "datagen",
	Doc:  "makes rows of random values or of numbers in sequence",
	Specs: slices.Concat(PaceSpecs, []connector.Spec{
		{Key: "fields.", Prefix: true, Doc: "'fields.<column>.kind' is random or sequence. A sequence counts from '.start' to '.end', which it needs, and the " +
			"table ends with it. Random numbers lie between '.min' and '.max', random strings and bytes have '.length' characters or, with '.var-len' = 'true', up to that many, " +
			"arrays, maps and multisets '.length' elements, timestamps are the present " +
			"or up to '.max-past' before it, and '.null-rate' is the share of NULLs, 0 to 1. What is inside has options of its own: '.element.*' of an ARRAY or MULTISET, " +
			"'.key.*' and '.value.*' of a MAP, '.<field>.*' of a ROW",
			Default: "kind random; min and max the least and greatest number of the type (of FLOAT, DOUBLE and DECIMAL, the least and greatest positive one); length 100, of arrays, maps and multisets 3; " +
				"max-past 0; null-rate 0"},
		{Key: "scan.parallelism", Count: true, Doc: "how many generators Flink makes; here it is one, whatever this says"},
	}),
	NewSource: NewSource,
	NewSink:   NewSink,
}

const (
	defaultRate = 10_000
	// maxRate is where faster makes no difference, and products with a time do not overflow.
	maxRate       = 1_000_000_000
	defaultLength = 100
	// maxLength keeps the strings of one batch within the reach of a view.
	maxLength = 100_000
	// Of a collection. Its elements are compared with each other if they are keys.
	defaultElements = 3
	maxElements     = 1000
)

// suffixes are what may be said about a column.
var suffixes = []string{"kind", "min", "max", "length", "var-len", "max-past", "start", "end", "null-rate"}

// readColumns reads 'fields.*', and tells how many rows the shortest sequence has, Unbounded if there is none.
func readColumns(t connector.Table, o connector.Options) (columns []column, rows int64, err error) {
	rows = Unbounded
	known := make(map[string]bool)
	for _, f := range t.Schema {
		know(known, f)
		c, err := readColumn(t.Name, f, o)
		if err != nil {
			return nil, 0, err
		}
		if c.sequence {
			rows = min(rows, c.rows())
		}
		columns = append(columns, c)
	}
	for _, k := range slices.Sorted(maps.Keys(o)) {
		if strings.HasPrefix(k, "fields.") && !known[k] {
			return nil, 0, unknownKey(k, t.Schema)
		}
	}
	return columns, rows, nil
}

// know adds the options of a column and of what is inside of it.
func know(known map[string]bool, f types.Field) {
	for _, s := range suffixes {
		known[key(f, s)] = true
	}
	for _, inner := range inside(f) {
		know(known, inner)
	}
}

// inside are the parts of a nested type, named as their options are.
func inside(f types.Field) []types.Field {
	part := func(name string, t types.Type) types.Field { return types.Field{Name: f.Name + "." + name, Type: t} }
	switch f.Type.Kind {
	case types.Array, types.Multiset:
		return []types.Field{part("element", f.Type.Elem())}
	case types.Map:
		return []types.Field{part("key", f.Type.Key()), part("value", f.Type.Elem())}
	case types.Row:
		var parts []types.Field
		for _, inner := range f.Type.Fields() {
			parts = append(parts, part(inner.Name, inner.Type))
		}
		return parts
	}
	return nil
}

func key(f types.Field, suffix string) string { return "fields." + f.Name + "." + suffix }

func unknownKey(k string, schema types.Schema) error {
	name := strings.TrimPrefix(k, "fields.")
	within := func(f types.Field) bool { return f.Type.IsNested() && strings.HasPrefix(name, f.Name+".") }
	if i := strings.LastIndexByte(name, '.'); i >= 0 && schema.Index(name[:i]) < 0 && !slices.ContainsFunc(schema, within) {
		e := &connector.OptionError{Key: k, Message: fmt.Sprintf("option '%s' is about a column '%s', which the table does not have", k, name[:i]),
			Hint: "computed columns are not generated"}
		if near := source.Nearest(name[:i], schema.Names()); near != "" {
			e.Hint = fmt.Sprintf("did you mean '%s'?", near)
		}
		return e
	}
	return &connector.OptionError{Key: k, Message: fmt.Sprintf("connector 'datagen' has no option '%s'", k),
		Hint: "of a column it takes: " + strings.Join(suffixes, ", ")}
}

func readColumn(table string, f types.Field, o connector.Options) (column, error) {
	c := column{of: f.Type, seed: seed(table, f.Name)}
	var allowed []string
	switch v, ok := o[key(f, "kind")]; {
	case v == "sequence":
		c.sequence = true
		allowed = []string{"kind", "start", "end"}
	case ok && v != "random":
		return c, &connector.OptionError{Key: key(f, "kind"), Message: fmt.Sprintf("option '%s' cannot be '%s'", key(f, "kind"), v), Hint: "use one of: random, sequence"}
	case f.Type.IsNumeric():
		allowed = []string{"kind", "min", "max", "null-rate"}
	case f.Type.Kind == types.Char, f.Type.Kind == types.Binary:
		allowed = []string{"kind", "null-rate"}
	case f.Type.IsText(), f.Type.IsBytes():
		allowed = []string{"kind", "length", "var-len", "null-rate"}
	case f.Type.IsTime():
		allowed = []string{"kind", "max-past", "null-rate"}
	case f.Type.Kind == types.Boolean, f.Type.Kind == types.Date, f.Type.Kind == types.Time, f.Type.Kind == types.Row:
		allowed = []string{"kind", "null-rate"}
	case f.Type.IsNested():
		allowed = []string{"kind", "length", "null-rate"}
	default:
		return c, &connector.OptionError{Key: "connector", Message: fmt.Sprintf("column '%s': connector 'datagen' cannot make values of type %s", f.Name, f.Type),
			Hint: "declare a BIGINT column and compute the other from it"}
	}
	for _, s := range suffixes {
		if _, ok := o[key(f, s)]; ok && !slices.Contains(allowed, s) {
			return c, &connector.OptionError{Key: key(f, s), Message: fmt.Sprintf("option '%s' does not apply to a column of type %s", key(f, s), c.describe(f.Type)),
				Hint: "it takes: " + strings.Join(allowed, ", ")}
		}
	}
	if c.sequence {
		return c, c.readSequence(f, o)
	}
	for _, inner := range inside(f) {
		part, err := readColumn(table, inner, o)
		if err != nil {
			return c, err
		}
		if part.sequence {
			return c, &connector.OptionError{Key: key(inner, "kind"), Message: fmt.Sprintf("'%s' is a part of a column and cannot be a sequence", inner.Name), Hint: "only numbers and strings that are columns can"}
		}
		c.parts = append(c.parts, part)
	}
	if err := c.readRandom(f, o); err != nil {
		return c, err
	}
	if c.bytes() > vector.MaxValue {
		return c, &connector.OptionError{Key: key(f, "length"), Message: fmt.Sprintf("a value of column '%.100s' would have %d MB", f.Name, c.bytes()>>20),
			Hint: fmt.Sprintf("make it or what is inside of it shorter; the most is %d MB", vector.MaxValue>>20)}
	}
	return c, nil
}

func (c *column) describe(t types.Type) string {
	if c.sequence {
		return t.String() + " that is a sequence"
	}
	return t.String()
}

func (c *column) readSequence(f types.Field, o connector.Options) error {
	if !f.Type.IsNumeric() && !f.Type.IsText() {
		return &connector.OptionError{Key: key(f, "kind"), Message: fmt.Sprintf("a column of type %s cannot be a sequence", f.Type),
			Hint: "only numbers and strings can; compute the column from a BIGINT sequence"}
	}
	for _, s := range []string{"start", "end"} {
		if _, ok := o[key(f, s)]; !ok {
			return &connector.OptionError{Key: key(f, "kind"), Message: fmt.Sprintf("sequence '%s' has no %s", f.Name, s), Hint: fmt.Sprintf("add '%s' = '…'", key(f, s))}
		}
	}
	return c.readRange(f, o, "start", "end")
}

func (c *column) readRandom(f types.Field, o connector.Options) (err error) {
	if err := c.readNullRate(f, o); err != nil {
		return err
	}
	switch {
	case f.Type.IsInteger():
		return c.readRange(f, o, "min", "max")
	case f.Type.IsNumeric():
		return c.readFractions(f, o)
	case f.Type.Kind == types.Char || f.Type.Kind == types.Binary:
		c.length = int64(f.Type.Length)
	case f.Type.IsText() || f.Type.IsBytes():
		return c.readLength(f, o)
	case f.Type.Kind == types.Array || f.Type.Kind == types.Map || f.Type.Kind == types.Multiset:
		if c.length, err = o.Int(key(f, "length"), defaultElements); err != nil {
			return err
		}
		if c.length < 0 || c.length > maxElements {
			return &connector.OptionError{Key: key(f, "length"), Message: fmt.Sprintf("a value of type %s cannot have %d elements", f.Type.Nullable(), c.length),
				Hint: fmt.Sprintf("use 0 to %d", maxElements)}
		}
	case f.Type.IsTime():
		c.tick = f.Type.Tick()
		c.maxPast, err = o.Duration(key(f, "max-past"), 0)
	}
	return err
}

// readFractions reads the range of a FLOAT, DOUBLE or DECIMAL. Flink 2.3: by default it begins at the least positive number.
func (c *column) readFractions(f types.Field, o connector.Options) (err error) {
	least, most := math.SmallestNonzeroFloat64, math.MaxFloat64
	switch f.Type.Kind {
	case types.Float:
		least, most = math.SmallestNonzeroFloat32, math.MaxFloat32
	case types.Decimal:
		least, most = math.Pow10(-int(f.Type.Scale)), math.Pow10(int(f.Type.Precision-f.Type.Scale))-math.Pow10(-int(f.Type.Scale))
	}
	if c.least, err = number(o, key(f, "min"), least); err != nil {
		return err
	}
	if c.most, err = number(o, key(f, "max"), most); err != nil {
		return err
	}
	for suffix, v := range map[string]float64{"min": c.least, "max": c.most} {
		if _, given := o[key(f, suffix)]; given && math.Abs(v) > most {
			return &connector.OptionError{Key: key(f, suffix), Message: fmt.Sprintf("%s is out of the range of %s", o[key(f, suffix)], f.Type.Nullable()), Hint: "declare the column DOUBLE"}
		}
	}
	if c.least > c.most {
		return emptyRange(f, "min", "max")
	}
	return nil
}

// readLength reads how long strings and bytes are.
func (c *column) readLength(f types.Field, o connector.Options) (err error) {
	fallback, most := int64(defaultLength), int64(maxLength)
	if n := int64(f.Type.Length); n > 0 {
		fallback, most = min(fallback, n), min(most, n)
	}
	if c.length, err = o.Int(key(f, "length"), fallback); err != nil {
		return err
	}
	if c.length < 1 || c.length > most {
		return &connector.OptionError{Key: key(f, "length"), Message: fmt.Sprintf("a value of type %s cannot have %d characters", f.Type.Nullable(), c.length),
			Hint: fmt.Sprintf("use 1 to %d", most)}
	}
	c.varies, err = o.Bool(key(f, "var-len"), false)
	return err
}

func (c *column) readNullRate(f types.Field, o connector.Options) (err error) {
	k := key(f, "null-rate")
	if c.nullRate, err = number(o, k, 0); err != nil {
		return err
	}
	switch {
	case c.nullRate < 0 || c.nullRate > 1:
		return &connector.OptionError{Key: k, Message: fmt.Sprintf("option '%s' is '%s'", k, o[k]), Hint: "use 0 (no NULLs) to 1 (nothing else)"}
	case c.nullRate > 0 && f.Type.NotNull:
		return &connector.OptionError{Key: k, Message: fmt.Sprintf("column '%s' is NOT NULL", f.Name), Hint: "leave the option out, or make the column nullable"}
	}
	return nil
}

// readRange reads the whole numbers that low and high, both included, lie between.
func (c *column) readRange(f types.Field, o connector.Options, low, high string) (err error) {
	least, most := f.Type.Range()
	if whole := int(f.Type.Precision - f.Type.Scale); f.Type.Kind == types.Decimal && whole <= types.SmallDigits {
		most, _ = greatestOf(whole).Int64()
		least = -most
	}
	if c.first, err = o.Int(key(f, low), least); err != nil {
		return err
	}
	if c.last, err = o.Int(key(f, high), most); err != nil {
		return err
	}
	switch {
	case c.first < least || c.first > most:
		return outOfRange(f, low, c.first)
	case c.last < least || c.last > most:
		return outOfRange(f, high, c.last)
	case c.first > c.last:
		return emptyRange(f, low, high)
	}
	return nil
}

func outOfRange(f types.Field, suffix string, v int64) error {
	return &connector.OptionError{Key: key(f, suffix), Message: fmt.Sprintf("%d is out of the range of %s", v, f.Type.Nullable()), Hint: "declare the column BIGINT"}
}

func emptyRange(f types.Field, low, high string) error {
	return &connector.OptionError{Key: key(f, high), Message: fmt.Sprintf("'%s' is less than '%s'", key(f, high), key(f, low)), Hint: "swap the two"}
}

// number reads a finite number, or gives fallback if the option is absent.
func number(o connector.Options, key string, fallback float64) (float64, error) {
	text, ok := o[key]
	if !ok {
		return fallback, nil
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, &connector.OptionError{Key: key, Message: fmt.Sprintf("option '%s' is '%s', which is not a number", key, text), Hint: "write it as 0.5 or 1e3"}
	}
	return v, nil
}
