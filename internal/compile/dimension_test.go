package compile

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// texts is a batch of one STRING column for each list, "-" for NULL.
func texts(memory *vector.Pool, lists ...[]string) *vector.Batch {
	a := memory.Get()
	b := &vector.Batch{N: len(lists[0]), Arena: a, Cols: a.Columns(len(lists))}
	for i, list := range lists {
		column := vector.NewBuilder(a, vector.Bytes, len(list))
		for _, text := range list {
			if text == "-" {
				column.AppendNull()
			} else {
				column.AppendBytes([]byte(text))
			}
		}
		b.Cols[i] = column.Done()
	}
	return b
}

func ignored(*vector.Batch, []int64, []int64) {}

func dividing(columns int) *dividingIntake {
	i := newDividingIntake(intake{env: &function.Env{}}, nil)
	for c := range columns {
		i.dimension = append(i.dimension, expr.NewColumn(c, fmt.Sprint("c", c), types.StringType))
	}
	return i
}

// Values are numbered as they come, and keep their numbers from batch to batch. What is one text is not what is two.
func TestDividingIntake(t *testing.T) {
	memory := &vector.Pool{}
	i := dividing(2)
	for _, c := range []struct {
		batch *vector.Batch
		want  []int32
	}{
		{texts(memory, []string{"a", "b", "a", "-", "a"}, []string{"x", "x", "y", "x", "x"}), []int32{0, 1, 2, 3, 0}},
		{texts(memory, []string{"a", "-", "ax", "", "a"}, []string{"x", "x", "", "ax", "-"}), []int32{0, 3, 4, 5, 6}},
	} {
		if err := i.Prepare(c.batch, ignored); err != nil {
			t.Fatal(err)
		}
		if got := i.Values(); !slices.Equal(got, c.want) {
			t.Errorf("got %v, want %v", got, c.want)
		}
	}
	var names []string
	for n := range int32(7) {
		names = append(names, i.ValueName(n))
	}
	if want := []string{"a, x", "b, x", "a, y", "NULL, x", "ax, ''", "'', ax", "a, NULL"}; !slices.Equal(names, want) {
		t.Errorf("got %q, want %q", names, want)
	}
}

// One column is told apart by its text alone, but for texts that could be taken for what several columns have.
func TestDividingIntakeOfOneColumn(t *testing.T) {
	i := dividing(1)
	if err := i.Prepare(texts(&vector.Pool{}, []string{"a", "", "-", "\x00", "\x00\x00", "\x00\x01", "\x02a", "a", "", "-", "\x00"}), ignored); err != nil {
		t.Fatal(err)
	}
	if got, want := i.Values(), []int32{0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// BenchmarkDividingIntake reports ns/row of finding the values of batches of 8,192 rows.
func BenchmarkDividingIntake(b *testing.B) {
	for _, values := range []int{10, 1000} {
		b.Run(fmt.Sprintf("values=%d", values), func(b *testing.B) {
			const rows = 8192
			list := make([]string, rows)
			for k := range list {
				list[k] = fmt.Sprintf("type %d", k*7919%values)
			}
			batch := texts(&vector.Pool{}, list)
			i := dividing(1)
			for b.Loop() {
				for row := range rows {
					i.number(batch.Cols, row)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows), "ns/row")
		})
	}
}
