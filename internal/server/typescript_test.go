package server

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// TestTypeScript holds the types of the page against the document.
func TestTypeScript(t *testing.T) {
	d, err := openapi3.NewLoader().LoadFromData(document)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("// Made of internal/server/openapi.json by go generate ./internal/server.\n")
	for _, name := range slices.Sorted(maps.Keys(d.Components.Schemas)) {
		s := d.Components.Schemas[name].Value
		if !s.Type.Is("object") {
			// A type may have itself in it here.
			itself := strings.ReplaceAll(script(&openapi3.SchemaRef{Value: s}), "unknown[]", name+"[]")
			fmt.Fprintf(&b, "\n%sexport type %s = %s\n", comment("", s.Description), name, itself)
			continue
		}
		fmt.Fprintf(&b, "\n%sexport interface %s {\n", comment("", s.Description), name)
		for _, field := range slices.Sorted(maps.Keys(s.Properties)) {
			p, mark := s.Properties[field], "?"
			if slices.Contains(s.Required, field) {
				mark = ""
			}
			if p.Ref == "" {
				b.WriteString(comment("  ", p.Value.Description))
			}
			fmt.Fprintf(&b, "  %s%s: %s\n", field, mark, script(p))
		}
		b.WriteString("}\n")
	}
	file := filepath.Join("..", "page", "src", "api.gen.ts")
	have, err := os.ReadFile(file)
	switch {
	case string(have) == b.String():
	case *update:
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Error(file, "is not what the document says; run go generate ./internal/server", err)
	}
}

func comment(before, text string) string {
	if text == "" {
		return ""
	}
	return before + "/** " + text + " */\n"
}

// script is a type as TypeScript writes it.
func script(of *openapi3.SchemaRef) string {
	if name, ok := strings.CutPrefix(of.Ref, "#/components/schemas/"); ok {
		return name
	}
	s := of.Value
	var out string
	switch {
	case s.OneOf != nil:
		var all []string
		for _, one := range s.OneOf {
			all = append(all, script(one))
		}
		out = strings.Join(all, " | ")
	case s.Type.Is("string"), s.Type.Is("boolean"):
		out = s.Type.Slice()[0]
	case s.Type.Is("integer"), s.Type.Is("number"):
		out = "number"
	case s.Type.Is("array"):
		if out = script(s.Items); strings.Contains(out, " ") {
			out = "(" + out + ")"
		}
		out += "[]"
	case s.Type.Is("object"):
		out = "Record<string, " + script(s.AdditionalProperties.Schema) + ">"
	default:
		return "unknown"
	}
	if s.Nullable {
		out += " | null"
	}
	return out
}
