package sql

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
)

// specialForm returns the reader of the arguments of a function that has keywords
// among them, or nil. The reader stands after the opening parenthesis.
func specialForm(word string) func(*parser, *Call) {
	switch word {
	case "EXTRACT":
		return (*parser).extractArgs
	case "FLOOR", "CEIL", "CEILING":
		return (*parser).floorArgs
	case "TIMESTAMPADD", "TIMESTAMPDIFF":
		return (*parser).timestampArgs
	case "POSITION":
		return (*parser).positionArgs
	case "TRIM":
		return (*parser).trimArgs
	case "SUBSTRING":
		return (*parser).substringArgs
	case "OVERLAY":
		return (*parser).overlayArgs
	case "JSON_VALUE", "JSON_QUERY", "JSON_EXISTS":
		return (*parser).jsonPathArgs
	case "JSON_OBJECT", "JSON_OBJECTAGG":
		return (*parser).jsonObjectArgs
	case "JSON_ARRAY", "JSON_ARRAYAGG":
		return (*parser).jsonArrayArgs
	}
	return nil
}

func (p *parser) specialCall(args func(*parser, *Call)) Expr {
	start := p.Start()
	word := p.Advance()
	c := &Call{Function: keywordName(word.Upper, Located{word.Span})}
	p.ExpectSymbol("(")
	args(p, c)
	if !p.AcceptSymbol(")") {
		p.Expected("','", "')'")
	}
	p.callSuffix(c)
	c.Located = p.since(start)
	return c
}

// restOfArgs reads ', argument' any number of times.
func (p *parser) restOfArgs(c *Call) {
	for p.AcceptSymbol(",") {
		c.Args = append(c.Args, p.expr())
	}
}

// unitSynonyms are other spellings of units: those of SQL_TSI_… and of ODBC.
var unitSynonyms = map[string]Unit{
	"FRAC_SECOND": MicrosecondUnit, "DAYOFWEEK": DayOfWeekUnit, "DAYOFYEAR": DayOfYearUnit,
}

func unitByName(word string) (Unit, bool) {
	word = strings.TrimPrefix(word, "SQL_TSI_")
	if u, ok := unitSynonyms[word]; ok {
		return u, true
	}
	for u := MicrosecondUnit; int(u) < len(unitNames); u++ {
		if word == u.String() || u <= YearUnit && word == u.String()+"S" {
			return u, true
		}
	}
	return NoUnit, false
}

func (p *parser) unit() Expr {
	t := p.Token()
	if t.Kind == tokens.Word {
		if u, ok := unitByName(t.Upper); ok {
			p.Advance()
			return &UnitLit{Located{t.Span}, u}
		}
	}
	p.Expected("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND", "another unit of time")
	return nil
}

func (p *parser) extractArgs(c *Call) {
	c.Args = []Expr{p.unit()}
	p.Expect("FROM")
	c.Args = append(c.Args, p.expr())
}

func (p *parser) floorArgs(c *Call) {
	c.Args = []Expr{p.expr()}
	if p.Accept("TO") {
		c.Args = append(c.Args, p.unit())
		return
	}
	p.restOfArgs(c)
}

func (p *parser) timestampArgs(c *Call) {
	c.Args = []Expr{p.unit()}
	p.restOfArgs(c)
}

func (p *parser) positionArgs(c *Call) {
	c.Args = []Expr{p.operators(bindAdd)}
	p.Expect("IN")
	c.Args = append(c.Args, p.expr())
	if p.Accept("FROM") {
		c.Args = append(c.Args, p.expr())
	}
}

// trimArgs reads TRIM(s), TRIM(chars FROM s) and TRIM(BOTH [chars] FROM s).
func (p *parser) trimArgs(c *Call) {
	side := &WordLit{Located{p.Token().Span}, "BOTH"}
	sided := false
	for _, word := range []string{"BOTH", "LEADING", "TRAILING"} {
		if p.Accept(word) {
			side.Word, sided = word, true
		}
	}
	if sided && p.At("FROM") {
		blank := &StringLit{Located{p.Token().Span}, " "}
		p.Advance()
		c.Args = []Expr{side, blank, p.expr()}
		return
	}
	first := p.expr()
	switch {
	case p.Accept("FROM"):
		c.Args = []Expr{side, first, p.expr()}
	case sided:
		p.Expected("FROM")
	default:
		c.Args = []Expr{first}
		p.restOfArgs(c)
	}
}

func (p *parser) substringArgs(c *Call) {
	c.Args = []Expr{p.expr()}
	if !p.Accept("FROM") {
		p.restOfArgs(c)
		return
	}
	c.Args = append(c.Args, p.expr())
	if p.Accept("FOR") {
		c.Args = append(c.Args, p.expr())
	}
}

func (p *parser) overlayArgs(c *Call) {
	c.Args = []Expr{p.expr()}
	p.Expect("PLACING")
	c.Args = append(c.Args, p.expr())
	p.Expect("FROM")
	c.Args = append(c.Args, p.expr())
	if p.Accept("FOR") {
		c.Args = append(c.Args, p.expr())
	}
}
