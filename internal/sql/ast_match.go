package sql

// MatchRecognize is table MATCH_RECOGNIZE (…). The rows per match are always one.
type MatchRecognize struct {
	Located
	Input       TableRef
	PartitionBy []Expr
	OrderBy     []OrderItem
	Measures    []Measure
	// Skip is AFTER MATCH SKIP …; nil unless written.
	Skip    *MatchSkip
	Pattern []PatternTerm
	// Within is an *IntervalLit; nil unless written.
	Within Expr
	Define []Definition
	Alias  *Alias
}

// Measure is an item of MEASURES.
type Measure struct {
	Located
	Expr Expr
	Name Ident
}

// MatchSkip says where the search goes on behind a match.
type MatchSkip struct {
	Located
	To SkipTo
	// Variable is that of SkipToFirst and SkipToLast.
	Variable Ident
}

// SkipTo is the form of a MatchSkip.
type SkipTo string

// The forms of AFTER MATCH SKIP; TO v is read as TO LAST v.
const (
	SkipPastLast SkipTo = "PAST LAST ROW"
	SkipToNext   SkipTo = "TO NEXT ROW"
	SkipToFirst  SkipTo = "TO FIRST"
	SkipToLast   SkipTo = "TO LAST"
)

// PatternTerm is a variable of PATTERN with its quantifier.
type PatternTerm struct {
	Located
	Variable Ident
	Min, Max int // Max is -1 without an end
	// Reluctant is a ? behind the quantifier.
	Reluctant bool
}

// Definition is an item of DEFINE.
type Definition struct {
	Located
	Variable  Ident
	Condition Expr
}

func (*MatchRecognize) tableRef() {}
