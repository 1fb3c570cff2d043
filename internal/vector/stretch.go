package vector

import "iter"

// StringBytes is how many bytes the strings of a row have.
func StringBytes(cols []*Vector, row int) int {
	n := 0
	for _, c := range cols {
		if c.Kind == Bytes && !c.Const && !c.IsNull(row) {
			n += len(c.Bytes(row))
		}
	}
	return n
}

// Stretches cuts n rows, of which size tells how many bytes they take, into stretches lo..hi-1 of at most so many rows and bytes; one row may take more.
func Stretches(n, rows, bytes int, size func(i int) int) iter.Seq2[int, int] {
	return func(yield func(lo, hi int) bool) {
		lo, sum := 0, 0
		for i := range n {
			s := size(i)
			if i > lo && (i-lo == rows || sum+s > bytes) {
				if !yield(lo, i) {
					return
				}
				lo, sum = i, 0
			}
			sum += s
		}
		if lo < n {
			yield(lo, n)
		}
	}
}
