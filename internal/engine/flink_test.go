package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/valuefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// TestFlink puts the questions of testdata/flink to this engine and compares with what Flink answered. What differs must be in
// testdata/flink-differences.txt, with the reason, and what is there must differ.
func TestFlink(t *testing.T) {
	accepted := readDifferences(t)
	for _, name := range asked {
		t.Run(name, func(t *testing.T) {
			for _, q := range readQuestions(t, filepath.Join("../../testdata/flink", name+".txt")) {
				ours := answer(t, engineIn(t, q.zone), q)
				for _, found := range disagreements(name, q, ours) {
					if !accepts(accepted, found) {
						t.Error(found)
					}
				}
			}
		})
	}
	for _, d := range accepted {
		if d.used == 0 {
			t.Errorf("testdata/flink-differences.txt: nothing differs any more as %s does", d.pattern)
		}
	}
}

// disagreements tells which lines of two answers differ.
func disagreements(file string, q question, ours []string) (found []string) {
	theirs := q.answer
	if q.unordered {
		theirs, ours = byValue(theirs), byValue(ours)
	}
	if failed := strings.HasPrefix; failed(theirs[0], "error ") || failed(ours[0], "error ") {
		theirs, ours = theirs[:1], ours[:1]
	}
	for i := range max(len(theirs), len(ours)) {
		there, here := "no row", "no row"
		if i < len(theirs) {
			there = theirs[i]
		}
		if i < len(ours) {
			here = ours[i]
		}
		if !agree(q.expression, there, here) {
			found = append(found, fmt.Sprintf("%s: %s%s\n    Flink: %s\n    here:  %s", file, q.expression, q.from, there, here))
		}
	}
	return found
}

// byValue sorts lines by what is behind the type.
func byValue(lines []string) []string {
	return slices.SortedFunc(slices.Values(lines), func(a, b string) int {
		_, a, _ = strings.Cut(a, " = ")
		_, b, _ = strings.Cut(b, " = ")
		return strings.Compare(a, b)
	})
}

// asked are the files of questions that this engine has an answer to.
var asked = []string{"arithmetic-limits", "arithmetic-types", "casts-binary", "casts-intervals", "casts-nested", "casts-numbers", "casts-strings", "casts-times", "casts-try", "common-types-case",
	"common-types-coalesce", "common-types-in", "comparisons", "decimals", "floats", "functions-collections", "functions-conditional", "functions-json",
	"functions-math", "functions-patterns", "functions-strings", "functions-times", "functions-times-zone", "random", "set-operations"}

// question is an expression, what stands behind it, and what Flink makes of it: a line a row.
type question struct {
	expression, from, zone string
	answer                 []string
	// unordered says that the order of rows means nothing. ORDER BY is left out, since a stream has none.
	unordered bool
}

func readQuestions(t *testing.T, path string) []question {
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var list []question
	zone, from := "UTC", ""
	for _, line := range strings.Split(string(content), "\n") {
		directive, rest, _ := strings.Cut(line, " ")
		switch {
		case strings.TrimSpace(line) == "" || line[0] == '#':
		case directive == "@zone":
			zone = rest
		case directive == "@from":
			from = " FROM " + rest
		case line[0] == '@':
		case strings.HasPrefix(line, "  "):
			last := &list[len(list)-1]
			last.answer = append(last.answer, line[2:])
		default:
			q := question{expression: line, from: from, zone: zone}
			q.from, _, q.unordered = strings.Cut(from, " ORDER BY ")
			q.unordered = q.unordered || strings.Contains(from, "UNION")
			list = append(list, q)
		}
	}
	return list
}

var enginesByZone = map[string]*Engine{}

func engineIn(t *testing.T, zone string) *Engine {
	if e := enginesByZone[zone]; e != nil {
		return e
	}
	e := newEngine(t)
	if _, err := execute(e, source.Text{Name: "zone.sql", Body: "SET 'table.local-time-zone' = '" + zone + "'"}); err != nil {
		t.Fatal(render(err))
	}
	enginesByZone[zone] = e
	return e
}

// hidden is v(x), which is x for us.
var hidden = regexp.MustCompile(`\bv\(`)

// answer computes an expression and writes it as testdata/flink does. One without rows is computed by folding it.
func answer(t *testing.T, e *Engine, asked question) []string {
	results, err := execute(e, source.Text{Name: "q.sql", Body: "SELECT " + hidden.ReplaceAllString(asked.expression+asked.from, "(")})
	if err != nil {
		return []string{"error plan: " + oneLine(err)}
	}
	q := results[0].Query
	if project, ok := q.Bound[0].(*plan.Project); ok && asked.from == "" {
		value := project.Exprs[0]
		l, err := expr.Constant(value, q.zone)
		var row *function.RowError
		switch {
		case errors.As(err, &row):
			return []string{"error run: " + row.Err.Error()}
		case err != nil:
			t.Fatalf("%s: %v", asked.expression, err)
		case l != nil:
			return []string{value.Type().String() + " = " + clientText(q, l.Type(), l.Value(), 0)}
		}
	}
	sink := &answers{query: q}
	job, err := q.Start(sink, 1, runtime.Options{Workers: 1})
	if err == nil {
		err = job.Run(context.Background())
	}
	switch {
	case err != nil:
		return []string{"error run: " + err.Error()}
	case len(sink.lines) == 0:
		return []string{q.Schema()[0].Type.String() + " without rows"}
	}
	return sink.lines
}

// answers keeps what is left of a changelog at its end, as lines.
type answers struct {
	query *Query
	lines []string
}

func (s *answers) Write(b *vector.Batch) error {
	t := s.query.Schema()[0].Type
	for k := range b.Rows().Count() {
		i := b.Rows().At(k)
		line := t.String() + " = " + clientText(s.query, t, b.Cols[0], i)
		if b.Ops == nil || b.Ops[i] == vector.Insert || b.Ops[i] == vector.UpdateAfter {
			s.lines = append(s.lines, line)
		} else if at := slices.Index(s.lines, line); at >= 0 {
			s.lines = slices.Delete(s.lines, at, at+1)
		}
	}
	return nil
}

func (s *answers) Flush() error { return nil }
func (s *answers) Close() error { return nil }

func oneLine(err error) string {
	var placed *source.Error
	if !errors.As(err, &placed) {
		return err.Error()
	}
	return placed.Message + "; " + placed.Hint
}

// clientText writes a value as Flink's SQL client does, but strings in quotes.
func clientText(q *Query, t types.Type, v vector.Values, i int) string {
	style := valuefmt.Style{Bytes: valuefmt.AppendBytes, Instant: func(dst []byte, t types.Type, micros int64) []byte {
		_, seconds := time.UnixMicro(micros).In(q.zone).Zone()
		return valuefmt.AppendInt(dst, t, micros+int64(seconds)*timefmt.Second)
	}}
	text := string(style.Append(nil, t, v, i))
	if t.IsText() && !v.IsNull(i) {
		text = "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	var escaped strings.Builder
	for _, r := range text {
		switch i := strings.IndexRune("\\\n\t\r", r); {
		case i >= 0:
			escaped.WriteString([]string{`\\`, `\n`, `\t`, `\r`}[i])
		case r < ' ':
			fmt.Fprintf(&escaped, `\u%04x`, r)
		default:
			escaped.WriteRune(r)
		}
	}
	return escaped.String()
}

// agree compares two answers to an expression. Errors agree whatever they say, and a NULL that Flink has by mistake is a NULL. Differences between all types
// are settled here, once and for all, inside of rows, arrays and maps too:
//   - a literal in quotes is a STRING and not a CHAR of its length, one of bytes is BYTES and not a BINARY, and so are what follows from them;
//   - a literal of TIMESTAMP has three digits behind the second at least, so that it meets time attributes as they are;
//   - a result that can be NULL because a DECIMAL may overflow is not NOT NULL;
//   - planning finds out that a constant is not NULL;
//   - of functions such as the sine the last bits are others than Java's.
func agree(expression, flink, ours string) bool {
	if strings.HasPrefix(flink, "error ") || strings.HasPrefix(ours, "error ") {
		if strings.HasPrefix(flink, "error run: EnforcerException") {
			return strings.HasSuffix(ours, " = NULL")
		}
		return strings.HasPrefix(flink, "error ") && strings.HasPrefix(ours, "error ")
	}
	flinkType, flinkValue, _ := strings.Cut(flink, " = ")
	ourType, ourValue, _ := strings.Cut(ours, " = ")
	if strings.Contains(expression, "TIMESTAMP '") && shortTimestamp.MatchString(flinkType) && strings.Contains(ourType, "TIMESTAMP(3)") {
		flinkType = shortTimestamp.ReplaceAllString(flinkType, "TIMESTAMP(3)")
		flinkValue, ourValue = zerosOfSecond.ReplaceAllString(flinkValue, "$1"), zerosOfSecond.ReplaceAllString(ourValue, "$1")
	}
	if typeof.MatchString(expression) && strings.HasPrefix(flinkValue, "'") && strings.HasPrefix(ourValue, "'") {
		return sameType(plainType(strings.Trim(flinkValue, "'")), plainType(strings.Trim(ourValue, "'")))
	}
	return sameType(plainType(flinkType), plainType(ourType)) &&
		(flinkValue == ourValue || strings.HasPrefix(flink, "DOUBLE") && nearlyEqual(flinkValue, ourValue))
}

var (
	shortTimestamp = regexp.MustCompile(`\bTIMESTAMP\([012]\)`)
	zerosOfSecond  = regexp.MustCompile(`(\d\d:\d\d:\d\d(?:\.\d*[1-9])?)\.?0+\b`)
	typeof         = regexp.MustCompile(`^TYPEOF\(`)
	typeWord       = regexp.MustCompile(` NOT NULL|\w+(\([^)]*\))?|[^\w ]`)
)

// sameType compares types word by word.
func sameType(flink, ours string) bool {
	theirs, last := typeWord.FindAllString(flink, -1), ""
	for _, word := range typeWord.FindAllString(ours, -1) {
		next := ""
		if len(theirs) > 0 {
			next = theirs[0]
		}
		if next == " NOT NULL" && word != next && strings.HasPrefix(last, "DECIMAL") {
			theirs = theirs[1:]
			next = theirs[0]
		}
		switch {
		case word == next, word == "STRING" && isTextType.MatchString(next), word == "BYTES" && isBytesType.MatchString(next):
			theirs = theirs[1:]
		case word != " NOT NULL":
			return false
		}
		last = word
	}
	return len(theirs) == 0 || len(theirs) == 1 && theirs[0] == " NOT NULL" && strings.HasPrefix(last, "DECIMAL")
}

var (
	isTextType  = regexp.MustCompile(`^(VAR)?CHAR\(\d+\)$`)
	isBytesType = regexp.MustCompile(`^(VAR)?BINARY\(\d+\)$`)
)

// nearlyEqual reports whether two numbers differ by a few of the least bits.
func nearlyEqual(a, b string) bool {
	x, err1 := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	distance := int64(math.Float64bits(x) - math.Float64bits(y))
	return err1 == nil && err2 == nil && x != 0 && max(distance, -distance) <= 4
}

// plainType spells intervals by their family: which of its units are written means nothing.
func plainType(t string) string {
	t = dayInterval.ReplaceAllString(t, "INTERVAL DAY TO SECOND")
	return monthInterval.ReplaceAllString(t, "INTERVAL YEAR TO MONTH")
}

var (
	dayInterval   = regexp.MustCompile(`INTERVAL (DAY|HOUR|MINUTE|SECOND)(\(\d+\))?( TO (HOUR|MINUTE|SECOND)(\(\d+\))?)?`)
	monthInterval = regexp.MustCompile(`INTERVAL (YEAR|MONTH)(\(\d+\))?( TO MONTH)?`)
)

// difference is a kind of difference that is meant.
type difference struct {
	pattern *regexp.Regexp
	used    int
}

// readDifferences reads testdata/flink-differences.txt: a paragraph for each reason, which stands in comment lines, and below it regular expressions. They are
// matched against what TestFlink would report.
func readDifferences(t *testing.T) []*difference {
	content, err := os.ReadFile("testdata/flink-differences.txt")
	if err != nil {
		t.Fatal(err)
	}
	var list []*difference
	reason := false
	for n, line := range strings.Split(string(content), "\n") {
		switch {
		case line == "":
			reason = false
		case line[0] == '#':
			reason = true
		case !reason:
			t.Fatalf("testdata/flink-differences.txt:%d: no reason is given", n+1)
		default:
			pattern, err := regexp.Compile("(?s)" + line)
			if err != nil {
				t.Fatalf("testdata/flink-differences.txt:%d: %v", n+1, err)
			}
			list = append(list, &difference{pattern: pattern})
		}
	}
	return list
}

func accepts(list []*difference, found string) bool {
	for _, d := range list {
		if d.pattern.MatchString(found) {
			d.used++
			return true
		}
	}
	return false
}
