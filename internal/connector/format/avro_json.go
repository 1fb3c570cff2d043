package format

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/tidemark-sql/tidemark/internal/types"
)

// AvroRecord is the name of a table's rows in the schemas that Flink 2.3 writes.
const AvroRecord = "org.apache.flink.avro.generated.record"

// AvroSchema is the schema of schema in JSON; name is that of its records, with the namespace before the last point. Legacy is
// 'avro.timestamp_mapping.legacy': TIMESTAMP is written as an instant, and there is no TIMESTAMP_LTZ.
func AvroSchema(schema types.Schema, legacy bool, name string) (string, error) {
	w, err := avroOf(schema, legacy)
	if err != nil {
		return "", err
	}
	space := ""
	if at := strings.LastIndexByte(name, '.'); at >= 0 {
		space, name = name[:at], name[at+1:]
	}
	return w.json(name, space), nil
}

// json spells a derived type; records are named by where they are, and the outermost one tells the namespace. A field that may be null is null by
// default, so that readers may add it.
func (w *avroType) json(name, space string) string {
	switch w.kind {
	case "union":
		return `["null",` + w.branches[1].json(name, space) + "]"
	case "array":
		return `{"type":"array","items":` + w.items.json(name, space) + "}"
	case "map":
		return `{"type":"map","values":` + w.items.json(name, space) + "}"
	case "record":
		text := fmt.Sprintf(`{"type":"record","name":%q,`, name)
		if space != "" {
			text += fmt.Sprintf(`"namespace":%q,`, space)
		}
		text += `"fields":[`
		for i, f := range w.fields {
			if i > 0 {
				text += ","
			}
			text += fmt.Sprintf(`{"name":%q,"type":%s`, f.name, f.of.json(name+"_"+f.name, ""))
			if f.of.kind == "union" {
				text += `,"default":null`
			}
			text += "}"
		}
		return text + "]}"
	}
	if w.logical != "" {
		text := fmt.Sprintf(`{"type":"%s","logicalType":"%s"`, w.kind, w.logical)
		if w.logical == "decimal" {
			text += fmt.Sprintf(`,"precision":%d,"scale":%d`, w.precision, w.scale)
		}
		return text + "}"
	}
	return `"` + w.kind + `"`
}

// avroName is s with all that no name has in Avro made an underscore.
func avroName(s string) string {
	return strings.Map(func(c rune) rune {
		if c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c) {
			return c
		}
		return '_'
	}, s)
}

// isAvroName reports whether a field can be called s.
func isAvroName(s string) bool { return s != "" && avroName(s) == s && !unicode.IsDigit([]rune(s)[0]) }
