package plan

import (
	"fmt"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
)

// TTL is how long an operator keeps what is not written any more, by the wall clock, and who said so. Windows by the watermark, joins on time and patterns have none: the watermark tells
// them what nobody can need any more.
type TTL struct {
	Micros int64 // 0: for ever
	Origin string
	// Said is whether a hint or SET says so, rather than a default.
	Said bool
}

func (t TTL) String() string {
	if t.Micros == 0 {
		return "for ever"
	}
	return timefmt.Length(t.Micros)
}

// KeepJoin gives a join, or the join below a projection that NewJoin has put on it, the time to live of its sides.
func KeepJoin(n Node, left, right TTL) {
	if p, ok := n.(*Project); ok {
		n = p.Input
	}
	n.(*Join).TTL = [2]TTL{left, right}
}

// lives are the times to live of n, with what each is of.
func lives(n Node) (of []string, ttls []TTL) {
	switch n := n.(type) {
	case *GroupAggregate:
		return []string{"keys"}, []TTL{n.TTL}
	case *Normalize:
		return []string{"keys"}, []TTL{n.TTL}
	case *KeyWindows:
		return []string{"groups"}, []TTL{n.TTL}
	case *TopN:
		return []string{"partitions"}, []TTL{n.TTL}
	case *Over:
		if n.TTL.Said {
			return []string{"first rows"}, []TTL{n.TTL}
		}
	case *Limit:
		if !n.Passes() {
			return []string{"rows"}, []TTL{n.TTL}
		}
	case *SetOperation:
		return []string{"rows"}, []TTL{n.TTL}
	case *Join:
		if !n.Timed() {
			return []string{"left rows", "right rows"}, n.TTL[:]
		}
	}
	return nil, nil
}

// states tells how long the operators of statements keep their state, of those that somebody has given a time to live, and where, if memory is limited; "" if there is nothing to tell.
func states(all []*Statement, m Memory) string {
	var b strings.Builder
	seen := map[*Shared]bool{}
	var walk func(n Node)
	walk = func(n Node) {
		if s, ok := n.(*Shared); ok {
			if seen[s] {
				return
			}
			seen[s] = true
		}
		of, ttls := lives(n)
		told := false
		for _, t := range ttls {
			told = told || t.Said && (t.Micros > 0 || t.Origin == StateTTLHint)
		}
		memory := m.of(n)
		if told || memory != "" {
			fmt.Fprintf(&b, "  %s\n", Describe(n))
		}
		if told {
			for i, t := range ttls {
				fmt.Fprintf(&b, "    %-18s %-28s (%s)\n", of[i], t, t.Origin)
			}
		}
		b.WriteString(memory)
		for _, c := range n.Children() {
			walk(c)
		}
	}
	for _, s := range all {
		walk(s.Root)
	}
	return b.String()
}

// StateTTLHint is the hint that says how long state is kept.
const StateTTLHint = "STATE_TTL"
