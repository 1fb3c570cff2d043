package jsonpath

import (
	"errors"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/jsontext"
)

// found is what a path leads to, in the one form of each value, or "missing".
func found(t *testing.T, path, doc string) string {
	t.Helper()
	p, err := Compile(path)
	if err != nil {
		return err.Error()
	}
	root, ok := jsontext.Parse([]byte(doc))
	if !ok {
		t.Fatalf("%s is no JSON", doc)
	}
	var w jsontext.Writer
	if p.Definite() {
		v, ok := p.One(root, root)
		if !ok {
			return "missing"
		}
		return string(w.Append(nil, v))
	}
	var list []string
	if found, err := p.All(root, func(v []byte) { list = append(list, string(w.Append(nil, v))) }); err != nil || !found {
		return "missing"
	}
	return "[" + strings.Join(list, ",") + "]"
}

// TestPaths has what Flink 2.3 finds.
func TestPaths(t *testing.T) {
	const objects = `{"a":[{"b":1},{"c":2},{"b":3}]}`
	const prices = `{"m":5,"a":[{"p":1,"q":2},{"p":5,"q":2},{"p":"1"},{"p":"x"},{"p":null},{"q":1},{"p":true},{"p":{"x":1}}]}`
	for _, c := range []struct{ path, doc, want string }{
		{"$", `5`, "5"}, {"$.a", `{"a":1}`, "1"}, {"a", `{"a":1}`, "1"}, {"@.a", `{"a":1}`, "1"}, {"lax a", `{"a":1}`, "1"}, {"  LAX   $.a ", `{"a":1}`, "1"},
		{"$.a.b[1]", `{"a":{"b":[10,20]}}`, "20"}, {"$.a.b[-1]", `{"a":{"b":[10,20]}}`, "20"}, {"$.a.b[2]", `{"a":{"b":[10,20]}}`, "missing"}, {"$.a.b[-3]", `{"a":{"b":[10,20]}}`, "missing"},
		{"$.a[*]", `{"a":[1,2]}`, "[1,2]"}, {"$.a.*", `{"a":{"x":1,"y":2}}`, "[1,2]"}, {"$.x[*]", `{}`, "missing"}, {"$.a[*]", `{"a":5}`, "[]"},
		{"$['a b']", `{"a b":1}`, "1"}, {`$["a b"]`, `{"a b":1}`, "1"}, {`$.["a b"]`, `{"a b":1}`, "1"}, {"$[ 'a' ]", `{"a":1}`, "1"}, {"$[ 1 ]", `[1,2]`, "2"}, {"$.a-b", `{"a-b":1}`, "1"}, {"$['a.b']", `{"a.b":1}`, "1"},
		{`$['a\'b']`, `{"a'b":1}`, "1"}, {"$['']", `{"":1}`, "1"}, {"$.ä", `{"\u00e4":1}`, "1"}, {"$.$x", `{"$x":1}`, "1"}, {"$.0", `{"0":1}`, "1"}, {"$[0].a", `[{"a":1}]`, "1"},
		{"$.a[*].b", objects, "[1,3]"}, {"$.a.b", objects, "missing"}, {"$..b", objects, "[1,3]"}, {"$..b", `{"a":1}`, "[]"}, {"$.a..b", `{"a":1}`, "[]"},
		{"$..b", `{"a":[{"b":[1]},{"b":{"b":2}}]}`, `[[1],{"b":2},2]`}, {"$..*", `{"a":[1,{"c":[2]}]}`, `[[1,{"c":[2]}],1,{"c":[2]},[2],2]`}, {"$..[0]", `{"a":[1,{"c":[2]}]}`, "[1,2]"},
		{"$.a[1:3]", `{"a":[1,2,3,4,5]}`, "[2,3]"}, {"$.a[:2]", `{"a":[1,2,3,4,5]}`, "[1,2]"}, {"$.a[-2:]", `{"a":[1,2,3,4,5]}`, "[4,5]"}, {"$.a[0,2]", `{"a":[1,2,3,4,5]}`, "[1,3]"},
		{"$.a[0,9]", `{"a":[1,2,3,4,5]}`, "[1]"}, {"$.a[0:1]", `{"a":{"x":1}}`, "missing"}, {"$.a[3:1]", `{"a":[1,2,3,4]}`, "[]"},
		{"$.a[*][*]", `{"a":[[1,2],[3]]}`, "[1,2,3]"}, {"$.a[*][1]", `{"a":[[1,2],5]}`, "[2]"},
		{"$.a[?(@.p > 4)]", prices, `[{"p":5,"q":2}]`}, {"$.a[?(@.p)].p", `{"a":[{"p":1},{"q":1}]}`, "[1]"}, {"$.a[?(@.p == 1)].p", prices, `[1,"1"]`}, {"$.a[?(@.p == '1')].p", prices, `[1,"1"]`},
		{"$.a[?(@.p != 1)].p", prices, `[5,"x",null,true,{"x":1}]`}, {"$.a[?(@.p == null)].p", prices, "[null]"}, {"$.a[?(@.p == true)].p", prices, "[true]"},
		{"$.a[?(@.p < 'y')].p", prices, `["1","x"]`}, {"$.a[?(@ > 4)]", `{"a":[1,5,9]}`, "[5,9]"}, {"$.a[?(@.p.x == 1)].p", prices, `[{"x":1}]`}, {"$.a[?(@.p == $.m)].p", prices, "[5]"},
		{"$.a[?(@.p == 1 && @.q == 2)].p", prices, "[1]"}, {"$.a[?((@.p == 1 || @.p == 5) && @.q >= 2)].p", prices, `[1,5]`}, {"$.a[?(!(@.q <= 2))].p", prices, `["1","x",null,true,{"x":1}]`},
		{"$.a[?(@['p'] == 5)].q", prices, "[2]"}, {"$.a[?(1 == @.p)].q", prices, "[2]"}, {"$.a[?(@.p =~ /X|1/i)].p", prices, `["1","x"]`}, {"$.a[?(@.x == 1)]", `{"a":{"x":1}}`, `[{"x":1}]`},
		{"$.a[?(@.x == 1)]", `{"a":5}`, "missing"}, {"$.a.length()", `{"a":[1,2,3]}`, "3"}, {"$.a.size()", `{"a":{"x":1,"x":2}}`, "1"}, {"$.a.length()", `{"a":"abc"}`, "missing"},
		{"", `1`, "'' is no JSON path: nothing at character 1"}, {"$.", `1`, "'$.' is no JSON path: a name is missing; write it as ['name'] if it has blanks at character 3"},
		{"$a", `1`, "'$a' is no JSON path: unexpected text at character 2"}, {"$[a]", `1`, "'$[a]' is no JSON path: neither a number nor a name in quotes at character 3"},
		{"$.a b", `1`, "'$.a b' is no JSON path: unexpected text at character 5"}, {"$['a'", `1`, "'$['a'' is no JSON path: a ] is missing at character 6"},
		{"$['a','b']", `1`, "several names in one pair of brackets in JSON paths are not supported: character 6 of '$['a','b']'"},
		{"$.a.sum()", `1`, "functions other than length() of one value in JSON paths are not supported: character 5 of '$.a.sum()'"},
		{"$[?(@.a in [1])]", `1`, "operators of filters but ==, !=, <, <=, >, >=, =~ in JSON paths are not supported: character 9 of '$[?(@.a in [1])]'"},
	} {
		if got := found(t, c.path, c.doc); got != c.want {
			t.Errorf("%s of %s\n is  %s\nwant %s", c.path, c.doc, got, c.want)
		}
	}
}

// TestPathsThatBranchTooOften has paths whose work multiplies with the depth of a document, and such as have their reason.
func TestPathsThatBranchTooOften(t *testing.T) {
	deep := strings.Repeat("[", 200) + "1" + strings.Repeat("]", 200)
	flat := "[" + strings.Repeat(`{"a":[1,2,{"b":"text"}]},`, 10_000) + "0]"
	for _, c := range []struct {
		path, doc string
		want      error
	}{
		{"$" + strings.Repeat("..*", 20), deep, ErrTooMuch},
		{"$" + strings.Repeat("..[0]", 20), deep, ErrTooMuch},
		{"$" + strings.Repeat("..[0,0]", 8), deep, ErrTooMuch},
		{"$" + strings.Repeat("..[0:1]", 20), deep, ErrTooMuch},
		{"$" + strings.Repeat("..[?(@ != 2)]", 20), deep, ErrTooMuch},
		{"$" + strings.Repeat("..*", 20) + ".none", deep, ErrTooMuch},
		{"$" + strings.Repeat("[0,0,0,0,0,0,0,0]", 30), deep, ErrTooMuch},
		{"$..*", deep, nil},
		{"$..*..*", deep, nil},
		{"$..b", flat, nil},
		{"$[*].a[*].b", flat, nil},
		{"$..a..b", flat, nil},
		{"$" + strings.Repeat("[*]", 200), deep, nil},
	} {
		p, err := Compile(c.path)
		if err != nil {
			t.Fatal(err)
		}
		text := 0
		found, err := p.All([]byte(c.doc), func(v []byte) { text += len(v) })
		if !found || err != c.want || text > allowance(len(c.doc)) {
			t.Errorf("%.40s of %.20s…: %t, %v, %d bytes; want %v", c.path, c.doc, found, err, text, c.want)
		}
	}
}

// FuzzPath expects of any path that it is refused by *Error or evaluates, to parts that are JSON.
func FuzzPath(f *testing.F) {
	for _, seed := range []string{"lax $.a[*].b", "$..a[?(@.x > 1 && !(@.y =~ /a/i))]", "$['a'][-1:2]", "$.a.length()", "a[0,1]"} {
		f.Add(seed, `{"a":[{"b":1,"x":2,"y":"q"},[1,2]],"a":{"a":[{}]}}`)
	}
	f.Fuzz(func(t *testing.T, path, doc string) {
		p, err := Compile(path)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || err.Error() == "" {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		root, ok := jsontext.Parse([]byte(doc))
		if !ok {
			return
		}
		check := func(v []byte) {
			if again, ok := jsontext.Parse(v); !ok || len(again) != len(v) {
				t.Fatalf("%q leads to %q", path, v)
			}
		}
		if !p.Definite() {
			p.All(root, check)
		} else if v, ok := p.One(root, root); ok {
			check(v)
		}
	})
}

func BenchmarkOne(b *testing.B) {
	doc := []byte(`{"id":12345,"name":"tide","tags":["a","b","c"],"position":{"lat":51.12,"lon":1.32},"note":"a longer text that says nothing"}`)
	p, err := Compile("lax $.position.lon")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := p.One(doc, doc); !ok {
			b.Fatal("missing")
		}
	}
}
