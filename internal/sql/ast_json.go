package sql

// JSONClauses are the keyword clauses of the SQL/JSON functions. JSON_VALUE,
// JSON_QUERY and JSON_EXISTS have the arguments document and path, JSON_OBJECT and
// JSON_OBJECTAGG key and value in turn, JSON_ARRAY and JSON_ARRAYAGG values.
type JSONClauses struct {
	Returning *TypeName
	Wrapper   JSONWrapper
	OnEmpty   *JSONBehavior
	OnError   *JSONBehavior
	OnNull    JSONNulls
}

// JSONWrapper is the WRAPPER clause of JSON_QUERY.
type JSONWrapper uint8

// The wrappers; ARRAY is a filler word and not kept.
const (
	WrapperUnstated JSONWrapper = iota
	WithoutWrapper
	ConditionalWrapper
	UnconditionalWrapper
)

// JSONBehavior is what stands before ON EMPTY or ON ERROR.
type JSONBehavior struct {
	Located
	// Word is NULL, ERROR, DEFAULT, TRUE, FALSE, UNKNOWN, EMPTY ARRAY or EMPTY OBJECT.
	Word    string
	Default Expr // set for DEFAULT
}

// JSONNulls is NULL ON NULL or ABSENT ON NULL.
type JSONNulls uint8

// The null clauses.
const (
	JSONNullsUnstated JSONNulls = iota
	NullOnNull
	AbsentOnNull
)
