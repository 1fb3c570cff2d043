package yql

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

const objectKinds = "what there is: STREAMING QUERY, TABLE, TOPIC, EXTERNAL DATA SOURCE"

func (p *parser) create() Statement {
	start := p.start()
	p.expect("CREATE")
	at := p.token()
	o := existence{orReplace: p.accept("OR", "REPLACE")}
	kind := p.object("CREATE")
	if o.orReplace && (kind.words[0] == "TABLE" || kind.words[0] == "TOPIC") {
		p.unsupported(at.span, "CREATE OR REPLACE "+kind.words[0], "write DROP "+kind.words[0]+" IF EXISTS and CREATE "+kind.words[0])
	}
	exists := p.token()
	o.ifNotExists = p.ifNotExists()
	if o.orReplace && o.ifNotExists {
		p.fail("syntax", exists.span, "OR REPLACE and IF NOT EXISTS exclude each other", "leave one out")
	}
	return kind.create(p, start, o)
}

func (p *parser) alter() Statement {
	start := p.start()
	p.expect("ALTER")
	kindAt := p.token()
	kind := p.object("ALTER")
	if kind.alter == nil {
		p.unsupported(kindAt.span, "ALTER "+kind.name(), "drop it and create it anew")
	}
	return kind.alter(p, start, existence{ifExists: p.ifExists()})
}

func (p *parser) drop() Statement {
	start := p.start()
	p.expect("DROP")
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
		if p.at(o.words[0]) && (len(o.words) == 1 || p.ahead(1).kind != tokenWord || p.at(o.words[:2]...) || o.words[0] == "STREAMING") {
			p.expect(o.words...)
			return o
		}
		kinds = append(kinds, o.name())
	}
	p.refuseObject(verb)
	p.expected(kinds...)
	return object{}
}

func (p *parser) createStreamingQuery(start int, o existence) Statement {
	s := &CreateStreamingQuery{OrReplace: o.orReplace, IfNotExists: o.ifNotExists, Name: p.name("the name of the query")}
	if p.accept("WITH") {
		s.Settings = p.settings()
	}
	if !p.at("AS") {
		if s.Settings == nil {
			p.expected("WITH (…)", "AS DO BEGIN")
		}
		p.expected("AS DO BEGIN")
	}
	s.Body = p.body()
	s.Located = p.since(start)
	return s
}

func (p *parser) alterStreamingQuery(start int, o existence) Statement {
	s := &AlterStreamingQuery{IfExists: o.ifExists, Name: p.name("the name of the query")}
	set := p.accept("SET")
	if set {
		s.Settings = p.settings()
	}
	if p.at("AS") {
		s.Body = p.body()
	} else if !set {
		p.expected("SET (…)", "AS DO BEGIN")
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
	p.expect("AS")
	if t := p.token(); t.isWord("BEGIN") || t.isWord("SELECT") || t.isWord("INSERT") {
		p.fail("syntax", t.span, "the text of a streaming query stands between DO BEGIN and END DO", "write AS DO BEGIN …; END DO")
	}
	p.expect("DO", "BEGIN")
	begin := p.tokens[p.pos-1].span.End
	b := &Body{}
	b.Statements = p.statements(func() bool { return p.at("END") }, "END DO")
	b.At.Start, b.At.End = begin, p.start()
	b.Text = p.text.Slice(b.At)
	if len(b.Statements) == 0 {
		p.fail("syntax", p.token().span, "the streaming query has no statements", "write INSERT INTO topic SELECT … FROM topic WITH (…);")
	}
	p.expect("END")
	if !p.accept("DO") {
		p.expected("DO")
	}
	return b
}

// settings reads (KEY = value, …).
func (p *parser) settings() []Setting { return listInParens(p, p.setting) }

func (p *parser) setting() Setting {
	start := p.start()
	s := Setting{Key: p.optionKey("the key of a setting")}
	equals := p.acceptSymbol("=")
	switch next := p.ahead(1); {
	case p.atSymbol("(") && (next.kind == tokenWord || next.kind == tokenQuoted) && p.ahead(2).isSymbol("="):
		s.Nested = listInParens(p, p.flatSetting)
	case !equals:
		p.expected("'='")
	default:
		s.Value = p.expr()
	}
	s.Located = p.since(start)
	return s
}

// flatSetting reads a setting within another one.
func (p *parser) flatSetting() Setting {
	start := p.start()
	s := Setting{Key: p.optionKey("the key of a setting")}
	p.expectSymbol("=")
	s.Value = p.expr()
	s.Located = p.since(start)
	return s
}

func (p *parser) createTable(start int, o existence) Statement {
	s := &CreateTable{IfNotExists: o.ifNotExists, Name: p.name("a table name")}
	if p.at("AS") {
		p.unsupported(p.token().span, "CREATE TABLE AS", "create the table, then write UPSERT INTO … SELECT …")
	}
	listInParens(p, func() struct{} { p.tableElement(s); return struct{}{} })
	if p.accept("PARTITION") {
		p.expect("BY")
		p.accept("HASH")
		s.PartitionBy = p.words("a column name")
	}
	if p.accept("WITH") {
		s.Settings = p.settings()
	}
	s.Located = p.since(start)
	return s
}

// tableElement reads a column, or the primary key.
func (p *parser) tableElement(s *CreateTable) {
	start := p.start()
	p.refuseTableElement()
	if at := p.token(); p.accept("PRIMARY", "KEY") {
		if s.PrimaryKey != nil {
			p.fail("syntax", at.span, "PRIMARY KEY stands twice", "leave one out")
		}
		s.PrimaryKey = p.words("a column name")
		return
	}
	c := ColumnDef{Name: p.columnName()}
	c.Type = p.columnType(c.Name)
	for {
		at := p.token()
		switch {
		case p.accept("NOT"):
			p.expect("NULL")
			c.NotNull = true
		case p.accept("NULL"):
		case p.accept("DEFAULT"):
			c.Default = p.operators(bindCoalesce)
		case p.at("PRIMARY"):
			p.fail("syntax", at.span, "the key stands by itself", "write PRIMARY KEY ("+shown(c.Name.Name)+") behind the columns")
		case p.at("FAMILY"):
			p.unsupported(at.span, "FAMILY", "leave it out")
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
	if p.atSymbol("(") {
		s.Consumers = listInParens(p, func() Consumer {
			consumerStart := p.start()
			p.expect("CONSUMER")
			return p.consumer(consumerStart)
		})
	}
	if p.accept("WITH") {
		s.Settings = p.settings()
	}
	s.Located = p.since(start)
	return s
}

func (p *parser) consumer(start int) Consumer {
	c := Consumer{Name: p.word("the name of a consumer")}
	if p.accept("WITH") {
		c.Settings = p.settings()
	}
	c.Located = p.since(start)
	return c
}

func (p *parser) alterTopic(start int, o existence) Statement {
	s := &AlterTopic{IfExists: o.ifExists, Name: p.name("the name of a topic")}
	s.Actions = list(p, p.topicAction)
	s.Located = p.since(start)
	return s
}

func (p *parser) topicAction() TopicAction {
	start := p.start()
	a := TopicAction{}
	switch word := p.choose("ADD", "DROP", "ALTER", "SET", "RESET"); word {
	case "SET":
		a.Kind, a.Settings = SetTopic, p.settings()
	case "RESET":
		a.Kind, a.Reset = ResetTopic, p.words("the key of a setting")
	default:
		p.expect("CONSUMER")
		a.Kind = TopicActionKind(word + " CONSUMER")
		consumer := p.word("the name of a consumer")
		a.Consumer = &consumer
		switch {
		case word == "ALTER":
			p.expect("SET")
			a.Settings = p.settings()
		case word == "ADD" && p.accept("WITH"):
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
	p.expect("WITH")
	s.Settings = p.settings()
	s.Located = p.since(start)
	return s
}

func (p *parser) dropExternal(start int, o existence) Statement {
	s := &DropExternalDataSource{IfExists: o.ifExists, Name: p.name("the name of the data source")}
	s.Located = p.since(start)
	return s
}
