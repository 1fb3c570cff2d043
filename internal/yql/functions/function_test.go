package functions

import (
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"weak"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// TestCallErrors holds what people are told of calls that are wrong.
func TestCallErrors(t *testing.T) {
	for text, want := range map[string]string{
		`ListLenth(AsList(1))`:       "!there is no function ListLenth; did you mean ListLength?",
		`SplitToList("a", ",")`:      "!there is no function SplitToList; did you mean String::SplitToList?",
		`Strng::Contains("a", "b")`:  "!did you mean String::Contains?",
		`String::Containz("a", "b")`: "!did you mean String::Contains?",
		`String::ToUper("a")`:        "!did you mean String::ToUpper?",
		`Nothere::Absolutely(1)`:     "!there is no module Nothere; there are DateTime, Digest, Dsv",
		`DateTime::Now()`:            "!there is no function DateTime::Now",
		`DateTime::ParseIso("a")`:    "!there is no function DateTime::ParseIso; did you mean DateTime::ParseIso8601?",
		`DateTime::Prse("a")`:        "!there is no function DateTime::Prse; did you mean DateTime::Parse?",
		`DateTime::AddDays(1)`:       "!there is no function DateTime::AddDays",
		`Datetime::Substring("a")`:   "!there is no function Datetime::Substring; did you mean Substring?",
		`ListLength()`:               "!ListLength takes one argument, not 0; it is called as ListLength(list)",
		`ListLength(AsList(1), 2)`:   "!ListLength takes one argument, not 2",
		`Substring("a", 1, 2, 3)`:    "!Substring takes 1 to 3 arguments, not 4",
		`MIN_OF()`:                   "!MIN_OF takes 1 or more arguments, not 0",
		`ListLength("a")`:            "!argument 1 of ListLength is String, and a List is wanted",
		`Length(5)`:                  "!argument 1 of Length is Int32, and a String, Json or Yson is wanted",
		`String::SplitToList("a", ",", TRUE AS SkipEmptyy)`:                   "!String::SplitToList has no argument SkipEmptyy; did you mean SkipEmpty?",
		`String::SplitToList("a", ",", TRUE AS SkipEmpty, TRUE AS SkipEmpty)`: "!is given SkipEmpty twice",
		`AsStruct(1)`:                                "!argument 1 of AsStruct has no name; write AsStruct(value AS name, …)",
		`ListMap(AsList(1), 5)`:                      "!argument 2 of ListMap is Int32, and a lambda is wanted",
		`ListMap(AsList(1), ($a, $b) -> ($a))`:       "!the lambda takes 2 arguments, not 1",
		`ListFilter(AsList(1), ($a) -> ($a))`:        "!the lambda of ListFilter gives Int32, and Bool is wanted",
		`ListFilter(AsList(1), ($a) -> ($a + "x"))`:  "!+ does not take (Int32, String)",
		`ListMap(AsList(1), ($a) -> (($b) -> ($b)))`: "!the lambda gives Callable, which is no value",
		`Random(1)`: "!Random is not supported; there is nothing random",
		`Yson::From(Timestamp("2031-02-03T04:05:06Z"))`:                            "!a document does not hold Timestamp; CAST it to String",
		`Yson::ConvertTo(Yson::Parse("1"), Timestamp)`:                             "!a node is not taken for Timestamp; convert to String or Int64",
		`Yson::ConvertTo(Yson::Parse("x"), Int64)`:                                 `!Yson::ConvertTo: the node "x" is a string and no Int64; with Yson::Options(FALSE AS Strict) it is NULL`,
		`Yson::ConvertTo(Yson::Parse("x"), Int64, Yson::Options(FALSE AS Strict))`: "NULL",
		`Unwrap(CAST("x" AS Int32))`:                                               "!Unwrap found NULL; write",
		`Unwrap(CAST("x" AS Int32), "no number")`:                                  "!no number; write Coalesce",
		`Unwrap(NULL)`:              "!Unwrap(NULL) has no value",
		`Ensure(1, FALSE, "wrong")`: "!wrong",
		`Re2::Match("b(")("a")`:     "!the pattern \"b(\" cannot be read: missing closing ); a parenthesis that stands for itself is written \\\\( or \\\\)",
		`Re2::Match("ж[b-a]")("a")`: "!the pattern \"ж[b-a]\" cannot be read: invalid character class range: b-a, at character 3",
		`Re2::Match("a(?=b)")("a")`: "!invalid or unsupported Perl syntax: (?=, at character 2; RE2 looks neither ahead nor back",
		`Re2::Match("a\\q")("a")`:   `!invalid escape sequence: \q, at character 2; write \\ where the pattern has \`,
		`Re2::Match(ListConcat(ListReplicate("(", 999u)) || "a" || ListConcat(ListReplicate(")", 999u)))("a")`: "!nests too deeply",
		`Re2::Match("a")(1)`:                  "!argument 1 of Re2::Match(…) is Int32, and a String is wanted",
		`DateTime::Format("%Q")`:              "!the format \"%Q\" has an unknown %Q",
		`DateTime::GetYear("2031")`:           "!argument 1 of DateTime::GetYear is String, and a Timestamp, Datetime, Date or what DateTime::Split gives is wanted",
		`AddMember(AsStruct(1 AS a), "a", 2)`: "!the Struct has a member a already; write ReplaceMember",
		`RemoveMember(AsStruct(1 AS a), "b")`: "!the Struct has no member b",
		`DictLookup(AsDict(("a", 1)), 5)`:     "!Int32 is no String",
		`ListSort(AsList(AsStruct(1 AS a)))`:  "!ListSort has no order for Struct<a:Int32>",
		`Length(Yson::Parse("1"))`:            "!take the value out with Yson::ConvertTo",
		`JSON_VALUE(Json("{}"), "$.a[")`:      "!JSON_VALUE",
		`String::LeftPad("a", 3, "xy")`:       "!String::LeftPad: it fills with a string of one byte, not \"xy\"",
		`String::RightPad("a", 9999999999)`:   "!String::RightPad: it makes strings of at most 1048576 bytes, not 9999999999",
		`Unicode::ToUint64("x"u)`:             `!Unicode::ToUint64: "x" is no number; Unicode::TryToUint64 gives NULL`,
		`Dsv::Parse("a=b", "")`:               "!Dsv::Parse: the separator is empty",
		`ListReplicate(1, 9999999u)`:          "!ListReplicate: the List would have more than 1048576 elements",
		`ListFromRange(1, 9999999)`:           "!ListFromRange: the List would have more than 1048576 elements",
		`AggregationFactory("SUMM")`:          "!there is no aggregate SUMM; did you mean SUM?",
	} {
		check(t, text, want, nil)
	}
}

// TestNamesOfZones holds the zones of a standard to what it says of them, whatever the zone of the process.
func TestNamesOfZones(t *testing.T) {
	shanghai, err := time.LoadLocation("Asia/Shanghai") // where CST is another zone
	if err != nil {
		t.Skip(err)
	}
	defer func(l *time.Location) { time.Local = l }(time.Local)
	for _, time.Local = range []*time.Location{time.UTC, shanghai} {
		check(t, `CAST(DateTime::MakeTimestamp(DateTime::ParseRfc822("Mon, 3 Feb 2031 04:05:06 CST")) AS String)`, "2031-02-03T10:05:06.000000Z", nil)
		check(t, `CAST(DateTime::MakeTimestamp(DateTime::ParseRfc822("Mon, 3 Feb 2031 04:05:06 +0800")) AS String)`, "2031-02-02T20:05:06.000000Z", nil)
	}
}

// TestOddTexts holds what comes of texts that are not what they should be.
func TestOddTexts(t *testing.T) {
	for text, want := range map[string]string{
		`ListLength(String::SplitToList("a\xffb", "\xff", FALSE AS DelimeterString))`:        "2",
		`ListConcat(String::SplitToList("aжb\xff", "\xffж", FALSE AS DelimeterString), "+")`: "a+b+",
		`Url::Encode("http://ydb.tech/страница?a=1&b=x+y#z")`:                                "http://ydb.tech/%D1%81%D1%82%D1%80%D0%B0%D0%BD%D0%B8%D1%86%D0%B0?a=1&b=x+y#z",
		`Url::Encode("hello%3dworld")`:                                                       "hello%3dworld",
		`Url::Encode("100% 5%z %4")`:                                                         "100%25%205%25z%20%254",
		`Url::Encode("~\t\x7f\x80")`:                                                         "~%09%7F%80",
		`Url::Encode("")`:                                                                    "NULL",
		`Url::Decode("")`:                                                                    "NULL",
		`Url::Decode("a+b%2Bc")`:                                                             "a b+c",
		`Url::GetPort("http://[::1]:80/")`:                                                   "80",
		`Url::GetPort("http://[::1]/")`:                                                      "NULL",
		`Url::GetPort("http://user:5@host/")`:                                                "NULL",
		`CAST(DateTime::MakeTimestamp(DateTime::ParseRfc822("Mon, 3 Feb 2031 04:05:06 EST")) AS String)`:   "2031-02-03T09:05:06.000000Z",
		`CAST(DateTime::MakeTimestamp(DateTime::ParseRfc822("Mon, 3 Feb 2031 04:05:06 GMT")) AS String)`:   "2031-02-03T04:05:06.000000Z",
		`CAST(DateTime::MakeTimestamp(DateTime::ParseRfc822("Mon, 3 Feb 2031 04:05:06 +0000")) AS String)`: "2031-02-03T04:05:06.000000Z",
		`CAST(DateTime::MakeTimestamp(DateTime::ParseRfc822("Mon, 3 Feb 2031 04:05:06 -0500")) AS String)`: "2031-02-03T09:05:06.000000Z",
		`CAST(DateTime::MakeTimestamp(DateTime::ParseRfc822("Mon, 3 Feb 2031 04:05:06 MSK")) AS String)`:   "NULL",
		`CAST(DateTime::MakeTimestamp(DateTime::ParseHttp("Monday, 03-Feb-31 04:05:06 XYZ")) AS String)`:   "NULL",
	} {
		check(t, text, want, nil)
	}
}

func TestNames(t *testing.T) {
	for _, name := range []string{"ListLength", "list_length", "LISTLENGTH"} {
		if _, err := Lookup("", name); err != nil {
			t.Error(err)
		}
	}
	for _, module := range []string{"Yson", "Yson2", "yson"} {
		if f, err := Lookup(module, "SerializeJson"); err != nil || f.Full() != "Yson::SerializeJson" {
			t.Error(module, err)
		}
	}
	if _, ok := LookupAggregate("aggregateList"); !ok {
		t.Error("aggregates are not found without underscores")
	}
	if _, err := Lookup("", "SerializeJson"); err == nil || !strings.Contains(err.Error(), "Yson::SerializeJson") {
		t.Error(err)
	}
}

// TestEqualCalls has equal calls be equal expressions, and different ones not.
func TestEqualCalls(t *testing.T) {
	x, _ := sampleColumn()
	same := func(a, b string) bool {
		return expr.Equal(must(parse(a, scope{"x": x})).Expr, must(parse(b, scope{"x": x})).Expr)
	}
	for _, text := range []string{`x / 2`, `ListMap(AsList(x), ($a) -> ($a + x))`, `Yson::SerializeJson(Yson::From(AsStruct(x AS x)))`, `Re2::Match("a")(CAST(x AS String))`,
		`DateTime::Format("%Y")(DateTime::FromSeconds(x))`, `String::SplitToList(CAST(x AS String), ",")`} {
		if !same(text, text) {
			t.Errorf("%s is not equal to itself", text)
		}
	}
	for _, two := range [][2]string{
		{`Re2::Match("a")(CAST(x AS String))`, `Re2::Match("b")(CAST(x AS String))`},
		{`DateTime::Format("%Y")(DateTime::FromSeconds(x))`, `DateTime::Format("%m")(DateTime::FromSeconds(x))`},
		{`Yson::ConvertTo(Yson::From(x), Int32?)`, `Yson::ConvertTo(Yson::From(x), Int32?, Yson::Options(FALSE AS Strict))`},
		{`Yson::SerializeJson(Yson::From(AsStruct(x AS x)))`, `Yson::SerializeJson(Yson::From(AsStruct(x AS x)), TRUE AS SkipMapEntity)`},
		{`ListSort(AsList(x))`, `ListSortDesc(AsList(x))`},
		{`x & 1`, `x | 1`},
		{`CAST(x AS Int8)`, `CAST(x AS Uint8)`},
		{`DateTime::GetYear(DateTime::FromSeconds(x))`, `DateTime::GetMonth(DateTime::FromSeconds(x))`},
	} {
		if same(two[0], two[1]) {
			t.Errorf("%s is equal to %s", two[0], two[1])
		}
	}
}

// TestCallsAreNotKept has nothing but its expression hold a call: a server reads statements for months, each with patterns and formats of its own.
func TestCallsAreNotKept(t *testing.T) {
	x, _ := sampleColumn()
	made := func(text string) weak.Pointer[function.Scalar] {
		return weak.Make(must(parse(text, scope{"x": x})).Expr.(*expr.Call).Function)
	}
	for _, text := range []string{`x / 2`, `Re2::Match("a")(CAST(x AS String))`, `DateTime::Format("%Y of %m")(DateTime::FromSeconds(x))`, `ListSort(AsList(x))`} {
		p := made(text)
		runtime.GC()
		if p.Value() != nil {
			t.Errorf("%s is held when nobody needs it", text)
		}
	}
}

func TestColumn(t *testing.T) {
	for _, c := range []struct {
		column types.Type
		want   string
	}{
		{types.StringType, "Utf8?"},
		{types.BytesType, "String?"},
		{types.TimestampType, "Timestamp?"},
		{types.TimestampLTZType, "Timestamp?"},
		{types.RowOf(types.Schema{{Name: "b", Type: types.IntType}, {Name: "a", Type: types.BytesType}}), "Struct<a:String?,b:Int32?>?"},
		{types.ArrayOf(types.BigIntType), "List<Int64?>?"},
	} {
		v, err := Column(expr.NewColumn(0, "c", c.column))
		if err != nil || v.Type.String() != c.want {
			t.Errorf("%s: %s %v", c.column, v.Type, err)
		}
		if !types.Same(v.Expr.Type().Nullable(), v.Type.Physical().Nullable()) && v.Type.Kind != yqltype.Struct {
			t.Errorf("%s: %s, not %s", c.column, v.Expr.Type(), v.Type.Physical())
		}
	}
	if _, err := Column(expr.NewColumn(0, "c", types.TimeType)); err == nil || !strings.Contains(err.Error(), "YQL has no type for TIME(0), that of c") {
		t.Error(err)
	}
}

// BenchmarkSerializeJson writes rows of four members as JSON, at once and by way of the text of a node.
func BenchmarkSerializeJson(b *testing.B) {
	const rows = 1024
	var pool vector.Pool
	a := pool.Get()
	ids, levels, ports, lists := vector.NewBuilder(a, vector.Int64, rows), vector.NewBuilder(a, vector.Float64, rows), vector.NewBuilder(a, vector.Bytes, rows), vector.NewBuilder(a, vector.Bytes, rows)
	list := nested.AppendArray(nil, vector.Bytes, &vector.Vector{Kind: vector.Bytes, Views: []vector.View{{Len: 1}, {Len: 1}}, Buf: []byte("a")}, 0, 2)
	for i := range rows {
		ids.AppendInt(int64(i))
		levels.AppendFloat(float64(i) / 8)
		ports.AppendBytes([]byte("Dover"))
		lists.AppendBytes(list)
	}
	batch := &vector.Batch{Cols: []*vector.Vector{ids.Done(), levels.Done(), ports.Done(), lists.Done()}, N: rows}
	column := func(i int, t yqltype.Type) Value {
		return Value{Expr: expr.NewColumn(i, "", t.Physical()), Type: t}
	}
	s := scope{"id": column(0, yqltype.Of(yqltype.Int64)), "level": column(1, yqltype.Of(yqltype.Double)), "port": column(2, yqltype.Of(yqltype.String)),
		"list": column(3, yqltype.ListOf(yqltype.Of(yqltype.String)))}
	for name, text := range map[string]string{
		"at once":   `Unwrap(Yson::SerializeJson(Yson::From(AsStruct(id AS id, level AS level, port AS port, list AS list))))`,
		"by a node": `Unwrap(Yson::SerializeJson(IF(id >= 0, Yson::From(AsStruct(id AS id, level AS level, port AS port, list AS list)))))`,
	} {
		v := must(parse(text, s))
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				c := &expr.Context{Arena: pool.Get(), Env: &function.Env{}}
				batch.Arena = c.Arena
				if _, err := v.Expr.Eval(c, batch, vector.All(rows)); err != nil {
					b.Fatal(err)
				}
				c.Arena.Release()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
		})
	}
}

func TestFamilies(t *testing.T) {
	for _, m := range Modules() {
		if !slices.ContainsFunc(Families, func(f Family) bool { return f.Title == m || m == "Json" }) {
			t.Errorf("module %s has no family", m)
		}
	}
}
