package yql

import "strings"

// CreateStreamingQuery is CREATE [OR REPLACE] STREAMING QUERY [IF NOT EXISTS] name [WITH (…)] AS DO BEGIN … END DO.
type CreateStreamingQuery struct {
	Located
	OrReplace, IfNotExists bool // not both
	Name                   Name
	Settings               []Setting
	Body                   *Body
}

// AlterStreamingQuery is ALTER STREAMING QUERY [IF EXISTS] name [SET (…)] [AS DO BEGIN … END DO]; at least one of the two is there.
type AlterStreamingQuery struct {
	Located
	IfExists bool
	Name     Name
	Settings []Setting
	Body     *Body // nil unless written
}

// DropStreamingQuery is DROP STREAMING QUERY [IF EXISTS] name.
type DropStreamingQuery struct {
	Located
	IfExists bool
	Name     Name
}

// Body is what stands between BEGIN and END DO; its place is that of the whole text between them.
type Body struct {
	Located
	// Text is the text between BEGIN and END DO exactly as written.
	Text string
	// Statements are in order; empty ones are passed over, and there is at least one.
	Statements []Statement
}

// Setting is KEY = value of a statement: of WITH and SET.
type Setting struct {
	Located
	// Key is as written; keys do not mind case.
	Key Ident
	// Value is nil when Nested is set. A bare word is a *ColumnRef; see Word.
	Value Expr
	// Nested is the list of a value in parentheses: STREAMING_DISPOSITION = (FROM_TIME = "…").
	Nested []Setting
}

// Is reports whether the setting has a key, given in upper case.
func (s Setting) Is(key string) bool { return strings.ToUpper(s.Key.Name) == key }

// Word returns a value that is a word or a string.
func (s Setting) Word() (string, bool) { return wordOf(s.Value) }

func (*CreateStreamingQuery) statement() {}
func (*AlterStreamingQuery) statement()  {}
func (*DropStreamingQuery) statement()   {}
