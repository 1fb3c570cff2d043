package script

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector/builtin"
)

// outcome is how the answer to a script of Flink's compares.
type outcome string

const (
	agrees    outcome = "agrees"
	reordered outcome = "the same changes in another order"
	refused   outcome = "is refused here"
	differs   outcome = "differs"
)

// hashOrder is the order of several matches of one row, which in Flink follows a hash.
const hashOrder = "Flink takes the matches of a row from a hash map; here they come in the order in which they came in"

// plusMinus is how the set operations with ALL tell.
const plusMinus = "Flink makes an UNNEST of a count and passes its kinds on; here every row enters with +I and leaves with -D"

// flinkDifferences are the scripts that do not agree change by change, and why.
var flinkDifferences = map[string]struct {
	outcome
	why string
}{
	"aggregates-retracting":      {refused, "FIRST_VALUE, LAST_VALUE"},
	"collect-retracting":         {refused, "COLLECT, ARRAY_AGG"},
	"cross-join":                 {reordered, hashOrder},
	"cube":                       {refused, "CUBE"},
	"deduplicate-first-proctime": {refused, "OVER"},
	"deduplicate-first-rowtime":  {refused, "OVER"},
	"deduplicate-last-proctime":  {refused, "OVER"},
	"deduplicate-last-rowtime":   {refused, "OVER"},
	"except-all":                 {differs, plusMinus},
	"except-all-retracting":      {differs, plusMinus},
	"exists":                     {refused, "EXISTS"},
	"exists-inequality":          {refused, "EXISTS"},
	"exists-retracting":          {refused, "EXISTS"},
	"exists-uncorrelated":        {refused, "EXISTS"},
	"first-last":                 {refused, "FIRST_VALUE, LAST_VALUE"},
	"full-join":                  {reordered, hashOrder},
	"group-by-filter":            {refused, "FILTER, SUM(DISTINCT)"},
	"group-by-none":              {refused, "MIN of rows that are taken back"},
	"group-by-retracting":        {refused, "MIN and MAX of rows that are taken back"},
	"group-by-same-ttl":          {refused, "table.exec.state.ttl"},
	"group-by-upsert":            {refused, "MIN of rows that are updated"},
	"group-then-join":            {reordered, hashOrder},
	"grouping-sets":              {refused, "GROUPING SETS"},
	"grouping-sets-having":       {refused, "GROUPING SETS"},
	"in":                         {refused, "IN with a query"},
	"in-or":                      {refused, "IN with a query"},
	"in-retracting":              {refused, "IN with a query"},
	"inner-join":                 {reordered, hashOrder},
	"intersect-all":              {differs, plusMinus},
	"intersect-all-retracting":   {differs, plusMinus},
	"join-distinct-from":         {reordered, hashOrder},
	"join-natural":               {reordered, hashOrder},
	"join-self":                  {reordered, hashOrder},
	"join-then-group":            {differs, hashOrder + ", so the sums in between differ"},
	"join-using":                 {reordered, hashOrder},
	"left-join":                  {reordered, hashOrder},
	"limit-zero":                 {differs, "a statement with LIMIT 0 reads nothing here, so that no rows can be given to it"},
	"listagg":                    {refused, "LISTAGG"},
	"mini-batch":                 {refused, "table.exec.mini-batch.enabled"},
	"nested-max":                 {refused, "MAX of rows that are updated"},
	"not-exists":                 {refused, "EXISTS"},
	"not-exists-retracting":      {refused, "EXISTS"},
	"not-in":                     {refused, "IN with a query"},
	"not-in-retracting":          {refused, "IN with a query"},
	"over-lag":                   {refused, "OVER"},
	"over-proctime":              {refused, "OVER"},
	"over-range":                 {refused, "OVER"},
	"over-rows":                  {refused, "OVER"},
	"right-join":                 {reordered, hashOrder},
	"rollup":                     {refused, "ROLLUP"},
	"scalar-subquery":            {refused, "a query as a value"},
	"scalar-subquery-correlated": {refused, "a query as a value"},
	"scalar-subquery-count":      {refused, "a query as a value"},
	"scalar-subquery-where":      {refused, "a query as a value"},
	"top-1":                      {refused, "OVER"},
	"top-2":                      {refused, "OVER"},
	"top-2-number":               {refused, "OVER"},
	"top-2-retracting":           {refused, "OVER"},
	"top-second":                 {refused, "OVER"},
	"values":                     {differs, "the statement is over at once, and a script cannot end it"},
	"where-upsert":               {differs, "Flink filters within ChangelogNormalize, which then tells +I of the first row that passes and -D of one that passes no more"},
	"with":                       {differs, "in Flink the two sides of the join race"},
}

// TestFlinkChangelogs runs the statements that a real Flink was asked for and wants what it answered, change by change, but for what is listed.
func TestFlinkChangelogs(t *testing.T) {
	files, err := filepath.Glob(corpus + "/flink/changelog/*.flink")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	listed := len(flinkDifferences)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".flink")
		want, found := flinkDifferences[name]
		if !found {
			want.outcome = agrees
		} else {
			listed--
		}
		t.Run(name, func(t *testing.T) {
			if got, report := compareWithFlink(t, file); got != want.outcome {
				t.Errorf("%s, and not: %s (%s)\n%s", got, want.outcome, want.why, report)
			}
		})
	}
	if listed != 0 {
		t.Errorf("%d differences are listed for scripts that are not there", listed)
	}
}

func compareWithFlink(t *testing.T, file string) (outcome, string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	report, err := Run([]string{file}, Options{Connectors: builtin.Connectors})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	report.Write(&b)
	said := b.String()
	blocks, orders := strings.Count(said, ".flink:"), strings.Count(said, "the same lines in another order")
	switch {
	case report.Passed():
		return agrees, said
	case strings.Contains(said, "rows needs a statement that runs"):
		if strings.Contains(string(text), "\nerror plan: ") {
			return agrees, said
		}
		return refused, said
	case blocks == orders:
		return reordered, said
	}
	return differs, said
}
