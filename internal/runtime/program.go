package runtime

import (
	"fmt"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/watermark"
)

// blaming is the strategy of a table whose generators, if it has any, are to blame for their panics, and not the engine.
func blaming(s watermark.Strategy, table string) watermark.Strategy {
	code, ok := s.Candidates.(watermark.Code)
	if !ok {
		return s
	}
	what := fmt.Sprintf("the watermark generator of table '%s' (%s)", table, code)
	brought := code.New
	code.New = func() watermark.Generator {
		defer fault.Blame(what)
		g := brought()
		if g == nil {
			panic("New returned nil")
		}
		return &blamed{g, what}
	}
	s.Candidates = code
	return s
}

// blamed is a generator of the program's.
type blamed struct {
	watermark.Generator
	what string
}

// OnEvent implements watermark.Generator.
func (b *blamed) OnEvent(e watermark.Event, out watermark.Output) {
	defer fault.Blame(b.what)
	b.Generator.OnEvent(e, out)
}

// OnPeriodic implements watermark.Generator.
func (b *blamed) OnPeriodic(out watermark.Output) {
	defer fault.Blame(b.what)
	b.Generator.OnPeriodic(out)
}
