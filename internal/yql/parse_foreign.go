package yql

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
)

// What other dialects write, and Flink SQL above all, is refused with what YQL has in its place.

// refuseForeignTerm looks at the word that begins a term.
func (p *parser) refuseForeignTerm() {
	t, next := p.Token(), p.Ahead(1)
	if next.Kind == tokens.String {
		switch t.Upper {
		case "INTERVAL":
			p.Fail("syntax", t.Span, "an interval is written as a call", `write Interval("PT5S"): an ISO 8601 duration`)
		case "DATE", "TIMESTAMP":
			name := t.Upper[:1] + strings.ToLower(t.Upper[1:])
			example := map[string]string{"DATE": "2030-01-31", "TIMESTAMP": "2030-01-31T12:00:00Z"}[t.Upper]
			p.Fail("syntax", t.Span, "a "+strings.ToLower(name)+" is written as a call", "write "+name+`("`+example+`")`)
		}
	}
	if next.IsSymbol("[") && (t.Upper == "ARRAY" || t.Upper == "MAP") {
		p.Fail("syntax", t.Span, "a list stands in brackets alone, a dict in braces", "write [1, 2] or {key: value}")
	}
	if !next.IsSymbol("(") {
		return
	}
	switch t.Upper {
	case "TRY_CAST":
		p.Unsupported(t.Span, "TRY_CAST", "CAST(value AS type) gives NULL where it fails")
	case "TUMBLE", "CUMULATE":
		p.Unsupported(t.Span, t.Upper, `write HoppingWindow(time, "PT10S", "PT10S") among the keys of GROUP BY: the step, then the size`)
	case "TUMBLE_START", "TUMBLE_END", "WINDOW_START", "WINDOW_END":
		p.Unsupported(t.Span, t.Upper, "write HOP_START() or HOP_END()")
	case "EXTRACT":
		p.Unsupported(t.Span, "EXTRACT", "write DateTime::GetHour(time) and its kin")
	case "DESCRIPTOR":
		p.Unsupported(t.Span, "DESCRIPTOR", "HoppingWindow takes the time as an expression")
	}
}

// refuseForeignArg looks at what begins an argument.
func (p *parser) refuseForeignArg() {
	t, next := p.Token(), p.Ahead(1)
	if t.IsWord("TABLE") && (next.Kind == tokens.Word || next.Kind == tokens.Quoted) {
		p.Unsupported(t.Span, "TABLE as an argument", `windows stand among the keys: GROUP BY HoppingWindow(time, "PT5S", "PT10S")`)
	}
}

// refuseForeignTable looks at what begins an item of FROM.
func (p *parser) refuseForeignTable() {
	t, next := p.Token(), p.Ahead(1)
	switch {
	case t.IsWord("LATERAL"), t.IsWord("UNNEST") && next.IsSymbol("("):
		p.Unsupported(t.Span, t.Upper, "write FROM t FLATTEN LIST BY (expression AS element)")
	case t.IsWord("TABLE") && next.IsSymbol("("):
		p.Unsupported(t.Span, "TABLE(…)", `windows stand among the keys: GROUP BY HoppingWindow(time, "PT5S", "PT10S")`)
	case (t.IsWord("TUMBLE") || t.IsWord("HOP") || t.IsWord("CUMULATE") || t.IsWord("SESSION")) && next.IsSymbol("("):
		p.Unsupported(t.Span, t.Upper+" in FROM", `windows stand among the keys: GROUP BY HoppingWindow(time, "PT5S", "PT10S")`)
	}
}

// refuseQueryTail looks at what follows a query or an item of FROM.
func (p *parser) refuseQueryTail() {
	t := p.Token()
	if t.Kind != tokens.Word {
		return
	}
	switch t.Upper {
	case "MATCH_RECOGNIZE":
		p.Unsupported(t.Span, "MATCH_RECOGNIZE in YQL", "write that query in Flink SQL: it has MATCH_RECOGNIZE, and reads the same topics")
	case "FOR":
		if p.Ahead(1).IsWord("SYSTEM_TIME") {
			p.Unsupported(t.Span, "FOR SYSTEM_TIME AS OF", "join the table itself")
		}
	case "INTO":
		if p.Ahead(1).IsWord("RESULT") {
			p.Unsupported(t.Span, "INTO RESULT", "leave it out")
		}
	case "RETURNING":
		p.Unsupported(t.Span, "RETURNING", "leave it out")
	case "QUALIFY":
		p.Unsupported(t.Span, "QUALIFY", "filter a named query: $q = SELECT …; SELECT … FROM $q WHERE …")
	case "FETCH":
		p.Unsupported(t.Span, "FETCH", "write LIMIT")
	}
}

// refuseWatermarkFor looks at the word behind WATERMARK in WITH.
func (p *parser) refuseWatermarkFor(key Ident) {
	if t := p.Token(); strings.EqualFold(key.Name, "WATERMARK") && t.IsWord("FOR") {
		p.Fail("syntax", t.Span, "WATERMARK FOR is of Flink SQL", `write WATERMARK = time - Interval("PT5S")`)
	}
}

// refuseWatermarkColumn looks for a watermark among the columns of a schema.
func (p *parser) refuseWatermarkColumn() {
	if t := p.Token(); t.IsWord("WATERMARK") && p.Ahead(1).IsWord("FOR") {
		p.Fail("syntax", t.Span, "a watermark is no column", `write WATERMARK = time - Interval("PT5S") beside SCHEMA`)
	}
}

// refuseDefaultValues looks at what stands where the rows of an INSERT should.
func (p *parser) refuseDefaultValues() {
	if t := p.Token(); t.IsWord("DEFAULT") && p.Ahead(1).IsWord("VALUES") {
		p.Unsupported(t.Span, "DEFAULT VALUES", "write VALUES (…)")
	}
}

// refuseTableElement looks at what begins an element of CREATE TABLE.
func (p *parser) refuseTableElement() {
	t, next := p.Token(), p.Ahead(1)
	switch {
	case t.IsWord("WATERMARK") && next.IsWord("FOR"):
		p.Fail("syntax", t.Span, "WATERMARK FOR is of Flink SQL", "a table of YQL has no watermark: declare the table in Flink SQL, or say WATERMARK = … where it is read")
	case t.IsWord("INDEX") && next.Kind == tokens.Word && !p.Ahead(2).IsSymbol(",") && !p.Ahead(2).IsSymbol(")") && p.Ahead(2).Kind == tokens.Word:
		p.Unsupported(t.Span, "INDEX", "leave it out: rows are found by the primary key")
	case t.IsWord("FAMILY") && p.Ahead(2).IsSymbol("("):
		p.Unsupported(t.Span, "FAMILY", "leave it out")
	case t.IsWord("CHANGEFEED") && p.Ahead(2).IsWord("WITH"):
		p.Unsupported(t.Span, "CHANGEFEED", "leave it out: every table with a key can be read as its changes")
	case t.IsWord("CONSTRAINT"):
		p.Unsupported(t.Span, "CONSTRAINT", "write PRIMARY KEY (…)")
	}
}

// refuseColumnTail looks at what stands behind a column of CREATE TABLE.
func (p *parser) refuseColumnTail() {
	switch t := p.Token(); {
	case t.IsWord("METADATA"):
		p.Fail("syntax", t.Span, "METADATA is of Flink SQL", "declare the table in Flink SQL, or read __ydb_write_time, __ydb_offset and __ydb_partition_id")
	case t.IsWord("COMMENT"):
		p.Unsupported(t.Span, "COMMENT", "leave it out")
	}
}

func foreignTypeHint(upper string) string {
	switch upper {
	case "VARCHAR", "CHAR":
		return "write String (bytes) or Utf8 (text)"
	case "TIMESTAMP", "TIMESTAMP_LTZ", "DATETIME":
		return "a Timestamp has microseconds, a Datetime seconds"
	case "NUMERIC", "DEC":
		return "write Decimal(22, 9)"
	}
	return "leave the parentheses out"
}

// refusedStatements are statements that others have, with what to write.
var refusedStatements = map[string]string{
	"UPDATE":   "topics are streams: UPSERT INTO a table a newer row with the same primary key",
	"DELETE":   "topics are streams: UPSERT INTO a table a newer row with the same primary key",
	"DEFINE":   "give the parts names: $x = SELECT …;",
	"DO":       "write the statements themselves",
	"EVALUATE": "write the statements themselves",
	"IMPORT":   "write the expressions themselves",
	"EXPORT":   "write the expressions themselves",
	"USE":      "write the name with its source: source.topic",
	"ROLLBACK": "leave it out: a streaming query has no transactions to end",
	"DISCARD":  "leave it out",
	"GRANT":    "there are no users here",
	"REVOKE":   "there are no users here",
	"ANALYZE":  "leave it out",
	"SHOW":     "`.sys/streaming_queries` lists the streaming queries",
	"EXECUTE":  "CREATE STREAMING QUERY … AS DO BEGIN …; END DO holds several INSERTs",
	"BEGIN":    "CREATE STREAMING QUERY … AS DO BEGIN …; END DO holds several INSERTs",
	"SET":      "settings of a streaming query stand in its WITH (…), others in PRAGMA name = \"value\"",
	"BACKUP":   "leave it out",
	"RESTORE":  "leave it out",
}

func (p *parser) refuseStatement() {
	t := p.Token()
	hint, found := refusedStatements[t.Upper]
	if t.Kind != tokens.Word || !found {
		return
	}
	what := t.Upper
	if next := p.Ahead(1); t.Upper == "DEFINE" && (next.IsWord("ACTION") || next.IsWord("SUBQUERY")) {
		what += " " + next.Upper
	}
	p.Unsupported(t.Span, what, hint)
}

// refuseObject looks at the kind behind CREATE, ALTER or DROP.
func (p *parser) refuseObject(verb string) {
	t := p.Token()
	if t.Kind != tokens.Word {
		return
	}
	hint := objectKinds
	what := verb + " " + t.Upper
	switch t.Upper {
	case "VIEW":
		hint = "give the query a name where it is used: $name = SELECT …;"
	case "EXTERNAL", "ASYNC", "TEMPORARY", "TEMP", "RESOURCE", "BACKUP":
		what += " " + p.Ahead(1).Upper
	case "USER", "GROUP", "OBJECT", "FUNCTION", "DATABASE", "CATALOG", "SECRET", "SEQUENCE", "TABLESTORE", "TRANSFER":
	default:
		return
	}
	p.Unsupported(t.Span, what, hint)
}
