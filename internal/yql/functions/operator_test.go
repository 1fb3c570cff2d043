package functions

import (
	"testing"
)

// typed checks the type of an expression.
func typed(t *testing.T, text, want string, s scope) {
	t.Helper()
	v, err := parse(text, s)
	if err != nil {
		t.Errorf("%s: %v", text, err)
		return
	}
	if got := v.describe(); got != want {
		t.Errorf("%s is %s, not %s", text, got, want)
	}
}

func TestTypes(t *testing.T) {
	x, _ := sampleColumn()
	for text, want := range map[string]string{
		"1":                               "Int32",
		"3000000000":                      "Int64",
		"1u + 1":                          "Int32",
		"1ul + 1":                         "Uint64",
		"1t + 1us":                        "Uint16",
		"1 / 2":                           "Int32?",
		"1.0 / 2":                         "Double",
		"1.0f + 1":                        "Float",
		"x + 1":                           "Int32?",
		"x = 1":                           "Bool?",
		"x IS NULL":                       "Bool",
		"x ?? 0":                          "Int32",
		`Coalesce(x, NULL)`:               "Int32?",
		`Coalesce(CAST("a" AS Utf8), "")`: "Utf8",
		`"a" || "b"u`:                     "String",
		`"a"u || "b"u`:                    "Utf8",
		`CAST(x AS Int64)`:                "Int64?",
		`CAST(1 AS Int64)`:                "Int64",
		`CAST(1 AS Int8)`:                 "Int8?",
		`CAST("1" AS Int64)`:              "Int64?",
		`Timestamp("2031-02-03T04:05:06Z") - Interval("PT1S")`:                  "Timestamp?",
		`Timestamp("2031-02-03T04:05:06Z") - Timestamp("2031-02-03T04:05:06Z")`: "Interval",
		`IF(x > 1, 1, 2ul)`:                       "Uint64",
		`CASE WHEN TRUE THEN 1 END`:               "Int32?",
		`AsList(1, 2ul)`:                          "List<Uint64>",
		`AsList(1, NULL)`:                         "List<Int32?>",
		`AsList()`:                                "EmptyList",
		`ListMap(AsList(1, 2), ($e) -> ($e + x))`: "List<Int32?>",
		`AsStruct(1 AS b, "x" AS a)`:              "Struct<a:String,b:Int32>",
		`AsStruct(1 AS b).b`:                      "Int32",
		`AsList(1)[0]`:                            "Int32?",
		`Just(1)`:                                 "Int32?",
		`Unwrap(x)`:                               "Int32",
		`Yson::SerializeJson(Yson::From(1))`:      "Json?",
		`DateTime::FromSeconds(1)`:                "Timestamp?",
		`x IN (1, 2)`:                             "Bool?",
		`1 IN (1, 2)`:                             "Bool",
		`1 BETWEEN x AND 2`:                       "Bool?",
		`NULL`:                                    "Null",
		`String::SplitToList("a,b", ",")`:         "List<String>",
		`Unicode::SplitToList("a,b"u, ","u)`:      "List<Utf8>",
		`Re2::Capture("(a)(?P<n>b)?")("ab")`:      "Struct<_0:String?,_1:String?,n:String?>?",
		`DateTime::Format("%Y")`:                  "Callable",
		`JSON_VALUE(Json("{}"), "$.a")`:           "Utf8?",
		`ListHead(AsList(1))`:                     "Int32?",
		`DictLookup(AsDict(("a", 1)), "a")`:       "Int32?",
		`Length("a")`:                             "Uint32",
	} {
		typed(t, text, want, scope{"x": x})
	}
}

func TestAggregateTypes(t *testing.T) {
	for text, want := range map[string]string{
		"COUNT(x)":                   "Uint64",
		"SUM(x)":                     "Int64?",
		"SUM(1)":                     "Int64",
		"SUM(1u)":                    "Uint64",
		"SUM_IF(1, x > 1)":           "Int64?",
		"SUM(1.5f)":                  "Double",
		"AVG(1)":                     "Double",
		"MIN(x)":                     "Int32?",
		"MAX(1)":                     "Int32",
		"SOME(1)":                    "Int32",
		"AGGREGATE_LIST(x)":          "List<Int32>",
		"AGGREGATE_LIST_DISTINCT(1)": "List<Int32>",
		"MIN_BY(1, 2)":               "Int32",
		"MIN_BY(x, 2)":               "Int32?",
		"MIN_BY(1, x)":               "Int32?",
		"MAX_BY(1, x, 3)":            "List<Int32>",
		"TOP(x, 2)":                  "List<Int32?>",
		"BOOL_AND(x > 1)":            "Bool?",
		"MODE(x)":                    "List<Struct<Frequency:Uint64,Value:Int32>>",
	} {
		_, got, err := aggregate(text, false)
		if err != nil || got.String() != want {
			t.Errorf("%s is %s, not %s: %v", text, got, want, err)
		}
	}
}

func TestOperators(t *testing.T) {
	for text, want := range map[string]string{
		`CAST("1.25" AS Decimal(5,2)) + CAST("1.5" AS Decimal(5,2))`: "2.75",
		`CAST("1.25" AS Decimal(5,2)) * 2`:                           "2.50",
		`CAST("1.25" AS Decimal(5,2)) > 1`:                           "true",
		`CAST("1.25" AS Decimal(5,2)) + 1.0`:                         "2.25",
		`1 + Yson::From(1)`:                                          "!take the value out of the node",
		"7 / 2":                                                      "3",
		"-7 / 2":                                                     "-3",
		"-7 % 3":                                                     "-1",
		"7 / 0":                                                      "NULL",
		"7 % 0":                                                      "NULL",
		"7.0 / 0":                                                    "inf",
		"1u - 2u":                                                    "4294967295",
		"200ut + 100ut":                                              "44",
		"2147483647 + 1":                                             "-2147483648",
		"-5u":                                                        "4294967291",
		"~5ut":                                                       "250",
		"~5":                                                         "-6",
		"6 & 3":                                                      "2",
		"6 | 3":                                                      "7",
		"6 ^ 3":                                                      "5",
		"1 << 4":                                                     "16",
		"1ut << 8":                                                   "0",
		"-16 >> 2":                                                   "1073741820",
		"129ut |<< 1":                                                "3",
		"129ut >>| 1":                                                "192",
		`1 = 1ul`:                                                    "true",
		`-1 < 1ul`:                                                   "true",
		`"a" < "b"`:                                                  "true",
		`NULL = 1`:                                                   "NULL",
		`NULL IS NULL`:                                               "true",
		`1 IS DISTINCT FROM NULL`:                                    "true",
		`NULL IS NOT DISTINCT FROM NULL`:                             "true",
		`TRUE XOR TRUE`:                                              "false",
		`NULL OR TRUE`:                                               "true",
		`NULL AND TRUE`:                                              "NULL",
		`NOT FALSE`:                                                  "true",
		`"ebb" || "tide"`:                                            "ebbtide",
		`NULL ?? 1 ?? 2`:                                             "1",
		`2 BETWEEN 1 AND 3`:                                          "true",
		`2 IN (1, 2)`:                                                "true",
		`2 IN (1, NULL)`:                                             "NULL",
		`2 IN AsList(1l, 2l)`:                                        "true",
		`"b" IN AsDict(("a", 1))`:                                    "false",
		`(1, "a") IN ((1, "a"), (2, "b"))`:                           "true",
		`(1, 2) < (1, 3)`:                                            "true",
		`(2, 2) < (1, 3)`:                                            "false",
		`AsList(1, 2) = AsList(1, 2)`:                                "true",
		`"tide" LIKE "t%e"`:                                          "true",
		`"50%" LIKE "50!%" ESCAPE "!"`:                               "true",
		`"TIDE" ILIKE "t%e"`:                                         "true",
		`"tide" REGEXP "i.e"`:                                        "true",
		`"tide" MATCH "i.e"`:                                         "false",
		`Timestamp("2031-02-03T04:05:06Z") + Interval("PT1.5S")`: "2031-02-03T04:05:07.500000Z",
		`Date("2031-02-03") + Interval("P1D")`:                   "2031-02-04",
		`Timestamp("2031-02-03T04:05:06Z") - Date("2031-02-03")`: "PT4H5M6S",
		`Date("2031-02-03") < Timestamp("2031-02-03T00:00:01Z")`: "true",
		`Interval("PT1M") * 3`:                                   "PT3M",
		`Interval("PT1M") / 2`:                                   "PT30S",
		`Interval("PT1M") / Interval("PT10S")`:                   "6",
		`Interval("PT1M") / 0`:                                   "NULL",
		`-Interval("PT1M")`:                                      "-PT1M",
		`CASE WHEN NULL THEN 1 WHEN TRUE THEN 2 ELSE 3 END`:      "2",
		`AsList(4, 5)[-1]`:                                       "5",
		`AsList(4, 5)[2]`:                                        "NULL",
		`AsDict(("a", 1))["a"]`:                                  "1",
		`(4, "x").1`:                                             "x",
		`<|b: 1, a: "x"|>.a`:                                     "x",
		// What people get wrong.
		`"a" + "b"`: "!strings are put together with ||",
		`1 + "a"`:   "!+ does not take (Int32, String); CAST one of them to the type of the other",
		`"2031" < Timestamp("2031-02-03T04:05:06Z")`: "!CAST the String",
		`Timestamp("2031-02-03T04:05:06Z") - 5`:      "!a length of time is an Interval",
		`Timestamp("2031-02-03T04:05:06Z") - "PT5S"`: "!CAST the String",
		`NOT 1`:                     "!NOT does not take (Int32)",
		`1 AND TRUE`:                "!AND does not take (Int32, Bool)",
		`Json("{}") = Json("{}")`:   "!JSON_VALUE",
		`IF(TRUE, 1, "a")`:          "!no common type: (Int32, String)",
		`IF(1, 1, 2)`:               "!argument 1 of IF is Int32, and Bool is wanted",
		`AsList(1, "a")`:            "!the elements have no common type: (Int32, String); CAST some of them",
		`AsStruct(1 AS a, 2 AS a)`:  "!two members a",
		`AsStruct(1 AS apple).aple`: "!did you mean apple?",
		`(1, 2).5`:                  "!no element 5",
		`1.5 << 1`:                  "!<< does not take",
		`"a" IN (1, 2)`:             "!IN does not take (String, Int32)",
		`"a" LIKE 1`:                "!LIKE does not take",
		`"a" REGEXP "("`:            "!missing closing",
		`AsList(1) < AsList(2)`:     "!< does not take",
		`Interval("5 seconds")`:     "!is no Interval; write Interval",
		`Timestamp("2031-02-03")`:   "!is no Timestamp; write Timestamp",
		`18446744073709551615`:      "!a Uint64 ends here at 9223372036854775807",
		`300ut`:                     "!too great for Uint8",
	} {
		check(t, text, want, nil)
	}
}

func TestCasts(t *testing.T) {
	for text, want := range map[string]string{
		`CAST(300 AS Uint8)`:                                    "NULL",
		`CAST(-1 AS Uint32)`:                                    "NULL",
		`CAST("17" AS Int8)`:                                    "17",
		`CAST("170" AS Int8)`:                                   "NULL",
		`CAST("1x" AS Int32)`:                                   "NULL",
		`CAST(1.9 AS Int32)`:                                    "1",
		`CAST(1e30 AS Int64)`:                                   "NULL",
		`CAST("1.5" AS Double)`:                                 "1.5",
		`CAST("inf" AS Double)`:                                 "inf",
		`CAST("x" AS Double)`:                                   "NULL",
		`CAST(TRUE AS String)`:                                  "true",
		`CAST("TRUE" AS Bool)`:                                  "true",
		`CAST("yes" AS Bool)`:                                   "NULL",
		`CAST(5 AS Bool)`:                                       "true",
		`CAST(TRUE AS Int32)`:                                   "1",
		`CAST("\xff" AS Utf8)`:                                  "NULL",
		`CAST("ä" AS Utf8)`:                                     "ä",
		`CAST(0.1f AS String)`:                                  "0.1",
		`CAST(1e21 AS String)`:                                  "1e+21",
		`CAST(5.0 AS String)`:                                   "5",
		`CAST("{\"a\":1}" AS Json)`:                             `{"a":1}`,
		`CAST("{a" AS Json)`:                                    "NULL",
		`CAST("{a=1}" AS Yson)`:                                 "{a=1}",
		`CAST("2031-02-03T04:05:06.7Z" AS Timestamp)`:           "2031-02-03T04:05:06.700000Z",
		`CAST("2031-02-03T04:05:06Z" AS Datetime)`:              "2031-02-03T04:05:06Z",
		`CAST("2031-02-03 04:05:06" AS Timestamp)`:              "NULL",
		`CAST("2031-02-30T04:05:06Z" AS Timestamp)`:             "NULL",
		`CAST("2031-02-03" AS Date)`:                            "2031-02-03",
		`CAST(Timestamp("2031-02-03T04:05:06Z") AS Date)`:       "2031-02-03",
		`CAST(Timestamp("2031-02-03T04:05:06.5Z") AS Datetime)`: "2031-02-03T04:05:06Z",
		`CAST(Date("2031-02-03") AS Timestamp)`:                 "2031-02-03T00:00:00.000000Z",
		`CAST(Timestamp("1970-01-01T00:00:01Z") AS Uint64)`:     "1000000",
		`CAST(Date("1970-01-02") AS Int64)`:                     "1",
		`CAST(5 AS Datetime)`:                                   "1970-01-01T00:00:05Z",
		`CAST(9223372036854775807 AS Timestamp)`:                "NULL",
		`CAST(Interval("PT1S") AS Int64)`:                       "1000000",
		`CAST("P1DT1S" AS Interval)`:                            "P1DT1S",
		`CAST(AsList("1", "2") AS List<Int32>)`:                 "[1,2]",
		`CAST(AsList("1", "x") AS List<Int32>)`:                 "null",
		`CAST(AsList("1", "x") AS List<Int32?>)`:                "[1,null]",
		`CAST(AsStruct(1 AS a) AS Struct<a:String,b:Int32?>)`:   `{"a":"1","b":null}`,
		`CAST(AsStruct("x" AS a) AS Struct<a:Int32>)`:           "null",
		`CAST(("1", "2") AS Tuple<Int32,Int64>)`:                "[1,2]",
		`CAST("01234567-89AB-cdef-0123-456789abcdef" AS Uuid)`:  "01234567-89ab-cdef-0123-456789abcdef",
		`CAST("x" AS Uuid)`:                                     "NULL",
		`CAST("1.25" AS Decimal(5,2))`:                          "1.25",
		`CAST(AsList(1) AS String)`:                             "!write Yson::SerializeText",
		`CAST(TRUE AS Timestamp)`:                               "!Bool cannot be cast to Timestamp",
		`CAST(1.5 AS Timestamp)`:                                "!CAST it to a whole number first",
		`CAST(Yson::From(1) AS Int32)`:                          "!write Yson::ConvertTo(…, Int32)",
	} {
		check(t, text, want, nil)
	}
}

func TestParseInterval(t *testing.T) {
	for text, want := range map[string]int64{
		"PT5S": 5_000_000, "PT0.005S": 5000, "-P1D": -86400_000_000, "P2W": 14 * 86400_000_000, "P1DT2H3M4.5S": 93784_500_000, "PT1H": 3600_000_000, "PT0S": 0,
		"": -1, "P": -1, "PT": -1, "5S": -1, "P1Y": -1, "PT1D": -1, "P1H": -1, "PT1S1M": -1, "PT1.S": -1, "PT1.1234567S": -1, "P1DT": -1, "PT1.5M": -1, "PT1": -1,
		"P99999999999999W": -1, "PT1H1H": -1,
	} {
		got, ok := ParseInterval(text)
		if ok != (want != -1) || ok && got != want {
			t.Errorf("%q: %d %v, not %d", text, got, ok, want)
		}
	}
}

func FuzzParseInterval(f *testing.F) {
	for _, s := range []string{"PT5S", "-P1DT2H3M4.5S", "P2W"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		micros, ok := ParseInterval(text)
		if !ok {
			return
		}
		written := string(appendInterval(nil, micros))
		if again, ok := ParseInterval(written); !ok || again != micros {
			t.Fatalf("%q is %d, which is written %q and read as %d", text, micros, written, again)
		}
	})
}
