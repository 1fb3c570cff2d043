package flowspec_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/tidemark-sql/tidemark/internal/flowspec"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// shown is what a pipeline says, without places.
func shown(p *flowspec.Pipeline) string {
	var b strings.Builder
	for _, c := range p.Computations {
		fmt.Fprintf(&b, "%s: %v, code %q %s, query %v\n", c.ID.Text, c.Class, c.Function.Text, c.Parameters.JSON(), c.Query != nil)
		fmt.Fprintf(&b, "  reads %v, writes %v, self %v, once %v\n", c.InputNames(), words(c.Outputs), c.SelfDependency, !c.AtLeastOnce)
		for _, k := range c.GroupBy {
			fmt.Fprintf(&b, "  key %s %s, computed %v\n", k.Name.Text, k.Type, k.Expression != nil)
		}
		for _, o := range c.Outputs {
			fmt.Fprintf(&b, "  %s comes from %v\n", o.Text, c.Parents(o.Text))
		}
		for _, t := range c.Timers {
			fmt.Fprintf(&b, "  timers %s, scale %d, keep %v, from %v, of", t.Name.Text, t.Time, t.Keep, c.Parents(t.Name.Text))
			for _, d := range t.Streams {
				fmt.Fprintf(&b, " %s-%d", d.Stream.Text, d.Delay)
			}
			b.WriteString("\n")
		}
		for _, s := range c.Sources {
			fmt.Fprintf(&b, "  source %s of %q, options %d, half-life %d\n", s.Name.Text, s.Table.Text, len(s.Options), s.HalfLife)
		}
		for _, s := range c.Sinks {
			fmt.Fprintf(&b, "  sink %s of %v into %q, options %d\n", s.Name.Text, words(s.Inputs), s.Table.Text, len(s.Options))
		}
		w := c.Strategy
		fmt.Fprintf(&b, "  time %q format %d limit %v, percentile %v\n", w.Assigner.Column.Text, w.Assigner.Format, w.Assigner.Limit, w.Percentile)
		if g := w.Generator; g != nil {
			fmt.Fprintf(&b, "  bound %d, idle %v, groups %v, late %v\n", g.Bound, g.Idle != nil, g.Groups, g.Late)
		}
		if a := w.Alignment; a != nil {
			fmt.Fprintf(&b, "  aligned in %s by %d, waits for %d\n", a.Group.Text, a.DriftBound, len(a.ReadDelays))
		}
		fmt.Fprintf(&b, "  limits %v, skips %v\n", p.Dynamic.Limits[c.ID.Text], c.Skip != nil)
	}
	for _, s := range p.Streams {
		fmt.Fprintf(&b, "stream %s:", s.ID.Text)
		for _, c := range s.Schema {
			fmt.Fprintf(&b, " %s %s,", c.Name.Text, c.Type)
		}
		b.WriteString("\n")
	}
	b.WriteString("in order:")
	for _, c := range p.Order {
		b.WriteString(" " + c.ID.Text)
	}
	return b.String() + "\n"
}

func words(all []flowspec.Word) (texts []string) {
	for _, w := range all {
		texts = append(texts, w.Text)
	}
	return texts
}

// TestPipeline shows what testdata/base.yaml says, the defaults included.
func TestPipeline(t *testing.T) {
	p, err := flowspec.Parse(source.Text{Name: "base.yaml", Body: base(t)})
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/base.txt", shown(p))
}

// yson writes a value of YAML in YSON.
func yson(n *yaml.Node, quoted bool) string {
	switch {
	case n.Kind == yaml.MappingNode:
		text := "{"
		for i := 0; i < len(n.Content); i += 2 {
			text += "\n" + word(n.Content[i].Value, quoted) + " = " + yson(n.Content[i+1], quoted) + ";"
		}
		return text + "}"
	case n.Kind == yaml.SequenceNode:
		text := "<list=%true>["
		for i, c := range n.Content {
			if i > 0 {
				text += "; /* next */ "
			}
			text += yson(c, quoted)
		}
		return text + "]"
	case n.Tag == "!!bool":
		return "%" + n.Value
	case n.Tag == "!!int":
		return n.Value + "u"
	case n.Tag == "!!float":
		return n.Value
	}
	return word(n.Value, quoted)
}

func word(s string, quoted bool) string {
	if quoted || strings.ContainsAny(s, " ()*/'\",=") || s == "" || s[0] >= '0' && s[0] <= '9' {
		return `"` + strings.ReplaceAll(strings.ReplaceAll(s, `\`, `\\`), `"`, `\"`) + `"`
	}
	return s
}

// TestNotations reads one pipeline in YAML, JSON and YSON.
func TestNotations(t *testing.T) {
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(base(t)), &root); err != nil {
		t.Fatal(err)
	}
	want, err := flowspec.Parse(source.Text{Name: "base.yaml", Body: base(t)})
	if err != nil {
		t.Fatal(err)
	}
	top := root.Content[0]
	bare := strings.TrimSuffix(strings.TrimPrefix(yson(top, false), "{"), "}")
	for name, body := range map[string]string{"json": jsonOf(t, base(t)), "yson": yson(top, false), "quoted.yson": yson(top, true), "bare.yson": "// as a map without braces\n" + bare} {
		if !flowspec.Is(body) {
			t.Errorf("%s is not taken for a pipeline", name)
		}
		p, err := flowspec.Parse(source.Text{Name: name, Body: body})
		if err != nil {
			if placed, ok := errors.AsType[*source.Error](err); ok {
				t.Errorf("%s: %s", name, placed.Render())
			} else {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if got := shown(p); got != shown(want) {
			t.Errorf("%s says\n%s\nand not\n%s", name, got, shown(want))
		}
	}
}

// jsonOf is a text in YAML as JSON, in which a member that is a text stands in quotes.
func jsonOf(t *testing.T, body string) string {
	t.Helper()
	n, err := flowspec.Read(source.Text{Body: body})
	if err != nil {
		t.Fatal(err)
	}
	return string(n.JSON())
}

// TestSpecAlone: a text may be the static spec alone.
func TestSpecAlone(t *testing.T) {
	body := base(t)
	spec, _, _ := strings.Cut(body, "\ndynamic_spec:")
	_, spec, _ = strings.Cut(spec, "\nspec:\n")
	var lines []string
	for line := range strings.Lines(spec) {
		lines = append(lines, strings.TrimPrefix(line, "  "))
	}
	p, err := flowspec.Parse(source.Text{Name: "spec.yaml", Body: strings.Join(lines, "")})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Computations) != 5 || p.Dynamic.Node != nil {
		t.Errorf("%d computations, dynamic %v", len(p.Computations), p.Dynamic.Node)
	}
}

// TestIs tells pipelines from other texts.
func TestIs(t *testing.T) {
	long := strings.Repeat("# more than a spec can have\n", 200_000)
	for body, want := range map[string]bool{
		"computations: {}":                                   true,
		"spec:\n  computations:\n    a: {}":                  true,
		"{\"computations\": {}}":                             true,
		"{spec = {computations = {}}}":                       true,
		"computations:\n  a: [":                              true,
		"computations: &all {a: *all}":                       true,
		"%YAML 1.2\n---\ncomputations:\n  a: {}":             true,
		"computations:\n" + long:                             true,
		"SELECT computations FROM t;\n" + long:               false,
		"SELECT computations FROM t":                         false,
		"SELECT 'spec: computations:' FROM t":                false,
		"CREATE TABLE computations (a INT)":                  false,
		"$computations = SELECT 1; SELECT * FROM $x":         false,
		"-- computations:\nSELECT 1":                         false,
		"spec: {}":                                           false,
		"":                                                   false,
		"# nothing":                                          false,
		"computations = {a = {computation_class_name = T}};": true,
	} {
		if got := flowspec.Is(body); got != want {
			t.Errorf("Is(%.100q) = %v", body, got)
		}
	}
}

// TestYAMLVersion: a line with a version is refused where it stands.
func TestYAMLVersion(t *testing.T) {
	_, err := flowspec.Parse(source.Text{Name: "spec.yaml", Body: "# mine\n%YAML 1.2\n---\ncomputations: {}\n"})
	if placed, ok := errors.AsType[*source.Error](err); !ok || placed.Span != (source.Span{Start: 7, End: 16}) || placed.Hint != "leave the line out" {
		t.Errorf("%v", err)
	}
}

// TestYSONRefused looks at the errors of YSON.
func TestYSONRefused(t *testing.T) {
	var b strings.Builder
	for _, body := range []string{"{a=", "{a=b", "{a={c d}}", "{a=b c=d}", "{a={=b}}", "{a=[b", "{a=[b c]}", "{a=%yes}", "{a=\"b", "{a=\"\\q\"}", "{a=12x}", "{a=1.2.3}", "{a=b; a=c}", "a=b; }", "<a=b", "{a=b} c", "{a=@}", "a=ü", "{a=" + strings.Repeat("[", 300) + "}"} {
		_, err := flowspec.Read(source.Text{Name: "spec.yson", Body: body})
		placed, ok := errors.AsType[*source.Error](err)
		if !ok {
			t.Errorf("%q: %v is no error with a place", body, err)
			continue
		}
		b.WriteString(placed.Render() + "\n")
	}
	golden(t, "testdata/yson.txt", b.String())
}

// FuzzParse: no text ends in anything but a pipeline or an error in it, and a spec is the same in JSON.
func FuzzParse(f *testing.F) {
	f.Add(base(f))
	f.Add("{spec={computations={a={computation_class_name=T}}}}")
	f.Add("a=<b=c>[1;2u;-3.5e7;%true;#;\"\\x41\"];")
	for _, c := range append(refused[:20:20], accepted[:20]...) {
		f.Add(c.new)
	}
	f.Fuzz(func(t *testing.T, body string) {
		flowspec.Is(body)
		text := source.Text{Name: "fuzz", Body: body}
		p, err := flowspec.Parse(text)
		if err != nil {
			placed, ok := errors.AsType[*source.Error](err)
			if !ok {
				t.Fatalf("%v is no error with a place", err)
			}
			if placed.Span.Start < 0 || placed.Span.End > len(body) || placed.Span.Start > placed.Span.End {
				t.Fatalf("an error stands at %v of %d", placed.Span, len(body))
			}
			placed.Render()
			return
		}
		n, err := flowspec.Read(text)
		if err != nil {
			t.Fatal(err)
		}
		again, err := flowspec.Parse(source.Text{Name: "fuzz.json", Body: string(n.JSON())})
		if err != nil {
			t.Fatalf("as JSON: %v\n%s", err, n.JSON())
		}
		if shown(p) != shown(again) {
			t.Fatalf("as JSON it says\n%s\nand not\n%s", shown(again), shown(p))
		}
	})
}

// What cannot stand in a text is told where it stands, wherever that is.
func TestCharacters(t *testing.T) {
	for _, c := range []string{"\x00", "\x01", "\x0b", "\x1b", "\x7f", "\u0080", "\u009f", "\uffff", "\xff", "\xc3"} {
		for _, around := range [][2]string{{"a: b", "\n"}, {"\n\n# ö \ufffd ", "\na: 1\n"}, {"a: \"ö", "\"\n"}, {"a: {b: 1,\n  c", ": 2}\n"}, {"a: |\n  text\n  more ", ""}, {"", "a: 1"}} {
			text := around[0] + c + around[1]
			_, err := flowspec.Parse(source.Text{Name: "pipeline.yaml", Body: text})
			placed, ok := errors.AsType[*source.Error](err)
			if !ok || placed.Span.Start != len(around[0]) {
				t.Errorf("%q: %v", text, err)
			}
		}
	}
	for _, c := range []string{"\t", "\u0085", "\u00a0", "\ufeff", "\ufffd", "\U0001f600"} {
		if _, err := flowspec.Read(source.Text{Body: "a: 'x" + c + "y'"}); err != nil {
			t.Errorf("%q: %v", c, err)
		}
	}
}
