package ysontext

import (
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/jsontext"
)

func TestCanonical(t *testing.T) {
	for doc, want := range map[string]string{
		` { a = 1 ; "b c" = [ 2u ; 3. ; %true ; # ; ] ; } `: `{"a"=1;"b c"=[2u;3.;%true;#]}`,
		`<x=1>{}`:                              `<"x"=1>{}`,
		`< x = < y = 2 > z >[<a=b>c]`:          `<"x"=<"y"=2>"z">[<"a"="b">"c"]`,
		`"\x41\n\"\101"`:                       `"A\n\"A"`,
		"\x01\x08tide":                         `"tide"`,
		"[\x02\x09;\x06\x07;\x05]":             "[-5;7u;%true]",
		"\x03\x00\x00\x00\x00\x00\x00\xf8\x3f": "1.5",
		`1e3`:                                  `1000.`,
		`%-inf`:                                `%-inf`,
		`-0`:                                   `0`,
		`word.x-1`:                             `"word.x-1"`,
		``:                                     `!a value is missing at byte 0`,
		`[1`:                                   `!';' or ']' is missing at byte 2`,
		`{1=2}`:                                `!a key is missing at byte 1`,
		`"x`:                                   `!a string does not end at byte 0`,
		`1 2`:                                  `!ends before`,
		`%maybe`:                               `!true, false, nan`,
		`99999999999999999999`:                 `!no number of 64 bits`,
		"\x01\x7f":                             `!a string does not end`,
		strings.Repeat("[", 1000):              `!deeper than`,
	} {
		got, err := Canonical(nil, []byte(doc))
		switch {
		case err != nil && (want == "" || want[0] != '!' || !strings.Contains(err.Error(), want[1:])):
			t.Errorf("%q: %v, not %s", doc, err, want)
		case err == nil && string(got) != want:
			t.Errorf("%q: %s, not %s", doc, got, want)
		}
	}
}

func TestWalk(t *testing.T) {
	doc, err := Canonical(nil, []byte(`<at=1>{a=[10;<b=2>20;"x;y"];"k\"=" = {z=%false};a=1.5}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(Lookup(doc, []byte("a"))); got != "1.5" {
		t.Errorf("a is %s", got)
	}
	if got := string(Lookup(doc, []byte(`k"=`))); got != `{"z"=%false}` {
		t.Errorf(`k"= is %s`, got)
	}
	list, _ := Canonical(nil, []byte(`[10;<b=2>20;"x;y"]`))
	for i, want := range []string{"10", `<"b"=2>20`, `"x;y"`} {
		if got := string(At(list, i)); got != want {
			t.Errorf("item %d is %s", i, got)
		}
		if got := string(At(list, i-3)); got != want {
			t.Errorf("item %d is %s", i-3, got)
		}
	}
	if At(list, 3) != nil || Len(list) != 3 || Len(doc) != 3 {
		t.Errorf("lengths are %d and %d", Len(list), Len(doc))
	}
	attributes, _ := Split(doc)
	if got := string(Lookup(attributes, []byte("at"))); got != "1" {
		t.Errorf("the attribute is %s", got)
	}
	if want := "<\n    \"at\" = 1;\n> {\n    \"a\" = [\n"; !strings.HasPrefix(string(AppendPretty(nil, doc)), want) {
		t.Errorf("%s", AppendPretty(nil, doc))
	}
}

func TestJSON(t *testing.T) {
	for doc, want := range map[string]string{
		`{"b":1,"a":[1.5,null,true,"x\u00e9\n"],"n":-9223372036854775808}`: `{"b"=1;"a"=[1.5;#;%true;"xé\n"];"n"=-9223372036854775808}`,
		`18446744073709551615`: `18446744073709551615u`,
		`1e400`:                `%inf`,
		`5.0`:                  `5.`,
	} {
		value, ok := jsontext.Parse([]byte(doc))
		if !ok {
			t.Fatal(doc)
		}
		if got := string(FromJSON(nil, value)); got != want {
			t.Errorf("%s: %s, not %s", doc, got, want)
		}
	}
	for doc, want := range map[string]string{
		`{b=1;a=[1.5;#;%true;"x\n"];u=7u}`: `{"b":1,"a":[1.5,null,true,"x\n"],"u":7}`,
		`<a=1>5.`:                          `5`,
	} {
		value, err := Canonical(nil, []byte(doc))
		if err != nil {
			t.Fatal(err)
		}
		got, err := JSON{}.Append(nil, value)
		if err != nil || string(got) != want {
			t.Errorf("%s: %s %v, not %s", doc, got, err, want)
		}
	}
	if _, err := (JSON{}).Append(nil, []byte("[%nan]")); err != ErrNotFinite {
		t.Error(err)
	}
	if got, _ := (JSON{NumbersAsText: true, SkipEntities: true}).Append(nil, []byte(`{"a"=%nan;"b"=#}`)); string(got) != `{"a":"nan"}` {
		t.Errorf("%s", got)
	}
}

func FuzzCanonical(f *testing.F) {
	for _, s := range []string{`{a=1;b=[2u;3.;<x=#>%true]}`, `"\x41\101"`, "[\x02\x09;\x01\x08tide]", "<a=<b=c>d>e", "%-inf"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		value, err := Canonical(nil, doc)
		if err != nil {
			return
		}
		again, err := Canonical(nil, value)
		if err != nil || string(again) != string(value) {
			t.Fatalf("%q is %q, and that is %q: %v", doc, value, again, err)
		}
		pretty, err := Canonical(nil, AppendPretty(nil, value))
		if err != nil || string(pretty) != string(withoutEmpty(value)) && string(pretty) != string(value) {
			t.Fatalf("%q laid out is %q: %v", value, pretty, err)
		}
		text, err := (JSON{NumbersAsText: true}).Append(nil, value)
		if err != nil {
			t.Fatal(err)
		}
		if parsed, ok := jsontext.Parse(text); !ok || len(parsed) != len(text) {
			t.Fatalf("%q is %q, which is no JSON", value, text)
		}
	})
}

// withoutEmpty is a value without empty attributes, which are not laid out.
func withoutEmpty(value []byte) []byte { return []byte(strings.ReplaceAll(string(value), "<>", "")) }

func BenchmarkCanonical(b *testing.B) {
	doc := []byte(`{"id"=17;"name"="north";"levels"=[1.5;2.5;3.5];"tags"={"a"=%true;"b"=#}}`)
	b.SetBytes(int64(len(doc)))
	var dst []byte
	for b.Loop() {
		var err error
		if dst, err = Canonical(dst[:0], doc); err != nil {
			b.Fatal(err)
		}
	}
}
