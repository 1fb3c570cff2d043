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
)

// Connector is the registry row.
var Connector = connector.Connector{
	Name: "datagen",
	Doc:  "makes rows of random values or of numbers in sequence",
	Specs: []connector.Spec{
		{Key: "rows-per-second", Doc: "how many rows are made in a second", Default: "10000"},
		{Key: "number-of-rows", Doc: "how many rows are made in all", Default: "no end"},
		{Key: "fields.", Prefix: true, Doc: "'fields.<column>.kind' is random or sequence. A sequence counts from '.start' to '.end', which it needs, and the " +
			"table ends with it. Random numbers lie between '.min' and '.max', random strings have '.length' characters, timestamps are the present " +
			"or up to '.max-past' before it, and '.null-rate' is the share of NULLs, 0 to 1",
			Default: "kind random; min and max the least and greatest number of the type (of DOUBLE, the least and greatest positive one); length 100; " +
				"max-past 0; null-rate 0"},
	},
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
)

// suffixes are what may be said about a column.
var suffixes = []string{"kind", "min", "max", "length", "max-past", "start", "end", "null-rate"}

// readColumns reads 'fields.*', and tells how many rows the shortest sequence has, unbounded if there is none.
func readColumns(t connector.Table, o connector.Options) (columns []column, rows int64, err error) {
	rows = unbounded
	known := make(map[string]bool)
	for _, f := range t.Schema {
		for _, s := range suffixes {
			known[key(f, s)] = true
		}
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

func key(f types.Field, suffix string) string { return "fields." + f.Name + "." + suffix }

func unknownKey(k string, schema types.Schema) error {
	name := strings.TrimPrefix(k, "fields.")
	if i := strings.LastIndexByte(name, '.'); i >= 0 && schema.Index(name[:i]) < 0 {
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
	c := column{kind: f.Type.Kind, seed: seed(table, f.Name)}
	var allowed []string
	switch v, ok := o[key(f, "kind")]; {
	case v == "sequence":
		c.sequence = true
		allowed = []string{"kind", "start", "end"}
	case ok && v != "random":
		return c, &connector.OptionError{Key: key(f, "kind"), Message: fmt.Sprintf("option '%s' cannot be '%s'", key(f, "kind"), v), Hint: "use one of: random, sequence"}
	case f.Type.Kind == types.Int, f.Type.Kind == types.BigInt, f.Type.Kind == types.Double:
		allowed = []string{"kind", "min", "max", "null-rate"}
	case f.Type.Kind == types.String:
		allowed = []string{"kind", "length", "null-rate"}
	case f.Type.IsTime():
		allowed = []string{"kind", "max-past", "null-rate"}
	case f.Type.Kind == types.Boolean:
		allowed = []string{"kind", "null-rate"}
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
	return c, c.readRandom(f, o)
}

func (c *column) describe(t types.Type) string {
	if c.sequence {
		return t.String() + " that is a sequence"
	}
	return t.String()
}

func (c *column) readSequence(f types.Field, o connector.Options) error {
	if f.Type.IsTime() || f.Type.Kind == types.Boolean {
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
	case f.Type.Kind == types.Double:
		// Flink 2.3: the default range begins at the least positive double.
		if c.least, err = number(o, key(f, "min"), math.SmallestNonzeroFloat64); err != nil {
			return err
		}
		if c.most, err = number(o, key(f, "max"), math.MaxFloat64); err != nil {
			return err
		}
		if c.least > c.most {
			return emptyRange(f, "min", "max")
		}
	case f.Type.Kind == types.String:
		if c.length, err = o.Int(key(f, "length"), defaultLength); err != nil {
			return err
		}
		if c.length < 1 || c.length > maxLength {
			return &connector.OptionError{Key: key(f, "length"), Message: fmt.Sprintf("a string cannot have %d characters", c.length),
				Hint: fmt.Sprintf("use 1 to %d", maxLength)}
		}
	case f.Type.IsTime():
		c.tick = f.Type.Tick()
		c.maxPast, err = o.Duration(key(f, "max-past"), 0)
	}
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
	least, most := int64(math.MinInt64), int64(math.MaxInt64)
	if f.Type.Kind == types.Int {
		least, most = math.MinInt32, math.MaxInt32
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
