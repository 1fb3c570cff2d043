package yql

// IntegerLit is a whole number without a sign; a minus before it is a *Unary.
type IntegerLit struct {
	Located
	// Text is the number as written, without its suffix: 10, 0x1F, 0o17, 0b101.
	Text  string
	Value uint64
	// Suffix chooses the type, in lower case: "" (Int32, or wider if the number needs it), "u" Uint32, "l" Int64, "ul" Uint64, "t" Int8,
	// "ut" Uint8, "s" Int16, "us" Uint16, "i" Int32, "ui" Uint32.
	Suffix string
}

// FloatLit is a number with a point or an exponent, without a sign.
type FloatLit struct {
	Located
	// Text is the number as written, without its suffix.
	Text  string
	Value float64
	// Single says that it is a Float (suffix f); else it is a Double.
	Single bool
}

// StringLit is a text in quotes, its escapes resolved: any bytes for a String, valid UTF-8 for the others.
type StringLit struct {
	Located
	Value string
	// Suffix chooses the type, in lower case: "" and "s" String, "u" Utf8, "j" Json, "y" Yson.
	Suffix string
	// Raw says that it stood between @@ and @@.
	Raw bool
}

// BoolLit is TRUE or FALSE.
type BoolLit struct {
	Located
	Value bool
}

// NullLit is NULL.
type NullLit struct {
	Located
}

// ListLit is [a, b].
type ListLit struct {
	Located
	Items []Expr
}

// DictLit is {key: value, …}, or {a, b}, a set.
type DictLit struct {
	Located
	Items []DictItem
	Set   bool
}

// DictItem is one item of a DictLit; Value is nil in a set.
type DictItem struct {
	Located
	Key, Value Expr
}

// StructLit is <|a: 1, b: 2|>, also written (1 AS a, 2 AS b). Every member has a name.
type StructLit struct {
	Located
	Members []Arg
}

// TupleLit is (a, b), (a,) or ().
type TupleLit struct {
	Located
	Items []Expr
}

func (*IntegerLit) expr() {}
func (*FloatLit) expr()   {}
func (*StringLit) expr()  {}
func (*BoolLit) expr()    {}
func (*NullLit) expr()    {}
func (*ListLit) expr()    {}
func (*DictLit) expr()    {}
func (*StructLit) expr()  {}
func (*TupleLit) expr()   {}
