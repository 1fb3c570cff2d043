package yql

// Pragma is PRAGMA name, PRAGMA name = value, or PRAGMA name(value, …).
type Pragma struct {
	Located
	// Name has a part for every dot: pq.Consumer has two. Pragmas do not mind case.
	Name   []Ident
	Values []Expr
	// Equals says that the value stood behind =.
	Equals bool
}

// Assign is $name = value, or $a, $b = value for a tuple. A query is a *Subquery.
type Assign struct {
	Located
	Names []NamedRef
	Value Expr
}

// Declare is DECLARE $name AS type: a parameter of the query.
type Declare struct {
	Located
	Name NamedRef
	Type *TypeName
}

// QueryStatement is a query alone.
type QueryStatement struct {
	Located
	Query Query
}

// InsertVerb is how rows are written.
type InsertVerb string

// The verbs that write.
const (
	InsertInto   InsertVerb = "INSERT INTO"
	InsertAbort  InsertVerb = "INSERT OR ABORT INTO"
	InsertRevert InsertVerb = "INSERT OR REVERT INTO"
	InsertIgnore InsertVerb = "INSERT OR IGNORE INTO"
	UpsertInto   InsertVerb = "UPSERT INTO"
	ReplaceInto  InsertVerb = "REPLACE INTO"
)

// Insert writes the rows of a query to a topic or a table.
type Insert struct {
	Located
	Verb    InsertVerb
	Into    Name
	Options []TableOption
	Columns []Ident // nil unless written
	Query   Query   // may be *Values
}

// Commit is COMMIT.
type Commit struct {
	Located
}

// Explain is EXPLAIN statement.
type Explain struct {
	Located
	Statement Statement
}

func (*Pragma) statement()         {}
func (*Assign) statement()         {}
func (*Declare) statement()        {}
func (*QueryStatement) statement() {}
func (*Insert) statement()         {}
func (*Commit) statement()         {}
func (*Explain) statement()        {}
