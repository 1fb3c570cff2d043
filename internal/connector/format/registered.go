package format

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/registry"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// The formats of messages that name their schema by its number in a registry. Flink 2.3 has avro-confluent, Confluent the others.
var (
	avroConfluentFormat = registered("avro-confluent", "Avro whose schema is in a schema registry, as Flink writes it: TIMESTAMP is written as an instant, and there is no TIMESTAMP_LTZ", registry.Avro, true)
	avroRegistryFormat  = registered("avro-registry", "Avro whose schema is in a schema registry, as Confluent writes it", registry.Avro, false)
	jsonRegistryFormat  = registered("json-registry", "JSON whose schema is in a schema registry; there are no dates and times, which Confluent writes as numbers", registry.JSON, false)
)

const (
	// SubjectKey is the option of these formats that names the subject.
	SubjectKey = "subject"
	urlKey     = "url"
	userKey    = "basic-auth.user-info"
	tokenKey   = "bearer-auth.token"
)

func registered(name, doc string, kind registry.Kind, legacy bool) Format {
	r := registeredFormat{name, kind, legacy}
	f := Format{
		Name: name, Doc: doc, Messages: true, Subject: true,
		Specs: []connector.Spec{
			{Key: urlKey, Doc: "where the schema registry is, such as http://localhost:8081; several divided by commas", Default: "none: it is needed"},
			{Key: SubjectKey, Doc: "the subject under which the table's schema is registered when rows are written", Default: "the topic with -value or -key behind it"},
			{Key: "basic-auth.credentials-source", Values: []string{"USER_INFO"}, Doc: "accepted and of no effect: a login is taken from " + userKey},
			{Key: userKey, Doc: "name and password for the registry, with a colon in between"},
			{Key: "bearer-auth.credentials-source", Values: []string{"STATIC_TOKEN"}, Doc: "accepted and of no effect: a token is taken from " + tokenKey},
			{Key: tokenKey, Doc: "a token for the registry"},
			{Key: "schema", NotYet: "leave it out: the schema is that of the table"},
			{Key: "ssl.", Prefix: true, NotYet: "leave it out: the certificates that this machine trusts are trusted"},
			{Key: "properties.", Prefix: true, NotYet: "leave it out"},
		},
		NewDecoder: r.newDecoder,
		NewEncoder: r.newEncoder,
	}
	if !legacy {
		f.Specs = append(f.Specs, confluentSpecs...)
	}
	return f
}

// confluentSpecs are options that Confluent's formats have and Flink's has not.
var confluentSpecs = []connector.Spec{
	{Key: "id-encoding", Values: []string{"payload"}, Doc: "where the number of the schema is: in front of the bytes of the value"},
	{Key: "subject-names", NotYet: "leave it out: rows are read whatever their subject; '" + SubjectKey + "' names the one to write under"},
	{Key: "schema-context", NotYet: "name the context in the URL of the registry, as in http://localhost:8081/contexts/.mine"},
}

type registeredFormat struct {
	name   string
	kind   registry.Kind
	legacy bool // see avroOf
}

// client reads where the registry is.
func (f registeredFormat) client(o connector.Options) (*registry.Registry, error) {
	var c registry.Config
	for url := range strings.SplitSeq(o[urlKey], ",") {
		if url = strings.TrimSpace(url); url != "" {
			c.URLs = append(c.URLs, url)
		}
	}
	if len(c.URLs) == 0 {
		return nil, &connector.OptionError{Message: fmt.Sprintf("format '%s' needs the option '%s.url'", f.name, f.name), Hint: "say where the schema registry is, or use 'json' or 'avro', which need none"}
	}
	var ok bool
	if login := o[userKey]; login != "" {
		if c.User, c.Password, ok = strings.Cut(login, ":"); !ok {
			return nil, &connector.OptionError{Key: userKey, Message: "option '" + userKey + "' has no colon", Hint: "write name:password"}
		}
	}
	c.Token = o[tokenKey]
	return registry.New(c)
}

func (f registeredFormat) newDecoder(schema types.Schema, needed []int, o connector.Options) (Decoder, error) {
	client, err := f.client(o)
	if err != nil {
		return nil, err
	}
	if _, err := f.schema(schema, ""); err != nil {
		return nil, err
	}
	if f.kind == registry.JSON {
		d, err := jsonFormat.NewDecoder(schema, needed, connector.Options{})
		return &framedDecoder{d}, err
	}
	return &registeredDecoder{AvroDecoder: NewAvroDecoder(schema, needed), registry: client, plans: map[uint32]readable{}}, nil
}

func (f registeredFormat) newEncoder(schema types.Schema, o connector.Options) (Encoder, error) {
	client, err := f.client(o)
	if err != nil {
		return nil, err
	}
	e := &registeredEncoder{kind: f.kind, registry: client, subject: o[SubjectKey]}
	if e.subject == "" {
		return nil, &connector.OptionError{Message: fmt.Sprintf("format '%s' needs the option '%s.subject'", f.name, f.name), Hint: "name the subject under which the table's schema is registered"}
	}
	if e.schema, err = f.schema(schema, e.subject); err != nil {
		return nil, err
	}
	if f.kind == registry.JSON {
		e.rows = NewJSONEncoder(schema, JSONOptions{})
		return e, nil
	}
	e.rows, err = NewAvroEncoder(schema, f.legacy)
	return e, err
}

// schema is that of a table, as it is registered. Flink 2.3 gives all records one name; Confluent names them after the subject.
func (f registeredFormat) schema(schema types.Schema, subject string) (text string, err error) {
	switch {
	case f.kind == registry.JSON:
		text, err = jsonSchema(schema)
	case f.legacy:
		text, err = AvroSchema(schema, true, AvroRecord)
	default:
		text, err = AvroSchema(schema, false, AvroRecord+"."+avroName(subject))
	}
	if err != nil {
		return "", &connector.OptionError{Message: strings.Replace(err.Error(), "'avro'", "'"+f.name+"'", 1), Hint: "declare the column with another type, or use format 'avro-registry' or 'json'"}
	}
	return text, nil
}

// headerBytes is the length of what stands before a record: a zero and the number of its schema.
const headerBytes = 5

// header reads the number; the error is a *RowError.
func header(buf []byte, start, end int) (id uint32, err error) {
	if end-start < headerBytes || buf[start] != 0 {
		return 0, &RowError{Offset: start, Line: bytes.Clone(buf[start:min(end, start+maxErrorLine)]), Message: "the message does not begin with the number of a schema",
			Hint: "it may have been written without a registry; then the format is 'avro' or 'json'"}
	}
	return binary.BigEndian.Uint32(buf[start+1:]), nil
}

// registeredDecoder reads Avro by the schemas of a registry, each of which it asks for once.
type registeredDecoder struct {
	*AvroDecoder
	registry *registry.Registry
	plans    map[uint32]readable
}

// readable is how to read records with a schema, or why they cannot be.
type readable struct {
	plan  *AvroPlan
	wrong string
}

// Read implements Decoder. An error of the registry is no *RowError.
func (d *registeredDecoder) Read(start, end int) (int, error) {
	id, err := header(d.buf, start, end)
	if err != nil {
		return 0, err
	}
	p, known := d.plans[id]
	if !known {
		if p, err = d.ask(int(id)); err != nil {
			return 0, err
		}
		d.plans[id] = p
	}
	if p.plan == nil {
		return 0, &RowError{Offset: start, Line: bytes.Clone(d.buf[start:min(end, start+maxErrorLine)]), Message: p.wrong, Hint: "declare the columns as the schema has them"}
	}
	d.Use(p.plan)
	return d.AvroDecoder.Read(start+headerBytes, end)
}

func (d *registeredDecoder) ask(id int) (readable, error) {
	text, err := d.registry.Schema(id, registry.Avro)
	if errors.Is(err, registry.ErrUnknown) {
		return readable{wrong: fmt.Sprintf("schema %d: %s", id, err)}, nil
	}
	if err != nil {
		return readable{}, err
	}
	plan, err := d.Plan(text)
	if err != nil {
		return readable{wrong: fmt.Sprintf("schema %d: %s", id, err)}, nil
	}
	return readable{plan: plan}, nil
}

// framedDecoder reads records behind the number of a schema that is not needed to read them.
type framedDecoder struct{ Decoder }

func (d *framedDecoder) Read(start, end int) (int, error) {
	if _, err := header(d.Decoder.(*JSONDecoder).buf, start, end); err != nil {
		return 0, err
	}
	return d.Decoder.Read(start+headerBytes, end)
}

// registeredEncoder writes the number of the table's schema before each row. It asks for it at the first.
type registeredEncoder struct {
	kind            registry.Kind
	registry        *registry.Registry
	subject, schema string
	rows            Encoder
	header          []byte // nil before the first row
}

// Append implements Encoder.
func (e *registeredEncoder) Append(dst []byte, b *vector.Batch, row int) ([]byte, error) {
	if e.header == nil {
		id, err := e.registry.Register(e.subject, e.schema, e.kind)
		if err != nil {
			return dst, err
		}
		e.header = binary.BigEndian.AppendUint32([]byte{0}, uint32(id))
	}
	start := len(dst)
	dst, err := e.rows.Append(append(dst, e.header...), b, row)
	if err != nil {
		return dst[:start], err
	}
	return dst, nil
}

// jsonSchema is the JSON schema of a table's rows.
func jsonSchema(schema types.Schema) (string, error) {
	text, err := appendProperties([]byte(`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","title":"Record","properties":{`), schema)
	return string(text) + "}}", err
}

func appendProperties(dst []byte, fields types.Schema) ([]byte, error) {
	for i, f := range fields {
		dst = append(AppendJSONString(appendComma(dst, i), []byte(f.Name)), ':')
		var err error
		if dst, err = appendJSONSchema(dst, f.Type); err != nil {
			return nil, fmt.Errorf("column '%s': %w", f.Name, err)
		}
	}
	return dst, nil
}

// jsonNumbers are the types of numbers, as Kafka Connect has them.
var jsonNumbers = map[types.Kind]string{
	types.TinyInt: `"integer","connect.type":"int8"`, types.SmallInt: `"integer","connect.type":"int16"`, types.Int: `"integer","connect.type":"int32"`,
	types.BigInt: `"integer","connect.type":"int64"`, types.Float: `"number","connect.type":"float32"`, types.Double: `"number","connect.type":"float64"`,
	types.Decimal: `"number"`, types.Boolean: `"boolean"`, types.Char: `"string"`, types.String: `"string"`,
	types.Binary: `"string","connect.type":"bytes"`, types.VarBinary: `"string","connect.type":"bytes"`,
}

func appendJSONSchema(dst []byte, t types.Type) (_ []byte, err error) {
	if !t.NotNull {
		dst = append(dst, `{"oneOf":[{"type":"null"},`...)
	}
	switch name := jsonNumbers[t.Kind]; {
	case name != "":
		dst = append(append(append(dst, `{"type":`...), name...), '}')
	case t.Kind == types.Array:
		if dst, err = appendJSONSchema(append(dst, `{"type":"array","items":`...), t.Elem()); err != nil {
			return nil, err
		}
		dst = append(dst, '}')
	case t.Kind == types.Map && t.Key().IsText():
		if dst, err = appendJSONSchema(append(dst, `{"type":"object","connect.type":"map","additionalProperties":`...), t.Elem()); err != nil {
			return nil, err
		}
		dst = append(dst, '}')
	case t.Kind == types.Row:
		if dst, err = appendProperties(append(dst, `{"type":"object","properties":{`...), slices.Clone(t.Fields())); err != nil {
			return nil, err
		}
		dst = append(dst, `}}`...)
	default:
		return nil, fmt.Errorf("format 'json-registry' has no %s", t.Nullable())
	}
	if !t.NotNull {
		dst = append(dst, `]}`...)
	}
	return dst, nil
}
