package faker

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/datagen"
	"github.com/tidemark-sql/tidemark/internal/connector/format"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Connector is the registry row.
var Connector = connector.Connector{
	Name: "faker",
	Doc:  "makes rows that look like real ones, by expressions such as #{Name.fullName}",
	Specs: slices.Concat(datagen.PaceSpecs, []connector.Spec{
		{Key: "fields.", Prefix: true, Doc: "'fields.<column>.expression' is text with calls such as #{Name.fullName} in it, '.null-rate' the share of NULLs, 0 to 1, and '.length' how many " +
			"elements an ARRAY, MAP or MULTISET has. The expression of an ARRAY or MULTISET is that of its elements; what is inside of others has options of its own: '.key.*' and '.value.*' of a MAP, '.<field>.*' of a ROW",
			Default: "null-rate 0; length 1"},
	}),
	NewSource: newSource,
	NewSink: func(connector.Table, connector.Options) (connector.Sink, error) {
		return nil, connector.NotWritable("faker", connector.WriteElsewhere)
	},
}

// maxElements is how long a collection can be.
const maxElements = 1000

func newSource(t connector.Table, o connector.Options) (connector.Source, error) {
	known := map[string]bool{}
	columns := make([]column, len(t.Schema))
	for i, f := range t.Schema {
		var err error
		if columns[i], err = read(t.Name, f, o, known); err != nil {
			return nil, err
		}
	}
	for _, k := range slices.Sorted(maps.Keys(o)) {
		if strings.HasPrefix(k, "fields.") && !known[k] {
			e := &connector.OptionError{Key: k, Message: fmt.Sprintf("connector 'faker' has no option '%s' for this table", k), Hint: "a column has '.expression', '.null-rate' and, if it has elements, '.length'"}
			if near := source.Nearest(k, slices.Collect(maps.Keys(known))); near != "" {
				e.Hint = fmt.Sprintf("did you mean '%s'?", near)
			}
			return nil, e
		}
	}
	all := make([]int, len(columns))
	for i := range all {
		all[i] = i
	}
	if err := try(columns, all); err != nil {
		return nil, err
	}
	return datagen.Paced(t.Name, o, datagen.Unbounded, func() (datagen.Filler, error) { return newFiller(columns, t.Needed) })
}

func key(f types.Field, suffix string) string { return "fields." + f.Name + "." + suffix }

// read reads what is said of f, whose name is that of the option.
func read(table string, f types.Field, o connector.Options, known map[string]bool) (c column, err error) {
	c = column{Field: f, seed: seedOf(table, f.Name), length: 1}
	if c.nullRate, err = rate(f, o, known); err != nil {
		return c, err
	}
	inner := func(name string, t types.Type) error {
		part, err := read(table, types.Field{Name: f.Name + name, Type: t}, o, known)
		c.parts = append(c.parts, part)
		return err
	}
	switch f.Type.Kind {
	case types.Row:
		for _, field := range f.Type.Fields() {
			if err := inner("."+field.Name, field.Type); err != nil {
				return c, err
			}
		}
		return c, nil
	case types.Map:
		if err := inner(".key", f.Type.Key()); err != nil {
			return c, err
		}
		if err := inner(".value", f.Type.Elem()); err != nil {
			return c, err
		}
		if err := c.readLength(o, known); err != nil {
			return c, err
		}
		return c, c.checkSize()
	case types.Array, types.Multiset:
		if err := c.readLength(o, known); err != nil {
			return c, err
		}
		if f.Type.Elem().IsNested() {
			if err := inner(".element", f.Type.Elem()); err != nil {
				return c, err
			}
			return c, c.checkSize()
		}
		element := column{Field: types.Field{Name: f.Name, Type: f.Type.Elem()}, seed: seedOf(table, f.Name+".element")}
		c.parts = []column{element}
		return c, c.parts[0].readExpression(o, known)
	}
	return c, c.readExpression(o, known)
}

func rate(f types.Field, o connector.Options, known map[string]bool) (float64, error) {
	k := key(f, "null-rate")
	known[k] = true
	text, ok := o[k]
	if !ok {
		return 0, nil
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	switch {
	case err != nil || math.IsNaN(v) || v < 0 || v > 1:
		return 0, &connector.OptionError{Key: k, Message: fmt.Sprintf("option '%s' is '%s'", k, text), Hint: "use 0 (no NULLs) to 1 (nothing else)"}
	case v > 0 && f.Type.NotNull:
		return 0, &connector.OptionError{Key: k, Message: fmt.Sprintf("column '%s' is NOT NULL", f.Name), Hint: "leave the option out, or make the column nullable"}
	}
	return v, nil
}

func (c *column) readLength(o connector.Options, known map[string]bool) (err error) {
	k := key(c.Field, "length")
	known[k] = true
	if c.length, err = o.Int(k, 1); err != nil {
		return err
	}
	if c.length < 0 || c.length > maxElements {
		return &connector.OptionError{Key: k, Message: fmt.Sprintf("option '%s' is %d", k, c.length), Hint: fmt.Sprintf("use 0 to %d", maxElements)}
	}
	return nil
}

// maxParts is how many values may be inside of one.
const maxParts = 100_000

// checkSize refuses collections of collections that are too large.
func (c *column) checkSize() error {
	n := c.values()
	if n <= maxParts {
		return nil
	}
	return &connector.OptionError{Key: key(c.Field, "length"), Message: fmt.Sprintf("a value of '%s' would have %d values inside", c.Name, n), Hint: fmt.Sprintf("make it or what is inside of it shorter; the most is %d", maxParts)}
}

// values is how many values a value is made of.
func (c *column) values() int64 {
	if len(c.parts) == 0 {
		return 1
	}
	total := int64(0)
	for i := range c.parts {
		total += c.parts[i].values()
	}
	return total * max(c.length, 1)
}

func (c *column) readExpression(o connector.Options, known map[string]bool) error {
	k := key(c.Field, "expression")
	known[k] = true
	text, ok := o[k]
	if !ok {
		return &connector.OptionError{Key: "connector", Message: fmt.Sprintf("connector 'faker' needs the option '%s'", k), Hint: fmt.Sprintf("add '%s' = '#{…}'", k)}
	}
	var err error
	if c.make, err = parse(text); err == nil {
		return nil
	}
	e := &connector.OptionError{Key: k, Message: err.Error(), Hint: "write it as #{Name.fullName} or #{number.numberBetween '1','9'}"}
	if _, ok := errors.AsType[*patternError](err); ok {
		e.Hint = "a repetition without an upper bound is repeated up to ten times; write {1,5} to say how often"
	}
	if u, ok := errors.AsType[*unknownError](err); ok {
		e.Hint = "there are: " + strings.Join(names(), ", ")
		if u.near != "" {
			e.Hint = fmt.Sprintf("did you mean #{%s}? T%s", u.near, e.Hint[1:])
		}
	}
	return e
}

// filler makes the needed columns.
type filler struct {
	columns []column
	lead    [][]byte // `,"name":` of each
	decoder format.Decoder
	dice    *dice
}

func newFiller(columns []column, needed []int) (*filler, error) {
	f := &filler{dice: newDice()}
	var schema types.Schema
	for _, k := range needed {
		c := columns[k]
		f.columns = append(f.columns, c)
		f.lead = append(f.lead, append(format.AppendJSONString([]byte{','}, []byte(c.Name)), ':'))
		schema = append(schema, c.Field)
	}
	d, err := format.NewJSONDecoder(schema, format.JSONOptions{})
	if err != nil {
		return nil, &connector.OptionError{Key: "connector", Message: strings.Replace(err.Error(), "format 'json' cannot read", "connector 'faker' cannot make", 1), Hint: "declare the column with another type, such as STRING"}
	}
	f.decoder = d
	return f, nil
}

// Fill implements datagen.Filler.
func (f *filler) Fill(a *vector.Arena, row int64, n int, clock datagen.Clock) (*vector.Batch, error) {
	var text []byte // goes away with the batch
	ends := make([]int, n)
	start := 0
	for i := range n {
		f.dice.now = clock.At(row + int64(i))
		text = append(text, '{')
		for k := range f.columns {
			lead := f.lead[k]
			if k == 0 {
				lead = lead[1:]
			}
			text = append(text, lead...)
			text = f.columns[k].append(text, f.dice, row+int64(i))
		}
		text = append(text, '}')
		ends[i] = len(text)
		a.Charge(len(text) - start)
		start = len(text)
	}
	f.decoder.Begin(a, text, n)
	start = 0
	for _, end := range ends {
		if _, err := f.decoder.Read(start, end); err != nil {
			f.decoder.End().Release()
			return nil, err
		}
		start = end
	}
	return f.decoder.End(), nil
}

// try makes one row, to see whether the columns take what their expressions give.
func try(columns []column, all []int) error {
	f, err := newFiller(columns, all)
	if err != nil {
		return err
	}
	const someDay = 1_700_000_000_000_000
	b, err := f.Fill((&vector.Pool{}).Get(), 0, 1, datagen.Still(someDay))
	if row, ok := errors.AsType[*format.RowError](err); ok {
		name, _, _ := strings.Cut(strings.ReplaceAll(row.Field, "[", "."), ".")
		k := key(types.Field{Name: name}, "expression")
		return &connector.OptionError{Key: k, Message: fmt.Sprintf("column '%s': %s", row.Field, row.Message), Hint: "declare the column STRING, or write an expression that gives what the type takes"}
	}
	if err != nil {
		return err
	}
	b.Release()
	return nil
}
