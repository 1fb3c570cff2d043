package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/valuefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// otherwise is where aggregates answer otherwise than Flink 2.3: a reason, and regular expressions over FILE: EXPRESSION, Flink's answer and the one here, a line each.
var otherwise = []struct {
	reason  string
	pattern string
}{
	{"MIN and MAX of intervals go by their length", `(MIN|MAX)\(a\)\n.*does not support type: ''INTERVAL`},
	{"APPROX_COUNT_DISTINCT counts streams too", `APPROX_COUNT_DISTINCT\(`},
	{"a whole number beyond BIGINT is a DECIMAL", `out of range`},
	{"of equal keys of an object the last stays, and NULL is no key", `JSON_OBJECTAGG`},
	{"intervals are no numbers", `PERCENTILE\(a, 0.5\)\n    Flink: DOUBLE = (-48|7)\.0\n`},
	{"NaN is greater than every number, whatever comes first", `MIN\(a\)\n    Flink: DOUBLE = NaN\n`},
	{"a FLOAT is written with the fewest digits that tell it", `Flink: FLOAT = 1\.40737472E14\n    here:  FLOAT = 1\.4073747E14\n`},
	{"JSON has no greatest length", `TYPEOF\(JSON_ARRAYAGG`},
	{"there are no bitmaps", `BITMAP_`},
	{"internal functions are not there", `SINGLE_VALUE|\$SUM0`},
	{"an ORDER BY that nobody heeds is refused", `ORDER BY`},
	{"COUNT(NULL) and the like count no value", `\(NULL\)`},
	{"the mean of a FLOAT is rounded once", `\n    Flink: FLOAT = 0.59999996\n`},
}

// TestFlinkAggregates asks the questions of testdata/flink about aggregates, as streaming queries.
func TestFlinkAggregates(t *testing.T) {
	used := make([]bool, len(otherwise))
	for _, name := range []string{"aggregates-types", "aggregates-cases"} {
		for _, q := range readRowQuestions(t, filepath.Join("../../testdata/flink", name+".txt")) {
			ours := answerRows(q)
			if slices.EqualFunc(q.answers, ours, agreeUnordered) || len(q.answers) == 1 && strings.HasPrefix(q.answers[0], "error ") && strings.HasPrefix(ours[0], "error ") {
				continue
			}
			found := fmt.Sprintf("%s: %s\n    Flink: %s\n    here:  %s\n    from %s", name, q.expression, strings.Join(q.answers, " | "), strings.Join(ours, " | "), q.from)
			at := slices.IndexFunc(otherwise, func(o struct{ reason, pattern string }) bool { return regexp.MustCompile(o.pattern).MatchString(found) })
			if at < 0 {
				t.Error(found)
			} else {
				used[at] = true
			}
		}
	}
	for i, u := range used {
		if !u {
			t.Errorf("nothing differs any more because %s", otherwise[i].reason)
		}
	}
}

type rowQuestion struct {
	expression, from string
	answers          []string
}

// readRowQuestions reads what was asked about rows in streaming mode.
func readRowQuestions(t *testing.T, path string) []rowQuestion {
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var list []rowQuestion
	from, streaming := "", true
	for _, line := range strings.Split(string(content), "\n") {
		directive, rest, _ := strings.Cut(line, " ")
		switch {
		case strings.TrimSpace(line) == "" || line[0] == '#':
		case directive == "@from":
			from = rest
		case directive == "@mode":
			streaming = rest == "streaming"
		case line[0] == '@' || !streaming:
		case strings.HasPrefix(line, "  "):
			last := &list[len(list)-1]
			last.answers = append(last.answers, line[2:])
		default:
			list = append(list, rowQuestion{expression: line, from: from})
		}
	}
	for _, q := range list {
		slices.Sort(q.answers)
	}
	return list
}

// agreeUnordered is agree, but that the entries of maps and multisets come in any order.
func agreeUnordered(flink, ours string) bool {
	if agree("", flink, ours) {
		return true
	}
	if flinkType, _, _ := strings.Cut(flink, " = "); !strings.HasPrefix(flinkType, "MULTISET") {
		return false
	}
	letters := func(s string) string {
		b := []byte(s)
		slices.Sort(b)
		return string(b)
	}
	flinkType, flinkValue, _ := strings.Cut(flink, " = ")
	ourType, ourValue, _ := strings.Cut(ours, " = ")
	return agree("", flinkType+" = ", ourType+" = ") && letters(flinkValue) == letters(ourValue)
}

// answerRows runs a query and writes the rows that are left at its end, sorted.
func answerRows(q rowQuestion) []string {
	text := "SELECT " + hidden.ReplaceAllString(q.expression, "(") + " FROM " + hidden.ReplaceAllString(q.from, "(")
	e := New(Options{})
	results, err := execute(e, source.Text{Name: "q.sql", Body: text})
	if err != nil {
		return []string{"error plan: " + oneLine(err)}
	}
	query := results[0].Query
	sink := &leftRows{t: query.Schema()[0].Type}
	job, err := query.Start(sink, 1, runtime.Options{Workers: 1})
	if err == nil {
		err = job.Run(context.Background())
	}
	if err != nil {
		return []string{"error run: " + err.Error()}
	}
	slices.Sort(sink.rows)
	if len(sink.rows) == 0 {
		return []string{sink.t.String() + " without rows"}
	}
	return sink.rows
}

// leftRows keeps the values that a changelog of one column leaves.
type leftRows struct {
	t    types.Type
	rows []string
}

func (s *leftRows) Write(b *vector.Batch) error {
	for k := range b.Rows().Count() {
		i := b.Rows().At(k)
		value := string(valuefmt.Append(nil, s.t, b.Cols[0], i))
		if s.t.IsText() && !b.Cols[0].IsNull(i) {
			value = "'" + strings.ReplaceAll(value, "'", "''") + "'"
		}
		if strings.Contains(s.t.String(), "TIMESTAMP_LTZ") {
			value = strings.ReplaceAll(value, "Z", "")
		}
		row := s.t.String() + " = " + value
		if b.Ops != nil && (b.Ops[i] == vector.UpdateBefore || b.Ops[i] == vector.Delete) {
			at := slices.Index(s.rows, row)
			s.rows = slices.Delete(s.rows, at, at+1)
			continue
		}
		s.rows = append(s.rows, row)
	}
	return nil
}

func (s *leftRows) Flush() error { return nil }
func (s *leftRows) Close() error { return nil }
