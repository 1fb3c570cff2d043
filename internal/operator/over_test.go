package operator

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Keys that are forgotten take nothing with them: a crowd of others, each of which has one row that may be late beyond all frames, does not show in the results of a key.
func TestOverForgetsKeys(t *testing.T) {
	const crowd = 1_000_000
	r := rand.New(rand.NewPCG(3, 4))
	var few, many []event
	for round := range int64(12) {
		now := 100 * (round + 1) * second
		at := func() int64 { return max(now-r.Int64N(400*second), 0) }
		for range 20 {
			e := event{key: r.Int64N(5), time: at()}
			few, many = append(few, e), append(many, e)
		}
		for i := range int64(900) {
			many = append(many, event{key: crowd + 1000*round + i, time: at()})
		}
		mark := event{isMark: true, frontier: watermark.Frontier(100 * round * second)}
		few, many = append(few, mark), append(many, mark)
	}
	run := func(events []event, cuts []int) (few []string) {
		pool, out := &vector.Pool{}, newChecked(t)
		out.windows = false
		o := NewOver(OverSpec{Time: 1, Keys: []int{0}, KeyKinds: intKey, Kinds: slices.Repeat(intKey, 4), Bounded: true, Preceding: 10 * second, Memory: pool,
			Aggregates: []Aggregate{{New: aggregate("SUM"), Args: []int{0}, Filter: -1, Kind: vector.Int64}}})
		feed(t, o, out, pool, append(slices.Clone(events), parse(t, "^10000")...), cuts)
		for _, row := range out.got {
			var key, time, start, end, sum int64
			if _, err := fmt.Sscanf(row.text, "[%d %d %d %d %d]", &key, &time, &start, &end, &sum); err != nil {
				t.Fatal(err)
			}
			switch {
			case key < crowd:
				few = append(few, row.text)
			case sum != key:
				t.Fatalf("the only row of key %d at %d has the sum %d", key, time, sum)
			}
		}
		if len(events) > 1000 && o.swept == 0 {
			t.Fatal("nothing was forgotten")
		}
		return few
	}
	want := run(few, nil)
	for range 5 {
		if got := run(many, someCuts(r, len(many))); !slices.Equal(got, want) {
			t.Fatalf("with others:\n%v\nwithout:\n%v", got, want)
		}
	}
}
