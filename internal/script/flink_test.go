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

// hashOfTime is the order of keys that leave at one time, which in Flink follows a hash.
const hashOfTime = "keys that leave at one time have no order among them in Flink; here they leave by key group"

// plusMinus is how the set operations with ALL tell.
const plusMinus = "Flink makes an UNNEST of a count and passes its kinds on; here every row enters with +I and leaves with -D"

// flinkDifferences are the scripts that do not agree change by change, and why.
var flinkDifferences = map[string]struct {
	outcome
	why string
}{
	"collect-retracting":               {differs, "the recording does not quote values with blanks, as scripts do; the values are the same"},
	"cross-join":                       {reordered, hashOrder},
	"deduplicate-first-proctime":       {refused, "PROCTIME"},
	"deduplicate-first-rowtime":        {differs, "Flink lets a row through that is at the watermark; here it is late as everywhere"},
	"deduplicate-last-proctime":        {refused, "PROCTIME"},
	"except-all":                       {differs, plusMinus},
	"except-all-retracting":            {differs, plusMinus},
	"exists-retracting":                {reordered, hashOrder},
	"exists-uncorrelated":              {reordered, hashOrder},
	"full-join":                        {reordered, hashOrder},
	"group-then-join":                  {reordered, hashOrder},
	"in-or":                            {refused, "IN with a query"},
	"in-retracting":                    {reordered, hashOrder},
	"inner-join":                       {reordered, hashOrder},
	"interval-join-before-1970":        {differs, "in Flink the time of an interval join begins with 1970, so that rows before it are never kept"},
	"interval-join-months":             {differs, "in Flink a month of a bound has 31 days, two have 59, and the condition is not tested beside"},
	"interval-join-one-side-behind":    {reordered, hashOrder},
	"interval-join-padded-then-window": {differs, "in Flink a row of NULLs leaves a millisecond late and is dropped behind the join"},
	"intersect-all":                    {differs, plusMinus},
	"intersect-all-retracting":         {differs, plusMinus},
	"join-distinct-from":               {reordered, hashOrder},
	"join-natural":                     {reordered, hashOrder},
	"join-self":                        {reordered, hashOrder},
	"join-then-group":                  {differs, hashOrder + ", so the sums in between differ"},
	"join-using":                       {reordered, hashOrder},
	"left-join":                        {reordered, hashOrder},
	"limit-zero":                       {differs, "a statement with LIMIT 0 reads nothing here, so that no rows can be given to it"},
	"not-exists-retracting":            {reordered, hashOrder},
	"not-in":                           {reordered, hashOrder},
	"not-in-retracting":                {reordered, hashOrder},
	"over-proctime":                    {refused, "PROCTIME"},
	"over-expression":                  {reordered, hashOfTime},
	"over-in-group-by":                 {reordered, hashOfTime},
	"over-range-bounded":               {reordered, hashOfTime},
	"over-windows":                     {reordered, hashOfTime},
	"right-join":                       {reordered, hashOrder},
	"scalar-subquery":                  {reordered, hashOrder},
	"top-1":                            {differs, "Flink leaves out -U of a Top-1 in ascending order"},
	"values":                           {differs, "the statement is over at once, and a script cannot end it"},
	"where-upsert":                     {differs, "Flink filters within ChangelogNormalize, which then tells +I of the first row that passes and -D of one that passes no more"},
	"window-join-anti":                 {reordered, hashOfTime},
	"window-join-full":                 {reordered, hashOfTime},
	"window-join-left":                 {reordered, hashOfTime},
	"window-join-right":                {reordered, hashOfTime},
	"window-top-hop":                   {reordered, hashOfTime},
	"with":                             {differs, "in Flink the two sides of the join race"},
}

// TestFlinkChangelogs runs the statements that a real Flink was asked for and wants what it answered, change by change, but for what is listed.
func TestFlinkChangelogs(t *testing.T) {
	files, err := filepath.Glob(root + "testdata/flink/changelog/*.flink")
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
