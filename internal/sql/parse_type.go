package sql

import "strings"

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
	defer p.nested()()
	start := p.start()
	t := p.baseType()
	t.NotNull = p.nullability()
	t.Located = p.since(start)
	for n := 1; p.at("ARRAY") || p.at("MULTISET"); n++ {
		p.link(n)
		t = &TypeName{Name: p.advance().upper, Elem: t}
		t.NotNull = p.nullability()
		t.Located = p.since(start)
	}
	return t
}

// nullability reads [NOT] NULL and says whether NOT was there.
func (p *parser) nullability() bool {
	if p.accept("NOT", "NULL") {
		return true
	}
	p.accept("NULL")
	return false
}

func (p *parser) baseType() *TypeName {
	word := p.token()
	if word.kind != tokenWord || isReserved(word.upper) && !reservedTypes[word.upper] {
		p.expected("a type such as STRING")
	}
	p.advance()
	t := &TypeName{Name: word.upper}
	if canonical, ok := typeSynonyms[t.Name]; ok {
		t.Name = canonical
	}
	switch t.Name {
	case "ARRAY", "MULTISET":
		p.expectSymbol("<")
		t.Elem = p.typeName()
		p.expectSymbol(">")
		return t
	case "MAP":
		p.expectSymbol("<")
		t.Key = p.typeName()
		p.expectSymbol(",")
		t.Elem = p.typeName()
		p.expectSymbol(">")
		return t
	case "ROW":
		t.Fields = p.rowFields()
		return t
	case "INTERVAL":
		qualifier := p.intervalQualifier()
		t.Interval = &qualifier
		return t
	case "RAW", "STRUCTURED":
		p.unsupported(word.span, "type "+t.Name, "use ROW, or STRING with JSON inside")
	case "DOUBLE":
		p.accept("PRECISION")
		return t
	case "CHAR", "BINARY":
		if p.accept("VARYING") {
			t.Name = "VAR" + t.Name
		}
	}
	if p.atSymbol("(") {
		t.Args = inParens(p, func() []int {
			return list(p, func() int { return p.count("a whole number") })
		})
	}
	if t.Name == "TIMESTAMP" || t.Name == "TIME" {
		p.timeZone(t, word)
	}
	return t
}

// timeZone reads WITH LOCAL TIME ZONE and its relatives.
func (p *parser) timeZone(t *TypeName, word token) {
	switch {
	case p.accept("WITHOUT"):
		p.expect("TIME", "ZONE")
	case t.Name == "TIMESTAMP" && p.accept("WITH", "LOCAL"):
		p.expect("TIME", "ZONE")
		t.Name = "TIMESTAMP_LTZ"
	case p.at("WITH", "TIME", "ZONE"):
		p.unsupported(word.span, t.Name+" WITH TIME ZONE", "use TIMESTAMP_LTZ, an instant")
	}
}

// rowFields reads <name type ['comment'], …>, also in parentheses.
func (p *parser) rowFields() []RowField {
	closing := ">"
	if p.acceptSymbol("(") {
		closing = ")"
	} else {
		p.expectSymbol("<")
	}
	fields := list(p, func() RowField {
		start := p.start()
		f := RowField{Name: p.ident("a field name"), Type: p.typeName()}
		if p.token().kind == tokenString {
			comment := p.stringLit("a comment")
			f.Comment = &comment
		}
		f.Located = p.since(start)
		return f
	})
	if !p.acceptSymbol(closing) {
		p.expected("','", "'"+closing+"'")
	}
	return fields
}

// intervalUnits are the units an interval may have, also in the plural.
var intervalUnits = map[string]Unit{
	"SECOND": SecondUnit, "MINUTE": MinuteUnit, "HOUR": HourUnit, "DAY": DayUnit, "WEEK": WeekUnit,
	"MONTH": MonthUnit, "QUARTER": QuarterUnit, "YEAR": YearUnit,
}

func (p *parser) intervalUnit() Unit {
	t := p.token()
	if t.kind == tokenWord {
		if unit, ok := intervalUnits[strings.TrimSuffix(t.upper, "S")]; ok {
			p.advance()
			return unit
		}
		if fraction, ok := map[string]string{"MILLISECOND": "0.001", "MICROSECOND": "0.000001"}[strings.TrimSuffix(t.upper, "S")]; ok {
			p.unsupported(t.span, t.upper+" in an interval", "write seconds with a fraction: INTERVAL '"+fraction+"' SECOND")
		}
	}
	p.expected("SECOND", "MINUTE", "HOUR", "DAY", "WEEK", "MONTH", "QUARTER", "YEAR")
	return NoUnit
}

// intervalQualifier reads unit[(precision[, fraction])] [TO unit[(fraction)]].
func (p *parser) intervalQualifier() IntervalQualifier {
	q := IntervalQualifier{From: p.intervalUnit(), LeadingPrecision: -1, FractionPrecision: -1}
	if p.acceptSymbol("(") {
		q.LeadingPrecision = p.count("a number of digits")
		if q.From == SecondUnit && p.acceptSymbol(",") {
			q.FractionPrecision = p.count("a number of digits")
		}
		p.expectSymbol(")")
	}
	if !p.at("TO") {
		return q
	}
	p.advance()
	unit := p.token()
	q.To = p.intervalUnit()
	if !rangeAllowed(q.From, q.To) {
		p.fail("syntax", unit.span, "an interval cannot run from "+q.From.String()+" to "+q.To.String(),
			"allowed are YEAR TO MONTH and the ranges within DAY, HOUR, MINUTE, SECOND")
	}
	if q.To == SecondUnit && p.acceptSymbol("(") {
		q.FractionPrecision = p.count("a number of digits")
		p.expectSymbol(")")
	}
	return q
}

func rangeAllowed(from, to Unit) bool {
	if from == YearUnit {
		return to == MonthUnit
	}
	return from > to && from <= DayUnit && to >= SecondUnit
}
