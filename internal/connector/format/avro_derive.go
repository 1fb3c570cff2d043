package format

import (
	"fmt"

	"github.com/tidemark-sql/tidemark/internal/types"
)

// avroOf is the schema of a table, as Flink 2.3 derives it: a nullable type is a union with null in front.
//
// legacy is 'avro.timestamp_mapping.legacy': TIMESTAMP is an instant, as it was before there were local ones, and TIMESTAMP_LTZ is not there.
func avroOf(schema types.Schema, legacy bool) (*avroType, error) {
	t := &avroType{kind: "record", name: "record"}
	for _, f := range schema {
		of, err := avroOfField(f, legacy)
		if err != nil {
			return nil, fmt.Errorf("column '%s': %w", f.Name, err)
		}
		t.fields = append(t.fields, avroField{f.Name, of})
	}
	return t, nil
}

func avroOfField(f types.Field, legacy bool) (*avroType, error) {
	if !isAvroName(f.Name) {
		return nil, fmt.Errorf("format 'avro' has no name '%s'; names are letters, digits and underscores", f.Name)
	}
	return avroOfType(f.Type, legacy)
}

func avroOfType(t types.Type, legacy bool) (*avroType, error) {
	a := &avroType{}
	switch t.Kind {
	case types.Boolean:
		a.kind = "boolean"
	case types.TinyInt, types.SmallInt, types.Int:
		a.kind = "int"
	case types.BigInt:
		a.kind = "long"
	case types.Float:
		a.kind = "float"
	case types.Double:
		a.kind = "double"
	case types.Char, types.String:
		a.kind = "string"
	case types.Binary, types.VarBinary:
		a.kind = "bytes"
	case types.Decimal:
		a.kind, a.logical, a.precision, a.scale = "bytes", "decimal", int(t.Precision), int(t.Scale)
	case types.Date:
		a.kind, a.logical = "int", "date"
	case types.Time:
		if t.Precision > 3 {
			return nil, fmt.Errorf("format 'avro' has no %s; the most precise is TIME(3)", t)
		}
		a.kind, a.logical = "int", "time-millis"
	case types.Timestamp, types.TimestampLTZ:
		a.kind, a.logical = "long", "timestamp-micros"
		if t.Precision <= 3 {
			a.logical = "timestamp-millis"
		}
		if t.Kind == types.Timestamp && !legacy {
			a.logical = "local-" + a.logical
		}
		if t.Kind == types.TimestampLTZ && legacy {
			return nil, fmt.Errorf("format 'avro' has no %s unless 'avro.timestamp_mapping.legacy' is false", t)
		}
	case types.Array:
		items, err := avroOfType(t.Elem(), legacy)
		if err != nil {
			return nil, err
		}
		a.kind, a.items = "array", items
	case types.Map, types.Multiset:
		key, value := t.Elem(), types.IntType
		if t.Kind == types.Map {
			key, value = t.Key(), t.Elem()
		}
		if !key.IsText() {
			return nil, fmt.Errorf("format 'avro' has %s only if its keys are strings", t)
		}
		items, err := avroOfType(value, legacy)
		if err != nil {
			return nil, err
		}
		a.kind, a.items = "map", items
	case types.Row:
		a.kind = "record"
		for _, f := range t.Fields() {
			of, err := avroOfField(f, legacy)
			if err != nil {
				return nil, err
			}
			a.fields = append(a.fields, avroField{f.Name, of})
		}
	default:
		return nil, fmt.Errorf("format 'avro' has no %s", t)
	}
	if t.NotNull {
		return a, nil
	}
	return &avroType{kind: "union", branches: []*avroType{{kind: "null"}, a}}, nil
}
