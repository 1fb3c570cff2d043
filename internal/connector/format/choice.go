package format

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// Choice is a format with the options that a table gives it.
type Choice struct {
	*Format
	options connector.Options // without prefix
	prefix  string            // of the keys in the table, such as "value.json."
	key     string            // of the option that named the format
	ignore  bool              // leave out what cannot be read
	log     bool              // and keep it
}

// Specs are the options of a connector that takes formats: prefix + 'format' and what belongs to each format. Prefix is "", "key." or "value.".
func Specs(prefix string) []connector.Spec {
	if prefix != "key." {
		return specsOf(prefix, Formats)
	}
	return specsOf(prefix, slices.DeleteFunc(slices.Clone(Formats), func(f Format) bool { return f.Changelog != connector.Append })) // a key is no change
}

func specsOf(prefix string, formats []Format) []connector.Spec {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.Name
	}
	specs := []connector.Spec{{Key: prefix + "format", Values: names, Doc: "how rows are written: " + strings.Join(names, ", ")}}
	for _, f := range formats {
		for _, s := range f.Specs {
			s.Key = prefix + f.Name + "." + s.Key
			s.Choice, s.Chosen = prefix+"format", f.Name
			specs = append(specs, s)
		}
	}
	if prefix == "" {
		specs = append(specs, connector.ErrorSpecs...)
	}
	return specs
}

// FileSpecs are those of a connector of files or the like, which needs a format, and one that tells where records end.
func FileSpecs() []connector.Spec {
	specs := specsOf("", slices.DeleteFunc(slices.Clone(Formats), func(f Format) bool { return f.Messages }))
	specs[0].Required = true
	return specs
}

// Choose reads prefix + 'format' and the options of the format it names. ok is false if the table has no such option.
func Choose(o connector.Options, prefix string) (c *Choice, ok bool, err error) {
	c = &Choice{key: prefix + "format"}
	name, ok := o[c.key]
	if !ok {
		return nil, false, nil
	}
	if c.Format = find(name); c.Format == nil {
		return nil, true, unknown(c.key, name)
	}
	c.prefix, c.options = prefix+name+".", connector.Options{}
	for _, k := range slices.Sorted(maps.Keys(o)) {
		if rest, own := strings.CutPrefix(k, c.prefix); own {
			c.options[rest] = o[k]
			continue
		}
		for _, f := range Formats {
			if strings.HasPrefix(k, prefix+f.Name+".") {
				return nil, true, &connector.OptionError{Key: k, Message: fmt.Sprintf("option '%s' is for '%s' = '%s', and the table has '%s'", k, c.key, f.Name, name),
					Hint: "leave it out, or change the format"}
			}
		}
	}
	switch mode := o[connector.OptionErrors]; mode {
	case "", "fail":
	case "ignore":
		c.ignore = true
	case connector.LogErrors:
		c.log = true
	default:
		return nil, true, &connector.OptionError{Key: connector.OptionErrors, Message: fmt.Sprintf("option '%s' cannot be '%s'", connector.OptionErrors, mode), Hint: "use one of: fail, ignore, log"}
	}
	return c, true, nil
}

// Changelog is what the rows of the format that prefix + 'format' names stand for; Append if there is none.
func Changelog(o connector.Options, prefix string) connector.Changelog {
	if f := find(o[prefix+"format"]); f != nil {
		return f.Changelog
	}
	return connector.Append
}

// metadataPrefix is what the keys of the metadata of formats have before them in a table. Flink 2.3: it is "value.", and those of keys are not to be had.
const metadataPrefix = "value."

// Metadata is what the records of the table with options o tell beside their columns, with the keys that a table has for it.
func Metadata(o connector.Options) []connector.MetadataColumn {
	var columns []connector.MetadataColumn
	for _, prefix := range []string{"", "value."} {
		f := find(o[prefix+"format"])
		if f == nil {
			continue
		}
		for _, m := range f.Metadata {
			m.Key = metadataPrefix + m.Key
			columns = append(columns, m)
		}
	}
	return columns
}

// MetadataKey is the key that a format knows a metadata column by; ok is false if the column is none of a format.
func MetadataKey(column string) (key string, ok bool) {
	return strings.CutPrefix(column, metadataPrefix)
}

// WithSubjects is o with the subjects of what is written to a topic, where o names none.
func WithSubjects(o connector.Options, topic string) connector.Options {
	o = maps.Clone(o)
	for _, prefix := range []string{"", "value.", "key."} {
		f := find(o[prefix+"format"])
		if f == nil || !f.Subject {
			continue
		}
		key, ending := prefix+f.Name+"."+SubjectKey, "-value"
		if prefix == "key." {
			ending = "-key"
		}
		if _, given := o[key]; !given {
			o[key] = topic + ending
		}
	}
	return o
}

func find(name string) *Format {
	for i := range Formats {
		if Formats[i].Name == name {
			return &Formats[i]
		}
	}
	return nil
}

// known are formats of Flink that are not there, with what to do instead.
var known = map[string]string{
	"protobuf":                "write JSON",
	"parquet":                 "read the files with connector 'filesystem' of the program, or convert them to JSON or CSV",
	"orc":                     "convert the files to JSON or CSV",
	"ogg-json":                "read the messages as json",
	"proto-registry":          "use avro-registry or json-registry",
	"avro-debezium-registry":  changesOfDatabases,
	"json-debezium-registry":  changesOfDatabases,
	"proto-debezium-registry": changesOfDatabases,
	"csv-legacy":              "use csv",
	"testcsv":                 "use csv",
	"single-value":            "use raw",
	"debezium-avro-json":      "use json",
}

// changesOfDatabases is the advice for formats of changes whose schema is in a registry.
const changesOfDatabases = "let Debezium write JSON without a registry, and use debezium-json in a table with connector 'kafka'"

func unknown(key, name string) error {
	names := make([]string, len(Formats))
	for i, f := range Formats {
		names[i] = f.Name
	}
	e := &connector.OptionError{Key: key, Message: fmt.Sprintf("there is no format '%s'", name), Hint: "there are: " + strings.Join(names, ", ")}
	if instead := known[name]; instead != "" {
		e.Message, e.Hint = fmt.Sprintf("format '%s' is not supported", name), instead+"; there are: "+strings.Join(names, ", ")
	}
	return e
}

// NewDecoder makes a decoder of the columns needed, each an index into schema, which is all columns that are in a record. The columns of metadata, which
// has the keys of the format, are behind them.
func (c *Choice) NewDecoder(schema types.Schema, needed []int, metadata ...string) (Decoder, error) {
	d, err := c.newDecoder(schema, needed, metadata)
	if err != nil {
		return nil, c.place(err)
	}
	if c.ignore {
		return tolerate(d), nil
	}
	if c.log {
		return &logging{tolerant: tolerant{Decoder: d}, format: c.Name}, nil
	}
	return d, nil
}

func (c *Choice) newDecoder(schema types.Schema, needed []int, metadata []string) (Decoder, error) {
	switch {
	case len(metadata) == 0:
		return c.Format.NewDecoder(schema, needed, c.options)
	case c.NewDecoderWith == nil:
		return nil, UnknownMetadata(c.Name, metadata[0])
	}
	return c.NewDecoderWith(schema, needed, metadata, c.options)
}

// Logs reports whether decoders keep the records that they cannot read, see Misread.
func (c *Choice) Logs() bool { return c.log }

// NewEncoder makes an encoder of rows of schema.
func (c *Choice) NewEncoder(schema types.Schema) (Encoder, error) {
	e, err := c.Format.NewEncoder(schema, c.options)
	return e, c.place(err)
}

// Written refuses formats in which files are only read.
func (c *Choice) Written() error {
	if !c.Whole {
		return nil
	}
	return &connector.OptionError{Key: c.key, Message: fmt.Sprintf("files are not written in format '%s': a record, which is a whole file, would be one row", c.Name), Hint: "write 'json' or 'csv'"}
}

// NewFramer says how records lie in a file.
func (c *Choice) NewFramer() (Framer, error) {
	if c.Whole {
		return All, nil
	}
	if c.Format.NewFramer == nil {
		return Lines, nil
	}
	f, err := c.Format.NewFramer(c.options)
	return f, c.place(err)
}

// Header tells whether the first record of a file is no row.
func (c *Choice) Header() bool { return c.Format.Header != nil && c.Format.Header(c.options) }

// Check refuses what neither a decoder nor an encoder of all columns of schema could do, and metadata that there is not.
func (c *Choice) Check(schema types.Schema, metadata ...string) error {
	all := make([]int, len(schema))
	for i := range all {
		all[i] = i
	}
	if _, err := c.NewDecoder(schema, all, metadata...); err != nil {
		return err
	}
	_, err := c.NewFramer()
	return err
}

// place turns the keys of a format into those of the table.
func (c *Choice) place(err error) error {
	option, ok := errors.AsType[*connector.OptionError](err)
	if !ok {
		return err
	}
	placed := *option
	placed.Key = c.key
	if option.Key != "" {
		placed.Key = c.prefix + option.Key
		placed.Message = strings.Replace(option.Message, "'"+option.Key+"'", "'"+placed.Key+"'", 1)
	} else {
		placed.Message = strings.Replace(option.Message, "'"+c.Name+".", "'"+c.prefix, 1)
	}
	return &placed
}
