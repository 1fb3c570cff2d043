package engine

import (
	"errors"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/compile"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/blackhole"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// corpus is the SQL of all golden files.
func corpus(t testing.TB) []string {
	paths, err := filepath.Glob("testdata/*/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	var all []string
	for _, path := range paths {
		for _, c := range readGolden(t, path) {
			all = append(all, c.input)
		}
	}
	return all
}

// survives takes a text as far as it goes without reading a row: parse, execute, explain, compile. It may be refused, but only with an error that has
// a place in a text.
func survives(t *testing.T, body string) {
	text := source.Text{Name: "q.sql", Body: body}
	script, err := sql.Parse(text)
	if err != nil {
		checkPlaced(t, body, err)
		return
	}
	e := newEngine(t)
	for _, s := range script.Statements {
		r, err := e.Execute(t.Context(), text, s)
		if err != nil {
			checkPlaced(t, body, err)
			return
		}
		if r.Query == nil {
			continue
		}
		_ = r.Query.Explain()
		sink, err := blackhole.NewSink(connector.Table{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var outputs []compile.Output
		for _, p := range r.Query.Plans {
			outputs = append(outputs, compile.Output{Root: p.Root, Sink: sink})
		}
		if _, err := compile.Graph(outputs, compile.Options{Parallelism: 2, Zone: r.Query.zone, Open: r.Query.open}); err != nil {
			t.Errorf("%s\nis accepted and does not compile: %v", body, err)
		}
	}
}

func checkPlaced(t *testing.T, body string, err error) {
	var placed *source.Error
	if !errors.As(err, &placed) {
		t.Errorf("%s\nis refused without a place: %v", body, err)
		return
	}
	if placed.Text.Name == "" || placed.Message == "" && placed.Expected == nil {
		t.Errorf("%s\nis refused without a text or a message:\n%s", body, placed.Render())
	}
	_ = placed.Render()
}

var word = regexp.MustCompile(`'[^']*'|[A-Za-z_$][A-Za-z_0-9$]*|[0-9]+|\s+|.`)

// extremes take the place of literals.
var extremes = []string{"0", "-1", "1", "2", "1.5", "1e300", "NULL", "TRUE", "2147483647", "9223372036854775807", "99999999999999999999", "''", "'0'", "'-1'", "'\u00e9'", "ts"}

var literal = regexp.MustCompile(`^('.*'|[0-9].*)$`)

// TestMutations executes the corpus with tokens left out, doubled, swapped and taken from other statements, and with other values of literals.
func TestMutations(t *testing.T) {
	var statements [][]string
	for _, body := range corpus(t) {
		statements = append(statements, word.FindAllString(body, -1))
	}
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(tokens []string) int { return random.IntN(len(tokens)) }
	trials := 20_000
	if testing.Short() {
		trials = 2_000
	}
	for range trials {
		tokens := append([]string(nil), statements[random.IntN(len(statements))]...)
		for range 1 + random.IntN(3) {
			i := pick(tokens)
			other := statements[random.IntN(len(statements))]
			switch random.IntN(6) {
			case 0:
				tokens = append(tokens[:i], tokens[min(i+1, len(tokens)-1):]...)
			case 1:
				j := pick(tokens)
				tokens[i], tokens[j] = tokens[j], tokens[i]
			case 2:
				tokens[i] = other[pick(other)]
			case 3:
				tokens[i] += " " + other[pick(other)]
			case 4:
				// A whole piece of another statement.
				from := pick(other)
				tokens[i] = strings.Join(other[from:min(from+1+random.IntN(12), len(other))], "")
			case 5:
				if at := literals(tokens); len(at) > 0 {
					tokens[at[random.IntN(len(at))]] = extremes[random.IntN(len(extremes))]
				}
			}
		}
		survives(t, strings.Join(tokens, ""))
	}
}

// literals are the places of the numbers and strings among tokens.
func literals(tokens []string) []int {
	var at []int
	for i, token := range tokens {
		if literal.MatchString(token) {
			at = append(at, i)
		}
	}
	return at
}

// FuzzExecute executes any text: nothing that a user writes makes the engine panic.
func FuzzExecute(f *testing.F) {
	for _, body := range corpus(f) {
		f.Add(body)
	}
	f.Fuzz(survives)
}
