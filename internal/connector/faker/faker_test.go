package faker

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/datagen"
	"github.com/tidemark-sql/tidemark/internal/connector/format"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// rows makes so many rows of a table, as JSON, from row from on.
func rows(t testing.TB, schema types.Schema, needed []int, o connector.Options, from, n int64, maxRows int) []string {
	t.Helper()
	o["number-of-rows"], o["rows-per-second"] = fmt.Sprint(from+n), "1000000"
	s, err := newSource(connector.Table{Name: "t", Schema: schema, Needed: needed}, o)
	if err != nil {
		t.Fatal(err)
	}
	splits, err := s.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := splits[0].Resume(from); err != nil {
		t.Fatal(err)
	}
	d, err := s.NewDecoder()
	if err != nil {
		t.Fatal(err)
	}
	var fields types.Schema
	for _, k := range needed {
		fields = append(fields, schema[k])
	}
	e := format.NewJSONEncoder(fields, format.JSONOptions{})
	var all []string
	const start = 1_767_225_600_000_000 // 2026-01-01
	for now := int64(start); ; {
		c, wake, err := splits[0].Poll(now)
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if c == nil {
			now = wake
			continue
		}
		if _, err := d.Decode(c, &vector.Pool{}, maxRows, func(b *vector.Batch) error {
			for i := range b.N {
				all = append(all, string(e.AppendRow(nil, b, i)))
			}
			b.Release()
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestProviders: every call gives something in every row, and the same again; calls with arguments are in TestExpressions.
func TestProviders(t *testing.T) {
	tried := 0
	for _, p := range providers {
		if _, err := p.make(nil); err != nil {
			continue
		}
		tried++
		for _, name := range p.names {
			g, err := parse("#{" + name + "}")
			if err != nil {
				t.Fatal(err)
			}
			first, second := newDice(), newDice()
			distinct := map[string]bool{}
			for i := range uint64(100) {
				first.pcg.Seed(1, i)
				second.pcg.Seed(1, i)
				v := g(first.fake, 1e15).String()
				if again := g(second.fake, 1e15).String(); v == "" || v != again || strings.Contains(v, "#{") {
					t.Errorf("%s: %q, then %q", name, v, again)
				}
				distinct[v] = true
			}
			if len(distinct) < 2 {
				t.Errorf("%s is always %v", name, distinct)
			}
		}
	}
	if tried < 80 {
		t.Errorf("only %d calls without arguments", tried)
	}
}

func TestExpressions(t *testing.T) {
	for _, c := range []struct{ expression, want string }{
		{"#{number.numberBetween '3','5'}", `[34]`},
		{"#{Number.number_between '-2', '-1'}", `-2`},
		{"#{NUMBER.NUMBERBETWEEN '0','1000'}", `\d{1,3}`},
		{"#{number.randomDouble '2','1','9'}", `[1-9]\.\d\d`},
		{"#{number.digits '4'}", `\d{4}`},
		{"#{options.option 'a b','c}','d'}", `a b|c\}|d`},
		{"#{Options.regexify '(x|y){2}'}", `[xy]{2}`},
		{"#{regexify 'A[0-9]{3}'}", `A\d{3}`},
		{"#{bothify '??-##'}", `[a-zA-Z]{2}-\d\d`},
		{"#{numerify '+49 ###'}", `\+49 \d{3}`},
		{"#{letterify '?x'}", `[a-zA-Z]x`},
		{"#{commerce.price '1','2'}", `[12]\.\d\d`},
		{"#{date.past '5','MINUTES'}", `(2025-12-31 23:5[5-9]|2026-01-01 00:00):\d\d\.\d{3}`},
		{"#{date.future '10','5','DAYS'}", `2026-01-(0[6-9]|1[01]) \d\d:\d\d:\d\d\.\d{3}`},
		{"#{date.birthday '20','30'}", `(199[4-9]|200[0-6])-\d\d-\d\d 00:00:00\.000`},
		{"constant", `constant`},
		{"", ``},
		{"#{bool.bool}, #{options.option '1'}!", `(true|false), 1!`},
	} {
		g, err := parse(c.expression)
		if c.expression == "" {
			if err != nil {
				t.Error(err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.expression, err)
			continue
		}
		want := regexp.MustCompile("^(" + c.want + ")$")
		d := newDice()
		for i := range uint64(200) {
			d.pcg.Seed(2, i)
			if v := g(d.fake, 1_767_225_600_000_000).String(); !want.MatchString(v) {
				t.Fatalf("%s gives %q", c.expression, v)
			}
		}
	}
}

var (
	person = types.RowOf(types.Schema{{Name: "name", Type: types.StringType}, {Name: "age", Type: types.SmallIntType}})
	schema = types.Schema{
		{Name: "id", Type: types.BigIntType},
		{Name: "ok", Type: types.BooleanType},
		{Name: "price", Type: types.DecimalOf(10, 2)},
		{Name: "at", Type: types.TimestampLTZType},
		{Name: "local", Type: types.Type{Kind: types.Timestamp, Precision: 6}},
		{Name: "day", Type: types.DateType},
		{Name: "raw", Type: types.BytesType},
		{Name: "tags", Type: types.ArrayOf(types.StringType)},
		{Name: "scores", Type: types.MapOf(types.StringType, types.IntType)},
		{Name: "who", Type: person},
		{Name: "people", Type: types.ArrayOf(person)},
		{Name: "maybe", Type: types.DoubleType},
	}
	every = connector.Options{
		"fields.id.expression": "#{number.numberBetween '0','100'}", "fields.ok.expression": "#{bool.bool}", "fields.price.expression": "#{commerce.price}",
		"fields.at.expression": "#{date.past '1','DAYS'}", "fields.local.expression": "#{date.past '1','DAYS'}", "fields.day.expression": "#{date.birthday}",
		"fields.raw.expression": "x", "fields.tags.expression": "#{lorem.word}", "fields.tags.length": "3",
		"fields.scores.key.expression": "#{name.firstName}", "fields.scores.value.expression": "#{number.digit}", "fields.scores.length": "2",
		"fields.who.name.expression": "#{name.fullName}", "fields.who.age.expression": "#{number.numberBetween '1','99'}", "fields.who.age.null-rate": "0.5",
		"fields.people.element.name.expression": "#{name.fullName}", "fields.people.element.age.expression": "7", "fields.people.length": "2",
		"fields.maybe.expression": "#{number.randomDouble '3','0','1'}", "fields.maybe.null-rate": "0.25",
	}
)

// TestRowsAreTheSameAgain: a row depends on its number, not on batches, other columns or where reading began.
func TestRowsAreTheSameAgain(t *testing.T) {
	all := make([]int, len(schema))
	for i := range all {
		all[i] = i
	}
	want := rows(t, schema, all, every, 0, 300, 1000)
	// What is measured from the present differs with it.
	times := regexp.MustCompile(`"(at|local)":"[^"]*"`)
	timeless := func(rows []string) (cut []string) {
		for _, r := range rows {
			cut = append(cut, times.ReplaceAllString(r, ""))
		}
		return cut
	}
	if got := timeless(rows(t, schema, all, every, 100, 200, 7)); !slices.Equal(got, timeless(want)[100:]) {
		t.Errorf("from row 100 in batches of 7:\n%s\nnot\n%s", got[0], want[100])
	}
	for i, f := range schema {
		if f.Type.IsTime() {
			continue
		}
		for k, row := range rows(t, schema, []int{i}, every, 0, 20, 1000) {
			if part := row[1 : len(row)-1]; !strings.Contains(want[k], part) {
				t.Errorf("%s alone is %s, in row %s", f.Name, part, want[k])
			}
		}
	}
	nulls := strings.Count(strings.Join(want, ""), `"maybe":null`)
	if nulls < 45 || nulls > 105 {
		t.Errorf("%d of 300 are NULL, want about 75", nulls)
	}
	if !regexp.MustCompile(`"tags":\["[a-z]+","[a-z]+","[a-z]+"\]`).MatchString(want[0]) || !strings.Contains(want[0], `"raw":"eA=="`) {
		t.Errorf("row 0 is %s", want[0])
	}
}

func TestRefused(t *testing.T) {
	one := func(t types.Type) types.Schema { return types.Schema{{Name: "v", Type: t}} }
	for _, c := range []struct {
		schema  types.Schema
		options connector.Options
		key     string
		message string
		hint    string
	}{
		{one(types.StringType), connector.Options{"fields.v.expression": "#{Name.fulName}"}, "fields.v.expression", "there is no #{Name.fulName}", "did you mean #{Name.fullName}? There are: "},
		{one(types.StringType), connector.Options{"fields.v.expression": "#{Superhero.power}"}, "fields.v.expression", "there is no #{Superhero.power}", "here are: Address.buildingNumber, "},
		{one(types.StringType), connector.Options{"fields.v.expression": "#{Name.fullName"}, "fields.v.expression", "a #{ has no }", "write it as"},
		{one(types.StringType), connector.Options{"fields.v.expression": "#{Name.fullName 'x'}"}, "fields.v.expression", "it takes no arguments", ""},
		{one(types.StringType), connector.Options{"fields.v.expression": "#{number.numberBetween 1,2}"}, "fields.v.expression", "single quotes", ""},
		{one(types.StringType), connector.Options{"fields.v.expression": "#{number.numberBetween '2','2'}"}, "fields.v.expression", "must be greater", ""},
		{one(types.StringType), connector.Options{"fields.v.expression": "#{date.past '2','YEARS'}"}, "fields.v.expression", "the unit is one of", ""},
		{one(types.StringType), connector.Options{}, "connector", "needs the option 'fields.v.expression'", "add"},
		{one(types.IntType), connector.Options{"fields.v.expression": "#{Name.fullName}"}, "fields.v.expression", "column 'v': expected INT", "declare the column STRING"},
		{one(types.IntType), connector.Options{"fields.v.expression": "1", "fields.w.expression": "1"}, "fields.w.expression", "no option", "did you mean"},
		{one(types.IntType), connector.Options{"fields.v.expression": "1", "fields.v.null-rate": "2"}, "fields.v.null-rate", "is '2'", ""},
		{one(types.Type{Kind: types.Int, NotNull: true}), connector.Options{"fields.v.expression": "1", "fields.v.null-rate": "0.1"}, "fields.v.null-rate", "NOT NULL", ""},
		{one(types.IntType), connector.Options{"fields.v.expression": "1", "fields.v.length": "2"}, "fields.v.length", "no option", ""},
		{one(types.IntervalDayType), connector.Options{"fields.v.expression": "1"}, "connector", "cannot make INTERVAL", ""},
	} {
		_, err := newSource(connector.Table{Name: "t", Schema: c.schema}, c.options)
		e, ok := errors.AsType[*connector.OptionError](err)
		if !ok || e.Key != c.key || !strings.Contains(e.Message, c.message) || !strings.Contains(e.Hint, c.hint) {
			t.Errorf("%v: got %#v", c.options, err)
		}
	}
}

// BenchmarkFill makes rows of a person; one operation is one row.
func BenchmarkFill(b *testing.B) {
	s := types.Schema{{Name: "id", Type: types.BigIntType}, {Name: "name", Type: types.StringType}, {Name: "city", Type: types.StringType}}
	var columns []column
	for i, e := range []string{"#{number.numberBetween '0','1000'}", "#{name.fullName}", "#{address.city}"} {
		g, err := parse(e)
		if err != nil {
			b.Fatal(err)
		}
		columns = append(columns, column{Field: s[i], seed: uint64(i), make: g})
	}
	f, err := newFiller(columns, []int{0, 1, 2})
	if err != nil {
		b.Fatal(err)
	}
	var pool vector.Pool
	b.ReportAllocs()
	const n = 4096
	for done := 0; done < b.N; done += n {
		batch, err := f.Fill(pool.Get(), int64(done), n, datagen.Clock{})
		if err != nil {
			b.Fatal(err)
		}
		batch.Release()
	}
}

// Whether a text can be made of a regular expression is known before the first row, so that no message of the generator becomes a value.
func TestRegularExpressions(t *testing.T) {
	for _, c := range []struct{ pattern, refused string }{
		{`[`, "missing closing ]"},
		{`a{2,1}`, "invalid repeat count"},
		{`(?=a)`, "invalid or unsupported Perl syntax"},
		{`(?<n>a`, "missing closing )"},
		{`x**`, "invalid nested repetition operator"},
		{`((a*)*)*`, "may have 1000 bytes"},
		{`(\w{9}){900}`, "invalid repeat count"},
		{`[^\x00-\x{10FFFF}]`, "matches nothing"},
		{`ab|[^\x00-\x{10FFFF}]`, "matches nothing"},
		{`[é-\x{10FFFF}]`, "no character of ASCII"},
		{`[a-z]{500,}`, ""},
		{`é{900}$`, ""},
		{`[à-ü]{1,9}`, ""},
		{`a{1000}`, ""},
		{`[^a-z]+\.?(x|yy)`, ""},
		{`^(\w+){1,9}x?$`, ""},
		{``, "it takes a regular expression"},
	} {
		g, err := regexify([]string{c.pattern})
		if c.refused != "" {
			if err == nil || !strings.Contains(err.Error(), c.refused) {
				t.Errorf("%s: %v, want %q", c.pattern, err, c.refused)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
			continue
		}
		matches := regexp.MustCompile("^(?:" + c.pattern + ")$")
		d := newDice()
		for i := range uint64(500) {
			d.pcg.Seed(1, i)
			if v := g(d.fake, 0); !matches.MatchString(v.text) {
				t.Fatalf("%s gives %q", c.pattern, v.text)
			}
		}
	}
}

func TestCollectionsOfCollectionsAreBounded(t *testing.T) {
	deep := types.Schema{{Name: "a", Type: types.ArrayOf(types.ArrayOf(types.StringType))}}
	o := connector.Options{"fields.a.length": "1000", "fields.a.element.length": "1000", "fields.a.element.expression": "x"}
	_, err := newSource(connector.Table{Name: "t", Schema: deep, Needed: []int{0}}, o)
	if e, ok := errors.AsType[*connector.OptionError](err); !ok || e.Key != "fields.a.length" {
		t.Errorf("an array of a million strings: %v", err)
	}
}
