package oracle

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/window"
	"github.com/tidemark-sql/tidemark/watermark"
)

const second = 1_000_000

// The oracle itself against examples that were worked out by hand from Flink's rules. Rows are "key@seconds", of split 0, or of the
// split behind a slash: "a@12/1". "end/1" is the end of a split. Answers are "key[start,end)count".
var worked = []struct {
	name    string
	spec    window.Spec
	delay   float64 // seconds
	rows    string
	want    string
	late    int64
	dropped int64
}{
	{
		name: "tumble: a row of the last millisecond counts until the watermark says that millisecond is over",
		spec: window.Spec{Kind: window.Tumble, Size: 10 * second}, delay: 3,
		rows: "a@12 a@9.999 a@12.998 a@9.999 a@13 a@9.999",
		want: "a[0,10)2 a[10,20)3", late: 1, dropped: 1,
	},
	{
		name: "tumble: before 1970, and an offset",
		spec: window.Spec{Kind: window.Tumble, Size: 10 * second, Offset: 3 * second},
		rows: "a@-8 a@-7 a@21",
		want: "a[-17,-7)1 a[-7,3)1 a[13,23)1",
	},
	{
		name: "hop: late for the first window, counted in the two that are open",
		spec: window.Spec{Kind: window.Hop, Size: 12 * second, Slide: 4 * second},
		rows: "a@9 a@13 a@11",
		want: "a[0,12)1 a[4,16)3 a[8,20)3 a[12,24)1", late: 1,
	},
	{
		name: "hop: late for all windows",
		spec: window.Spec{Kind: window.Hop, Size: 12 * second, Slide: 4 * second},
		rows: "a@30 a@17",
		want: "a[20,32)1 a[24,36)1 a[28,40)1", late: 1, dropped: 1,
	},
	{
		name: "hop: a gap between windows is not lateness",
		spec: window.Spec{Kind: window.Hop, Size: 2 * second, Slide: 5 * second},
		rows: "a@1 a@3 a@6",
		want: "a[0,2)1 a[5,7)1",
	},
	{
		name: "cumulate: a row late for the first step counts in the later ones, and every step repeats",
		spec: window.Spec{Kind: window.Cumulate, Size: 9 * second, Slide: 3 * second},
		rows: "a@4 a@1",
		want: "a[0,6)2 a[0,9)2", late: 1,
	},
	{
		name: "cumulate: steps without new rows",
		spec: window.Spec{Kind: window.Cumulate, Size: 9 * second, Slide: 3 * second},
		rows: "a@1 b@8",
		want: "a[0,3)1 a[0,6)1 a[0,9)1 b[0,9)1",
	},
	{
		name: "session: an expired row that touches a live session extends it",
		spec: window.Spec{Kind: window.Session, Gap: 5 * second},
		rows: "a@10 a@13 b@15.999 a@8",
		want: "a[8,18)3 b[15.999,20.999)1", late: 1,
	},
	{
		name: "session: exactly a gap apart is one session, a millisecond more is two",
		spec: window.Spec{Kind: window.Session, Gap: 5 * second}, delay: 60,
		rows: "a@0 a@5 b@0 b@5.001",
		want: "b[0,5)1 a[0,10)2 b[5.001,10.001)1",
	},
	{
		name: "session: late when even the merged session is over",
		spec: window.Spec{Kind: window.Session, Gap: 5 * second},
		rows: "a@1 a@20 a@3",
		want: "a[1,6)1 a[20,25)1", late: 1, dropped: 1,
	},
	{
		name: "the slowest split holds the frontier until it ends",
		spec: window.Spec{Kind: window.Tumble, Size: 10 * second},
		rows: "a@25/0 a@3/1 a@1/0 end/1 a@2/0",
		want: "a[0,10)2 a[20,30)1", late: 1 + 1, dropped: 1,
	},
	{
		name: "no rows",
		spec: window.Spec{Kind: window.Tumble, Size: 10 * second},
	},
}

func TestWorkedExamples(t *testing.T) {
	for _, c := range worked {
		t.Run(c.name, func(t *testing.T) {
			got, err := Run(windowCount(t, c.spec, c.delay), nil, []Input{input(t, c.rows)})
			if err != nil {
				t.Fatal(err)
			}
			if text := answers(got); text != c.want {
				t.Errorf("rows %s\n got %s\nwant %s", c.rows, text, c.want)
			}
			if got.Late[0] != c.late || got.Dropped[0] != c.dropped {
				t.Errorf("%d late at the source and %d dropped, want %d and %d", got.Late[0], got.Dropped[0], c.late, c.dropped)
			}
		})
	}
}

// Counts of 5-second windows, per 10 seconds over their window_time: a window's result is on time for the next one.
func TestCascade(t *testing.T) {
	inner := windowCount(t, window.Spec{Kind: window.Tumble, Size: 5 * second}, 0)
	cols := inner.Columns()
	outer := &plan.WindowAggregate{
		Input: inner, Time: len(cols) - 1, Keys: []int{0}, Aggregates: []plan.Aggregate{aggregateCall(t, "SUM", 1, types.BigIntType)},
		Windows: &plan.Windowing{Spec: window.Spec{Kind: window.Tumble, Size: 10 * second}, Time: types.TimestampType},
		Cols:    cols,
	}
	got, err := Run(outer, nil, []Input{input(t, "a@1 a@6 b@7 a@3 a@12 a@31")})
	if err != nil {
		t.Fatal(err)
	}
	if text, want := answers(got), "a[0,10)2 b[0,10)1 a[10,20)1 a[30,40)1"; text != want {
		t.Errorf("got %s, want %s", text, want)
	}
	if got.Dropped[0] != 1 || got.Dropped[1] != 0 {
		t.Errorf("dropped %v, want only the row at 3 in the inner windows", got.Dropped)
	}
}

// A union waits for its slowest input.
func TestUnion(t *testing.T) {
	left, right := scan(t, 0), scan(t, 0)
	u := &plan.Union{Inputs: []plan.Node{left, right}, Cols: left.Cols}
	inputs := []Input{input(t, "a@1 a@25"), input(t, "b@2")}
	// The left input is read whole before the right one begins.
	for i := range inputs[1].Arrivals {
		inputs[1].Arrivals[i].Seq += len(inputs[0].Arrivals)
	}
	got, err := Run(countOver(t, u, window.Spec{Kind: window.Tumble, Size: 10 * second}), nil, inputs)
	if err != nil {
		t.Fatal(err)
	}
	if text, want := answers(got), "a[0,10)1 b[0,10)1 a[20,30)1"; text != want {
		t.Errorf("got %s, want %s", text, want)
	}
}

// scan reads a table of a key, a time and a delay for its watermark.
func scan(t *testing.T, delay float64) *plan.Scan {
	t.Helper()
	late, err := expr.NewCall(function.MustScalar("-"), []expr.Expr{
		expr.NewColumn(1, "ts", types.TimestampType), expr.LiteralInt(types.IntervalDayType, int64(delay*second)),
	})
	if err != nil {
		t.Fatal(err)
	}
	return &plan.Scan{
		Table: &catalog.Table{
			Path:      catalog.Path{Name: "t"},
			Columns:   []catalog.Column{{Name: "k", Type: types.StringType}, {Name: "ts", Type: types.TimestampType}},
			Watermark: &catalog.Watermark{Column: 1, Expr: late},
		},
		Output:   []int{0, 1},
		Cols:     []plan.Column{{Name: "k", Type: types.StringType}, {Name: "ts", Type: types.TimestampType, Rowtime: true}},
		Strategy: plan.Strategy{Strategy: watermark.Replay(1000)},
	}
}

func windowCount(t *testing.T, spec window.Spec, delay float64) plan.Node {
	t.Helper()
	return countOver(t, scan(t, delay), spec)
}

func countOver(t *testing.T, input plan.Node, spec window.Spec) plan.Node {
	t.Helper()
	return &plan.WindowAggregate{
		Input: input, Time: 1, Keys: []int{0}, Aggregates: []plan.Aggregate{aggregateCall(t, "COUNT", -1, types.NullType)},
		Windows: &plan.Windowing{Spec: spec, Time: types.TimestampType},
		Cols: []plan.Column{{Name: "k", Type: types.StringType}, {Name: "n", Type: types.BigIntType},
			{Name: "window_start", Type: types.TimestampType}, {Name: "window_end", Type: types.TimestampType}, {Name: "window_time", Type: types.TimestampType}},
	}
}

func aggregateCall(t *testing.T, name string, arg int, of types.Type) plan.Aggregate {
	t.Helper()
	f, _ := function.LookupAggregate(name)
	a := plan.Aggregate{Function: f, Filter: -1}
	var c function.AggregateCall
	if arg >= 0 {
		c.Args, a.Args = []types.Type{of}, []int{arg}
	}
	var err error
	if a.Overload, err = f.Resolve(c); err != nil {
		t.Fatal(err)
	}
	return a
}

// input reads the rows of a worked example, and ends every split that is still open behind them.
func input(t *testing.T, text string) Input {
	t.Helper()
	in := Input{Splits: 1}
	ended := map[int]bool{}
	add := func(split int, row Row) {
		in.Splits = max(in.Splits, split+1)
		ended[split] = row == nil
		in.Arrivals = append(in.Arrivals, Arrival{Seq: len(in.Arrivals), Split: split, Row: row})
	}
	for _, word := range strings.Fields(text) {
		what, where, _ := strings.Cut(word, "/")
		split, _ := strconv.Atoi(where)
		key, at, isRow := strings.Cut(what, "@")
		if !isRow {
			add(split, nil)
			continue
		}
		s, err := strconv.ParseFloat(at, 64)
		if err != nil {
			t.Fatal(err)
		}
		add(split, Row{{Text: key}, {Int: int64(math.Round(s * second))}})
	}
	for split := range in.Splits {
		if !ended[split] {
			add(split, nil)
		}
	}
	return in
}

func answers(r *Result) string {
	seconds := func(v Value) string { return strconv.FormatFloat(float64(v.Int)/second, 'f', -1, 64) }
	var text []string
	for _, row := range r.Rows() {
		text = append(text, fmt.Sprintf("%s[%s,%s)%d", row[0].Text, seconds(row[2]), seconds(row[3]), row[1].Int))
	}
	return strings.Join(text, " ")
}
