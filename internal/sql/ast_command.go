package sql

// QueryStatement is a query on its own, whose rows go to the user.
type QueryStatement struct {
	Located
	Query Query
}

// Insert is INSERT INTO or OVERWRITE table [(columns)] query.
type Insert struct {
	Located
	Overwrite bool
	Table     Name
	Hints     []Hint
	Columns   []Ident
	Query     Query
}

// StatementSet is EXECUTE STATEMENT SET BEGIN insert; … END: several inserts that
// run as one job.
type StatementSet struct {
	Located
	Inserts []*Insert
}

// Explain is EXPLAIN [details] statement. PLAN FOR is a filler and not kept.
type Explain struct {
	Located
	Details   []ExplainDetail
	Statement Statement
}

// ExplainDetail is an addition to a plan, by its keyword.
type ExplainDetail string

// The details of EXPLAIN.
const (
	ExplainCost      ExplainDetail = "ESTIMATED_COST"
	ExplainChangelog ExplainDetail = "CHANGELOG_MODE"
	ExplainJSON      ExplainDetail = "JSON_EXECUTION_PLAN"
	ExplainAdvice    ExplainDetail = "PLAN_ADVICE"
)

// Set is SET 'key' = 'value', or SET alone, which lists what is set.
type Set struct {
	Located
	Option *Option
}

// Reset is RESET 'key', or RESET alone, which resets everything.
type Reset struct {
	Located
	Key *StringLit
}

// Describe is DESCRIBE [EXTENDED] table.
type Describe struct {
	Located
	Extended bool
	Table    Name
}

// Show is SHOW followed by what to show.
type Show struct {
	Located
	What ShowKind
	// Name is the object of SHOW CREATE and the table of SHOW COLUMNS FROM, or
	// the catalog or database after FROM or IN; nil unless written.
	Name *Name
	// Like filters by name; nil unless written. IgnoreCase says that ILIKE was.
	Like                *StringLit
	NotLike, IgnoreCase bool
}

// ShowKind is what SHOW shows, by its keywords.
type ShowKind string

// The kinds of SHOW.
const (
	ShowTables          ShowKind = "TABLES"
	ShowViews           ShowKind = "VIEWS"
	ShowColumns         ShowKind = "COLUMNS"
	ShowFunctions       ShowKind = "FUNCTIONS"
	ShowUserFunctions   ShowKind = "USER FUNCTIONS"
	ShowDatabases       ShowKind = "DATABASES"
	ShowCatalogs        ShowKind = "CATALOGS"
	ShowJobs            ShowKind = "JOBS"
	ShowModules         ShowKind = "MODULES"
	ShowCurrentDatabase ShowKind = "CURRENT DATABASE"
	ShowCurrentCatalog  ShowKind = "CURRENT CATALOG"
	ShowCreateTable     ShowKind = "CREATE TABLE"
	ShowCreateView      ShowKind = "CREATE VIEW"
)

// Use is USE [catalog.]database or USE CATALOG catalog.
type Use struct {
	Located
	Catalog bool
	Name    Name
}

func (*QueryStatement) statement() {}
func (*Insert) statement()         {}
func (*StatementSet) statement()   {}
func (*Explain) statement()        {}
func (*Set) statement()            {}
func (*Reset) statement()          {}
func (*Describe) statement()       {}
func (*Show) statement()           {}
func (*Use) statement()            {}
