package flow

import "github.com/tidemark-sql/tidemark/internal/process"

// HarnessOf runs the computation that make makes, wired as spec says.
func HarnessOf(spec process.Spec, parameters string, make func() Computation) (*Harness, error) {
	var text []byte
	if parameters != "" {
		text = []byte(parameters)
	}
	maker := Computations{"f": make}.makers()["f"]
	spec.New = func() (process.Function, error) { return maker(&spec, text) }
	return newHarness(&spec)
}
