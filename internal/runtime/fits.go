package runtime

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/fault"
)

// Unmatched is state in a snapshot that does not fit the operators of the statement.
type Unmatched struct{ what string }

func (u *Unmatched) Error() string { return u.what }

// Fault is fault.User.
func (u *Unmatched) Fault() fault.Class { return fault.User }

// Fits tells why a job of the graph cannot go on from a snapshot, of which the outline is enough. Nothing is opened. What the splits of sources say to their offsets only New can tell.
func (g *Graph) Fits(s *Snapshot) error {
	if s.Finished {
		return nil
	}
	made := func(f, i int) dataflow.Operator { return g.Fragments[f].Chain[i].New() }
	return g.fits(s, made, func(u *Unmatched) error { return u })
}

// fits has unmatched decide about each state that does not fit; made is the operator at a place in the chain of a fragment.
func (g *Graph) fits(s *Snapshot, made func(fragment, at int) dataflow.Operator, unmatched func(*Unmatched) error) error {
	if len(s.Sources) != len(g.Sources) {
		return fault.Errorf(fault.User, "the snapshot is of a statement with %d sources, this one has %d", len(s.Sources), len(g.Sources))
	}
	left := maps.Clone(s.Operators)
	for f := range g.Fragments {
		for i, spec := range g.Fragments[f].Chain {
			if _, ok := made(f, i).(dataflow.Stateful); !ok {
				continue
			}
			delete(left, spec.ID)
			what := ""
			switch have := s.Operators[spec.ID]; {
			case have == nil:
				what = fmt.Sprintf("the snapshot has no state for %s%s", spec.ID, g.moved(s, spec.ID))
			case have.Print != spec.Print:
				what = fmt.Sprintf("the state of %s means something else: it was made by %s", spec.ID, difference(have.Print, spec.Print))
			default:
				continue
			}
			if err := unmatched(&Unmatched{what}); err != nil {
				return err
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(left)) {
		if err := unmatched(&Unmatched{fmt.Sprintf("the snapshot has state of %s, made by %s, which this statement does not have", id, left[id].Print)}); err != nil {
			return err
		}
	}
	return nil
}

// difference is what made a state, and what there is in its place. The words of two prints may be the same; the number behind them stands for the rest.
func difference(had, has string) string {
	words, _, numbered := strings.Cut(had, ", #")
	if now, _, _ := strings.Cut(has, ", #"); numbered && now == words {
		return words + " with other keys, functions, conditions or columns, here or below"
	}
	return had + ", and this statement has " + has
}

// moved tells of state that an operator of the kind of id had in another place, and that no operator of the statement has now.
func (g *Graph) moved(s *Snapshot, id string) string {
	for _, had := range slices.Sorted(maps.Keys(s.Operators)) {
		used := slices.ContainsFunc(g.Fragments, func(f Fragment) bool {
			return slices.ContainsFunc(f.Chain, func(c OperatorSpec) bool { return c.ID == had })
		})
		if !used && path.Base(had) == path.Base(id) {
			return fmt.Sprintf("; it has state of %s, made by %s: a condition or something else between that and the sink is new, or gone", had, s.Operators[had].Print)
		}
	}
	return ""
}
