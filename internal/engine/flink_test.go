package engine

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/valuefmt"
)

// TestFlink puts the questions of testdata/flink to this engine and compares with what Flink answered. What differs must be in
// testdata/flink-differences.txt, with the reason, and what is there must differ. Questions about the rows of a FROM are not asked.
func TestFlink(t *testing.T) {
	accepted := readDifferences(t)
	for _, name := range asked {
		t.Run(name, func(t *testing.T) {
			for _, q := range readQuestions(t, filepath.Join("../../testdata/flink", name+".txt")) {
				e := engineIn(t, q.zone)
				ours := answer(t, e, q.expression)
				if agree(q.expression, q.answer, ours) {
					continue
				}
				found := fmt.Sprintf("%s: %s\n    Flink: %s\n    here:  %s", name, q.expression, q.answer, ours)
				if !accepts(accepted, found) {
					t.Error(found)
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

// asked are the files of questions that this engine has an answer to. The others are about rows of a FROM, or about functions that are not there yet.
var asked = []string{"arithmetic-limits", "arithmetic-types", "casts-binary", "casts-intervals", "casts-numbers", "casts-strings", "casts-times", "common-types-case",
	"common-types-coalesce", "common-types-in", "comparisons", "decimals", "floats", "functions-math"}

// question is an expression and what Flink makes of it.
type question struct{ expression, answer, zone string }

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
			from = rest
		case line[0] == '@':
		case strings.HasPrefix(line, "  "):
			if last := len(list) - 1; from == "" && last >= 0 && list[last].answer == "" {
				list[last].answer = line[2:]
			}
		case from == "":
			list = append(list, question{expression: line, zone: zone})
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

// answer computes an expression without rows and writes it as testdata/flink does.
func answer(t *testing.T, e *Engine, expression string) string {
	results, err := execute(e, source.Text{Name: "q.sql", Body: "SELECT " + hidden.ReplaceAllString(expression, "(")})
	if err != nil {
		return "error plan: " + oneLine(err)
	}
	q := results[0].Query
	project, ok := q.Bound[0].(*plan.Project)
	if !ok {
		t.Fatalf("%s: the plan is a %T", expression, q.Bound[0])
	}
	value := project.Exprs[0]
	l, err := expr.Constant(value, q.zone)
	var row *function.RowError
	switch {
	case errors.As(err, &row):
		return "error run: " + row.Err.Error()
	case err != nil:
		t.Fatalf("%s: %v", expression, err)
	case l == nil:
		return value.Type().String() + " = not constant"
	}
	return value.Type().String() + " = " + clientText(q, l)
}

func oneLine(err error) string {
	var placed *source.Error
	if !errors.As(err, &placed) {
		return err.Error()
	}
	return placed.Message + "; " + placed.Hint
}

// clientText writes a value as Flink's SQL client does, but strings in quotes.
func clientText(q *Query, l *expr.Literal) string {
	style := valuefmt.Style{Bytes: valuefmt.AppendBytes, Instant: func(dst []byte, t types.Type, micros int64) []byte {
		_, seconds := time.UnixMicro(micros).In(q.zone).Zone()
		return valuefmt.AppendInt(dst, t, micros+int64(seconds)*timefmt.Second)
	}}
	text := string(style.Append(nil, l.Type(), l.Value(), 0))
	if l.Type().IsText() && !l.IsNull() {
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
	return sameType(plainType(flinkType), plainType(ourType)) &&
		(flinkValue == ourValue || strings.HasPrefix(flink, "DOUBLE") && nearlyEqual(flinkValue, ourValue))
}

var (
	shortTimestamp = regexp.MustCompile(`\bTIMESTAMP\([012]\)`)
	zerosOfSecond  = regexp.MustCompile(`(\d\d:\d\d:\d\d(?:\.\d*[1-9])?)\.?0+\b`)
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
