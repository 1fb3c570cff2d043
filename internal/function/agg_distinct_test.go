package function

import (
	"bytes"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// The different values of a group are state: those of two groups that are merged may take more than a batch.
func TestDistinctMergesMoreThanABatch(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a gigabyte")
	}
	count, _ := LookupAggregate("COUNT")
	o, err := count.Resolve(AggregateCall{Args: []types.Type{types.StringType}, Distinct: true})
	if err != nil {
		t.Fatal(err)
	}
	const size = 16 << 20
	const n = vector.MaxBatch/size + 1
	pool := &vector.Pool{}
	from, to := o.New(), o.New()
	from.Grow(1)
	to.Grow(1)
	text := make([]byte, size)
	for i := range n {
		copy(text, bytes.Repeat([]byte{byte(i)}, 4))
		b := vector.NewBuilder(pool.Get(), vector.Bytes, 1)
		b.AppendBytes(text)
		from.Add([]uint32{0}, []*vector.Vector{b.Done()}, vector.All(1))
	}
	to.Merge([]uint32{0}, from, nil)
	if got := to.Result(pool.Get(), []uint32{0}).Int(0); got != n {
		t.Errorf("%d different values, want %d", got, n)
	}
}
