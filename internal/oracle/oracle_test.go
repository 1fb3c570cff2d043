package oracle

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// TestRandom runs random statements over random rows in the engine, in several ways each, and wants what the oracle says.
//
// TIDEMARK_ORACLE_N is the number of trials, by default as many as fit into a few seconds; TIDEMARK_ORACLE_SEED is where to begin, 1 by
// default, so that TIDEMARK_ORACLE_SEED=s TIDEMARK_ORACLE_N=1 repeats trial s.
func TestRandom(t *testing.T) {
	first, n := number(t, "TIDEMARK_ORACLE_SEED", 1), number(t, "TIDEMARK_ORACLE_N", 0)
	deadline := time.Now().Add(8 * time.Second)
	var tally tally
	for seed := first; n > 0 && seed < first+n || n == 0 && time.Now().Before(deadline); seed++ {
		c := newTrial(seed)
		err := judge(c, seed, &tally)
		if err == nil {
			continue
		}
		small, failure := shrink(c, seed, err)
		t.Errorf("trial %d: %s\n\nin its smallest form: %s\n\n%s\n", seed, firstLine(err), failure, small.script())
		if tally.failed++; tally.failed == 3 {
			t.Fatal("enough")
		}
	}
	t.Logf("%d trials: %d refused, %d updated, %d rows read, %d rows answered, %d with late rows, %d with dropped rows",
		tally.trials, tally.refused, tally.changed, tally.read, tally.answered, tally.late, tally.dropped)
	if tally.trials > 100 && 10*tally.refused > tally.trials {
		t.Errorf("%d of %d statements were refused; the last: %s", tally.refused, tally.trials, tally.refusal)
	}
}

func number(t *testing.T, name string, fallback uint64) uint64 {
	text := os.Getenv(name)
	if text == "" {
		return fallback
	}
	v, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s: %s", name, err)
	}
	return v
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// tally tells whether the trials were worth their time.
type tally struct {
	trials, refused, failed       int
	read, answered, late, dropped int
	changed                       int // statements whose results are updated
	refusal                       string
}

// failure is a disagreement. What names its sort, which shrinking must keep.
type failure struct {
	what, detail string
}

func (f *failure) Error() string { return f.what + "\n" + f.detail }

// judge runs a trial and returns how the engine is wrong, nil if it is not.
func judge(c *trial, seed uint64, tally *tally) error {
	tally.trials++
	m := &memory{tables: map[string]*memoryTable{}}
	q, err := prepare(c, m)
	var refusal *source.Error
	if errors.As(err, &refusal) {
		tally.refused++
		tally.refusal = fmt.Sprintf("%s\n%s", refusal.Message, c.sql())
		return nil
	}
	if err != nil {
		return &failure{"the statement cannot be prepared", err.Error()}
	}
	var want *Result
	var text []string
	var plain *outcome
	for _, w := range ways(rand.New(rand.NewPCG(seed, 1)), !c.periodic()) {
		got, err := execute(q, m, w)
		if err != nil {
			return &failure{"the engine stops", fmt.Sprintf("%s\n%s", w, err)}
		}
		if want == nil {
			plain = got
			inputs, sources, err := got.inputs(q.Bound[0], m.tables)
			if err != nil {
				return &failure{"the sources are not those of the plan", err.Error()}
			}
			if want, err = Run(q.Bound[0], c.location(), inputs); err != nil {
				return &failure{"only the oracle stops", err.Error()}
			}
			text = write(want, q.Bound[0])
			if plan.Updates(q.Bound[0]) {
				// A rewrite leaves out changes of what nobody reads; what is left at the end must be the same, unless it depends on their order.
				if err := compareFolded(got.rows, text); err != nil && !c.ordered() {
					return err
				}
				if inputs, sources, err = got.inputs(q.Plans[0].Root, m.tables); err != nil {
					return &failure{"the sources are not those of the plan that runs", err.Error()}
				}
				if want, err = Run(q.Plans[0].Root, c.location(), inputs); err != nil {
					return &failure{"only the oracle stops", err.Error()}
				}
				text = write(want, q.Plans[0].Root)
				tally.changed++
			}
			tally.count(got, want)
			if err := compareCounts(got, want, sources); err != nil {
				return err
			}
		} else if !slices.EqualFunc(got.reads, plain.reads, sameRead) {
			return &failure{"the order of reading is not always the same", fmt.Sprintf("%s\nread %s\nand  %s", w, describe(plain.reads), describe(got.reads))}
		}
		if got.drops != plain.drops {
			return &failure{"counts of dropped rows differ between runs", fmt.Sprintf("%s\n%d and %d", w, plain.drops, got.drops)}
		}
		if err := compare(got, want, text, w); err != nil {
			return err
		}
	}
	return nil
}

func (t *tally) count(got *outcome, want *Result) {
	for _, r := range got.reads {
		t.read += len(r.rows)
	}
	t.answered += len(want.Rows())
	if slices.Max(append([]int64{0}, want.Late...)) > 0 {
		t.late++
	}
	if slices.Max(append([]int64{0}, want.Dropped...)) > 0 {
		t.dropped++
	}
}

// write writes the rows of r, group by group, sorted within each.
func write(r *Result, root plan.Node) []string {
	schema := plan.SchemaOf(root)
	var text []string
	for _, g := range r.Groups {
		from := len(text)
		for i, row := range g.Rows {
			text = append(text, g.Ops[i].String()+" "+FormatRow(row, schema))
		}
		slices.Sort(text[from:])
	}
	return text
}

// compare wants the groups of the oracle one after the other, in any order within each.
func compare(got *outcome, want *Result, text []string, w way) error {
	sorted := slices.Clone(got.rows)
	at := 0
	for _, g := range want.Groups {
		end := min(at+len(g.Rows), len(sorted))
		slices.Sort(sorted[at:end])
		at = end
	}
	if slices.Equal(sorted, text) {
		return nil
	}
	detail := fmt.Sprintf("%s\nread (source/split:rows): %s\nengine:\n  %s\noracle:\n  %s", w, describe(got.reads), strings.Join(sorted, "\n  "), strings.Join(text, "\n  "))
	slices.Sort(sorted)
	all := slices.Clone(text)
	slices.Sort(all)
	if slices.Equal(sorted, all) {
		return &failure{"rows come in another order", detail}
	}
	return &failure{"rows differ", detail}
}

// compareFolded wants two changelogs to leave the same rows.
func compareFolded(got, want []string) error {
	left, right := fold(got), fold(want)
	if maps.Equal(left, right) {
		return nil
	}
	return &failure{"what is left at the end differs", fmt.Sprintf("engine: %v\noracle: %v", left, right)}
}

// fold counts the rows that a changelog leaves.
func fold(changes []string) map[string]int {
	rows := map[string]int{}
	for _, c := range changes {
		op, row, _ := strings.Cut(c, " ")
		if op == "+I" || op == "+U" {
			rows[row]++
		} else {
			rows[row]--
		}
		if rows[row] == 0 {
			delete(rows, row)
		}
	}
	return rows
}

func compareCounts(got *outcome, want *Result, sources []int) error {
	for i, late := range want.Late {
		if got.late[sources[i]] != late {
			return &failure{"late rows at the source are counted otherwise", fmt.Sprintf("scan %d: engine %d, oracle %d", i, got.late[sources[i]], late)}
		}
	}
	drops := int64(0)
	for _, d := range want.Dropped {
		drops += d
	}
	if drops != got.drops {
		return &failure{"dropped rows are counted otherwise", fmt.Sprintf("engine %d, oracle %v", got.drops, want.Dropped)}
	}
	return nil
}

func sameRead(a, b read) bool {
	return a.source == b.source && a.split == b.split && len(a.rows) == len(b.rows)
}

func describe(reads []read) string {
	text := make([]string, len(reads))
	for i, r := range reads {
		text[i] = fmt.Sprintf("%d/%d:%d", r.source, r.split, len(r.rows))
	}
	return strings.Join(text, " ")
}
