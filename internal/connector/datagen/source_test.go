package datagen

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var schema = types.Schema{
	{Name: "b", Type: types.BooleanType},
	{Name: "i", Type: types.IntType},
	{Name: "l", Type: types.BigIntType},
	{Name: "d", Type: types.DoubleType},
	{Name: "s", Type: types.StringType},
	{Name: "t", Type: types.TimestampType},
	{Name: "z", Type: types.TimestampLTZType},
}

// all are options that touch each column.
var all = connector.Options{
	"number-of-rows": "10000", "rows-per-second": "1000000",
	"fields.b.null-rate": "0.5",
	"fields.i.min":       "-3", "fields.i.max": "3",
	"fields.l.kind": "sequence", "fields.l.start": "5", "fields.l.end": "1000000",
	"fields.d.min": "-1.5", "fields.d.max": "2.5",
	"fields.s.length":   "17",
	"fields.t.max-past": "10 s",
}

func newSource(t *testing.T, name string, needed []int, o connector.Options) connector.Source {
	t.Helper()
	if err := connector.Check("datagen", o, Connector.Specs); err != nil {
		t.Fatal(err)
	}
	s, err := NewSource(connector.Table{Name: name, Schema: schema, Needed: needed}, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// generate reads s from row from on, stepping time from 0 to each wake-up, and hands every batch to each. It gives up at the time end.
func generate(t *testing.T, s connector.Source, from, end int64, maxRows int, each func(b *vector.Batch)) (chunks int) {
	t.Helper()
	splits, err := s.Open()
	if err != nil {
		t.Fatal(err)
	}
	d, err := s.NewDecoder()
	if err != nil {
		t.Fatal(err)
	}
	if err := splits[0].Resume(from); err != nil {
		t.Fatal(err)
	}
	var memory vector.Pool
	for now := int64(0); now < end; {
		c, wake, err := splits[0].Poll(now)
		switch {
		case err == io.EOF:
			return chunks
		case err != nil:
			t.Fatal(err)
		case c == nil && wake <= now:
			t.Fatalf("at %d: no chunk, and to be asked again at %d", now, wake)
		case c == nil:
			now = wake
			continue
		}
		chunks++
		if _, err := d.Decode(c, &memory, maxRows, func(b *vector.Batch) error {
			each(b)
			b.Release()
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	return chunks
}

// values are the rows of the columns needed, without the times.
func values(t *testing.T, name string, o connector.Options, from int64, maxRows int, needed ...int) []string {
	var rows []string
	generate(t, newSource(t, name, needed, o), from, math.MaxInt64, maxRows, func(b *vector.Batch) {
		for i := range b.N {
			rows = append(rows, row(b, i))
		}
	})
	return rows
}

func row(b *vector.Batch, i int) string {
	var cells []string
	for _, v := range b.Cols {
		switch {
		case v.IsNull(i):
			cells = append(cells, "null")
		case v.Kind == vector.Bool:
			cells = append(cells, fmt.Sprint(v.Bool(i)))
		case v.Kind == vector.Int64:
			cells = append(cells, fmt.Sprint(v.Int(i)))
		case v.Kind == vector.Float64:
			cells = append(cells, fmt.Sprint(v.Float(i)))
		case v.Kind == vector.Bytes:
			cells = append(cells, string(v.Bytes(i)))
		}
	}
	return strings.Join(cells, " ")
}

func TestRowsAreAFunctionOfTableAndNumber(t *testing.T) {
	want := values(t, "t", all, 0, 1000, 0, 1, 2, 3, 4)
	if len(want) != 10_000 {
		t.Fatalf("%d rows", len(want))
	}
	if got := values(t, "t", all, 0, 7, 0, 1, 2, 3, 4); !slices.Equal(got, want) {
		t.Error("other rows in smaller batches")
	}
	if got := values(t, "t", all, 1234, 1000, 0, 1, 2, 3, 4); !slices.Equal(got, want[1234:]) {
		t.Error("other rows after Resume")
	}
	if got := values(t, "other", all, 0, 1000, 0, 1, 2, 3, 4); slices.Equal(got, want) {
		t.Error("a table of another name has the same rows")
	}
	slower := maps.Clone(all)
	slower["rows-per-second"] = "3"
	if got := values(t, "t", slower, 0, 1000, 0, 1, 2, 3, 4); !slices.Equal(got, want) {
		t.Error("other rows at another rate")
	}
	for i, cells := range values(t, "t", all, 0, 1000, 4, 2) {
		if f := strings.Fields(want[i]); cells != f[4]+" "+f[2] {
			t.Fatalf("row %d of two columns is %s, of all %s", i, cells, want[i])
		}
	}
}

func TestValuesLieWhereTheyShould(t *testing.T) {
	var rows, nulls, trues int
	ints := map[int64]int{}
	low, high := math.Inf(1), math.Inf(-1)
	generate(t, newSource(t, "t", []int{0, 1, 2, 3, 4}, all), 0, math.MaxInt64, 4096, func(b *vector.Batch) {
		for i := range b.N {
			if b.Cols[0].IsNull(i) {
				nulls++
			} else if b.Cols[0].Bool(i) {
				trues++
			}
			ints[b.Cols[1].Int(i)]++
			if got := b.Cols[2].Int(i); got != int64(rows)+5 {
				t.Fatalf("row %d of the sequence is %d", rows, got)
			}
			low, high = min(low, b.Cols[3].Float(i)), max(high, b.Cols[3].Float(i))
			if s := string(b.Cols[4].Bytes(i)); len(s) != 17 || strings.Trim(s, "0123456789abcdef") != "" {
				t.Fatalf("the string %q", s)
			}
			rows++
		}
	})
	if nulls < 4800 || nulls > 5200 || trues < 2300 || trues > 2700 {
		t.Errorf("%d NULLs and %d true of 10000", nulls, trues)
	}
	for v := int64(-3); v <= 3; v++ {
		if n := ints[v]; n < 1300 || n > 1560 {
			t.Errorf("%d occurs %d times, want about 1429", v, n)
		}
	}
	if len(ints) != 7 {
		t.Errorf("%d different numbers from -3 to 3", len(ints))
	}
	if low < -1.5 || low > -1.49 || high > 2.5 || high < 2.49 {
		t.Errorf("doubles from %v to %v, want -1.5 to 2.5", low, high)
	}
}

func TestDefaultRangesAreThoseOfTheTypes(t *testing.T) {
	var below, above int
	generate(t, newSource(t, "t", []int{1, 2, 3, 4}, connector.Options{"number-of-rows": "1000"}), 0, math.MaxInt64, 4096, func(b *vector.Batch) {
		for i := range b.N {
			if v := b.Cols[0].Int(i); v != int64(int32(v)) {
				t.Fatalf("%d is no INT", v)
			}
			switch v := b.Cols[1].Int(i); {
			case v < math.MinInt64/2:
				below++
			case v > math.MaxInt64/2:
				above++
			}
			if v := b.Cols[2].Float(i); v < 0 || math.IsInf(v, 0) {
				t.Fatalf("the double %v", v)
			}
			if s := b.Cols[3].Bytes(i); len(s) != 100 {
				t.Fatalf("%d characters", len(s))
			}
		}
	})
	if below < 200 || above < 200 {
		t.Errorf("of 1000 BIGINT %d are in the lowest quarter and %d in the highest", below, above)
	}
}

func TestTimestampsAreThePresentOrBefore(t *testing.T) {
	endless := maps.Clone(all)
	delete(endless, "number-of-rows")
	delete(endless, "fields.l.kind")
	delete(endless, "fields.l.start")
	delete(endless, "fields.l.end")
	s := newSource(t, "t", []int{5, 6}, endless)
	splits, _ := s.Open()
	d, _ := s.NewDecoder()
	const start, second = int64(-5_000_000_000), 1_000_000 // before 1970
	splits[0].Poll(start)
	now := start + 3*second + 77
	c, _, err := splits[0].Poll(now)
	if err != nil {
		t.Fatal(err)
	}
	oldest := now
	d.Decode(c, &vector.Pool{}, 4096, func(b *vector.Batch) error {
		for i := range b.N {
			past := b.Cols[0].Int(i)
			oldest = min(oldest, past)
			if past%1000 != 0 || past > now {
				t.Fatalf("%d at %d", past, now)
			}
			if present := b.Cols[1].Int(i); present != now-77 {
				t.Fatalf("%d at %d, want that rounded down to milliseconds", present, now)
			}
		}
		return nil
	})
	if oldest < now-10*second-1000 || oldest > now-9*second {
		t.Errorf("the oldest of up to 10 s is %d before", now-oldest)
	}
}

// TestTimesOfAReplay: in a table with an end, how far the times are apart and where chunks end does not depend on when it is asked for rows.
func TestTimesOfAReplay(t *testing.T) {
	const start, second = int64(1_767_225_600_000_000), 1_000_000 // 2026-01-01
	read := func(o connector.Options, now, late, from int64) (past, present, chunks []int64) {
		s := newSource(t, "t", []int{5, 6}, o)
		splits, _ := s.Open()
		d, _ := s.NewDecoder()
		if err := splits[0].Resume(from); err != nil {
			t.Fatal(err)
		}
		for {
			c, wake, err := splits[0].Poll(now)
			if err == io.EOF {
				return past, present, chunks
			}
			if c == nil {
				now = wake + late
				continue
			}
			chunks = append(chunks, splits[0].Offset())
			d.Decode(c, &vector.Pool{}, 7, func(b *vector.Batch) error {
				past = append(past, b.Cols[0].Ints[:b.N]...)
				present = append(present, b.Cols[1].Ints[:b.N]...)
				return nil
			})
		}
	}
	for _, rate := range []string{"1", "3", "1000", "1000000"} {
		o := connector.Options{"number-of-rows": "1000", "rows-per-second": rate, "fields.t.max-past": "10 s"}
		wantPast, want, wantChunks := read(o, start, 0, 0)
		if len(want) != 1000 || want[0] != start {
			t.Fatal(len(want), want[:1])
		}
		if rate == "3" && !slices.Equal(want[:4], []int64{start, start + 333_000, start + 666_000, start + second}) {
			t.Errorf("times %v", want[:4])
		}
		for _, late := range []int64{1, 12_345, second, 1000 * second} {
			past, present, chunks := read(o, start, late, 0)
			if !slices.Equal(past, wantPast) || !slices.Equal(present, want) || !slices.Equal(chunks, wantChunks) {
				t.Errorf("%s rows a second, asked late by %d: other times or chunks", rate, late)
			}
		}
		_, later, _ := read(o, start+second, 0, 0)
		for i := range later {
			if later[i] != want[i]+second {
				t.Fatalf("%s rows a second: row %d is not later if the table begins later", rate, i)
			}
		}
		o["start-time"] = "2026-01-01T00:00:00Z"
		past, present, _ := read(o, 5*second, 77, 0)
		if !slices.Equal(past, wantPast) || !slices.Equal(present, want) {
			t.Errorf("%s rows a second: other times with a start", rate)
		}
		if past, present, _ = read(o, 5*second, 77, 900); !slices.Equal(past, wantPast[900:]) || !slices.Equal(present, want[900:]) {
			t.Errorf("%s rows a second: other times after a restart", rate)
		}
	}
}

func TestSequences(t *testing.T) {
	o := connector.Options{
		"fields.i.kind": "sequence", "fields.i.start": "-1", "fields.i.end": "100",
		"fields.d.kind": "sequence", "fields.d.start": "1", "fields.d.end": "4",
		"fields.s.kind": "sequence", "fields.s.start": "9", "fields.s.end": "50",
	}
	if got, want := values(t, "t", o, 0, 3, 1, 3, 4), []string{"-1 1 9", "0 2 10", "1 3 11", "2 4 12"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := values(t, "t", o, 0, 3, 1); len(got) != 4 {
		t.Errorf("%d rows if the shortest sequence is not read", len(got))
	}
	o["number-of-rows"] = "2"
	if got := values(t, "t", o, 0, 3, 1); len(got) != 2 {
		t.Errorf("%d rows of 2", len(got))
	}
}

func TestBounded(t *testing.T) {
	for _, c := range []struct {
		options connector.Options
		want    bool
	}{
		{connector.Options{}, false},
		{connector.Options{"rows-per-second": "5"}, false},
		{connector.Options{"number-of-rows": "0"}, true},
		{connector.Options{"fields.l.kind": "sequence", "fields.l.start": "1", "fields.l.end": "1"}, true},
	} {
		if got := newSource(t, "t", nil, c.options).Bounded(); got != c.want {
			t.Errorf("%v: %t", c.options, got)
		}
	}
}

func TestPace(t *testing.T) {
	const second = 1_000_000
	for _, c := range []struct {
		rate, rows, until string
		end               int64
		want              int64
		chunks            int
	}{
		{"1", "", "9.5 s", 9*second + second/2, 10, 10},
		{"3", "", "1 s", second + 1, 4, 4},
		{"10000", "", "1 s", second, 10_000, 100},
		{"", "", "1 s", second, 10_000, 100},
		{"", "1050", "the end", math.MaxInt64, 1050, 11},
		{"1000000", "", "0.1 s", second / 10, 98_304, 24},
		{"99999999999999", "100000", "the end", math.MaxInt64, 100_000, 25},
	} {
		o := connector.Options{}
		if c.rate != "" {
			o["rows-per-second"] = c.rate
		}
		if c.rows != "" {
			o["number-of-rows"] = c.rows
		}
		var rows int64
		chunks := generate(t, newSource(t, "t", nil, o), 0, c.end, math.MaxInt, func(b *vector.Batch) { rows += int64(b.N) })
		if rows != c.want || chunks != c.chunks {
			t.Errorf("%s rows a second until %s: %d rows in %d chunks, want %d in %d", c.rate, c.until, rows, chunks, c.want, c.chunks)
		}
	}
}

func TestRowsMissedAreMadeUpFor(t *testing.T) {
	splits, _ := newSource(t, "t", nil, connector.Options{"rows-per-second": "1000"}).Open()
	splits[0].Poll(0)
	var rows []int64
	for {
		before := splits[0].Offset()
		c, wake, err := splits[0].Poll(9_999_999)
		if err != nil {
			t.Fatal(err)
		}
		if c == nil {
			if wake != 10_009_000 {
				t.Errorf("wake at %d", wake)
			}
			break
		}
		rows = append(rows, splits[0].Offset()-before)
	}
	if want := slices.Repeat([]int64{10}, 1000); !slices.Equal(rows, want) {
		t.Errorf("chunks of %d rows after 10 s, want %d", rows, want)
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct{ options, key, message, hint string }{
		{"rows-per-second=0", "rows-per-second", "'rows-per-second' is 0", "at least 1"},
		{"rows-per-second=x", "rows-per-second", "not a whole number", ""},
		{"number-of-rows=-1", "number-of-rows", "'number-of-rows' is -1", "leave it out"},
		{"start-time=noon", "start-time", "'start-time' is 'noon'", "2026-01-01 00:00:00"},
		{"fields.ii.min=1", "fields.ii.min", "a column 'ii', which the table does not have", "did you mean 'i'?"},
		{"fields.quantity.min=1", "fields.quantity.min", "a column 'quantity'", "computed columns"},
		{"fields.i.mim=1", "fields.i.mim", "has no option 'fields.i.mim'", "kind, min, max"},
		{"fields.=1", "fields.", "has no option 'fields.'", "kind, min, max"},
		{"fields.i.kind=even", "fields.i.kind", "cannot be 'even'", "random, sequence"},
		{"fields.i.length=1", "fields.i.length", "does not apply to a column of type INT", "kind, min, max, null-rate"},
		{"fields.b.min=1", "fields.b.min", "does not apply to a column of type BOOLEAN", "null-rate"},
		{"fields.i.kind=sequence", "fields.i.kind", "sequence 'i' has no start", "add 'fields.i.start'"},
		{"fields.i.kind=sequence fields.i.start=1", "fields.i.kind", "sequence 'i' has no end", "add 'fields.i.end'"},
		{"fields.i.kind=sequence fields.i.start=1 fields.i.end=2 fields.i.min=1", "fields.i.min", "INT that is a sequence", "start, end"},
		{"fields.t.kind=sequence", "fields.t.kind", "TIMESTAMP(3) cannot be a sequence", "BIGINT"},
		{"fields.i.min=3000000000", "fields.i.min", "3000000000 is out of the range of INT", "BIGINT"},
		{"fields.i.min=2 fields.i.max=1", "fields.i.max", "'fields.i.max' is less than 'fields.i.min'", "swap"},
		{"fields.d.min=2 fields.d.max=1", "fields.d.max", "is less than", "swap"},
		{"fields.d.max=NaN", "fields.d.max", "not a number", ""},
		{"fields.s.length=0", "fields.s.length", "cannot have 0 characters", "1 to 100000"},
		{"fields.t.max-past=x", "fields.t.max-past", "not a length of time", ""},
		{"fields.b.null-rate=2", "fields.b.null-rate", "is '2'", "0 (no NULLs) to 1"},
		{"fields.k.null-rate=0.1", "fields.k.null-rate", "column 'k' is NOT NULL", ""},
	} {
		o := connector.Options{}
		for _, pair := range strings.Fields(c.options) {
			k, v, _ := strings.Cut(pair, "=")
			o[k] = v
		}
		table := connector.Table{Name: "t", Schema: append(slices.Clone(schema), types.Field{Name: "k", Type: types.Type{Kind: types.BigInt, NotNull: true}})}
		_, err := NewSource(table, o)
		e, ok := errors.AsType[*connector.OptionError](err)
		if !ok || e.Key != c.key || !strings.Contains(e.Message, c.message) || !strings.Contains(e.Hint, c.hint) {
			t.Errorf("%s: %+v", c.options, err)
		}
	}
	_, err := NewSource(connector.Table{Schema: types.Schema{{Name: "x", Type: types.IntervalDayType}}}, nil)
	if err == nil || !strings.Contains(err.Error(), "cannot make values of type INTERVAL") {
		t.Error(err)
	}
	if _, err := NewSink(connector.Table{}, nil); err == nil || !strings.Contains(err.Error(), "connector 'datagen' cannot be written") {
		t.Error(err)
	}
}

func TestColumnNamesWithDots(t *testing.T) {
	table := connector.Table{Name: "t", Needed: []int{0, 1}, Schema: types.Schema{{Name: "a", Type: types.BigIntType}, {Name: "a.min", Type: types.BigIntType}}}
	if _, err := NewSource(table, connector.Options{"fields.a.min.max": "5", "fields.a.min": "1"}); err != nil {
		t.Error(err)
	}
}

// Batches of large values have fewer rows, and a value that no function could take is refused before the first row.
func TestLargeValues(t *testing.T) {
	wide := types.Schema{{Name: "a", Type: types.StringType}}
	s, err := NewSource(connector.Table{Name: "t", Schema: wide, Needed: []int{0}}, connector.Options{"fields.a.length": "100000", "number-of-rows": "500"})
	if err != nil {
		t.Fatal(err)
	}
	rows, largest := 0, 0
	generate(t, s, 0, math.MaxInt64, 4096, func(b *vector.Batch) {
		rows += b.N
		largest = max(largest, b.Arena.Charged())
	})
	if rows != 500 || largest > 2*batchBytes {
		t.Errorf("%d rows, in batches of up to %d bytes", rows, largest)
	}
	deep := types.Schema{{Name: "a", Type: types.ArrayOf(types.ArrayOf(types.StringType))}}
	_, err = NewSource(connector.Table{Name: "t", Schema: deep, Needed: []int{0}}, connector.Options{"fields.a.length": "1000", "fields.a.element.length": "1000"})
	if e, ok := errors.AsType[*connector.OptionError](err); !ok || e.Key != "fields.a.length" {
		t.Errorf("an array of a million strings: %v", err)
	}
}
