package advice

import (
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/watermark"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// begin is the wall clock of the scenes, in 2024, and event time begins a day before.
const begin = 1_720_000_000 * second

// scene is a table and its rows.
type scene struct {
	name  string
	table Table
	// splits have so many rows each, of which row i of split k is of at(k, i); the rows come in turn, per at a time, and between two turns the clock goes on by pause.
	splits, rows, per int
	at                func(k, i int) int64
	pause             int64
	finds             []string
}

func steady(k, i int) int64 { return begin - day + int64(i)*100*milli }

// jittered is steady with every hundredth row some seconds older.
func jittered(k, i int) int64 {
	t := steady(k, i)
	if r := rand.New(rand.NewPCG(uint64(k), uint64(i))); r.IntN(100) == 0 {
		t -= int64(k+1) * r.Int64N(10*second) / milli * milli
	}
	return t
}

func scenes() []scene {
	clicks := Table{Name: "clicks", Column: "ts", Watermark: "ts - INTERVAL '5' SECOND", Delay: 5 * second, Declared: true, Bounded: true}
	with := func(change func(*Table)) Table {
		t := clicks
		change(&t)
		return t
	}
	return []scene{
		{"no rows", clicks, 2, 0, 1, steady, 0, []string{FindingNoRows}},
		{"only NULL", clicks, 1, 3, 1, func(int, int) int64 { return watermark.NoTime }, 0, []string{FindingNoRows}},
		{"one row", clicks, 1, 1, 1, steady, 0, []string{FindingFewRows}},
		{"two splits", clicks, 2, 20_000, 10, jittered, 0, nil},
		{"asked for", with(func(t *Table) { t.Delays = []int64{1234 * milli, 90 * second} }), 1, 20_000, 10, jittered, 0, nil},
		{"too small", with(func(t *Table) { t.Watermark, t.Delay = "ts", 0 }), 1, 20_000, 10, func(k, i int) int64 { return jittered(k, i) - int64(i%7)*second }, 0, []string{FindingTooSmall}},
		{"too large", with(func(t *Table) { t.Watermark, t.Delay = "ts - INTERVAL '10' MINUTE", 10*minute }), 1, 20_000, 10, jittered, 0, []string{FindingTooLarge}},
		{"no constant delay", with(func(t *Table) { t.Watermark, t.Delay = "CASE kind WHEN 1 THEN ts ELSE NULL END", NoDelay }), 1, 20_000, 10, jittered, 0, []string{FindingTooSmall}},
		{"default watermark", with(func(t *Table) {
			*t = Table{Name: "`my topic`", Column: "$rowtime", Watermark: "SOURCE_WATERMARK()", Delay: 180 * milli, Default: true, Declared: true, Instant: true}
		}), 1, 300, 10, func(k, i int) int64 { return begin + int64(i-i%2*20)*100*milli }, second, []string{FindingTooSmall, FindingFewRows}},
		{"no watermark", with(func(t *Table) { *t = Table{Name: "clicks", Column: "ts", Delay: NoDelay, Bounded: true} }), 1, 12, 1, jittered, 0, []string{FindingInOrder, FindingFewRows}},
		{"one time", clicks, 1, 10_000, 10, func(int, int) int64 { return begin }, 0, []string{FindingConstant}},
		{"in order", clicks, 1, 10_000, 10, steady, 0, []string{FindingInOrder, FindingTooLarge}},
		{"some NULL", with(func(t *Table) { t.Strategy.NullTime = watermark.Drop }), 1, 20_000, 10, func(k, i int) int64 {
			if i%1000 == 7 {
				return watermark.NoTime
			}
			return jittered(k, i)
		}, 0, []string{FindingNullTimes}},
		{"seconds", clicks, 1, 20_000, 10, func(k, i int) int64 { return jittered(k, i) / 1000 / milli * milli }, 0, []string{FindingSeconds}},
		{"milliseconds", clicks, 1, 20_000, 10, func(k, i int) int64 { return jittered(k, i) * 1000 }, 0, []string{FindingMillis, FindingFuture}},
		{"from the future", clicks, 1, 20_000, 10, func(k, i int) int64 {
			if i == 15_000 {
				return begin + 40_000*day
			}
			return jittered(k, i)
		}, 0, []string{FindingFuture}},
		{"future bounded", with(func(t *Table) { t.Strategy.MaxAhead = watermark.MaxAhead(hour) }), 1, 20_000, 10, func(k, i int) int64 {
			if i == 15_000 {
				return begin + 40_000*day
			}
			return jittered(k, i)
		}, 0, nil},
		{"apart", clicks, 3, 20_000, 10, func(k, i int) int64 { return jittered(k, i) - int64(k)*hour }, 0, []string{FindingApart}},
		{"silent", with(func(t *Table) { t.Bounded = false }), 3, 20_000, 10, func(k, i int) int64 {
			if k == 1 && i > 100 {
				return nothing
			}
			return jittered(k, i)
		}, second, []string{FindingSilent}},
		{"idle", with(func(t *Table) {
			t.Bounded, t.Strategy.Idleness = false, watermark.Fixed{Timeout: 30 * second, Flush: true}
		}), 1, 20_000, 100, func(k, i int) int64 {
			if i%200 == 0 {
				return steady(k, i) - 3*second
			}
			return steady(k, i)
		}, minute, []string{FindingIdle}},
		{"looking ahead", with(func(t *Table) {
			t.Strategy.Emission, t.Strategy.Candidates = watermark.Periodic{Interval: second}, watermark.Lookahead{Bound: 5 * second, InFlight: watermark.All, LateData: watermark.All}
		}), 1, 20_000, 10, jittered, 0, []string{FindingGenerator}},
		{"many splits", clicks, 30, 1000, 10, jittered, 0, nil},
		{"too many splits", clicks, maxSplits + 7, 20, 10, func(k, i int) int64 { return steady(k, i) - int64(i%3)*second }, 0, nil},
	}
}

// nothing is no row.
const nothing = watermark.NoTime + 1

func (c *scene) play(t *testing.T) *Report {
	t.Helper()
	core, err := watermark.New(c.table.Strategy, begin)
	if err != nil {
		t.Fatal(err)
	}
	now := int64(begin)
	s := NewStudy(c.table, core, now)
	for k := range c.splits {
		core.AddSplit(now)
		s.Turned(k, fmt.Sprintf("clicks/%d.jsonl", k), watermark.Active, now)
	}
	var found watermark.Observed
	for i := 0; i < c.rows; i += c.per {
		for k := range c.splits {
			var times, candidates []int64
			for j := i; j < min(i+c.per, c.rows); j++ {
				if at := c.at(k, j); at != nothing {
					times = append(times, at)
					if at != watermark.NoTime {
						at -= max(c.table.Delay, 0)
					}
					candidates = append(candidates, at)
				}
			}
			if len(times) > 0 {
				found.Reset()
				core.Observe(k, times, candidates, now, &found)
				s.Read(k, times, nil, &found, now)
			}
		}
		if c.pause > 0 {
			now += c.pause
			found.Reset()
			core.Tick(now, &found)
			s.Ticked(0, 0, now)
		}
	}
	return s.Report()
}

// TestScenes: each scene has the findings that it is made for and no others, and its report is as the golden file has it.
func TestScenes(t *testing.T) {
	for _, c := range scenes() {
		r := c.play(t)
		var names []string
		for _, f := range r.Findings {
			names = append(names, f.Name)
		}
		if !slices.Equal(names, c.finds) {
			t.Errorf("%s: finds %v, want %v", c.name, names, c.finds)
		}
		golden(t, c.name+".txt", r.Text())
	}
}

// TestFindings: every finding has a scene, and a line in the page about delays.
func TestFindings(t *testing.T) {
	page, err := os.ReadFile("../../docs/delays.md")
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), "findings.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	ast.Inspect(file, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if !ok || len(v.Values) != 1 || !strings.HasPrefix(v.Names[0].Name, "Finding") {
			return true
		}
		seen++
		name, err := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(page), "| `"+name+"` | ") {
			t.Errorf("the page says nothing of %s", name)
		}
		if !slices.ContainsFunc(scenes(), func(c scene) bool { return slices.Contains(c.finds, name) }) {
			t.Errorf("no scene finds %s", name)
		}
		return true
	})
	if seen == 0 {
		t.Error("there are no findings")
	}
}

// TestJSON holds the objects against golden files, and against what the text says.
func TestJSON(t *testing.T) {
	for _, c := range scenes() {
		if !slices.Contains([]string{"no rows", "two splits", "default watermark"}, c.name) {
			continue
		}
		r := c.play(t)
		got, err := json.MarshalIndent(r, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		golden(t, c.name+".json", string(got)+"\n")
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", strings.ReplaceAll(name, " ", "-"))
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
	}
}
