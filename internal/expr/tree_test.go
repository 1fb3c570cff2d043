package expr

import (
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/vector"
)

var treeExamples = []string{
	"i", "7", "'x'", "NULL", "1.5", "TRUE", "INTERVAL '1' SECOND", "i + 1", "i + l * 2", "CAST(i AS DOUBLE)", "TRY_CAST(s AS INT)", "CAST(s AS INT)",
	"b AND i > 0", "b OR i > 0", "CASE WHEN b THEN i ELSE l END", "COALESCE(i, l)", "i IN (1, 2)", "i IN (1, 3)", "s IN ('a')", "UPPER(s)", "LOWER(s)",
	"s LIKE 'a%'", "s LIKE 'b%'", "EXTRACT('HOUR', t)", "EXTRACT('DAY', t)", "i IS NULL", "i IS NOT NULL", "NOT b", "-i", "ABS(i)",
}

func mustParse(t testing.TB, text string) Expr {
	e, err := parse(text, sampleSchema)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return e
}

func TestEqual(t *testing.T) {
	for _, x := range treeExamples {
		for _, y := range treeExamples {
			if got := Equal(mustParse(t, x), mustParse(t, y)); got != (x == y) {
				t.Errorf("Equal(%s, %s) is %v", x, y, got)
			}
		}
	}
}

// TestMapRenumbers moves every column two places to the right, as pruning and joins do: the expression means the same over the moved batch.
func TestMapRenumbers(t *testing.T) {
	for _, text := range treeExamples {
		e := mustParse(t, text)
		moved := Map(e, func(e Expr) Expr {
			if c, ok := e.(*Column); ok {
				return NewColumn(c.Index+2, c.Name, c.Type())
			}
			return e
		})
		if moved.String() != e.String() || moved.Type() != e.Type() {
			t.Errorf("%s became %s : %v", e, moved, moved.Type())
		}
		want := Columns(e)
		for i := range want {
			want[i] += 2
		}
		if got := Columns(moved); !slices.Equal(got, want) {
			t.Errorf("%s reads the columns %v after the move, want %v", text, got, want)
		}
		if (len(want) == 0) != (moved == e) {
			t.Errorf("%s: what has no column is shared, everything else is a copy", text)
		}
		c := sampleContext(t)
		b := sampleBatch(c.Arena)
		sel := []int32{0, 1, 2, 3}
		if text == "CAST(s AS INT)" {
			sel = []int32{3}
		}
		rows := vector.Rows{Sel: sel, N: b.N}
		wide := &vector.Batch{N: b.N, Cols: append([]*vector.Vector{nil, nil}, b.Cols...)}
		for _, r := range sel {
			x := valueOrError(t, c, e, b, rows, int(r))
			if y := valueOrError(t, c, moved, wide, rows, int(r)); x != y {
				t.Errorf("%s, row %d: %s before the move, %s after", text, r, x, y)
			}
		}
	}
}

func TestColumns(t *testing.T) {
	if got := Columns(mustParse(t, "CASE WHEN d > l THEN i IN (1) ELSE i = l END")); !slices.Equal(got, []int{0, 1, 2}) {
		t.Errorf("columns %v, want 0, 1, 2", got)
	}
}

func TestConjuncts(t *testing.T) {
	for text, want := range map[string][]string{
		"b AND (i > 0 AND (l > 0 OR d > 0))":            {"b", "(i > 0)", "((l > 0) OR (d > 0.0))"},
		"NOT (i < 0 OR b OR NOT (l <> 1 AND i = 2))":    {"(i >= 0)", "(NOT b)", "(l <> 1)", "(i = 2)"},
		"NOT (i < 0 AND b)":                             {"(NOT ((i < 0) AND b))"},
		"NOT NOT (b AND NOT i <= 0)":                    {"b", "(i > 0)"},
		"NOT (d < 0 OR i > 0 OR i >= 1 OR NOT i = i+1)": {"(NOT (d < 0.0))", "(i <= 0)", "(i < 1)", "(i = (i + 1))"},
	} {
		var texts []string
		for _, p := range Conjuncts(mustParse(t, text)) {
			texts = append(texts, p.String())
		}
		if !slices.Equal(texts, want) {
			t.Errorf("conjuncts of %s: %q, want %q", text, texts, want)
		}
	}
}
