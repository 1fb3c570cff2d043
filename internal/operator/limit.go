package operator

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
)

// Limit passes count rows as they come, behind the first skip ones. Its input only adds rows.
type Limit struct {
	skip, count int64
	seen        int64 // rows of the input, at most skip + count
	counts      dataflow.Counts
}

// NewLimit makes the operator.
func NewLimit(skip, count int64) *Limit { return &Limit{skip: skip, count: count} }

// Sated implements dataflow.Sated.
func (l *Limit) Sated() bool { return l.seen == l.skip+l.count }

// Counts implements dataflow.Counted.
func (l *Limit) Counts() *dataflow.Counts { return &l.counts }

// Advance implements dataflow.Operator.
func (l *Limit) Advance(p dataflow.Progress, out dataflow.Output) error { return out.Advance(p) }

// Process implements dataflow.Operator.
func (l *Limit) Process(b *dataflow.Batch, out dataflow.Output) error {
	n := int64(b.Rows().Count())
	from := min(max(l.skip-l.seen, 0), n)
	to := min(max(l.skip-l.seen+l.count, 0), n)
	l.seen += to
	l.counts.In.Add(n)
	l.counts.Out.Add(to - from)
	l.counts.Filtered.Add(n - (to - from))
	switch {
	case from == to:
		b.Sel = []int32{}
	case to-from < n:
		b.Sel = stretch(b, int(from), int(to)).Sel
	}
	return out.Emit(b)
}

const limitStateVersion = 1

// Snapshot implements dataflow.Stateful. The bytes are the version (one byte) and how many rows have been seen, at most those that matter (eight bytes, little-endian).
func (l *Limit) Snapshot(dst []byte) []byte {
	return appendInt64(append(dst, limitStateVersion), l.seen)
}

// Restore implements dataflow.Stateful.
func (l *Limit) Restore(parts [][]byte, _ func(hash uint64) bool) error {
	for _, part := range parts {
		d := &decoder{src: part}
		d.version(limitStateVersion)
		if l.seen = d.int64(); l.seen < 0 || l.seen > l.skip+l.count {
			d.fail("it has seen an impossible number of rows")
		}
		if err := d.end(); err != nil {
			return err
		}
	}
	return nil
}
