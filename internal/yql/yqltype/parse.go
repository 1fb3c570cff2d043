package yqltype

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// aliases are other names of types, and the types of a greater range, which here are the plain ones.
var aliases = map[string]Kind{"date32": Date, "datetime64": Datetime, "timestamp64": Timestamp, "interval64": Interval, "text": Utf8, "bytes": String, "boolean": Bool,
	"tinyint": Int8, "smallint": Int16, "int": Int32, "integer": Int32, "bigint": Int64, "real": Float}

// unsupported are types of YQL that no value here can have.
var unsupported = map[string]string{
	"tzdate": "use Date", "tzdatetime": "use Datetime", "tztimestamp": "use Timestamp, which is an instant in UTC",
	"tzdate32": "use Date", "tzdatetime64": "use Datetime", "tztimestamp64": "use Timestamp, which is an instant in UTC",
	"jsondocument": "use Json", "dynumber": "use Decimal(22,9) or Double", "variant": "use a Struct of Optional members", "enum": "use String",
	"tagged": "use the type inside", "set": "use List", "stream": "use List", "flow": "use List", "callable": "a lambda is written in its place", "void": "", "unit": "",
	"generic": "", "block": "", "scalar": "",
}

// foreign are names that other languages have for types, with what to write.
var foreign = map[string]string{
	"varchar": "write Utf8 for text, String for bytes", "char": "write Utf8 for text, String for bytes", "nvarchar": "write Utf8",
	"binary": "write String", "varbinary": "write String", "blob": "write String", "timestamp_ltz": "write Timestamp, which is an instant in UTC",
	"timestamptz": "write Timestamp, which is an instant in UTC", "time": "write Interval, a length of time since midnight", "array": "write List<T>",
	"map": "write Dict<K, V>", "row": "write Struct<name: T>", "numeric": "write Decimal(22, 9)", "dec": "write Decimal(22, 9)", "number": "write Int64, Double or Decimal(22, 9)",
}

// Parse reads the spelling of a type: Int32, Optional<List<String>>, Struct<a:Int32,'b c':Utf8?>, Decimal(22, 9), List<Int32>?. The names of kinds are read in any case.
// The error is a *ParseError.
func Parse(text string) (Type, error) {
	p := parser{text: text}
	t, err := p.parse()
	if err != nil {
		return Type{}, err
	}
	if p.blank(); p.at < len(text) {
		return Type{}, p.errorf("the type ends before %q", text[p.at:])
	}
	return t, nil
}

// ParseError says what is wrong with the spelling of a type, and where.
type ParseError struct {
	// At is the offset in the text, in bytes.
	At      int
	Message string
	// Hint says what to do; it may be empty.
	Hint string
}

// Error is the message and the hint.
func (e *ParseError) Error() string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + "; " + e.Hint
}

type parser struct {
	text  string
	at    int
	depth int
}

// maxDepth is how deep types may lie in each other.
const maxDepth = 100

func (p *parser) errorf(format string, args ...any) error {
	return &ParseError{At: p.at, Message: fmt.Sprintf(format, args...)}
}

func (p *parser) blank() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
}

// take reads a sign if it is next.
func (p *parser) take(sign byte) bool {
	p.blank()
	if p.at < len(p.text) && p.text[p.at] == sign {
		p.at++
		return true
	}
	return false
}

func (p *parser) want(sign byte) error {
	if p.take(sign) {
		return nil
	}
	return p.errorf("%q is missing in the type", string(sign))
}

func (p *parser) word() string {
	p.blank()
	from := p.at
	for p.at < len(p.text) {
		c := p.text[p.at]
		if c != '_' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') && c < 0x80 {
			break
		}
		p.at++
	}
	return p.text[from:p.at]
}

func (p *parser) parse() (Type, error) {
	if p.depth++; p.depth > maxDepth {
		return Type{}, p.errorf("types lie deeper than %d in each other", maxDepth)
	}
	defer func() { p.depth-- }()
	t, err := p.plain()
	for err == nil && p.take('?') {
		t.Optional = true
	}
	return t, err
}

func (p *parser) plain() (Type, error) {
	p.blank()
	from := p.at
	name := p.word()
	if name == "" {
		return Type{}, p.errorf("a type is missing")
	}
	lower := strings.ToLower(name)
	switch lower {
	case "optional":
		parts, err := p.parts(1)
		if err != nil {
			return Type{}, err
		}
		return parts[0].OrNull(), nil
	case "list":
		parts, err := p.parts(1)
		if err != nil {
			return Type{}, err
		}
		return ListOf(parts[0]), nil
	case "dict":
		parts, err := p.parts(2)
		if err != nil {
			return Type{}, err
		}
		return DictOf(parts[0], parts[1]), nil
	case "tuple":
		parts, err := p.parts(-1)
		return TupleOf(parts...), err
	case "struct":
		return p.members()
	case "decimal":
		return p.decimal()
	case "resource":
		return p.resource()
	}
	for k := Null; k < List; k++ {
		if k != Decimal && strings.EqualFold(names[k], name) {
			return Of(k), nil
		}
	}
	for _, k := range []Kind{EmptyList, EmptyDict} {
		if strings.EqualFold(names[k], name) {
			return Of(k), nil
		}
	}
	if k, ok := aliases[lower]; ok {
		return Of(k), nil
	}
	if hint, ok := unsupported[lower]; ok {
		return Type{}, &ParseError{At: from, Message: "the type " + name + " is not supported", Hint: hint}
	}
	e := &ParseError{At: from, Message: "there is no type " + name}
	if e.Hint = foreign[lower]; e.Hint != "" {
		return Type{}, e
	}
	if near := source.Nearest(name, Names()); near != "" {
		e.Hint = "did you mean " + near + "?"
	}
	return Type{}, e
}

// Names lists the types as they are spelled, without what lies inside.
func Names() []string {
	list := []string{"Optional"}
	for k := Bool; k <= Tuple; k++ {
		list = append(list, names[k])
	}
	return list
}

// parts reads types in angle brackets: n of them, or any number for -1.
func (p *parser) parts(n int) ([]Type, error) {
	if err := p.want('<'); err != nil {
		return nil, err
	}
	var list []Type
	if n < 0 && p.take('>') {
		return nil, nil
	}
	for {
		t, err := p.parse()
		if err != nil {
			return nil, err
		}
		list = append(list, t)
		if !p.take(',') {
			break
		}
		if n < 0 && p.take('>') {
			return list, nil
		}
	}
	if n >= 0 && len(list) != n {
		return nil, p.errorf("%d types are wanted here, not %d", n, len(list))
	}
	return list, p.want('>')
}

func (p *parser) members() (Type, error) {
	if err := p.want('<'); err != nil {
		return Type{}, err
	}
	var members []Member
	for !p.take('>') {
		name, err := p.member()
		if err != nil {
			return Type{}, err
		}
		for _, m := range members {
			if m.Name == name {
				return Type{}, p.errorf("the Struct has two members %s", name)
			}
		}
		if err = p.want(':'); err != nil {
			return Type{}, err
		}
		t, err := p.parse()
		if err != nil {
			return Type{}, err
		}
		members = append(members, Member{name, t})
		if p.take(',') {
			continue
		}
		if err := p.want('>'); err != nil {
			return Type{}, err
		}
		break
	}
	return StructOf(members), nil
}

// member reads the name of a member: a word, or any text in quotes or backticks.
func (p *parser) member() (string, error) {
	for _, quote := range []byte{'\'', '"', '`'} {
		if !p.take(quote) {
			continue
		}
		var name []byte
		for ; p.at < len(p.text); p.at++ {
			c := p.text[p.at]
			if c == quote {
				p.at++
				return string(name), nil
			}
			if c == '\\' && p.at+1 < len(p.text) {
				p.at++
				c = p.text[p.at]
			}
			name = append(name, c)
		}
		return "", p.errorf("a name does not end")
	}
	if name := p.word(); name != "" {
		return name, nil
	}
	return "", p.errorf("the name of a member is missing")
}

func (p *parser) decimal() (Type, error) {
	at := p.at
	if !p.take('(') {
		return Type{}, p.errorf("the digits of the Decimal are missing: Decimal(22,9)")
	}
	precision, err1 := strconv.Atoi(p.word())
	if err := p.want(','); err != nil {
		return Type{}, err
	}
	scale, err2 := strconv.Atoi(p.word())
	if err := p.want(')'); err != nil {
		return Type{}, err
	}
	// YQL: at most 35 digits.
	if err1 != nil || err2 != nil || precision < 1 || precision > 35 || scale > precision {
		p.at = at
		return Type{}, p.errorf("a Decimal has 1 to 35 digits, and no more than these behind the point")
	}
	return DecimalOf(precision, scale), nil
}

func (p *parser) resource() (Type, error) {
	if err := p.want('<'); err != nil {
		return Type{}, err
	}
	at := p.at
	name, err := p.member()
	if err != nil {
		return Type{}, err
	}
	switch name {
	case "Yson2.Node":
		return Of(Node), p.want('>')
	case "DateTime2.TM":
		return Of(Moment), p.want('>')
	}
	p.at = at
	return Type{}, p.errorf("there is no resource %q", name)
}
