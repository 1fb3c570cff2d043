package lower

import (
	"github.com/tidemark-sql/tidemark/internal/flowspec"
	"github.com/tidemark-sql/tidemark/internal/plan"
)

// Functions is the code of computations, by name.
type Functions interface {
	// Names lists what there is.
	Names() []string
}

// process adds the streams that code writes.
func (l *lowering) process(c *flowspec.Computation, inputs map[string]plan.Node) error {
	return l.errorf(codeFunction, c.Function.At, "run the pipeline in a program that has it, with package flow", "there is no function '%s'", c.Function.Text)
}
