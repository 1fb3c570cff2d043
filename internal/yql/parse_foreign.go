package yql

import "strings"

// What other dialects write, and Flink SQL above all, is refused with what YQL has in its place.

// refuseForeignTerm looks at the word that begins a term.
func (p *parser) refuseForeignTerm() {
	t, next := p.token(), p.ahead(1)
	if next.kind == tokenString {
		switch t.upper {
		case "INTERVAL":
			p.fail("syntax", t.span, "an interval is written as a call", `write Interval("PT5S"): an ISO 8601 duration`)
		case "DATE", "TIMESTAMP":
			name := t.upper[:1] + strings.ToLower(t.upper[1:])
			example := map[string]string{"DATE": "2030-01-31", "TIMESTAMP": "2030-01-31T12:00:00Z"}[t.upper]
			p.fail("syntax", t.span, "a "+strings.ToLower(name)+" is written as a call", "write "+name+`("`+example+`")`)
		}
	}
	if next.isSymbol("[") && (t.upper == "ARRAY" || t.upper == "MAP") {
		p.fail("syntax", t.span, "a list stands in brackets alone, a dict in braces", "write [1, 2] or {key: value}")
	}
	if !next.isSymbol("(") {
		return
	}
	switch t.upper {
	case "TRY_CAST":
		p.unsupported(t.span, "TRY_CAST", "CAST(value AS type) gives NULL where it fails")
	case "TUMBLE", "CUMULATE":
		p.unsupported(t.span, t.upper, `write HoppingWindow(time, "PT10S", "PT10S") among the keys of GROUP BY: the step, then the size`)
	case "TUMBLE_START", "TUMBLE_END", "WINDOW_START", "WINDOW_END":
		p.unsupported(t.span, t.upper, "write HOP_START() or HOP_END()")
	case "EXTRACT":
		p.unsupported(t.span, "EXTRACT", "write DateTime::GetHour(time) and its kin")
	case "DESCRIPTOR":
		p.unsupported(t.span, "DESCRIPTOR", "HoppingWindow takes the time as an expression")
	}
}

// refuseForeignArg looks at what begins an argument.
func (p *parser) refuseForeignArg() {
	t, next := p.token(), p.ahead(1)
	if t.isWord("TABLE") && (next.kind == tokenWord || next.kind == tokenQuoted) {
		p.unsupported(t.span, "TABLE as an argument", `windows stand among the keys: GROUP BY HoppingWindow(time, "PT5S", "PT10S")`)
	}
}

// refuseForeignTable looks at what begins an item of FROM.
func (p *parser) refuseForeignTable() {
	t, next := p.token(), p.ahead(1)
	switch {
	case t.isWord("LATERAL"), t.isWord("UNNEST") && next.isSymbol("("):
		p.unsupported(t.span, t.upper, "write FROM t FLATTEN LIST BY (expression AS element)")
	case t.isWord("TABLE") && next.isSymbol("("):
		p.unsupported(t.span, "TABLE(…)", `windows stand among the keys: GROUP BY HoppingWindow(time, "PT5S", "PT10S")`)
	case (t.isWord("TUMBLE") || t.isWord("HOP") || t.isWord("CUMULATE") || t.isWord("SESSION")) && next.isSymbol("("):
		p.unsupported(t.span, t.upper+" in FROM", `windows stand among the keys: GROUP BY HoppingWindow(time, "PT5S", "PT10S")`)
	}
}

// refuseQueryTail looks at what follows a query or an item of FROM.
func (p *parser) refuseQueryTail() {
	t := p.token()
	if t.kind != tokenWord {
		return
	}
	switch t.upper {
	case "MATCH_RECOGNIZE":
		p.unsupported(t.span, "MATCH_RECOGNIZE in YQL", "write that query in Flink SQL: it has MATCH_RECOGNIZE, and reads the same topics")
	case "FOR":
		if p.ahead(1).isWord("SYSTEM_TIME") {
			p.unsupported(t.span, "FOR SYSTEM_TIME AS OF", "join the table itself")
		}
	case "INTO":
		if p.ahead(1).isWord("RESULT") {
			p.unsupported(t.span, "INTO RESULT", "leave it out")
		}
	case "RETURNING":
		p.unsupported(t.span, "RETURNING", "leave it out")
	case "QUALIFY":
		p.unsupported(t.span, "QUALIFY", "filter a named query: $q = SELECT …; SELECT … FROM $q WHERE …")
	case "FETCH":
		p.unsupported(t.span, "FETCH", "write LIMIT")
	}
}

// refuseWatermarkFor looks at the word behind WATERMARK in WITH.
func (p *parser) refuseWatermarkFor(key Ident) {
	if t := p.token(); strings.EqualFold(key.Name, "WATERMARK") && t.isWord("FOR") {
		p.fail("syntax", t.span, "WATERMARK FOR is of Flink SQL", `write WATERMARK = time - Interval("PT5S")`)
	}
}

// refuseWatermarkColumn looks for a watermark among the columns of a schema.
func (p *parser) refuseWatermarkColumn() {
	if t := p.token(); t.isWord("WATERMARK") && p.ahead(1).isWord("FOR") {
		p.fail("syntax", t.span, "a watermark is no column", `write WATERMARK = time - Interval("PT5S") beside SCHEMA`)
	}
}

// refuseDefaultValues looks at what stands where the rows of an INSERT should.
func (p *parser) refuseDefaultValues() {
	if t := p.token(); t.isWord("DEFAULT") && p.ahead(1).isWord("VALUES") {
		p.unsupported(t.span, "DEFAULT VALUES", "write VALUES (…)")
	}
}

// refuseTableElement looks at what begins an element of CREATE TABLE.
func (p *parser) refuseTableElement() {
	t, next := p.token(), p.ahead(1)
	switch {
	case t.isWord("WATERMARK") && next.isWord("FOR"):
		p.fail("syntax", t.span, "WATERMARK FOR is of Flink SQL", "a table of YQL has no watermark: declare the table in Flink SQL, or say WATERMARK = … where it is read")
	case t.isWord("INDEX") && next.kind == tokenWord && !p.ahead(2).isSymbol(",") && !p.ahead(2).isSymbol(")") && p.ahead(2).kind == tokenWord:
		p.unsupported(t.span, "INDEX", "leave it out: rows are found by the primary key")
	case t.isWord("FAMILY") && p.ahead(2).isSymbol("("):
		p.unsupported(t.span, "FAMILY", "leave it out")
	case t.isWord("CHANGEFEED") && p.ahead(2).isWord("WITH"):
		p.unsupported(t.span, "CHANGEFEED", "leave it out: every table with a key can be read as its changes")
	case t.isWord("CONSTRAINT"):
		p.unsupported(t.span, "CONSTRAINT", "write PRIMARY KEY (…)")
	}
}

// refuseColumnTail looks at what stands behind a column of CREATE TABLE.
func (p *parser) refuseColumnTail() {
	switch t := p.token(); {
	case t.isWord("METADATA"):
		p.fail("syntax", t.span, "METADATA is of Flink SQL", "declare the table in Flink SQL, or read __ydb_write_time, __ydb_offset and __ydb_partition_id")
	case t.isWord("COMMENT"):
		p.unsupported(t.span, "COMMENT", "leave it out")
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
	t := p.token()
	hint, found := refusedStatements[t.upper]
	if t.kind != tokenWord || !found {
		return
	}
	what := t.upper
	if next := p.ahead(1); t.upper == "DEFINE" && (next.isWord("ACTION") || next.isWord("SUBQUERY")) {
		what += " " + next.upper
	}
	p.unsupported(t.span, what, hint)
}

// refuseObject looks at the kind behind CREATE, ALTER or DROP.
func (p *parser) refuseObject(verb string) {
	t := p.token()
	if t.kind != tokenWord {
		return
	}
	hint := objectKinds
	what := verb + " " + t.upper
	switch t.upper {
	case "VIEW":
		hint = "give the query a name where it is used: $name = SELECT …;"
	case "EXTERNAL", "ASYNC", "TEMPORARY", "TEMP", "RESOURCE", "BACKUP":
		what += " " + p.ahead(1).upper
	case "USER", "GROUP", "OBJECT", "FUNCTION", "DATABASE", "CATALOG", "SECRET", "SEQUENCE", "TABLESTORE", "TRANSFER":
	default:
		return
	}
	p.unsupported(t.span, what, hint)
}
