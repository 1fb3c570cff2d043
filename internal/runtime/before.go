package runtime

import "github.com/tidemark-sql/tidemark/internal/dataflow"

// before is what was counted by the jobs that a job goes on from.
type before struct {
	sources   []SourceTotals
	operators map[string]dataflow.Totals // by OperatorSpec.ID
}

func countsBefore(s *Snapshot) before {
	b := before{operators: s.Counts}
	for i := range s.Sources {
		b.sources = append(b.sources, s.Sources[i].Counts)
	}
	return b
}
