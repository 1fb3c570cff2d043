package sql

import (
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
)

// statementForm is a kind of statement by its first keyword.
type statementForm struct {
	word string
	read func(*parser) Statement
}

// statementForms returns the kinds of statements, as errors list them.
func statementForms() []statementForm {
	return []statementForm{
		{"SELECT", (*parser).queryStatement},
		{"WITH", (*parser).queryStatement},
		{"VALUES", (*parser).queryStatement},
		{"TABLE", (*parser).queryStatement},
		{"CREATE", (*parser).create},
		{"ALTER", (*parser).alter},
		{"DROP", (*parser).drop},
		{"INSERT", (*parser).insertStatement},
		{"EXECUTE", (*parser).execute},
		{"BEGIN", (*parser).beginStatementSet},
		{"EXPLAIN", (*parser).explain},
		{"SET", (*parser).set},
		{"RESET", (*parser).reset},
		{"SHOW", (*parser).show},
		{"DESCRIBE", (*parser).describe},
		{"DESC", (*parser).describe},
		{"USE", (*parser).use},
	}
}

// refusedStatements are statements of Flink that this engine has no use for, with
// what to do instead.
var refusedStatements = []struct{ word, hint string }{
	{"ANALYZE", "statistics are not needed"},
	{"UPDATE", "tables are streams: insert a newer row with the same primary key"},
	{"DELETE", "tables are streams: rows leave by retention or by a newer row with the same primary key"},
	{"TRUNCATE", "drop the table and create it again"},
	{"MERGE", "use INSERT INTO a table with a primary key"},
	{"CALL", "there are no procedures"},
	{"LOAD", "all functions are built in"},
	{"UNLOAD", "all functions are built in"},
	{"COMPILE", "run the statement itself"},
	{"REPLACE", "use DROP TABLE IF EXISTS and CREATE TABLE"},
	{"ADD", "functions from JAR files cannot run here"},
	{"REMOVE", "functions from JAR files cannot run here"},
	{"STOP", "stop the program that runs the statement"},
	{"QUIT", shellCommand},
	{"EXIT", shellCommand},
	{"HELP", shellCommand},
	{"CLEAR", shellCommand},
	{"SOURCE", shellCommand},
	{"HISTORY", shellCommand},
}

const shellCommand = "leave it out: it is a command of the shell; tidemark sql -f FILE runs a script that has it"

func (p *parser) script() *Script {
	script := &Script{Text: p.Text, uses: p.uses}
	for {
		for p.AcceptSymbol(";") {
		}
		if p.Token().Kind == tokens.End {
			return script
		}
		script.Statements = append(script.Statements, p.statement())
		if p.Token().Kind != tokens.End && !p.AtSymbol(";") {
			p.Expected("';'", "the end of the statement")
		}
	}
}

func (p *parser) statement() Statement {
	defer p.Nested()()
	if p.AtSymbol("(") {
		return p.queryStatement()
	}
	t := p.Token()
	forms := statementForms()
	for _, form := range forms {
		if t.IsWord(form.word) {
			return form.read(p)
		}
	}
	for _, refused := range refusedStatements {
		if t.IsWord(refused.word) {
			p.Unsupported(t.Span, refused.word, refused.hint)
		}
	}
	var words []string
	for _, form := range forms {
		words = append(words, form.word)
	}
	hint := "statements begin with SELECT, INSERT, CREATE, SET, EXPLAIN and the like"
	if near := source.Nearest(t.Value, words); near != "" {
		hint = "did you mean " + near + "?"
	}
	p.Refuse(t, "", []string{"a statement"}, hint)
	return nil
}

func (p *parser) queryStatement() Statement {
	start := p.Start()
	query := p.query()
	return &QueryStatement{p.since(start), query}
}

func (p *parser) insertStatement() Statement { return p.insert() }

func (p *parser) insert() *Insert {
	start := p.Start()
	p.Expect("INSERT")
	s := &Insert{Overwrite: p.Choose("INTO", "OVERWRITE") == "OVERWRITE"}
	p.Accept("TABLE")
	s.Table = p.name("a table name")
	s.Hints = p.hints()
	if p.At("PARTITION") {
		p.Unsupported(p.Token().Span, "PARTITION of INSERT", "give the partition columns as ordinary columns")
	}
	if p.AtSymbol("(") && !p.atQueryInParens() {
		s.Columns = p.idents("a column name")
	}
	s.Query = p.query()
	s.Located = p.since(start)
	return s
}

// execute reads EXECUTE STATEMENT SET BEGIN … END, and EXECUTE before an INSERT or a query, where Flink takes it and it says nothing.
func (p *parser) execute() Statement {
	start := p.Start()
	p.Expect("EXECUTE")
	switch {
	case p.At("PLAN"):
		p.Unsupported(p.Token().Span, "EXECUTE PLAN", "run the statement itself")
	case p.At("INSERT"):
		insert := p.insert()
		insert.Located = p.since(start)
		return insert
	case p.At("SELECT") || p.At("WITH") || p.At("VALUES"):
		query := p.query()
		return &QueryStatement{p.since(start), query}
	}
	return p.statementSet(start)
}

func (p *parser) statementSet(start int) Statement {
	p.Expect("STATEMENT", "SET", "BEGIN")
	return p.statementSetBody(start)
}

// beginStatementSet reads the older form: BEGIN STATEMENT SET; … END.
func (p *parser) beginStatementSet() Statement {
	start := p.Start()
	p.Expect("BEGIN", "STATEMENT", "SET")
	p.ExpectSymbol(";")
	return p.statementSetBody(start)
}

func (p *parser) statementSetBody(start int) Statement {
	set := &StatementSet{}
	for {
		for p.AcceptSymbol(";") {
		}
		// An empty set is refused, so END is no choice before the first INSERT.
		next := []string{"INSERT"}
		if len(set.Inserts) > 0 {
			if p.Accept("END") {
				set.Located = p.since(start)
				return set
			}
			next = append(next, "END")
		}
		if !p.At("INSERT") {
			p.Expected(next...)
		}
		set.Inserts = append(set.Inserts, p.insert())
		if !p.AtSymbol(";") {
			p.Expected("';'")
		}
	}
}
