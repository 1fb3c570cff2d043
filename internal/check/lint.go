package check

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// Lint is a mistake that still runs.
type Lint struct {
	Name     string
	Severity Severity
	// Doc says in a sentence what is found and why that is bad.
	Doc string
	// Example is SQL in which it is found.
	Example string
	find    func(*pass)
}

// Lints are all there are, as --list and the reference show them.
var Lints = []Lint{
	{"window-bound-missing", Warning, "GROUP BY has only one of window_start and window_end: such an aggregation updates its results for ever and never closes a window",
		"GROUP BY window_start", oneBound},
	{plan.AdviceNoDelay, Warning, "the watermark follows the newest row: every row that is out of order is late",
		"WATERMARK FOR ts AS ts", noDelay},
	{"unbounded-state", Note, "an aggregation without windows, DISTINCT, a join, EXCEPT, INTERSECT and UNION keep what they have seen for ever, a pattern without WITHIN what may go on for ever",
		"SELECT k, COUNT(*) FROM t GROUP BY k", unbounded},
	{"clock-dependent", Note, "the result depends on when the statement runs: a replay gives another one",
		"WHERE ts > CURRENT_TIMESTAMP", clock},
	{"star-into-sink", Warning, "INSERT takes columns by position: a column that is added to the source ends up in another one of the sink, or breaks the statement",
		"INSERT INTO sink SELECT * FROM t", star},
	{"insert-order", Warning, "INSERT takes columns by position, and those selected have the names of the sink's columns in another order",
		"INSERT INTO sink SELECT b, a FROM t", order},
	{"insert-loop", Warning, "a statement reads the table that it writes",
		"INSERT INTO t SELECT a FROM t", loop},
	{"duplicate-insert", Warning, "the same INSERT is there twice: every row is written twice",
		"INSERT INTO sink SELECT a FROM t; INSERT INTO sink SELECT a FROM t", duplicate},
	{"unused-table", Note, "a table is neither read nor written", "CREATE TABLE t …, and no statement names t", unusedTable},
	{"unused-view", Note, "a view is never read", "CREATE VIEW v …, and no statement names v", unusedView},
	{"unused-with", Warning, "a query of WITH is never read", "WITH x AS (SELECT 1 AS a) SELECT a FROM t", unusedWith},
	{"with-hides-table", Note, "a query of WITH has the name of a table or view, which cannot be read there", "WITH t AS (SELECT a FROM u) SELECT a FROM t", hidesTable},
	{"alias-hides-column", Warning, "an alias is also the name of a column, and WHERE or GROUP BY means the column",
		"SELECT UPPER(a) AS a FROM t WHERE a = 'X'", hidesColumn},
	{"null-comparison", Warning, "a comparison with NULL is never true", "WHERE a = NULL", nullComparison},
	{"not-in-query", Warning, "NOT IN is never true once the query gives a NULL", "WHERE a NOT IN (SELECT b FROM u)", notIn},
	{"like-without-wildcard", Note, "LIKE without % or _ is a comparison with =", "WHERE a LIKE 'x'", wildcard},
	{"implicit-cross-join", Warning, "tables with a comma between them and no condition that joins them: every row meets every row", "FROM a, b", crossJoin},
	{"order-without-limit", Warning, "ORDER BY without LIMIT in an inner query means nothing", "SELECT a FROM (SELECT a FROM t ORDER BY a)", orderNoLimit},
	{"limit-without-order", Note, "LIMIT without ORDER BY takes whichever rows come first", "SELECT a FROM t LIMIT 5", limitNoOrder},
	{"interval-digits", Warning, "Flink takes two digits in an interval unless more are asked for, and refuses this one", "INTERVAL '100' SECOND", digits},
	{"late-set", Note, "SET holds for the statements behind it, and none of those reads anything", "SELECT 1; SET 'parallelism.default' = '2'", lateSet},
	{"setting-without-effect", Note, "SET takes a setting of Flink's or Confluent's on which nothing depends here", "SET 'execution.checkpointing.timeout' = '1 min'", idleSetting},
	{plan.AdviceOverDrift, Warning, "a split may be silent for longer than others may be ahead of it: they stop until it is idle",
		"SET 'sql.tables.scan.idle-timeout' = '10 min' with a drift of 5 min", advised},
	{plan.AdviceGroup, Warning, "a table has an alignment group in the profile confluent, where all tables of a statement are one group",
		"'scan.watermark.alignment.group' = 'g'", advised},
	{plan.AdviceIdleOption, Warning, "an option of a table about its watermark, or about rows that are kept, says nothing where it stands",
		"'scan.watermark.idle-timeout' = '1 min' without a watermark", advised},
	{plan.AdviceClock, Note, "a bounded table sends its watermark, or falls idle, by the clock: results depend on how fast it is read",
		"'scan.watermark.emit.strategy' = 'on-periodic' for a file", advised},
	{plan.AdviceTimeless, Note, "tables are aligned, and nothing waits for watermarks: alignment only slows down the reading of a backlog",
		"SELECT a FROM topic WHERE a > 1", advised},
	{plan.AdviceUnaligned, Note, "windows over tables that are not aligned: what is read ahead of the split that is furthest behind fills the state",
		"SET 'sql.tables.scan.watermark-alignment.max-allowed-drift' = '0', and TUMBLE", advised},
	{plan.AdviceShortWindow, Note, "windows are shorter than the drift: a fast split can be many windows ahead, which are all kept",
		"TUMBLE(…, INTERVAL '10' SECOND) with a drift of 5 min", advised},
	{plan.AdviceNoTimeout, Note, "there is no idle timeout: a split that falls silent holds back every window",
		"SET 'sql.tables.scan.idle-timeout' = '0'", advised},
	{plan.AdviceDimension, Note, "the watermark follows values of a column, and a value that falls silent has no timeout: it holds back every window",
		"'watermark.dimension' = 'kind' without 'watermark.dimension.timeout'", advised},
	{plan.AdviceUntimedJoin, Note, "a join compares times and is an ordinary join all the same, which keeps every row for ever: one of them is no time attribute, or a bound is missing or no constant",
		"ON a.k = b.k AND b.ts BETWEEN a.ts AND a.ts + INTERVAL '1' HOUR, and the table of b has no watermark", advised},
	{plan.AdviceLateUnread, Note, "late rows are left out, and no statement reads them", "'late-handling.mode' = 'filter' in t, and no statement names t$late", advised},
	{"unknown-lint", Warning, "a comment silences a lint that is not there", "-- tidemark:ignore star", nil},
}

// pass is one look of one lint at a script.
type pass struct {
	text       source.Text
	lint       *Lint
	statements []statement
	findings   []Finding
	current    *statement
}

// lint holds the statements of a script against all lints.
func lint(text source.Text, statements []statement) []Finding {
	p := &pass{text: text, statements: statements}
	for i := range Lints {
		if p.lint = &Lints[i]; p.lint.find != nil {
			p.lint.find(p)
		} else {
			p.findings = append(p.findings, unknown(text, p.lint)...)
		}
	}
	return p.findings
}

// each calls look for every statement of Flink SQL; what is reported meanwhile is about that one.
func (p *pass) each(look func(sql.Statement)) {
	for i := range p.statements {
		p.current = &p.statements[i]
		if s, ok := p.current.tree.(sql.Statement); ok {
			look(s)
		}
	}
}

// inspect calls visit for every part of every statement of Flink SQL.
func (p *pass) inspect(visit func(sql.Node) bool) {
	p.each(func(s sql.Statement) { sql.Inspect(s, visit) })
}

// report adds a finding, unless it is silenced or stands where the statement is refused anyway.
func (p *pass) report(at source.Span, hint, message string) {
	if s := p.current; slices.Contains(s.ignored, p.lint.Name) || s.err != nil && s.err.Span.Start < at.End && at.Start < s.err.Span.End {
		return
	}
	p.findings = append(p.findings, Finding{p.lint.Severity,
		&source.Error{Code: p.lint.Name, Span: at, Message: message, Hint: hint, Text: p.text}})
}
