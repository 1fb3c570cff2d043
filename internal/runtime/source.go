package runtime

import (
	"fmt"
	"math"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/watermark"
)

// source is a table being read: its splits, which belong to the sequencer, and its watermark core, which belongs to the worker that has
// the turn.
type source struct {
	spec   *Source
	splits []*split
	core   *watermark.Core
	// seen is used in turn, like core.
	seen      watermark.Observed
	counts    SourceCounts
	published int64 // wall time of the last snapshot of the core
	// nextTick and stalled belong to the sequencer.
	nextTick int64
	stalled  int64 // time since the source's last tick in which workers were busy, microseconds
}

// split is one split as the sequencer sees it.
type split struct {
	connector.Split
	source int   // index into Job.sources
	number int   // in its core
	wake   int64 // when to ask it for a chunk: wall clock, microseconds
	done   bool
	// frontier is the split's own, as far as the sequencer lets itself know; see sequencer.learn.
	frontier watermark.Frontier
}

// atOnce is the wake-up time of a split that may be asked now.
const atOnce = math.MinInt64

func newSource(spec *Source, now int64) *source {
	return &source{spec: spec, core: watermark.New(spec.Strategy, now)}
}

// open opens the splits of source number index, and goes to where from is if that is not nil. After an error, close still closes what is
// open.
func (s *source) open(index int, now int64, from *SourceSnapshot) error {
	splits, err := s.spec.Reader.Open()
	if err != nil {
		return fmt.Errorf("open table '%s': %w", s.spec.Name, err)
	}
	for i, x := range splits {
		s.splits = append(s.splits, &split{Split: x, source: index, number: i, wake: atOnce, frontier: watermark.Unset})
	}
	if from != nil {
		return s.restore(from)
	}
	for range splits {
		s.core.AddSplit(now)
	}
	if s.spec.Reader.Bounded() {
		s.core.SealSplits()
	}
	return nil
}

func (s *source) progress() dataflow.Progress {
	return dataflow.Progress{Frontier: s.core.Frontier(), Active: s.core.Active()}
}

func (s *source) close() error {
	var first error
	for _, x := range s.splits {
		if err := x.Close(); err != nil && first == nil {
			first = fmt.Errorf("close %s: %w", x.Name(), err)
		}
	}
	return first
}

// periodic is the interval of the source's ticks in microseconds, 0 if it needs none.
func (s *source) periodic() int64 {
	interval := int64(0)
	if p, ok := s.spec.Strategy.Emission.(watermark.Periodic); ok {
		interval = p.Interval
	} else if _, never := s.spec.Strategy.Idleness.(watermark.Never); !never {
		interval = watermark.DefaultInterval
	}
	return interval
}
