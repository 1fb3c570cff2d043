package yql

import "github.com/tidemark-sql/tidemark/internal/sql/tokens"

// object is a kind of thing that CREATE, ALTER and DROP speak of. What is not known is refused by name.
type object struct {
	words               []string
	create, alter, drop func(p *parser, start int, o existence) Statement
}

// existence is what stands around the kind of an object: OR REPLACE, IF EXISTS, IF NOT EXISTS.
type existence struct {
	orReplace, ifExists, ifNotExists bool
}

func objects() []object {
	return []object{
		{[]string{"STREAMING", "QUERY"}, (*parser).createStreamingQuery, (*parser).alterStreamingQuery, (*parser).dropStreamingQuery},
		{[]string{"TABLE"}, (*parser).createTable, nil, (*parser).dropTable},
		{[]string{"TOPIC"}, (*parser).createTopic, (*parser).alterTopic, (*parser).dropTopic},
		{[]string{"EXTERNAL", "DATA", "SOURCE"}, (*parser).createExternal, nil, (*parser).dropExternal},
	}
}

const objectKinds = "what there is: STREAMING QUERY, TABLE, TOPIC"

func (p *parser) create() Statement {
	start := p.Start()
	p.Expect("CREATE")
	at := p.Token()
	o := existence{orReplace: p.Accept("OR", "REPLACE")}
	kind := p.object("CREATE")
	if o.orReplace && (kind.words[0] == "TABLE" || kind.words[0] == "TOPIC") {
		p.Unsupported(at.Span, "CREATE OR REPLACE "+kind.words[0], "write DROP "+kind.words[0]+" IF EXISTS and CREATE "+kind.words[0])
	}
	exists := p.Token()
	o.ifNotExists = p.ifNotExists()
	if o.orReplace && o.ifNotExists {
		p.Fail("syntax", exists.Span, "OR REPLACE and IF NOT EXISTS exclude each other", "leave one out")
	}
	return kind.create(p, start, o)
}

func (p *parser) alter() Statement {
	start := p.Start()
	p.Expect("ALTER")
	kindAt := p.Token()
	kind := p.object("ALTER")
	if kind.alter == nil {
		p.Unsupported(kindAt.Span, "ALTER "+kind.name(), "drop it and create it anew")
	}
	return kind.alter(p, start, existence{ifExists: p.ifExists()})
}

func (p *parser) drop() Statement {
	start := p.Start()
	p.Expect("DROP")
	kind := p.object("DROP")
	return kind.drop(p, start, existence{ifExists: p.ifExists()})
}

func (o object) name() string {
	name := o.words[0]
	for _, word := range o.words[1:] {
		name += " " + word
	}
	return name
}

// object reads the kind of an object.
func (p *parser) object(verb string) object {
	var kinds []string
	for _, o := range objects() {
		if p.At(o.words[0]) && (len(o.words) == 1 || p.Ahead(1).Kind != tokens.Word || p.At(o.words[:2]...) || o.words[0] == "STREAMING") {
			p.Expect(o.words...)
			return o
		}
		kinds = append(kinds, o.name())
	}
	p.refuseObject(verb)
	p.Expected(kinds...)
	return object{}
}

func (p *parser) createStreamingQuery(start int, o existence) Statement {
	s := &CreateStreamingQuery{OrReplace: o.orReplace, IfNotExists: o.ifNotExists, Name: p.name("the name of the query")}
	if p.Accept("WITH") {
		s.Settings = p.settings()
	}
	if !p.At("AS") {
		if s.Settings == nil {
			p.Expected("WITH (…)", "AS DO BEGIN")
		}
		p.Expected("AS DO BEGIN")
	}
	s.Body = p.body()
	s.Located = p.since(start)
	return s
}

func (p *parser) alterStreamingQuery(start int, o existence) Statement {
	s := &AlterStreamingQuery{IfExists: o.ifExists, Name: p.name("the name of the query")}
	set := p.Accept("SET")
	if set {
		s.Settings = p.settings()
	}
	if p.At("AS") {
		s.Body = p.body()
	} else if !set {
		p.Expected("SET (…)", "AS DO BEGIN")
	}
	s.Located = p.since(start)
	return s
}

func (p *parser) dropStreamingQuery(start int, o existence) Statement {
	s := &DropStreamingQuery{IfExists: o.ifExists, Name: p.name("the name of the query")}
	s.Located = p.since(start)
	return s
}

// body reads AS DO BEGIN statements END DO.
func (p *parser) body() *Body {
	p.Expect("AS")
	if t := p.Token(); t.IsWord("BEGIN") || t.IsWord("SELECT") || t.IsWord("INSERT") {
		p.Fail("syntax", t.Span, "the text of a streaming query stands between DO BEGIN and END DO", "write AS DO BEGIN …; END DO")
	}
	p.Expect("DO", "BEGIN")
	begin := p.Last().Span.End
	b := &Body{}
	b.Statements = p.statements(func() bool { return p.At("END") }, "END DO")
	b.At.Start, b.At.End = begin, p.Start()
	b.Text = p.Text.Slice(b.At)
	if len(b.Statements) == 0 {
		p.Fail("syntax", p.Token().Span, "the streaming query has no statements", "write INSERT INTO topic SELECT … FROM topic WITH (…);")
	}
	p.Expect("END")
	if !p.Accept("DO") {
		p.Expected("DO")
	}
	return b
}

// settings reads (KEY = value, …).
func (p *parser) settings() []Setting { return listInParens(p, p.setting) }

func (p *parser) setting() Setting {
	start := p.Start()
	s := Setting{Key: p.optionKey("the key of a setting")}
	equals := p.AcceptSymbol("=")
	switch next := p.Ahead(1); {
	case p.AtSymbol("(") && (next.Kind == tokens.Word || next.Kind == tokens.Quoted) && p.Ahead(2).IsSymbol("="):
		s.Nested = listInParens(p, p.flatSetting)
	case !equals:
		p.Expected("'='")
	default:
		s.Value = p.expr()
	}
	s.Located = p.since(start)
	return s
}

// flatSetting reads a setting within another one.
func (p *parser) flatSetting() Setting {
	start := p.Start()
	s := Setting{Key: p.optionKey("the key of a setting")}
	p.ExpectSymbol("=")
	s.Value = p.expr()
	s.Located = p.since(start)
	return s
}

func (p *parser) createTable(start int, o existence) Statement {
	s := &CreateTable{IfNotExists: o.ifNotExists, Name: p.name("a table name")}
	if p.At("AS") {
		p.Unsupported(p.Token().Span, "CREATE TABLE AS", "create the table, then write UPSERT INTO … SELECT …")
	}
	listInParens(p, func() struct{} { p.tableElement(s); return struct{}{} })
	if p.Accept("PARTITION") {
		p.Expect("BY")
		p.Accept("HASH")
		s.PartitionBy = p.words("a column name")
	}
	if p.Accept("WITH") {
		s.Settings = p.settings()
	}
	s.Located = p.since(start)
	return s
}

// tableElement reads a column, or the primary key.
func (p *parser) tableElement(s *CreateTable) {
	start := p.Start()
	p.refuseTableElement()
	if at := p.Token(); p.Accept("PRIMARY", "KEY") {
		if s.PrimaryKey != nil {
			p.Fail("syntax", at.Span, "PRIMARY KEY stands twice", "leave one out")
		}
		s.PrimaryKey = p.words("a column name")
		return
	}
	c := ColumnDef{Name: p.columnName()}
	c.Type = p.columnType(c.Name)
	for {
		at := p.Token()
		switch {
		case p.Accept("NOT"):
			p.Expect("NULL")
			c.NotNull = true
		case p.Accept("NULL"):
		case p.Accept("DEFAULT"):
			c.Default = p.operators(bindCoalesce)
		case p.At("PRIMARY"):
			p.Fail("syntax", at.Span, "the key stands by itself", "write PRIMARY KEY ("+tokens.Shown(c.Name.Name)+") behind the columns")
		case p.At("FAMILY"):
			p.Unsupported(at.Span, "FAMILY", "leave it out")
		default:
			c.Located = p.since(start)
			s.Columns = append(s.Columns, c)
			p.refuseColumnTail()
			return
		}
	}
}

func (p *parser) dropTable(start int, o existence) Statement {
	s := &DropTable{IfExists: o.ifExists, Name: p.name("a table name")}
	s.Located = p.since(start)
	return s
}

func (p *parser) createTopic(start int, o existence) Statement {
	s := &CreateTopic{IfNotExists: o.ifNotExists, Name: p.name("the name of a topic")}
	if p.AtSymbol("(") {
		s.Consumers = listInParens(p, func() Consumer {
			consumerStart := p.Start()
			p.Expect("CONSUMER")
			return p.consumer(consumerStart)
		})
	}
	if p.Accept("WITH") {
		s.Settings = p.settings()
	}
	s.Located = p.since(start)
	return s
}

func (p *parser) consumer(start int) Consumer {
	c := Consumer{Name: p.word("the name of a consumer")}
	if p.Accept("WITH") {
		c.Settings = p.settings()
	}
	c.Located = p.since(start)
	return c
}

func (p *parser) alterTopic(start int, o existence) Statement {
	s := &AlterTopic{IfExists: o.ifExists, Name: p.name("the name of a topic")}
	s.Actions = tokens.List(&p.Cursor, p.topicAction)
	s.Located = p.since(start)
	return s
}

func (p *parser) topicAction() TopicAction {
	start := p.Start()
	a := TopicAction{}
	switch word := p.Choose("ADD", "DROP", "ALTER", "SET", "RESET"); word {
	case "SET":
		a.Kind, a.Settings = SetTopic, p.settings()
	case "RESET":
		a.Kind, a.Reset = ResetTopic, p.words("the key of a setting")
	default:
		p.Expect("CONSUMER")
		a.Kind = TopicActionKind(word + " CONSUMER")
		consumer := p.word("the name of a consumer")
		a.Consumer = &consumer
		switch {
		case word == "ALTER":
			p.Expect("SET")
			a.Settings = p.settings()
		case word == "ADD" && p.Accept("WITH"):
			a.Settings = p.settings()
		}
	}
	a.Located = p.since(start)
	return a
}

func (p *parser) dropTopic(start int, o existence) Statement {
	s := &DropTopic{IfExists: o.ifExists, Name: p.name("the name of a topic")}
	s.Located = p.since(start)
	return s
}

func (p *parser) createExternal(start int, o existence) Statement {
	s := &CreateExternalDataSource{OrReplace: o.orReplace, IfNotExists: o.ifNotExists, Name: p.name("the name of the data source")}
	p.Expect("WITH")
	s.Settings = p.settings()
	s.Located = p.since(start)
	return s
}

func (p *parser) dropExternal(start int, o existence) Statement {
	s := &DropExternalDataSource{IfExists: o.ifExists, Name: p.name("the name of the data source")}
	s.Located = p.since(start)
	return s
}
