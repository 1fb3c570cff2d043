package statements

import "testing"

// BenchmarkResults puts rows and reads them page by page, with and without memory that others share.
func BenchmarkResults(b *testing.B) {
	for name, shared := range map[string]*pool{"alone": nil, "shared": newPool(1 << 30)} {
		b.Run(name, func(b *testing.B) {
			r := newResults(nil, 1<<30, func() int64 { return 0 })
			r.pool = shared
			row := Row{Cells: []byte(`["1","2026-01-01 00:00:00"]`)}
			next := int64(0)
			for i := range b.N {
				if err := r.put(row); err != nil {
					b.Fatal(err)
				}
				if i%1000 == 999 {
					p, err := r.page(next, 1000, 1<<20)
					if err != nil {
						b.Fatal(err)
					}
					next = p.Next
				}
			}
		})
	}
}
