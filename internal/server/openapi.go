package server

import (
	_ "embed" // the document
	"encoding/json"
	"math"
	"net/http"
)

// wire is what goes over the wire for a route: values of the types of the body that it takes and of the answer that it gives, nil where there is none.
type wire struct {
	takes  any
	status int // of an answer that is no error; 0 is 200
	gives  any
	query  []parameter
}

// plain is a body that is text.
type plain string

// parameter is something that can stand behind the question mark.
type parameter struct {
	name, doc string
	most      int  // that of a number; 0 says that it is text
	zero      bool // a number begins at 0, else at 1
}

// paging are the parameters of what comes by page.
func paging(most int) []parameter {
	return []parameter{
		{name: "page_size", doc: "how many there are on a page at most", most: most},
		{name: "page_token", doc: "which page; it is in the address of the next one"},
	}
}

// listing are the parameters of a list of statements.
var listing = append(paging(mostPage),
	parameter{name: "label_selector", doc: "only those with these labels: key=value, key!=value or key, with commas between"},
	parameter{name: "spec.compute_pool_id", doc: "only those of this pool"},
	parameter{name: "statement_name_search_query", doc: "only those with this in their name"},
	parameter{name: "phase", doc: "only those in this phase; not in Confluent Cloud"},
)

// span is a stretch of a history.
var span = []parameter{
	{name: "from", doc: "milliseconds since the epoch; an hour before to", most: math.MaxInt, zero: true},
	{name: "to", doc: "milliseconds since the epoch; now", most: math.MaxInt, zero: true},
	{name: "step", doc: "milliseconds that a value is about, whole minutes; as short as there is room for", most: math.MaxInt},
	{name: "series", doc: "names of series with commas between; all but those of splits"},
}

// document is the description of all routes. A test makes it of them, and the types of the page of it.
//
//go:embed openapi.json
var document []byte

//go:generate go test -run TestOpenAPI$ -update .
//go:generate go test -run TestTypeScript$ -update .

func (s *Server) openAPI(*http.Request) (int, any, error) {
	return http.StatusOK, json.RawMessage(document), nil
}

func (s *Server) prometheus(*http.Request) (int, any, error) {
	return http.StatusOK, s.numbers, nil
}
