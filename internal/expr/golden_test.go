package expr

import (
	"errors"
	"flag"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/valuefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// The columns that golden files speak of, row by row; testdata/README.md shows them as a table.
var (
	sampleSchema = types.Schema{
		{Name: "i", Type: types.IntType}, {Name: "l", Type: types.BigIntType}, {Name: "d", Type: types.DoubleType},
		{Name: "s", Type: types.StringType}, {Name: "b", Type: types.BooleanType},
		{Name: "t", Type: types.TimestampType}, {Name: "z", Type: types.TimestampLTZType},
		{Name: "none", Type: types.BigIntType}, {Name: "three", Type: types.Type{Kind: types.Int, NotNull: true}}, {Name: "nothing", Type: types.StringType},
	}
	sampleRows = 6
)

func sampleBatch(a *vector.Arena) *vector.Batch {
	i := vector.NewBuilder(a, vector.Int64, sampleRows)
	l := vector.NewBuilder(a, vector.Int64, sampleRows)
	d := vector.NewBuilder(a, vector.Float64, sampleRows)
	s := vector.NewBuilder(a, vector.Bytes, sampleRows)
	b := vector.NewBuilder(a, vector.Bool, sampleRows)
	t := vector.NewBuilder(a, vector.Int64, sampleRows)
	z := vector.NewBuilder(a, vector.Int64, sampleRows)
	none := vector.NewBuilder(a, vector.Int64, sampleRows)
	ints := []int64{7, -7, 0, 0, math.MaxInt32, math.MinInt32}
	bigs := []int64{100, -3, 0, 0, math.MaxInt64, math.MinInt64}
	doubles := []float64{1.5, -2.5, 0, 0, math.Inf(1), math.NaN()}
	strs := []string{"tide", "", "März", "", "  pad ", "a,b,,c"}
	times := []string{"2026-01-31 23:59:59.999", "1969-12-31 23:59:59.001", "2024-02-29 12:00:00", "", "0001-01-01 00:00:00", "9999-12-31 23:59:59.999"}
	instants := []string{"2025-03-30 00:59:59.999", "2025-03-30 01:00:00", "2025-10-26 00:30:00", "", "1969-12-31 23:59:59.999", "2026-01-01 00:00:00"}
	for r := range sampleRows {
		none.AppendNull()
		if r == 3 {
			for _, column := range []*vector.Builder{i, l, d, s, b, t, z} {
				column.AppendNull()
			}
			continue
		}
		i.AppendInt(ints[r])
		l.AppendInt(bigs[r])
		d.AppendFloat(doubles[r])
		s.AppendBytes([]byte(strs[r]))
		b.AppendBool(r%2 == 0)
		t.AppendInt(micros(times[r]))
		z.AppendInt(micros(instants[r]))
	}
	three := a.Constant(vector.Int64)
	three.Ints[0] = 3
	return &vector.Batch{N: sampleRows, Arena: a, Cols: []*vector.Vector{i.Done(), l.Done(), d.Done(), s.Done(), b.Done(), t.Done(), z.Done(),
		none.Done(), three, a.NullConstant(vector.Bytes)}}
}

func micros(text string) int64 {
	n, _, ok := timefmt.ParseTimestamp([]byte(text))
	if !ok {
		panic("no timestamp: " + text)
	}
	return n
}

func sampleContext(t testing.TB) *Context {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	var pool vector.Pool
	return &Context{Arena: pool.Get(), Env: &function.Env{Zone: zone, Now: micros("2026-07-01 12:00:00.123456")}}
}

// TestGolden evaluates every expression of testdata/*.txt. A line that is not indented and no comment is an expression; below it, indented, stand its
// normal form, its type, and its value in each row of the sample, or why it is refused.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var got strings.Builder
			for _, line := range strings.Split(strings.TrimRight(string(content), "\n"), "\n") {
				if strings.HasPrefix(line, " ") {
					continue
				}
				got.WriteString(line + "\n")
				if line != "" && line[0] != '#' {
					got.WriteString(evaluateSample(t, line))
				}
			}
			if *update {
				if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			compareLines(t, string(content), got.String())
		})
	}
}

func compareLines(t *testing.T, want, got string) {
	t.Helper()
	wanted, gotten := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(wanted), len(gotten)) {
		if i >= len(wanted) || i >= len(gotten) || wanted[i] != gotten[i] {
			t.Fatalf("line %d differs\nwant: %s\ngot:  %s", i+1, strings.Join(wanted[i:min(i+1, len(wanted))], ""), strings.Join(gotten[i:min(i+1, len(gotten))], ""))
		}
	}
}

func evaluateSample(t *testing.T, text string) string {
	t.Helper()
	e, err := parse(text, sampleSchema)
	if err != nil {
		if fault.Of(err) != fault.User {
			t.Errorf("%s: error of class %v, want user: %v", text, fault.Of(err), err)
		}
		var signature *function.SignatureError
		if errors.As(err, &signature) && signature.Hint != "" {
			return "    refused: " + err.Error() + "\n    hint: " + signature.Hint + "\n"
		}
		return "    refused: " + err.Error() + "\n"
	}
	results := make([]string, sampleRows)
	good := []int32{}
	for r := range results {
		results[r] = evaluateRow(t, e, r)
		if !strings.HasPrefix(results[r], "error: ") {
			good = append(good, int32(r))
		}
	}
	checkTogether(t, e, results, good)
	for i, r := range results {
		results[i] = clipped(r)
	}
	return fmt.Sprintf("    %s : %s\n    %s\n", e, e.Type(), strings.Join(results, " | "))
}

// clipped is a value as a golden file has it: of a long one its beginning, its length, and what tells it from others.
func clipped(value string) string {
	const long, shown = 1000, 20
	if len(value) <= long {
		return value
	}
	return fmt.Sprintf("%s… of %d bytes, CRC-32 %08x", value[:shown], len(value), crc32.ChecksumIEEE([]byte(value)))
}

// evaluateRow evaluates one row alone, in three shapes that must agree: selected from the batch, as a batch of one row, and as a row of constants.
func evaluateRow(t *testing.T, e Expr, r int) string {
	c := sampleContext(t)
	b := sampleBatch(c.Arena)
	sel := []int32{int32(r)}
	selected := valueOrError(t, c, e, b, vector.Rows{Sel: sel, N: b.N}, r)
	single, constant := &vector.Batch{N: 1}, &vector.Batch{N: 5}
	for _, column := range b.Cols {
		single.Cols = append(single.Cols, column.Take(c.Arena, sel))
		if !column.Const {
			column = column.Take(c.Arena, sel)
			column.Const = true
		}
		constant.Cols = append(constant.Cols, column)
	}
	if got := valueOrError(t, c, e, single, vector.All(1), 0); got != selected {
		t.Errorf("%s, row %d: %s when selected, %s alone", e, r, selected, got)
	}
	if got := valueOrError(t, c, e, constant, vector.All(5), 0); got != selected {
		t.Errorf("%s, row %d: %s when selected, %s as a constant", e, r, selected, got)
	}
	return selected
}

func valueOrError(t *testing.T, c *Context, e Expr, b *vector.Batch, rows vector.Rows, r int) string {
	t.Helper()
	v, err := e.Eval(c, b, rows)
	if err != nil {
		var row *RowError
		if !errors.As(err, &row) || row.Row != r || fault.Of(err) != fault.Data {
			t.Errorf("%s: error %v is no data error of row %d", e, err, r)
		}
		return "error: " + err.Error()
	}
	if v.Kind != vector.KindOf(e.Type()) {
		t.Errorf("%s: layout %v for type %v", e, v.Kind, e.Type())
	}
	if !v.Const && v.Len() < b.N {
		t.Errorf("%s: %d values for a batch of %d rows", e, v.Len(), b.N)
	}
	if e.Type().NotNull && v.IsNull(r) {
		t.Errorf("%s: NULL in a NOT NULL type", e)
	}
	return string(valuefmt.Append(nil, e.Type(), v, r))
}

// checkTogether evaluates all rows that have a value at once and compares, also after the sample's tail was cut off by a selection.
func checkTogether(t *testing.T, e Expr, want []string, good []int32) {
	t.Helper()
	if len(good) == 0 {
		return
	}
	for _, sel := range [][]int32{good, good[:(len(good)+1)/2]} {
		c := sampleContext(t)
		b := sampleBatch(c.Arena)
		rows := vector.Rows{Sel: sel, N: b.N}
		if len(sel) == b.N {
			rows = vector.All(b.N)
		}
		v, err := e.Eval(c, b, rows)
		if err != nil {
			t.Errorf("%s: error over rows that have values alone: %v", e, err)
			return
		}
		for _, r := range sel {
			if got := string(valuefmt.Append(nil, e.Type(), v, int(r))); got != want[r] {
				t.Errorf("%s, row %d: %s alone, %s together", e, r, want[r], got)
			}
		}
	}
}
