// Package api is what goes over the wire between a server and its clients: Confluent Cloud's statements API, sql/v1. The names are theirs. Server, command line and page share it.
package api

import "encoding/json"

// Version is the api_version of everything in this package.
const Version = "sql/v1"

// The kinds of resources.
const (
	KindStatement  = "Statement"
	KindList       = "StatementList"
	KindResults    = "StatementResult"
	KindExceptions = "StatementExceptionList"
)

// StatementRequest is what makes or changes a statement. Organization and environment are those of the path, and what else a Statement has may stand in it and is not read, so that clients can send back what they were shown.
type StatementRequest struct {
	// Name is that of the statement; one that is changed has that of the path.
	Name     string          `json:"name,omitempty"`
	Metadata RequestMetadata `json:"metadata,omitzero"`
	Spec     RequestSpec     `json:"spec"`
}

// RequestMetadata is what of Metadata is the client's.
type RequestMetadata struct {
	// ResourceVersion is that of the statement which is changed, as the client was shown it; a change of another one is refused. "" is any.
	ResourceVersion string            `json:"resource_version,omitempty"`
	Labels          map[string]string `json:"labels,omitempty"`
}

// RequestSpec is a Spec in which values of properties may be numbers and booleans too.
type RequestSpec struct {
	Statement     string         `json:"statement,omitempty"`
	Properties    map[string]any `json:"properties,omitempty"`
	ComputePoolID string         `json:"compute_pool_id,omitempty"`
	Principal     string         `json:"principal,omitempty"`
	Stopped       bool           `json:"stopped,omitempty"`
}

// Statement is the resource.
type Statement struct {
	APIVersion     string   `json:"api_version"`
	Kind           string   `json:"kind"`
	Metadata       Metadata `json:"metadata"`
	Name           string   `json:"name"`
	OrganizationID string   `json:"organization_id"`
	EnvironmentID  string   `json:"environment_id"`
	Spec           Spec     `json:"spec"`
	Status         Status   `json:"status"`
}

// Metadata is what the server says of a resource. Times are RFC 3339 in UTC.
type Metadata struct {
	Self            string            `json:"self,omitempty"`
	UID             string            `json:"uid,omitempty"`
	CreatedAt       string            `json:"created_at,omitempty"`
	UpdatedAt       string            `json:"updated_at,omitempty"`
	ResourceVersion string            `json:"resource_version,omitempty"`
	Labels          map[string]string `json:"labels,omitempty"`
}

// Spec is what the client asks for. Of it only Stopped, Principal and ComputePoolID can be changed.
type Spec struct {
	Statement     string            `json:"statement"`
	Properties    map[string]string `json:"properties,omitempty"`
	ComputePoolID string            `json:"compute_pool_id,omitempty"`
	Principal     string            `json:"principal,omitempty"`
	Stopped       bool              `json:"stopped"`
}

// Status is how the statement is.
type Status struct {
	Phase    string    `json:"phase"`
	Detail   string    `json:"detail"`
	Warnings []Warning `json:"warnings,omitempty"`
	Traits   *Traits   `json:"traits,omitempty"`
}

// Warning is something that may not be meant.
type Warning struct {
	Severity  string `json:"severity"` // LOW, MODERATE or CRITICAL
	CreatedAt string `json:"created_at"`
	Reason    string `json:"reason"`
	Message   string `json:"message"`
}

// Traits are what the plan tells.
type Traits struct {
	SQLKind       string  `json:"sql_kind"`
	IsBounded     bool    `json:"is_bounded"`
	IsAppendOnly  bool    `json:"is_append_only"`
	UpsertColumns []int   `json:"upsert_columns,omitempty"`
	Schema        *Schema `json:"schema,omitempty"`
}

// Schema is the columns of results.
type Schema struct {
	Columns []Column `json:"columns"`
}

// Column is one of them.
type Column struct {
	Name string `json:"name"`
	Type Type   `json:"type"`
}

// Type is a SQL type. What does not apply to it is left out.
type Type struct {
	Type                string  `json:"type"`
	Nullable            bool    `json:"nullable"`
	Length              *int    `json:"length,omitempty"`
	Precision           *int    `json:"precision,omitempty"`
	Scale               *int    `json:"scale,omitempty"`
	FractionalPrecision *int    `json:"fractional_precision,omitempty"`
	Resolution          string  `json:"resolution,omitempty"`
	KeyType             *Type   `json:"key_type,omitempty"`
	ValueType           *Type   `json:"value_type,omitempty"`
	ElementType         *Type   `json:"element_type,omitempty"`
	Fields              []Field `json:"fields,omitempty"`
}

// Field is a field of a ROW.
type Field struct {
	Name      string `json:"name"`
	FieldType Type   `json:"field_type"`
}

// StatementList is a page of statements.
type StatementList struct {
	APIVersion string       `json:"api_version"`
	Kind       string       `json:"kind"`
	Metadata   ListMetadata `json:"metadata"`
	Data       []Statement  `json:"data"`
}

// ListMetadata is where a page is. Next is the address of the one behind it, "" if there is none.
type ListMetadata struct {
	First     string `json:"first,omitempty"`
	Self      string `json:"self,omitempty"`
	Next      string `json:"next"`
	TotalSize *int   `json:"total_size,omitempty"`
	CreatedAt string `json:"created_at,omitempty"`
}

// StatementResults is a page of results.
type StatementResults struct {
	APIVersion string       `json:"api_version"`
	Kind       string       `json:"kind"`
	Metadata   ListMetadata `json:"metadata"`
	Results    Results      `json:"results"`
}

// Results are its rows.
type Results struct {
	Data []Row `json:"data"`
}

// Row is a row of results: 0 is +I, 1 -U, 2 +U, 3 -D. Cells are strings, null, and arrays of such.
type Row struct {
	Op  int             `json:"op"`
	Row json.RawMessage `json:"row"`
}

// StatementExceptionList is the attempts that failed, the newest first.
type StatementExceptionList struct {
	APIVersion string               `json:"api_version"`
	Kind       string               `json:"kind"`
	Metadata   ListMetadata         `json:"metadata"`
	Data       []StatementException `json:"data"`
}

// StatementException is one of them.
type StatementException struct {
	Name      string `json:"name"`
	Message   string `json:"message"`
	Timestamp string `json:"timestamp"`
}

// Failure is the body of every answer that is an error.
type Failure struct {
	Errors []Error `json:"errors"`
}

// Error is why a request was not done.
type Error struct {
	ID     string `json:"id"`
	Status string `json:"status"`
	Code   string `json:"code"`
	Title  string `json:"title"`
	Detail string `json:"detail"`
}

// Patch is an operation of a JSON patch (RFC 6902).
type Patch struct {
	Op    string          `json:"op"`
	Path  string          `json:"path"`
	Value json.RawMessage `json:"value"`
}

// Health says that the process lives.
type Health struct {
	Status string `json:"status"`
}
