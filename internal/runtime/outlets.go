package runtime

import "github.com/tidemark-sql/tidemark/internal/dataflow"

// outlets are the outputs of the last operator of a fragment, each of which goes by all routes that have its number.
func (f *Fragment) outlets(routes []*route) []dataflow.Output {
	ways := make([]fan, max(f.Outlets, 1))
	for _, r := range routes {
		ways[r.target.Outlet] = append(ways[r.target.Outlet], r)
	}
	all := make([]dataflow.Output, len(ways))
	for i, w := range ways {
		if all[i] = w; len(w) == 1 {
			all[i] = w[0]
		}
	}
	return all
}

// fan sends everything by every one of some routes, and by none what nobody reads.
type fan []*route

// Emit implements dataflow.Output. The last route gets the batch itself, the others copies.
func (f fan) Emit(b *dataflow.Batch) error {
	if len(f) == 0 {
		b.Release()
		return nil
	}
	last := len(f) - 1
	for _, r := range f[:last] {
		if err := r.Emit(b.Part(0, b.Rows().Count())); err != nil {
			return err
		}
	}
	return f[last].Emit(b)
}

// Advance implements dataflow.Output.
func (f fan) Advance(p dataflow.Progress) error {
	for _, r := range f {
		if err := r.Advance(p); err != nil {
			return err
		}
	}
	return nil
}
