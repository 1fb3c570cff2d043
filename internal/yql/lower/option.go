package lower

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/yql"
	"github.com/tidemark-sql/tidemark/internal/yql/functions"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// What holds for a watermark unless it is written, in microseconds. YDB: PT1S and PT5S.
const (
	usualGranularity = 1_000_000
	usualIdle        = 5_000_000
)

// topicOptions are what WITH says of a topic.
type topicOptions struct {
	format   string
	formatAt source.Span
	schema   []schemaColumn
	schemaAt source.Span
	// types are those of the columns of the schema.
	types []yqltype.Type
	// watermark is the expression of WATERMARK, nil without; implied says that nobody wrote it.
	watermark         yql.Expr
	implied           bool
	granularity, idle *length
	late              string
	skip              bool
	delimiter         string
}

// schemaColumn is a column of SCHEMA.
type schemaColumn struct {
	name yql.Ident
	typ  yqltype.Type
	at   source.Span
}

// length is a length of time, in microseconds.
type length struct{ micros int64 }

// or is the length, or another one where there is none.
func (d *length) or(micros int64) int64 {
	if d == nil {
		return micros
	}
	return d.micros
}

// micros writes a length as options have it.
func micros(n int64) string { return strconv.FormatInt(n, 10) + " us" }

// options reads WITH.
func (l *Lowerer) options(r *yql.TableName) (*topicOptions, error) {
	o := &topicOptions{}
	seen := map[string]source.Span{}
	for i := range r.Options {
		given := &r.Options[i]
		key := strings.ToUpper(given.Key.Name)
		if _, twice := seen[key]; twice {
			return nil, l.errorf(source.CodeDuplicate, given.Key.Span(), "give it once", "option %s is given twice", key)
		}
		seen[key] = given.Key.Span()
		if err := l.option(o, key, given); err != nil {
			return nil, err
		}
	}
	for _, key := range []string{yql.OptionGranularity, yql.OptionIdle} {
		at, ok := seen[key]
		switch {
		case ok && o.watermark == nil:
			l.note(at, "%s says something only beside WATERMARK", key)
		case ok && l.streaming == nil:
			l.note(at, "%s is for streaming queries, and is passed over here", key)
		}
	}
	_, drops := seen[yql.OptionDropLate]
	if at, adjusts := seen[yql.OptionAdjustLate]; drops && adjusts && o.late == "both" {
		return nil, l.errorf(source.CodeOption, at, "leave one of them out", "late events cannot be both dropped and adjusted")
	}
	return o, nil
}

func (l *Lowerer) option(o *topicOptions, key string, given *yql.TableOption) (err error) {
	at := given.Key.Span()
	if given.Value != nil {
		at = given.Value.Span()
	}
	switch key {
	case yql.OptionFormat:
		word, ok := given.Word()
		if !ok {
			return l.errorf(source.CodeOption, at, "write FORMAT = json_each_row", "FORMAT takes the name of a format")
		}
		o.format, o.formatAt = strings.ToLower(word), at
		if o.format == "parquet" {
			return l.unsupported(at, "read files of Parquet with a table of connector 'filesystem', or send the messages as json_each_row", "a message that is a file of Parquet is")
		}
		if !slices.Contains(yql.Formats, o.format) {
			return l.errorf(source.CodeOption, at, didYouMean(o.format, yql.Formats, "the formats are: "+strings.Join(yql.Formats, ", ")), "there is no format '%s'", word)
		}
	case yql.OptionSchema, "COLUMNS":
		o.schemaAt = given.Span()
		o.schema, err = l.schemaOf(given)
	case yql.OptionWatermark:
		if given.Value == nil {
			return l.errorf(source.CodeOption, at, `write WATERMARK = __ydb_write_time - Interval("PT5S")`, "WATERMARK takes an expression")
		}
		o.watermark = given.Value
	case yql.OptionGranularity:
		o.granularity, err = l.lengthOption(key, given)
		if err == nil && o.granularity.micros <= 0 {
			err = l.errorf(source.CodeOption, at, `write "PT1S"`, "%s must be greater than zero", key)
		}
	case yql.OptionIdle:
		o.idle, err = l.lengthOption(key, given)
		if err == nil && o.idle.micros < 0 {
			err = l.errorf(source.CodeOption, at, `write "PT5S"`, "%s cannot be negative", key)
		}
	case yql.OptionDropLate, yql.OptionAdjustLate:
		var on bool
		if on, err = l.flag(key, given); on {
			policy := map[string]string{yql.OptionDropLate: Drop, yql.OptionAdjustLate: Adjust}[key]
			if o.late != "" {
				policy = "both"
			}
			o.late = policy
		}
	case yql.OptionSkip, yql.OptionSkipOld:
		o.skip, err = l.flag(key, given)
	case yql.OptionStreaming, yql.OptionSharing:
		_, err = l.flag(key, given)
	case yql.OptionDelimiter:
		word, ok := given.Word()
		if !ok || len(word) != 1 {
			return l.errorf(source.CodeOption, at, `write CSV_DELIMITER = ";"`, "%s takes one character", key)
		}
		o.delimiter = word
	default:
		names := slices.Concat(yql.UsualOptions, yql.RareOptions)
		return l.errorf(source.CodeOption, given.Key.Span(), didYouMean(key, names, "the options are: "+strings.Join(yql.UsualOptions, ", ")), "a topic has no option %s", key)
	}
	return err
}

// flag is an option that is on or off; without a value it is on.
func (l *Lowerer) flag(key string, given *yql.TableOption) (bool, error) {
	if given.Value == nil {
		return true, nil
	}
	if b, ok := given.Value.(*yql.BoolLit); ok {
		return b.Value, nil
	}
	if word, ok := given.Word(); ok {
		switch strings.ToLower(word) {
		case "true":
			return true, nil
		case "false":
			return false, nil
		}
	}
	return false, l.errorf(source.CodeOption, given.Value.Span(), `write "TRUE" or "FALSE"`, "%s is on or off", key)
}

// lengthOption reads a length of time in ISO 8601: "PT5S", or Interval("PT5S").
func (l *Lowerer) lengthOption(key string, given *yql.TableOption) (*length, error) {
	if given.Value == nil {
		return nil, l.errorf(source.CodeOption, given.Key.Span(), `write `+key+` = "PT5S"`, "%s takes a length of time", key)
	}
	n, err := l.interval(given.Value, key)
	return &length{n}, err
}

// interval reads a constant length of time: a text in ISO 8601, or an Interval. It gives microseconds.
func (l *Lowerer) interval(e yql.Expr, of string) (int64, error) {
	v, err := l.value(e, l.constants(of))
	if err != nil {
		return 0, err
	}
	c, err := l.folded(v, e, of)
	if err != nil {
		return 0, err
	}
	if v.Type.IsText() && !c.IsNull() {
		text := string(c.Value().Bytes(0))
		i, err := functions.Construct(yqltype.Of(yqltype.Interval), text)
		if err != nil {
			return 0, l.errorf(source.CodeType, e.Span(), `write "PT5S", "PT1M30S", "PT0.5S", "P1D"`, "%s is %s, which is no length of time in ISO 8601", of, strconv.Quote(text))
		}
		if c, err = l.folded(i, e, of); err != nil {
			return 0, err
		}
		return c.Int(), nil
	}
	if v.Type.Kind != yqltype.Interval || c.IsNull() {
		return 0, l.errorf(source.CodeType, e.Span(), `write "PT5S", or Interval("PT5S")`, "%s takes a length of time, and this is %s", of, describe(v))
	}
	return c.Int(), nil
}

// schemaOf reads SCHEMA, as columns or as a Struct.
func (l *Lowerer) schemaOf(given *yql.TableOption) ([]schemaColumn, error) {
	columns := []schemaColumn{}
	if given.Type != nil {
		t, err := l.typeOf(given.Type)
		if err != nil {
			return nil, err
		}
		if t.Kind != yqltype.Struct || t.Optional {
			return nil, l.errorf(source.CodeType, given.Type.Span(), "write SCHEMA = (a Int64, b String)", "SCHEMA is a list of columns, and this is %s", t)
		}
		for _, m := range t.Members() {
			columns = append(columns, schemaColumn{yql.Ident{Located: given.Type.Located, Name: m.Name}, m.Type, given.Type.Span()})
		}
		return columns, nil
	}
	if !given.IsSchema || len(given.Schema) == 0 {
		return nil, l.errorf(source.CodeOption, given.Span(), "write SCHEMA = (a Int64, b String NOT NULL)", "SCHEMA has no columns")
	}
	for i := range given.Schema {
		c := &given.Schema[i]
		t, err := l.typeOf(c.Type)
		if err != nil {
			return nil, err
		}
		switch {
		case c.NotNull && t.Optional:
			return nil, l.errorf(source.CodeType, c.Span(), "leave one of them out", "column '%s' is both Optional and NOT NULL", c.Name.Name)
		case !c.NotNull:
			t = t.OrNull()
		}
		columns = append(columns, schemaColumn{c.Name, t, c.Type.Span()})
	}
	return columns, nil
}

// formatOptions are those of the format for such columns.
func (o *topicOptions) formatOptions(columns []catalog.Column) connector.Options {
	options := connector.Options{}
	var asText, unsigned []string
	whole := o.format == "raw" || o.format == "json_as_string"
	for i, t := range o.types {
		if whole {
			break
		}
		eachPart(columns[i].Name, t, func(name string, t yqltype.Type) {
			if t.IsUnsigned() {
				unsigned = append(unsigned, name+"="+strconv.Itoa(t.Bits()))
			}
			if t.Kind == yqltype.Json && strings.HasPrefix(o.format, "json_") {
				asText = append(asText, name)
			}
		})
	}
	if unsigned != nil {
		options["unsigned-fields"] = strings.Join(unsigned, ";")
	}
	if asText != nil {
		options["json-fields"] = strings.Join(asText, ";")
	}
	if o.delimiter != "" {
		options["field-delimiter"] = o.delimiter
	}
	return options
}

// eachPart visits a column and what is inside of it, by the names that formats have for that.
func eachPart(name string, t yqltype.Type, visit func(name string, t yqltype.Type)) {
	visit(name, t)
	switch t.Kind {
	case yqltype.List:
		eachPart(name+"[]", t.Elem(), visit)
	case yqltype.Dict:
		eachPart(name+"[key]", t.Key(), visit)
		eachPart(name+"[]", t.Value(), visit)
	case yqltype.Struct:
		for _, m := range t.Members() {
			eachPart(name+"."+m.Name, m.Type, visit)
		}
	case yqltype.Tuple:
		for i, e := range t.Elems() {
			eachPart(name+"."+types.FieldName(i), e, visit)
		}
	}
}

// typeOf reads a type.
func (l *Lowerer) typeOf(t *yql.TypeName) (yqltype.Type, error) {
	typ, err := yqltype.Parse(l.text.Slice(t.Span()))
	if e, ok := err.(*yqltype.ParseError); ok {
		at := t.Span()
		at.Start = min(at.Start+e.At, at.End)
		return typ, l.errorf(source.CodeType, at, e.Hint, "%s", e.Message)
	}
	if err != nil {
		return typ, fmt.Errorf("tidemark bug: %w", err)
	}
	return typ, nil
}
