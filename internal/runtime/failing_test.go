package runtime

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// failing wraps an operator so that it fails once it has taken that many rows: with err, or by a panic if err is nil.
func failing(spec OperatorSpec, after int, err error) OperatorSpec {
	make := spec.New
	spec.New = func() dataflow.Operator { return &failingOperator{Operator: make(), left: after, err: err} }
	return spec
}

type failingOperator struct {
	dataflow.Operator
	left int
	err  error
}

func (f *failingOperator) Process(b *dataflow.Batch, out dataflow.Output) error {
	if f.left -= b.Rows().Count(); f.left <= 0 {
		if f.err == nil {
			panic("oh no")
		}
		return f.err
	}
	return f.Operator.Process(b, out)
}

// singly wraps an operator so that what it emits leaves in batches of one row.
func singly(spec OperatorSpec) OperatorSpec {
	make := spec.New
	spec.New = func() dataflow.Operator { return singleRows{make()} }
	return spec
}

type singleRows struct{ dataflow.Operator }

func (s singleRows) Process(b *dataflow.Batch, out dataflow.Output) error {
	return s.Operator.Process(b, singleOutput{out})
}

func (s singleRows) Advance(p dataflow.Progress, out dataflow.Output) error {
	return s.Operator.Advance(p, singleOutput{out})
}

type singleOutput struct{ out dataflow.Output }

func (s singleOutput) Emit(b *dataflow.Batch) error {
	for i := range b.N {
		a := (&vector.Pool{}).Get()
		one := &dataflow.Batch{Batch: vector.Batch{N: 1, Arena: a}, Released: b.Released, Rank: b.Rank}
		for _, c := range b.Cols {
			one.Cols = append(one.Cols, c.Take(a, []int32{int32(i)}))
		}
		if err := s.out.Emit(one); err != nil {
			return err
		}
	}
	b.Release()
	return nil
}

func (s singleOutput) Advance(p dataflow.Progress) error { return s.out.Advance(p) }
