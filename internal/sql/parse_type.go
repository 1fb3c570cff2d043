package sql

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
)

// typeSynonyms maps spellings of Flink's types to their canonical names.
var typeSynonyms = map[string]string{
	"INTEGER": "INT", "DEC": "DECIMAL", "NUMERIC": "DECIMAL", "CHARACTER": "CHAR", "REAL": "FLOAT",
}

// reservedTypes are the reserved words that name a type.
var reservedTypes = wordSet(`
	ARRAY BIGINT BINARY BLOB BOOLEAN CHAR CHARACTER CLOB DATE DEC DECIMAL DOUBLE FLOAT INT INTEGER INTERVAL MULTISET
	NUMERIC REAL ROW SMALLINT TIME TIMESTAMP TINYINT VARBINARY VARCHAR`)

// typeName reads a data type with its nullability.
func (p *parser) typeName() *TypeName {
	defer p.Nested()()
	start := p.Start()
	t := p.baseType()
	t.NotNull = p.nullability()
	t.Located = p.since(start)
	for n := 1; p.At("ARRAY") || p.At("MULTISET"); n++ {
		p.Link(n)
		t = &TypeName{Name: p.Advance().Upper, Elem: t}
		t.NotNull = p.nullability()
		t.Located = p.since(start)
	}
	return t
}

// nullability reads [NOT] NULL and says whether NOT was there.
func (p *parser) nullability() bool {
	if p.Accept("NOT", "NULL") {
		return true
	}
	p.Accept("NULL")
	return false
}

func (p *parser) baseType() *TypeName {
	word := p.Token()
	if word.Kind != tokens.Word || isReserved(word.Upper) && !reservedTypes[word.Upper] {
		p.Expected("a type such as STRING")
	}
	p.Advance()
	t := &TypeName{Name: word.Upper}
	if canonical, ok := typeSynonyms[t.Name]; ok {
		t.Name = canonical
	}
	switch t.Name {
	case "ARRAY", "MULTISET":
		p.ExpectSymbol("<")
		t.Elem = p.typeName()
		p.ExpectSymbol(">")
		return t
	case "MAP":
		p.ExpectSymbol("<")
		t.Key = p.typeName()
		p.ExpectSymbol(",")
		t.Elem = p.typeName()
		p.ExpectSymbol(">")
		return t
	case "ROW":
		t.Fields = p.rowFields()
		return t
	case "INTERVAL":
		qualifier := p.intervalQualifier()
		t.Interval = &qualifier
		return t
	case "RAW", "STRUCTURED":
		p.Unsupported(word.Span, "type "+t.Name, "use ROW, or STRING with JSON inside")
	case "DOUBLE":
		p.Accept("PRECISION")
		return t
	case "CHAR", "BINARY":
		if p.Accept("VARYING") {
			t.Name = "VAR" + t.Name
		}
	}
	if p.AtSymbol("(") {
		t.Args = inParens(p, func() []int {
			return tokens.List(&p.Cursor, func() int { return p.count("a whole number") })
		})
	}
	if t.Name == "TIMESTAMP" || t.Name == "TIME" {
		p.timeZone(t, word)
	}
	return t
}

// timeZone reads WITH LOCAL TIME ZONE and its relatives.
func (p *parser) timeZone(t *TypeName, word tokens.Token) {
	switch {
	case p.Accept("WITHOUT"):
		p.Expect("TIME", "ZONE")
	case t.Name == "TIMESTAMP" && p.Accept("WITH", "LOCAL"):
		p.Expect("TIME", "ZONE")
		t.Name = "TIMESTAMP_LTZ"
	case p.At("WITH", "TIME", "ZONE"):
		p.Unsupported(word.Span, t.Name+" WITH TIME ZONE", "use TIMESTAMP_LTZ, an instant")
	}
}

// rowFields reads <name type ['comment'], …>, also in parentheses.
func (p *parser) rowFields() []RowField {
	closing := ">"
	if p.AcceptSymbol("(") {
		closing = ")"
	} else {
		p.ExpectSymbol("<")
	}
	fields := tokens.List(&p.Cursor, func() RowField {
		start := p.Start()
		f := RowField{Name: p.ident("a field name"), Type: p.typeName()}
		if p.Token().Kind == tokens.String {
			comment := p.stringLit("a comment")
			f.Comment = &comment
		}
		f.Located = p.since(start)
		return f
	})
	if !p.AcceptSymbol(closing) {
		p.Expected("','", "'"+closing+"'")
	}
	return fields
}

// intervalUnits are the units an interval may have, also in the plural.
var intervalUnits = map[string]Unit{
	"SECOND": SecondUnit, "MINUTE": MinuteUnit, "HOUR": HourUnit, "DAY": DayUnit, "WEEK": WeekUnit,
	"MONTH": MonthUnit, "QUARTER": QuarterUnit, "YEAR": YearUnit,
}

func (p *parser) intervalUnit() Unit {
	t := p.Token()
	if t.Kind == tokens.Word {
		if unit, ok := intervalUnits[strings.TrimSuffix(t.Upper, "S")]; ok {
			p.Advance()
			return unit
		}
		if fraction, ok := map[string]string{"MILLISECOND": "0.001", "MICROSECOND": "0.000001"}[strings.TrimSuffix(t.Upper, "S")]; ok {
			p.Unsupported(t.Span, t.Upper+" in an interval", "write seconds with a fraction: INTERVAL '"+fraction+"' SECOND")
		}
	}
	p.Expected("SECOND", "MINUTE", "HOUR", "DAY", "WEEK", "MONTH", "QUARTER", "YEAR")
	return NoUnit
}

// intervalQualifier reads unit[(precision[, fraction])] [TO unit[(fraction)]].
func (p *parser) intervalQualifier() IntervalQualifier {
	q := IntervalQualifier{From: p.intervalUnit(), LeadingPrecision: -1, FractionPrecision: -1}
	if p.AcceptSymbol("(") {
		q.LeadingPrecision = p.count("a number of digits")
		if q.From == SecondUnit && p.AcceptSymbol(",") {
			q.FractionPrecision = p.count("a number of digits")
		}
		p.ExpectSymbol(")")
	}
	if !p.At("TO") {
		return q
	}
	p.Advance()
	unit := p.Token()
	q.To = p.intervalUnit()
	if !rangeAllowed(q.From, q.To) {
		p.Fail("syntax", unit.Span, "an interval cannot run from "+q.From.String()+" to "+q.To.String(),
			"allowed are YEAR TO MONTH and the ranges within DAY, HOUR, MINUTE, SECOND")
	}
	if q.To == SecondUnit && p.AcceptSymbol("(") {
		q.FractionPrecision = p.count("a number of digits")
		p.ExpectSymbol(")")
	}
	return q
}

func rangeAllowed(from, to Unit) bool {
	if from == YearUnit {
		return to == MonthUnit
	}
	return from > to && from <= DayUnit && to >= SecondUnit
}
