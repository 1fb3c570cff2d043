package format

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// avroType is a type of an Avro schema.
type avroType struct {
	kind     string // a primitive type, or record, enum, array, map, fixed, union
	logical  string
	name     string // of a named type, with its namespace
	fields   []avroField
	items    *avroType // of an array or map
	branches []*avroType
	symbols  []string
	size     int // of a fixed
	// Of a decimal. Only whoever reads the schema needs the precision.
	precision, scale int
}

type avroField struct {
	name string
	of   *avroType
}

// maxAvroDepth bounds how deep types are nested. A type may hold itself.
const maxAvroDepth = 64

// parseAvro reads a schema.
func parseAvro(text string) (*avroType, error) {
	p := avroParser{named: map[string]*avroType{}}
	t, err := p.parse([]byte(text), "", 0)
	if err != nil {
		return nil, fmt.Errorf("the Avro schema is not valid: %w", err)
	}
	return t, nil
}

type avroParser struct{ named map[string]*avroType }

// avroObject is a schema that is written as an object.
type avroObject struct {
	Type        json.RawMessage `json:"type"`
	LogicalType string          `json:"logicalType"`
	Name        string          `json:"name"`
	Namespace   string          `json:"namespace"`
	Fields      []struct {
		Name string          `json:"name"`
		Type json.RawMessage `json:"type"`
	} `json:"fields"`
	Items   json.RawMessage `json:"items"`
	Values  json.RawMessage `json:"values"`
	Symbols []string        `json:"symbols"`
	Size    int             `json:"size"`
	Scale   int             `json:"scale"`
}

func (p *avroParser) parse(text []byte, space string, depth int) (*avroType, error) {
	if depth > maxAvroDepth {
		return nil, errors.New("it is nested too deep")
	}
	if text = bytes.TrimSpace(text); len(text) == 0 {
		return nil, errors.New("a type is missing")
	}
	switch text[0] {
	case '"':
		var name string
		if err := json.Unmarshal(text, &name); err != nil {
			return nil, err
		}
		return p.lookUp(name, space)
	case '[':
		var branches []json.RawMessage
		if err := json.Unmarshal(text, &branches); err != nil {
			return nil, err
		}
		t := &avroType{kind: "union"}
		for _, b := range branches {
			branch, err := p.parse(b, space, depth+1)
			if err != nil {
				return nil, err
			}
			t.branches = append(t.branches, branch)
		}
		return t, nil
	}
	var o avroObject
	if err := json.Unmarshal(text, &o); err != nil {
		return nil, err
	}
	return p.object(&o, space, depth)
}

func (p *avroParser) lookUp(name, space string) (*avroType, error) {
	switch name {
	case "null", "boolean", "int", "long", "float", "double", "bytes", "string":
		return &avroType{kind: name}, nil
	}
	if t := p.named[fullName(name, space)]; t != nil {
		return t, nil
	}
	if t := p.named[name]; t != nil {
		return t, nil
	}
	return nil, fmt.Errorf("there is no type '%s'", name)
}

func fullName(name, space string) string {
	if space == "" || strings.Contains(name, ".") {
		return name
	}
	return space + "." + name
}

func (p *avroParser) object(o *avroObject, space string, depth int) (*avroType, error) {
	var kind string
	if json.Unmarshal(o.Type, &kind) != nil {
		// The type of a type is written as a schema.
		return p.parse(o.Type, space, depth+1)
	}
	t := &avroType{kind: kind, logical: o.LogicalType, scale: o.Scale, size: o.Size, symbols: o.Symbols}
	if kind == "record" || kind == "enum" || kind == "fixed" {
		if o.Namespace != "" {
			space = o.Namespace
		}
		t.name = fullName(o.Name, space)
		if at := strings.LastIndexByte(t.name, '.'); at >= 0 {
			space = t.name[:at]
		}
		p.named[t.name] = t
	}
	var err error
	switch kind {
	case "record", "error":
		t.kind = "record"
		for _, f := range o.Fields {
			of, err := p.parse(f.Type, space, depth+1)
			if err != nil {
				return nil, fmt.Errorf("field '%s': %w", f.Name, err)
			}
			t.fields = append(t.fields, avroField{f.Name, of})
		}
	case "array":
		t.items, err = p.parse(o.Items, space, depth+1)
	case "map":
		t.items, err = p.parse(o.Values, space, depth+1)
	case "fixed":
		if t.size < 0 {
			err = errors.New("a fixed type has a negative size")
		}
	case "enum":
	default:
		primitive, wrong := p.lookUp(kind, space)
		if wrong != nil {
			return nil, wrong
		}
		if primitive.name != "" {
			return primitive, nil
		}
	}
	return t, err
}
