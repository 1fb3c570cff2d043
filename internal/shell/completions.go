package shell

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/complete"
)

// completions are what the place knows and what the shell knows beside: its commands and settings.
func (s *Shell) completions(before, after string) (candidates []string, start int) {
	own := complete.Completer{Schema: unknown{}, Connectors: s.options.Connectors, Settings: []complete.Setting{{Key: keyFormat, Values: []string{formatTable, formatPlain}}, {Key: keyTimeout}}, Language: s.language}
	for _, c := range commands {
		own.Commands = append(own.Commands, c.word)
	}
	candidates, start = own.Complete(before, after)
	if more, at := s.place.Complete(before, after); at == start {
		candidates = append(candidates, more...)
	}
	slices.Sort(candidates)
	return slices.Compact(candidates), start
}

// unknown is a schema with nothing in it.
type unknown struct{}

func (unknown) Names() []string         { return nil }
func (unknown) Columns(string) []string { return nil }
func (unknown) Databases() []string     { return nil }
func (unknown) Catalogs() []string      { return nil }
