package jsontext

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strings"
	"testing"
)

// TestParse has what Flink 2.3 takes for JSON, and what it does not.
func TestParse(t *testing.T) {
	for doc, want := range map[string]bool{
		`{"a":1}`: true, `[1]`: true, `1`: true, `"x"`: true, `null`: true, ` {"a" : 1 } `: true, `{} x`: true, `{}x`: true, `"a"x`: true, `true,`: true, `1 2`: true, `-1`: true, `1e5`: true,
		`"\ud83d"`: true, `[]`: true, `{}`: true, `[ ]`: true, `-0.5E-3`: true,
		``: false, ` `: false, `01`: false, `1.`: false, `.5`: false, `+1`: false, `NaN`: false, `{a:1}`: false, `{"a":1,}`: false, `[1,]`: false, `"\x"`: false, `'x'`: false, `tru`: false,
		`truex`: false, `1x`: false, `1,2`: false, `1]`: false, `"a`: false, `[1`: false, `1e`: false, `-`: false, `"\u12"`: false, `{"a"}`: false, `{"a":}`: false, `{1:2}`: false, `nul`: false,
		"\"\t\"": false, `{"a":01}`: false, `/**/1`: false, `[1 2]`: false, `{"a":1 "b":2}`: false, `1e9999999999`: false, `-01`: false,
		strings.Repeat("[", 1000) + strings.Repeat("]", 1000): true, strings.Repeat("[", 1001) + strings.Repeat("]", 1001): false,
	} {
		if _, ok := Parse([]byte(doc)); ok != want {
			t.Errorf("%.60s: %v", doc, ok)
		}
	}
}

func canonical(t *testing.T, doc string) string {
	t.Helper()
	value, ok := Parse([]byte(doc))
	if !ok {
		t.Fatalf("%s is no JSON", doc)
	}
	var w Writer
	return string(w.Append(nil, value))
}

// TestAppend has what Flink 2.3 makes of values.
func TestAppend(t *testing.T) {
	for doc, want := range map[string]string{
		`[1, 2 , {"z":1,"b" : 2}]`: `[1,2,{"b":2,"z":1}]`, `{"b":1,"a":2,"b":3}`: `{"a":2,"b":3}`,
		`[1.0,1e2,1.50,-0.0,1E-7,12345678901234567890,0.12345678901234567890]`: `[1.0,1E+2,1.50,0.0,1E-7,12345678901234567890,0.12345678901234567890]`,
		`["\u00e4","\/","é","\u0001","\u001f","<>&","\ud83d\ude00","\t"]`:      `["ä","/","é","\u0001","\u001F","<>&","😀","\t"]`,
		`[0e5,0.0000001,0.000001,123.456e5,123.456e2,1E-3,-5,-0]`:              `[0E+5,1E-7,0.000001,1.23456E+7,12345.6,0.001,-5,0]`,
		`{"\u0061":1,"a":2}`: `{"a":2}`, `{"a":{"c":[],"b":{}}, "0":null}`: `{"0":null,"a":{"b":{},"c":[]}}`, `{"\ue000":1,"😀":2}`: "{\"😀\":2,\"\ue000\":1}",
	} {
		if got := canonical(t, doc); got != want {
			t.Errorf("%s\n is  %s\nwant %s", doc, got, want)
		}
	}
}

func TestCompareNumbers(t *testing.T) {
	ordered := []string{"-1e300", "-100", "-1.5", "-1", "-0.5", "-1e-300", "0", "1e-300", "0.05", "0.5", "1", "1.0000000000000000000001", "1.5", "9", "10", "11", "99", "100.5", "1e300"}
	for i, a := range ordered {
		for j, b := range ordered {
			if got := CompareNumbers([]byte(a), []byte(b)); got < 0 != (i < j) || got > 0 != (i > j) {
				t.Errorf("%s and %s: %d", a, b, got)
			}
		}
	}
	for _, same := range [][2]string{{"0", "-0.00"}, {"1", "1.0"}, {"100", "1e2"}, {"0.001", "1E-3"}, {"0", "0e9"}} {
		if CompareNumbers([]byte(same[0]), []byte(same[1])) != 0 {
			t.Errorf("%s and %s differ", same[0], same[1])
		}
	}
}

func TestMember(t *testing.T) {
	object := []byte(`{"a" : 1, "\u0062":[1,"}"], "a":{"c":"\"]"}}`)
	for name, want := range map[string]string{"a": `{"c":"\"]"}`, "b": `[1,"}"]`, "c": ""} {
		if got := string(Member(object, []byte(name))); got != want {
			t.Errorf("%s is %s", name, got)
		}
	}
}

// FuzzParse holds Parse and Writer against encoding/json: what that takes is taken, what is written means the same, and writing again changes nothing.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.50,{"b":"\u00e4\n"}],"a":null}`, `"\ud83d\ude00"`, `[-0.1e-5,true]`, `{} tail`, `"\ud83d"`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		value, ok := Parse(doc)
		if json.Valid(doc) && !ok && bytes.Count(doc, []byte{'['})+bytes.Count(doc, []byte{'{'}) < maxDepth && !bytes.ContainsAny(doc, "eE") {
			t.Fatalf("%q is JSON", doc)
		}
		if !ok {
			return
		}
		if !json.Valid(value) {
			t.Fatalf("%q is no JSON", value)
		}
		var w Writer
		once := w.Append(nil, value)
		if !json.Valid(once) {
			t.Fatalf("%q became %q", value, once)
		}
		if twice := w.Append(nil, once); !bytes.Equal(once, twice) {
			t.Fatalf("%q became %q, and then %q", value, once, twice)
		}
		if KindOf(value) == Number && len(value) < 30 && !bytes.ContainsAny(value, "eE") {
			x, _ := new(big.Rat).SetString(string(value))
			y, _ := new(big.Rat).SetString(string(once))
			if x.Cmp(y) != 0 || CompareNumbers(value, once) != 0 {
				t.Fatalf("%s became %s", value, once)
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	doc := []byte(`{"id":12345,"name":"tide","tags":["a","b","c"],"position":{"lat":51.12,"lon":1.32},"note":"a longer text that says nothing"}`)
	b.SetBytes(int64(len(doc)))
	for b.Loop() {
		if _, ok := Parse(doc); !ok {
			b.Fatal("no JSON")
		}
	}
}
