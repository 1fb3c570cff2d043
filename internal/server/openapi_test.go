package server

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3gen"

	"github.com/tidemark-sql/tidemark/internal/server/api"
)

// apart are types that clients need and no route names by itself: what is in the text of a TaskGraph.
var apart = []any{api.Graph{}}

// TestOpenAPI holds the document against the routes and the types of package api.
func TestOpenAPI(t *testing.T) {
	made := describe(t)
	for name := range comments(t) {
		if !strings.Contains(name, ".") && made.Components.Schemas[name] == nil {
			t.Errorf("no route takes or gives api.%s; name it in one, or in apart", name)
		}
	}
	text, err := json.MarshalIndent(made, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, '\n')
	loaded, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := loaded.Validate(context.Background()); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("openapi.json", text, 0o644); err != nil {
			t.Fatal(err)
		}
	} else if !bytes.Equal(text, document) {
		t.Error("openapi.json is not what routes and types say; run go generate ./internal/server")
	}
}

// describe makes the document.
func describe(t *testing.T) *openapi3.T {
	t.Helper()
	d := &openapi3.T{
		OpenAPI: "3.0.3",
		Info: &openapi3.Info{Title: "Tidemark", Version: api.Version, Description: "Statements of a server, by the statements API of Confluent Cloud (sql/v1), and what is beside it. " +
			"An organization or environment - is all of them, for who looks."},
		Paths: openapi3.NewPaths(),
		Components: &openapi3.Components{
			Schemas: openapi3.Schemas{},
			SecuritySchemes: openapi3.SecuritySchemes{
				"basic":  {Value: &openapi3.SecurityScheme{Type: "http", Scheme: "basic", Description: "name and secret of an API key"}},
				"bearer": {Value: &openapi3.SecurityScheme{Type: "http", Scheme: "bearer", Description: "name:secret of an API key"}},
			},
		},
	}
	w := &writer{t: t, schemas: d.Components.Schemas, comments: comments(t)}
	for _, r := range routes {
		method, path, _ := strings.Cut(r.pattern, " ")
		if method != http.MethodDelete && r.wire.gives == nil {
			t.Errorf("%s does not say what it gives", r.pattern)
		}
		d.AddOperation(path, method, w.operation(r, method, path))
	}
	for _, value := range apart {
		w.schema(value)
	}
	cells := openapi3.NewArraySchema()
	cells.Items = openapi3.NewSchemaRef("#/components/schemas/Cell", nil)
	w.schemas["Row"].Value.Properties["row"].Value = cells
	// What is in an array is a cell again, which is not written so: generators of clients do not all take a type that has itself in it.
	nested := openapi3.NewArraySchema()
	nested.Items = openapi3.NewSchemaRef("", &openapi3.Schema{Description: "Cells again."})
	w.schemas["Cell"] = &openapi3.SchemaRef{Value: &openapi3.Schema{Description: "Cell is a value of a row of results.", Nullable: true, OneOf: openapi3.SchemaRefs{openapi3.NewStringSchema().NewRef(), nested.NewRef()}}}
	return d
}

// writer makes operations of routes.
type writer struct {
	t        *testing.T
	schemas  openapi3.Schemas
	comments map[string]string
}

func (w *writer) operation(r route, method, path string) *openapi3.Operation {
	o := openapi3.NewOperation()
	o.Summary, o.OperationID, o.Tags = r.doc, identifier(method, path), []string{subject(path)}
	o.Security = &openapi3.SecurityRequirements{}
	if !r.open {
		o.Security.With(openapi3.NewSecurityRequirement().Authenticate("basic")).With(openapi3.NewSecurityRequirement().Authenticate("bearer"))
	}
	for _, part := range strings.Split(path, "/") {
		if strings.HasPrefix(part, "{") {
			name := strings.Trim(part, "{}")
			o.AddParameter(openapi3.NewPathParameter(name).WithSchema(openapi3.NewStringSchema()).WithDescription(places[name]))
		}
	}
	for _, p := range r.wire.query {
		schema := openapi3.NewStringSchema()
		doc := p.doc
		if p.most > 0 {
			schema = openapi3.NewIntegerSchema().WithMin(1)
			if p.zero {
				schema.WithMin(0)
			}
		}
		o.AddParameter(openapi3.NewQueryParameter(p.name).WithSchema(schema).WithDescription(doc))
	}
	if r.wire.takes != nil {
		o.RequestBody = &openapi3.RequestBodyRef{Value: openapi3.NewRequestBody().WithRequired(true).WithJSONSchemaRef(w.schema(r.wire.takes))}
		if method == http.MethodPatch {
			o.RequestBody.Value.Content["application/json-patch+json"] = o.RequestBody.Value.Content["application/json"]
		}
	}
	answer := openapi3.NewResponse().WithDescription(http.StatusText(status(r)))
	switch r.wire.gives.(type) {
	case nil:
	case plain:
		answer.Content = openapi3.NewContentWithSchema(openapi3.NewStringSchema(), []string{"text/plain"})
	default:
		answer.WithJSONSchemaRef(w.schema(r.wire.gives))
	}
	o.AddResponse(status(r), answer)
	o.Responses.Set("default", &openapi3.ResponseRef{Value: openapi3.NewResponse().WithDescription("why it was not done").WithJSONSchemaRef(w.schema(api.Failure{}))})
	return o
}

// places are what can stand in paths.
var places = map[string]string{
	"organization": "any name; - is all of them, for who looks",
	"environment":  "any name, which is another one of the catalog default_catalog; - is all of them, for who looks",
	"name":         "name of a statement",
	"table":        "name of a table",
}

// subject is what a path is about: what it names first, or the server.
func subject(path string) string {
	rest, ok := strings.CutPrefix(path, prefix+"/")
	if !ok {
		return "server"
	}
	first, _, _ := strings.Cut(rest, "/")
	return first
}

func status(r route) int {
	if r.wire.status == 0 {
		return http.StatusOK
	}
	return r.wire.status
}

// identifier names an operation: getStatementsByNameTaskGraph.
func identifier(method, path string) string {
	path = strings.TrimPrefix(path, prefix)
	var b strings.Builder
	b.WriteString(strings.ToLower(method))
	for _, word := range strings.FieldsFunc(path, func(c rune) bool { return strings.ContainsRune("/-._", c) }) {
		if name, ok := strings.CutPrefix(word, "{"); ok {
			b.WriteString("By")
			word = strings.TrimSuffix(name, "}")
		}
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

// schema is that of the type of a value; those of its structs are among the components.
func (w *writer) schema(value any) *openapi3.SchemaRef {
	ref, err := openapi3gen.NewSchemaRefForValue(value, w.schemas, openapi3gen.SchemaCustomizer(w.finish),
		openapi3gen.CreateComponentSchemas(openapi3gen.ExportComponentSchemasOptions{ExportComponentSchemas: true, ExportTopLevelSchema: true}))
	if err != nil {
		w.t.Fatal(err)
	}
	return ref
}

// finish adds to the schema of a struct what the comments say, and which fields are always there. A field that is left out when it is empty is never null.
func (w *writer) finish(_ string, of reflect.Type, _ reflect.StructTag, schema *openapi3.Schema) error {
	if of.Kind() != reflect.Struct {
		return nil
	}
	schema.Description = w.comments[of.Name()]
	for i := range of.NumField() {
		name, options, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
		property := schema.Properties[name]
		if property == nil {
			w.t.Errorf("api.%s.%s has no schema", of.Name(), of.Field(i).Name)
			continue
		}
		if options == "" {
			schema.Required = append(schema.Required, name)
		} else if property.Value != nil {
			property.Value.Nullable = false
		}
		if property.Ref == "" && property.Value != nil {
			property.Value.Description = w.comments[of.Name()+"."+of.Field(i).Name]
		}
	}
	return nil
}

// TestNoTypeHasItselfInIt, other than as a field of an object: generators of clients leave such a type out, and everything that has it in it.
func TestNoTypeHasItselfInIt(t *testing.T) {
	d, err := openapi3.NewLoader().LoadFromData(document)
	if err != nil {
		t.Fatal(err)
	}
	var walk func(s *openapi3.SchemaRef, above []string)
	walk = func(s *openapi3.SchemaRef, above []string) {
		if s == nil {
			return
		}
		if s.Ref != "" {
			if slices.Contains(above, s.Ref) {
				t.Errorf("%s has itself in it", s.Ref)
				return
			}
			above = append(slices.Clone(above), s.Ref)
		}
		for _, one := range s.Value.OneOf {
			walk(one, above)
		}
		walk(s.Value.Items, above)
	}
	for name, s := range d.Components.Schemas {
		walk(&openapi3.SchemaRef{Ref: "#/components/schemas/" + name, Value: s.Value}, nil)
	}
}
