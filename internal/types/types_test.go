package types

import "testing"

func notNull(t Type) Type { t.NotNull = true; return t }

// Types are spelled as DDL has them, and equal if they are spelled alike.
func TestString(t *testing.T) {
	row := func() Type {
		return RowOf(Schema{{Name: "a", Type: notNull(IntType)}, {Name: "b`c", Type: ArrayOf(DecimalOf(5, 2))}})
	}
	for _, c := range []struct {
		t    Type
		want string
	}{
		{notNull(TinyIntType), "TINYINT NOT NULL"},
		{DecimalOf(38, 10), "DECIMAL(38, 10)"},
		{Type{Kind: Char, Length: 3}, "CHAR(3)"},
		{StringType, "STRING"},
		{Type{Kind: String, Length: 20}, "VARCHAR(20)"},
		{BytesType, "BYTES"},
		{Type{Kind: VarBinary, Length: 7}, "VARBINARY(7)"},
		{Type{Kind: Binary, Length: 1}, "BINARY(1)"},
		{Type{Kind: Time, Precision: 3}, "TIME(3)"},
		{DateType, "DATE"},
		{MapOf(StringType, notNull(FloatType)), "MAP<STRING, FLOAT NOT NULL>"},
		{MultisetOf(BigIntType), "MULTISET<BIGINT>"},
		{row(), "ROW<`a` INT NOT NULL, `b``c` ARRAY<DECIMAL(5, 2)>>"},
		{RowOf(nil), "ROW<>"},
	} {
		if got := c.t.String(); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
	first, second := row(), row()
	if first != second || ArrayOf(IntType) == ArrayOf(notNull(IntType)) || ArrayOf(IntType) == MultisetOf(IntType) {
		t.Error("nested types do not compare")
	}
	for k := range Kinds {
		if Kind(k) < Array && (Type{Kind: Kind(k), Length: 1, Precision: 1}).String() == "" {
			t.Errorf("kind %d has no name", k)
		}
	}
}

func TestCommon(t *testing.T) {
	char := func(n int32) Type { return Type{Kind: Char, Length: n} }
	for _, c := range []struct{ a, b, want Type }{
		{NullType, IntType, IntType},
		{TinyIntType, SmallIntType, SmallIntType},
		{BigIntType, FloatType, FloatType},
		{FloatType, DoubleType, DoubleType},
		{DecimalOf(5, 2), FloatType, DoubleType},
		{DecimalOf(5, 2), DoubleType, DoubleType},
		{DecimalOf(5, 2), IntType, DecimalOf(12, 2)},
		{DecimalOf(5, 2), DecimalOf(10, 4), DecimalOf(10, 4)},
		{DecimalOf(38, 0), DecimalOf(38, 38), DecimalOf(38, 0)},
		{DecimalOf(38, 18), BigIntType, DecimalOf(38, 18)},
		{DecimalOf(30, 0), DecimalOf(20, 10), DecimalOf(38, 8)},
		{char(3), char(5), Type{Kind: String, Length: 5}},
		{char(3), StringType, StringType},
		{DateType, TimestampType, TimestampType},
		{TimestampType, TimestampLTZType, TimestampLTZType},
		{Type{Kind: Timestamp, Precision: 6}, TimestampType, Type{Kind: Timestamp, Precision: 6}},
		{notNull(IntType), notNull(BigIntType), notNull(BigIntType)},
		{notNull(IntType), BigIntType, BigIntType},
		{ArrayOf(notNull(IntType)), ArrayOf(BigIntType), ArrayOf(BigIntType)},
		{MapOf(char(1), IntType), MapOf(char(2), NullType), MapOf(Type{Kind: String, Length: 2}, IntType)},
		{RowOf(Schema{{Name: "a", Type: IntType}}), RowOf(Schema{{Name: "b", Type: DoubleType}}), RowOf(Schema{{Name: "a", Type: DoubleType}})},
	} {
		if got, ok := Common(c.a, c.b); !ok || got != c.want {
			t.Errorf("%s and %s have in common %s, %t; want %s", c.a, c.b, got, ok, c.want)
		}
		if got, ok := Common(c.b, c.a); c.a.Kind != Row && (!ok || got != c.want) {
			t.Errorf("%s and %s have in common %s, %t; want %s", c.b, c.a, got, ok, c.want)
		}
	}
	for _, c := range [][2]Type{
		{IntType, StringType}, {BooleanType, IntType}, {BytesType, StringType}, {DateType, TimeType},
		{ArrayOf(IntType), ArrayOf(StringType)}, {ArrayOf(IntType), MultisetOf(IntType)}, {RowOf(Schema{{Name: "a", Type: IntType}}), RowOf(nil)},
		{IntervalDayType, IntervalMonthType},
	} {
		if got, ok := Common(c[0], c[1]); ok {
			t.Errorf("%s and %s have in common %s", c[0], c[1], got)
		}
	}
}

func TestAssignable(t *testing.T) {
	for _, c := range []struct {
		from, to Type
		want     bool
	}{
		{NullType, IntType, true},
		{NullType, notNull(IntType), false},
		{IntType, BigIntType, true},
		{BigIntType, IntType, false},
		{IntType, DecimalOf(5, 0), true},
		{DoubleType, DecimalOf(5, 0), false},
		{DecimalOf(30, 10), DecimalOf(5, 0), true},
		{DecimalOf(30, 10), FloatType, true},
		{StringType, Type{Kind: Char, Length: 2}, true},
		{StringType, BytesType, false},
		{DateType, TimestampType, true},
		{TimestampType, DateType, false},
		{TimestampType, TimestampLTZType, true},
		{ArrayOf(IntType), ArrayOf(BigIntType), true},
		{ArrayOf(BigIntType), ArrayOf(IntType), false},
		{MapOf(StringType, IntType), MapOf(StringType, StringType), false},
		{RowOf(Schema{{Name: "a", Type: IntType}}), RowOf(Schema{{Name: "b", Type: BigIntType}}), true},
		{RowOf(Schema{{Name: "a", Type: IntType}}), RowOf(Schema{{Name: "b", Type: BigIntType}, {Name: "c", Type: IntType}}), false},
	} {
		if got := Assignable(c.from, c.to); got != c.want {
			t.Errorf("%s into %s: %t", c.from, c.to, got)
		}
	}
}
