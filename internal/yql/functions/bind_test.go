package functions

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/yql"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// scope is what the expressions of tests may name: columns, and parameters of lambdas by $name.
type scope map[string]Value

// parse makes the value of an expression as a query would.
func parse(text string, s scope) (Value, error) {
	tree, err := yql.ParseExpr(source.Text{Name: "test", Body: text})
	if err != nil {
		return Value{}, err
	}
	return s.bind(tree)
}

func (s scope) bind(e yql.Expr) (Value, error) {
	switch e := e.(type) {
	case *yql.IntegerLit:
		return Number(e.Text + e.Suffix)
	case *yql.FloatLit:
		if e.Single {
			return Number(e.Text + "f")
		}
		return Number(e.Text)
	case *yql.StringLit:
		if e.Suffix == "u" {
			return Utf8(e.Value)
		}
		return String(e.Value), nil
	case *yql.BoolLit:
		return Bool(e.Value), nil
	case *yql.NullLit:
		return Bare(), nil
	case *yql.TypeExpr:
		t, err := yqltype.Parse(yql.Format(e.Type))
		return OfType(t), err
	case *yql.ColumnRef:
		if v, ok := s[e.Name.Name]; ok {
			return v, nil
		}
		t, err := yqltype.Parse(e.Name.Name)
		return OfType(t), err
	case *yql.NamedRef:
		return s["$"+e.Name.Name], nil
	case *yql.Member:
		base, err := s.bind(e.Base)
		if err != nil {
			return base, err
		}
		return Member(base, e.Name.Name)
	case *yql.Element:
		base, err := s.bind(e.Base)
		if err != nil {
			return base, err
		}
		return Member(base, strconv.Itoa(e.Index))
	case *yql.Index:
		two, err := s.bindAll(e.Base, e.Index)
		if err != nil {
			return Value{}, err
		}
		return Subscript(two[0], two[1])
	case *yql.Unary:
		v, err := s.bind(e.Operand)
		if err != nil {
			return v, err
		}
		return Unary(string(e.Op), v)
	case *yql.Binary:
		two, err := s.bindAll(e.Left, e.Right)
		if err != nil {
			return Value{}, err
		}
		return Binary(string(e.Op), two[0], two[1])
	case *yql.IsNull:
		v, err := s.bind(e.Operand)
		if err != nil {
			return v, err
		}
		return IsNull(v, e.Not)
	case *yql.Between:
		three, err := s.bindAll(e.Operand, e.Low, e.High)
		if err != nil {
			return Value{}, err
		}
		return Between(three[0], three[1], three[2])
	case *yql.In:
		v, err := s.bind(e.Operand)
		if err != nil {
			return v, err
		}
		items := []yql.Expr{e.Set}
		if t, ok := e.Set.(*yql.TupleLit); ok {
			items = t.Items
		}
		list, err := s.bindAll(items...)
		if err != nil {
			return Value{}, err
		}
		return In(v, list)
	case *yql.Match:
		two, err := s.bindAll(e.Operand, e.Pattern)
		if err != nil {
			return Value{}, err
		}
		var escape Value
		if e.Escape != nil {
			if escape, err = s.bind(e.Escape); err != nil {
				return escape, err
			}
		}
		return Like(string(e.Op), two[0], two[1], escape)
	case *yql.Case:
		return s.bindCase(e)
	case *yql.Cast:
		v, err := s.bind(e.Operand)
		if err != nil {
			return v, err
		}
		t, err := yqltype.Parse(yql.Format(e.Type))
		if err != nil {
			return v, err
		}
		return Cast(v, t)
	case *yql.TupleLit:
		list, err := s.bindAll(e.Items...)
		if err != nil {
			return Value{}, err
		}
		return Tuple(list)
	case *yql.ListLit:
		list, err := s.bindAll(e.Items...)
		if err != nil {
			return Value{}, err
		}
		return List(list)
	case *yql.StructLit:
		named, err := s.bindArgs(e.Members)
		if err != nil {
			return Value{}, err
		}
		return Struct(named)
	case *yql.Lambda:
		return Lambda(len(e.Params), func(args []Value) (Value, error) {
			inner := scope{}
			for k, v := range s {
				inner[k] = v
			}
			for i, p := range e.Params {
				inner["$"+p.Name.Name] = args[i]
			}
			return inner.bind(e.Result)
		}), nil
	case *yql.FunctionRef:
		f, err := Lookup(moduleOf(e), e.Name.Name)
		if err != nil {
			return Value{}, err
		}
		return f.Callable(), nil
	case *yql.Call:
		return s.bindCall(e)
	}
	return Value{}, fmt.Errorf("the test does not bind %T", e)
}

func moduleOf(f *yql.FunctionRef) string {
	if f.Module == nil {
		return ""
	}
	return f.Module.Name
}

func (s scope) bindAll(list ...yql.Expr) ([]Value, error) {
	values := make([]Value, len(list))
	for i, e := range list {
		var err error
		if values[i], err = s.bind(e); err != nil {
			return nil, err
		}
	}
	return values, nil
}

func (s scope) bindArgs(args []yql.Arg) ([]Named, error) {
	named := make([]Named, len(args))
	for i, a := range args {
		v, err := s.bind(a.Value)
		if err != nil {
			return nil, err
		}
		named[i].Value = v
		if a.Name != nil {
			named[i].Name = a.Name.Name
		}
	}
	return named, nil
}

func (s scope) bindCase(e *yql.Case) (Value, error) {
	var whens []When
	for _, w := range e.Whens {
		two, err := s.bindAll(w.Condition, w.Result)
		if err != nil {
			return Value{}, err
		}
		whens = append(whens, When{two[0], two[1]})
	}
	otherwise := Bare()
	if e.Else != nil {
		var err error
		if otherwise, err = s.bind(e.Else); err != nil {
			return otherwise, err
		}
	}
	return Case(whens, otherwise)
}

func (s scope) bindCall(e *yql.Call) (Value, error) {
	args, err := s.bindArgs(e.Args)
	if err != nil {
		return Value{}, err
	}
	f, ok := e.Callee.(*yql.FunctionRef)
	if !ok {
		callee, err := s.bind(e.Callee)
		if err != nil {
			return callee, err
		}
		c, ok := callee.Static.(*Callable)
		if !ok {
			return Value{}, fmt.Errorf("%s is called", callee.describe())
		}
		return c.Call(valuesOf(args)...)
	}
	if f.Module == nil && len(args) == 1 {
		if t, err := yqltype.Parse(f.Name.Name); err == nil {
			return Construct(t, string(constant(args[0].Value).Value().Bytes(0)))
		}
	}
	return Call(moduleOf(f), f.Name.Name, args)
}

// compute gives v for the only row of a batch without columns, as CAST to String does; NULL is "NULL".
func compute(v Value) (string, error) {
	got, err := computeOver(v, &vector.Batch{N: 1})
	if err != nil {
		return "", err
	}
	return got[0], nil
}

// computeOver gives v for every row of a batch.
func computeOver(v Value, b *vector.Batch) ([]string, error) {
	if v.Static != nil {
		return []string{v.describe()}, nil
	}
	if v.Type.Kind != yqltype.Null && yqltype.Cast(v.Type, yqltype.Of(yqltype.String)) != yqltype.NoCast {
		var err error
		if v, err = Cast(v, yqltype.Of(yqltype.String)); err != nil {
			return nil, err
		}
	} else if v.Type.Kind != yqltype.Null {
		text, err := Call("Yson", "SerializeJson", []Named{{Value: must(Call("Yson", "From", []Named{{Value: v}}))}})
		if err != nil {
			return nil, err
		}
		v = text
	}
	var pool vector.Pool
	b.Arena = pool.Get()
	out, err := v.Expr.Eval(&expr.Context{Arena: b.Arena, Env: &function.Env{Now: 1_900_000_000_000_000}}, b, vector.All(b.N))
	if err != nil {
		return nil, err
	}
	texts := make([]string, b.N)
	for i := range texts {
		texts[i] = "NULL"
		if !out.IsNull(i) && v.Type.Kind != yqltype.Null {
			texts[i] = string(out.Bytes(i))
		}
	}
	return texts, nil
}

func must(v Value, err error) Value {
	if err != nil {
		panic(err)
	}
	return v
}

// check computes an expression; want is its text, or what the text of its error contains after an exclamation mark.
func check(t *testing.T, text, want string, s scope) {
	t.Helper()
	v, err := parse(text, s)
	got := ""
	if err == nil {
		got, err = compute(v)
	}
	switch {
	case err != nil && strings.HasPrefix(want, "!") && strings.Contains(err.Error(), want[1:]):
	case err != nil:
		t.Errorf("%s: %v, not %s", text, err, want)
	case got != want:
		t.Errorf("%s is %s, not %s", text, got, want)
	}
}

func TestExamples(t *testing.T) {
	for _, f := range Functions {
		if f.Refused != "" {
			if _, err := Lookup(f.Module, f.Name); err == nil || !strings.Contains(err.Error(), f.Refused) {
				t.Errorf("%s: %v", f.Full(), err)
			}
			continue
		}
		if f.Signature == "" || f.Doc == "" || f.apply == nil {
			t.Errorf("%s lacks a signature, a sentence or what it does", f.Full())
		}
		if f.Example == "" {
			t.Errorf("%s lacks an example", f.Full())
			continue
		}
		check(t, f.Example, f.Result, nil)
	}
}

// TestZoneOfTheProcess computes every example, and times at which clocks of some zones are changed, where the process has another time zone: YQL has none but UTC.
func TestZoneOfTheProcess(t *testing.T) {
	local := time.Local
	t.Cleanup(func() { time.Local = local })
	for _, zone := range []string{"Asia/Kathmandu", "America/St_Johns", "Australia/Lord_Howe"} {
		var err error
		if time.Local, err = time.LoadLocation(zone); err != nil {
			t.Fatal(err)
		}
		for _, f := range Functions {
			if f.Example != "" {
				check(t, f.Example, f.Result, nil)
			}
		}
		for text, want := range map[string]string{
			`CAST(Timestamp("2031-03-09T02:30:00.5Z") AS String)`:                                             "2031-03-09T02:30:00.500000Z",
			`CAST(CAST("2031-11-02T00:30:00Z" AS Timestamp) AS Date)`:                                         "2031-11-02",
			`CAST(Date("2031-03-09") AS Timestamp)`:                                                           "2031-03-09T00:00:00.000000Z",
			`DateTime::MakeDatetime(DateTime::Parse("%Y-%m-%d %H:%M:%S")("2031-03-09 02:30:00"))`:             "2031-03-09T02:30:00Z",
			`DateTime::Format("%Y-%m-%d %H:%M:%S")(Timestamp("2031-03-09T02:30:00Z"))`:                        "2031-03-09 02:30:00",
			`DateTime::MakeTimestamp(DateTime::StartOf(Timestamp("2031-04-06T01:50:00Z"), Interval("PT1H")))`: "2031-04-06T01:00:00.000000Z",
			`DateTime::MakeTimestamp(DateTime::ShiftMonths(Timestamp("2031-01-31T23:50:00Z"), 1))`:            "2031-02-28T23:50:00.000000Z",
			`DateTime::GetDayOfYear(Timestamp("2031-12-31T23:50:00Z"))`:                                       "365",
			`DateTime::ToSeconds(Datetime("2031-11-02T01:30:00Z"))`:                                           "1951349400",
			`DateTime::MakeTimestamp(DateTime::ParseIso8601("2031-03-09T02:30:00+05:45"))`:                    "2031-03-08T20:45:00.000000Z",
			`DateTime::MakeTimestamp(DateTime::ParseRfc822("Sun, 09 Mar 2031 02:30:00 +0545"))`:               "2031-03-08T20:45:00.000000Z",
			`CAST("2031-03-09T02:30:00Z" AS Timestamp) = Timestamp("2031-03-09T02:30:00Z")`:                   "true",
		} {
			check(t, text, want, nil)
		}
	}
}
